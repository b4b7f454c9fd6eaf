// A part of the page with tables on it: a grid of places, each of which shows one table. What there is to draw is drawn a few
// places at a time, so that no frame is late, however many tables move at once.

import { Card } from "./card.js";
import { arrangement } from "./grid.js";

/** Sets a property where it is another: the browser looks at everything below it anew each time. */
export function set(element, name, value) {
  if (element.style.getPropertyValue(name) !== String(value)) element.style.setProperty(name, value);
}

export class Boards {
  #cards = [];
  /** Table → its place. */
  #at = new Map();
  /** Places that do not show what they are to show. */
  #due = new Set();
  /** What each place is to show. */
  #wanted = [];
  #near = null;
  #seen = new Set();
  layout = null;

  constructor(element) {
    this.element = element;
  }

  /** Lays out so many of the tables as fit, from this page on; gives the layout. */
  arrange(tables, page, width, height, how) {
    const layout = arrangement(tables.length, width, height, how);
    this.layout = layout;
    const grid = this.element;
    const look = `${layout.look} ${layout.perPage <= 6 ? "roomy" : ""} ${layout.scroll ? "scroll" : ""}`;
    if (grid.className !== look) grid.className = look;
    set(grid, "--columns", layout.columns);
    set(grid, "--rows", layout.rows);
    set(grid, "--board", `${layout.board}px`);
    set(grid, "--clock", `${layout.clock.toFixed(1)}px`);
    set(grid, "--name", `${layout.name.toFixed(1)}px`);
    set(grid, "--gap", `${layout.gap}px`);
    set(grid, "--pad", `${layout.pad}px`);

    const at = layout.pages > 0 ? page % layout.pages : 0;
    this.#wanted = tables.slice(at * layout.perPage, (at + 1) * layout.perPage);
    this.#at = new Map(this.#wanted.map((table, place) => [table, place]));
    while (this.#cards.length > this.#wanted.length) {
      const card = this.#cards.pop();
      this.#near?.unobserve(card.element);
      this.#seen.delete(card);
      card.element.remove();
    }
    if (layout.scroll) this.#near ??= new IntersectionObserver((seen) => this.#come(seen), { rootMargin: "400px" });
    else this.#near = this.#near?.disconnect() ?? null;
    // On a page that scrolls the places are there at once, and are filled when somebody comes near.
    while (layout.scroll && this.#cards.length < this.#wanted.length) this.#add();
    this.#due = new Set(this.#wanted.keys());
    return layout;
  }

  #add() {
    const card = new Card();
    this.#cards.push(card);
    this.element.append(card.element);
    this.#near?.observe(card.element);
    return card;
  }

  #come(seen) {
    for (const { target, isIntersecting } of seen) {
      const place = this.#cards.findIndex((card) => card.element === target);
      if (place < 0) continue;
      const card = this.#cards[place];
      if (!isIntersecting) this.#seen.delete(card);
      else {
        this.#seen.add(card);
        this.#due.add(place);
      }
    }
    this.onNear?.();
  }

  /** Another state of this table is known. */
  changed(table) {
    const place = this.#at.get(table);
    if (place !== undefined) this.#due.add(place);
  }

  /** Draws what is due, until the moment is over; true where something is left. */
  paint(tables, called, now, until) {
    const bare = this.layout?.look === "bare";
    for (const place of this.#due) {
      const card = this.#cards[place] ?? this.#add();
      if (this.layout.scroll && !this.#seen.has(card) && card.table !== null) {
        this.#due.delete(place);
        continue;
      }
      if (this.layout.scroll && !this.#seen.has(card)) continue;
      this.#due.delete(place);
      const data = tables.get(this.#wanted[place]);
      if (data === undefined) continue;
      card.bare = bare;
      card.show(data, ...called(data), now);
      if (performance.now() > until) break;
    }
    if (this.layout?.scroll) return [...this.#due].some((place) => this.#seen.has(this.#cards[place]));
    return this.#due.size > 0;
  }

  /** Lets the clocks count on. */
  tick(now) {
    for (const card of this.layout?.scroll ? this.#seen : this.#cards) if (card.counts) card.tick(now);
  }

  clear() {
    for (const card of this.#cards) card.element.remove();
    this.#near?.disconnect();
    this.#near = null;
    this.#cards = [];
    this.#seen.clear();
    this.#due.clear();
    this.#at.clear();
    this.#wanted = [];
    this.layout = null;
  }
}
