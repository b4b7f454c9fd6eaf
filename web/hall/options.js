// What the page's address asks for. Tables: ?tables=1-8,12 (the hall's numbers) · ?boards=1-4 (an event's numbers: an overlay for a
// broadcast) · ?event=open · ?featured=1,2 (big, on every page). Looks: ?view=boards|clocks|standings · ?theme=light|dark|bright ·
// ?overlay=on|off · ?results=on|off · ?lang=en|sr|ru|pl. Pages: ?page=2 (stay there) · ?seconds=20 (a page stands so long).

import { LANGUAGES, t } from "./words.js";

const NUMBERS = /^\d{1,9}(-\d{1,9})?(,\d{1,9}(-\d{1,9})?)*$/;
const THEMES = ["light", "dark", "bright"];
const VIEWS = ["boards", "clocks", "standings"];

/** Numbers as they are written, `1-8,12`, and whether one is among them. */
class Numbers {
  #ranges;

  constructor(text) {
    this.text = text;
    this.#ranges = text.split(",").map((part) => {
      const [first, last] = part.split("-").map(Number);
      return [first, last ?? first];
    });
  }

  has(number) {
    return this.#ranges.some(([first, last]) => number >= first && number <= last);
  }
}

/** The language in a query string, before anything is said in it; null where none is asked for. */
export function languageIn(query) {
  const asked = new URLSearchParams(query).get("lang");
  return LANGUAGES.includes(asked) ? asked : null;
}

/** The options in a query string; `errors` says in words what was not understood. */
export function optionsFrom(query) {
  const asked = new URLSearchParams(query);
  const errors = [];
  const whole = (name, least, otherwise) => {
    const text = asked.get(name);
    if (text === null) return otherwise;
    if (/^\d{1,5}$/.test(text) && Number(text) >= least) return Number(text);
    errors.push(t("bad.number", { what: `${name}=${text}`, least }));
    return otherwise;
  };
  const numbers = (name) => {
    const text = asked.get(name);
    if (text === null) return null;
    if (NUMBERS.test(text)) return new Numbers(text);
    errors.push(t("bad.numbers", { what: `${name}=${text}` }));
    return null;
  };
  const choice = (name, choices, otherwise) => {
    const text = asked.get(name);
    if (text === null) return otherwise;
    if (choices.includes(text)) return text;
    errors.push(t("bad.choice", { what: `${name}=${text}`, choices: choices.join(", ") }));
    return otherwise;
  };

  const boards = numbers("boards");
  const overlay = choice("overlay", ["on", "off"], boards === null ? "off" : "on") === "on";
  choice("lang", LANGUAGES, null);
  return {
    tables: numbers("tables"),
    boards,
    event: asked.get("event"),
    featured: numbers("featured"),
    view: choice("view", VIEWS, "boards"),
    theme: choice("theme", THEMES, null),
    overlay,
    results: choice("results", ["on", "off"], overlay ? "off" : "on") === "on",
    page: whole("page", 1, null),
    seconds: whole("seconds", 3, 15),
    errors,
  };
}
