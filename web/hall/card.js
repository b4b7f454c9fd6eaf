// One table on the screen: players, clocks, board, result. Names and titles come from outside and are only ever set as text.

import { Board, piecesOf, squareAt } from "./board.js";
import { face, timeOf } from "./clockface.js";
import { written } from "./results.js";
import { t } from "./words.js";

const FIGURES = { K: "♚", Q: "♛", R: "♜", B: "♝", N: "♞", P: "" };
function make(tag, className, ...children) {
  const element = document.createElement(tag);
  element.className = className;
  element.append(...children);
  return element;
}

function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** "12…♞g8–f6": the same for every move, legal or not, so that the screen hints at nothing (12.6). */
function lastMove(moves, pieces) {
  const move = moves.at(-1);
  if (!move) return "";
  const [from, to] = [move.uci.slice(0, 2), move.uci.slice(2, 4)];
  const piece = pieces[squareAt(to)];
  const number = `${Math.ceil(moves.length / 2)}${moves.length % 2 === 1 ? "." : "…"}`;
  return `${number} ${piece ? FIGURES[piece[1]] : ""}${from}–${to}`;
}

class PlayerLine {
  #title = make("span", "title");
  #name = make("span", "name");
  #more = make("span", "more");
  #who = make("div", "who", make("span", "main", this.#title, this.#name), this.#more);
  #clock = make("div", "clock");
  #look = "";

  constructor(side) {
    this.element = make("div", `player ${side}`, this.#who, this.#clock);
    this.#name.dir = "auto";
  }

  showPlayer(player, won) {
    setText(this.#title, player.title ?? "");
    this.#title.hidden = !player.title;
    setText(this.#name, player.name);
    setText(this.#more, [player.rating, player.federation].filter(Boolean).join(" "));
    this.#who.classList.toggle("won", won);
  }

  showTime({ ms, running, silent }) {
    setText(this.#clock, face(ms));
    const look = `clock${running ? " running" : ""}${silent ? " silent" : ""}`;
    if (look !== this.#look) this.#clock.className = this.#look = look;
  }
}

/** A place on the page: shows now one table, now another, so that a page is turned without making everything anew. */
export class Card {
  #board = new Board();
  #players = { white: new PlayerLine("white"), black: new PlayerLine("black") };
  #table = make("span", "table");
  #sign = make("span", "sign");
  #last = make("span", "last");
  #place = make("span", "place");
  #meta = make("div", "meta", this.#table, this.#sign, this.#last, this.#place);
  #result = make("div", "result");
  #data = null;
  #pieces = [];
  #built = false;

  constructor() {
    this.element = make("article", "card");
    this.#result.hidden = true;
  }

  /** Whether there is a board on it, or only names and clocks. */
  set bare(bare) {
    if (bare === (this.#result.parentElement === this.#meta) && this.#built) return;
    this.#built = true;
    const { black, white } = this.#players;
    if (bare) {
      this.#meta.append(this.#result);
      this.element.replaceChildren(black.element, this.#meta, white.element);
    } else {
      this.#board.element.append(this.#result);
      this.element.replaceChildren(black.element, this.#meta, this.#board.element, white.element);
    }
  }

  /** The table that it shows; null before it shows one. */
  get table() {
    return this.#data?.table ?? null;
  }

  /** Shows a state of a table; `number` is what it goes by, and `place` what else it is called by, where that is needed. */
  show(data, number, place, now) {
    const other = data.table !== this.table;
    this.#data = data;
    const { view } = data;
    setText(this.#table, String(number));
    if (other) {
      this.element.dataset.table = data.table;
      this.#board.element.setAttribute("aria-label", t("board.of", { n: data.table }));
    }
    this.#pieces = piecesOf(view.fen);
    const move = view.moves.at(-1);
    const marked = move ? [squareAt(move.uci.slice(0, 2)), squareAt(move.uci.slice(2, 4))] : [];
    if (this.#board.element.isConnected) this.#board.show(this.#pieces, marked);

    const done = view.result !== "*";
    this.element.classList.toggle("done", done);
    setText(this.#result, done ? written(view.result) : "");
    this.#result.hidden = !done;
    this.#players.white.showPlayer(data.white, view.result === "1-0");
    this.#players.black.showPlayer(data.black, view.result === "0-1");
    setText(this.#place, place);
    setText(this.#last, lastMove(view.moves, this.#pieces));
    this.tick(now);
  }

  /** Lets the clocks count on. */
  tick(now) {
    if (this.#data === null) return;
    const { view } = this.#data;
    const done = view.result !== "*";
    let silent = false;
    for (const side of ["white", "black"]) {
      const time = timeOf(view.clocks, side, now);
      if (done) time.running = time.silent = false;
      silent ||= time.silent;
      this.#players[side].showTime(time);
    }
    const sign = done ? "" : silent ? t("no.signal") : view.paused ? t("paused") : "";
    setText(this.#sign, sign);
    this.#sign.hidden = sign === "";
    this.#sign.classList.toggle("silent", silent);
  }

  /** Whether a clock of this table counts. */
  get counts() {
    return this.#data !== null && this.#data.view.result === "*" && this.#data.view.clocks.running !== null;
  }
}
