// The standings of a round as they are at this moment: the points that were imported, and the results so far. No pairing and no
// tie-breaks: equal points share a place.

import { set } from "./boards.js";
import { gives, points } from "./results.js";
import { t } from "./words.js";

const byRating = new Intl.Collator("en", { sensitivity: "base", numeric: true });

/**
 * Everybody in a round: `cards` are its tables, `unpaired` those without a game (`{name, points, gains}`, in tenths).
 * Gives `{known, over, games, rows}`; `rows` are `{from, to, player, score, plays, got}` from the first place on.
 */
export function standings(cards, unpaired) {
  const everybody = [];
  let over = 0;
  let known = false;
  for (const card of cards) {
    const done = card.view.result !== "*";
    over += done ? 1 : 0;
    for (const side of ["white", "black"]) {
      const before = card[`${side}_points`] ?? null;
      known ||= before !== null;
      const got = done ? gives(card.view.result, side) : null;
      everybody.push({ player: card[side], before, got, plays: !done, table: card.table });
    }
  }
  for (const one of unpaired) {
    known ||= one.points !== null;
    everybody.push({ player: one, before: one.points, got: one.gains, plays: false, table: null });
  }
  for (const one of everybody) one.score = (one.before ?? 0) + (one.got ?? 0);
  everybody.sort(
    (one, other) =>
      other.score - one.score ||
      (other.player.rating ?? 0) - (one.player.rating ?? 0) ||
      byRating.compare(one.player.name, other.player.name),
  );
  let first = 0;
  for (let at = 0; at <= everybody.length; at++) {
    if (at < everybody.length && everybody[at].score === everybody[first].score) continue;
    for (let same = first; same < at; same++) Object.assign(everybody[same], { from: first + 1, to: at });
    first = at;
  }
  return { known, over, games: cards.length, rows: everybody };
}

function cell(className, words) {
  const element = document.createElement("span");
  element.className = className;
  element.textContent = words;
  return element;
}

class Row {
  #place = cell("rank", "");
  #title = cell("title", "");
  #name = cell("name", "");
  #federation = cell("fed", "");
  #rating = cell("elo", "");
  #got = cell("got", "");
  #score = cell("score", "");

  constructor() {
    this.element = document.createElement("div");
    this.element.className = "standing";
    this.element.setAttribute("role", "row");
    const who = document.createElement("span");
    who.className = "who";
    who.append(this.#title, this.#name);
    this.#name.dir = "auto";
    this.element.append(this.#place, who, this.#federation, this.#rating, this.#got, this.#score);
    for (const part of this.element.children) part.setAttribute("role", "cell");
  }

  show(row, before) {
    const set = (element, words) => {
      if (element.textContent !== words) element.textContent = words;
    };
    // A shared place is written once, at the first of those who share it on this page.
    set(this.#place, before?.from === row.from ? "" : row.from === row.to ? `${row.from}` : `${row.from}–${row.to}`);
    set(this.#title, row.player.title ?? "");
    this.#title.hidden = !row.player.title;
    set(this.#name, row.player.name);
    set(this.#federation, row.player.federation ?? "");
    set(this.#rating, row.player.rating ? String(row.player.rating) : "");
    set(this.#got, row.plays ? t("plays") : row.table === null ? t("bye") : row.got === null ? "" : `+${points(row.got)}`);
    set(this.#score, points(row.score));
    this.element.classList.toggle("playing", row.plays);
    this.element.classList.toggle("shared", before?.from === row.from);
  }
}

/** A row is to be so wide, in the height of its letters: a long name is to be read. */
const LETTERS = 29;

/** How many rows and columns of them fit, and how big they are then. */
export function sheet(count, width, height) {
  if (width < 640) return { columns: 1, rows: count, size: 15, perPage: Math.max(1, count), pages: 1, scroll: true };
  const shorter = Math.min(width, height);
  // Letters to be read from the back of the hall.
  const least = Math.max(13, shorter * 0.022);
  const most = shorter * 0.045;
  const columns = Math.max(1, Math.floor(width / (least * LETTERS)));
  for (let pages = 1; ; pages++) {
    const each = Math.ceil(Math.max(1, count) / pages);
    for (let used = 1; used <= columns; used++) {
      const rows = Math.ceil(each / used);
      const size = Math.min(most, height / (rows + 0.5) / 1.5, width / used / LETTERS);
      if (size >= least) return { columns: used, rows, size, perPage: rows * used, pages, scroll: false };
    }
    if (each <= 1) return { columns: 1, rows: 1, size: least, perPage: 1, pages: Math.max(1, count), scroll: false };
  }
}

/** So many rows are written in one frame. */
const AT_ONCE = 20;

/** The page of the standings. */
export class Standings {
  #rows = [];
  #sheet = document.createElement("div");
  #note = cell("note", "");
  /** What is to be written, and from which row on. */
  #write = null;

  constructor(element) {
    this.element = element;
    this.#sheet.className = "sheet";
    this.#sheet.setAttribute("role", "table");
    this.element.append(this.#sheet, this.#note);
  }

  /** Writes some rows, and the rest in the frames that follow: a whole page at once would be a late one. */
  #some() {
    if (this.#write === null) return;
    const { shown, rows, from } = this.#write;
    const to = Math.min(shown.length, from + AT_ONCE);
    for (let at = from; at < to; at++) this.#rows[at]?.show(shown[at], at % rows === 0 ? null : shown[at - 1]);
    this.#write.from = to;
    if (to < shown.length) requestAnimationFrame(() => this.#some());
    else this.#write = null;
  }

  /** Shows the page of `found` (as of `standings`); gives how many pages there are. */
  show(found, page, width, height) {
    const noteHeight = Math.max(20, Math.min(width, height) * 0.035);
    const fit = sheet(found.rows.length, width - 16, height - noteHeight - 16);
    const at = fit.pages > 0 ? page % fit.pages : 0;
    const shown = found.rows.slice(at * fit.perPage, (at + 1) * fit.perPage);
    set(this.element, "--rows", Math.max(1, fit.rows));
    set(this.element, "--columns", fit.columns);
    set(this.element, "--size", `${fit.size.toFixed(1)}px`);
    while (this.#rows.length > shown.length) this.#rows.pop().element.remove();
    while (this.#rows.length < shown.length) {
      const row = new Row();
      this.#rows.push(row);
      this.#sheet.append(row.element);
    }
    this.#write = { shown, rows: fit.rows, from: 0 };
    this.#some();
    this.#note.textContent = found.rows.length === 0 ? "" : t(found.known ? "equal" : "only.this.round");
    return { pages: fit.pages, scroll: fit.scroll };
  }
}
