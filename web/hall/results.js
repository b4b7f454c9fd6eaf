// What results are worth and how they are written; and the strip of the newest, as they come.

/** Result → how it is written, and what it is worth to White and to Black, in tenths of a point. */
const RESULTS = {
  "1-0": ["1–0", 10, 0],
  "0-1": ["0–1", 0, 10],
  "1/2-1/2": ["½–½", 5, 5],
  "0-0": ["0–0", 0, 0],
  "1/2-0": ["½–0", 5, 0],
  "0-1/2": ["0–½", 0, 5],
};

/** `1–0`, `½–½`; what is not known is written as it is. */
export function written(result) {
  return RESULTS[result]?.[0] ?? result;
}

/** What a result gives this side, in tenths; null where there is none, or none that is known. */
export function gives(result, side) {
  const known = RESULTS[result];
  return known === undefined ? null : known[side === "white" ? 1 : 2];
}

/** Points from tenths: `7`, `6½`, `0`. */
export function points(tenths) {
  const [whole, rest] = [Math.floor(tenths / 10), tenths % 10];
  if (rest === 5) return whole === 0 ? "½" : `${whole}½`;
  return rest === 0 ? String(whole) : (tenths / 10).toFixed(1);
}

/** Surname alone, where a name is written `Surname, First name`. */
function surname(name) {
  return name.split(",")[0].trim() || name;
}

/** So many are kept to be shown; more never fit. */
const KEPT = 24;
/** A result stands out for so long. */
const NEW_MS = 60_000;

/** The newest results, newest first. */
export class Strip {
  #element;
  #list;
  /** Table → `{game, result, since}`; since when it is known, as far as the page can tell. */
  #known = new Map();
  #drawn = "";

  constructor(element) {
    this.#element = element;
    this.#list = element.querySelector("ol");
  }

  /** Takes a table's newest state; true where the strip has changed. `fresh`: it was seen to happen. */
  take(data, fresh, at) {
    const { table, game, view } = data;
    const before = this.#known.get(table);
    if (view.result === "*") return this.#known.delete(table);
    if (before?.result === view.result && before.game === game) return false;
    // What was over before the page was there is in the order of the last moves.
    const since = fresh ? at : -1e15 + (view.moves.at(-1)?.at ?? 0);
    this.#known.set(table, { game, result: view.result, since, fresh });
    return true;
  }

  forget(table) {
    return this.#known.delete(table);
  }

  get empty() {
    return this.#known.size === 0;
  }

  draw(tables, shown, at) {
    const newest = [...this.#known]
      .filter(([table]) => tables.has(table) && shown(tables.get(table)))
      .sort(([a, one], [b, other]) => other.since - one.since || a - b)
      .slice(0, KEPT);
    this.#element.hidden = newest.length === 0;
    const key = newest.map(([table, { result, fresh, since }]) => `${table} ${result} ${fresh && at - since < NEW_MS}`).join();
    if (key === this.#drawn) return;
    this.#drawn = key;
    const rows = newest.map(([table, { result, since, fresh }]) => {
      const { white, black } = tables.get(table);
      const row = document.createElement("li");
      const part = (tag, words) => {
        const element = document.createElement(tag);
        element.dir = "auto";
        element.textContent = words;
        row.append(element);
      };
      part("b", String(table));
      part("span", surname(white.name));
      part("strong", written(result));
      part("span", surname(black.name));
      row.classList.toggle("new", fresh && at - since < NEW_MS);
      return row;
    });
    this.#list.replaceChildren(...rows);
  }
}
