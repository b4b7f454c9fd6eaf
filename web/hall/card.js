// One table on the screen: players, clocks, board, result. Names and titles come from outside and are only ever set as text.

import { Board, piecesOf, squareAt } from "./board.js";
import { face, timeOf } from "./clockface.js";

const FIGURES = { K: "♚", Q: "♛", R: "♜", B: "♝", N: "♞", P: "" };
const RESULTS = {
  "1-0": "1–0",
  "0-1": "0–1",
  "1/2-1/2": "½–½",
  "0-0": "0–0",
  "1/2-0": "½–0",
  "0-1/2": "0–½",
};

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
  #who = make("div", "who", this.#title, this.#name, this.#more);
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

export class Card {
  #board = new Board();
  #players = { white: new PlayerLine("white"), black: new PlayerLine("black") };
  #table = make("span", "table");
  #sign = make("span", "sign");
  #last = make("span", "last");
  #place = make("span", "place");
  #result = make("div", "result");
  #data = null;
  #pieces = [];

  constructor(table) {
    this.element = make(
      "article",
      "card",
      this.#players.black.element,
      make("div", "meta", this.#table, this.#sign, this.#last, this.#place),
      this.#board.element,
      this.#players.white.element,
    );
    this.element.dataset.table = table;
    this.#table.textContent = table;
    this.#result.hidden = true;
    this.#board.element.append(this.#result);
  }

  /** Shows another state of the table; `place` says what else it is called by, where that is needed. */
  show(data, place, now) {
    this.#data = data;
    const { view } = data;
    this.#pieces = piecesOf(view.fen);
    const move = view.moves.at(-1);
    const marked = move ? [squareAt(move.uci.slice(0, 2)), squareAt(move.uci.slice(2, 4))] : [];
    this.#board.show(this.#pieces, marked);
    this.#board.element.setAttribute("aria-label", `Board of table ${data.table}`);

    const done = view.result !== "*";
    this.element.classList.toggle("done", done);
    setText(this.#result, done ? (RESULTS[view.result] ?? view.result) : "");
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
    const sign = done ? "" : silent ? "no signal" : view.paused ? "paused" : "";
    setText(this.#sign, sign);
    this.#sign.hidden = sign === "";
    this.#sign.classList.toggle("silent", silent);
  }

  /** Whether a clock of this table counts. */
  get counts() {
    return this.#data !== null && this.#data.view.result === "*" && this.#data.view.clocks.running !== null;
  }
}
