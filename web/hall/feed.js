// The hub's feed of this hall's tables. The browser resumes an EventSource by itself where the hub was away for a moment;
// where it gave up, or nothing is heard for too long, this opens another one, later each time, from where the last one ended.

const SILENCE_MS = 15_000;
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 10_000;

export class Feed {
  #address;
  #tables;
  #on;
  #source = null;
  #last = null;
  #wait = FIRST_WAIT_MS;
  #heard = performance.now();
  #retry = null;

  /**
   * `on` has `table(card)`, `removed(table)`, `round(round)`, `snapshot()`, `end()`, `info(info)`, `live(boolean)` and
   * `refused(status, words)`, which is told why the hub does not want to answer, or nulls when it does.
   */
  constructor(address, tables, on) {
    this.#address = address;
    this.#tables = tables;
    this.#on = on;
    setInterval(() => this.#watch(), 1000);
    this.#open();
  }

  #open() {
    this.#retry = null;
    this.#heard = performance.now();
    const asked = new URLSearchParams();
    if (this.#tables !== null) asked.set("tables", this.#tables);
    if (this.#last !== null) asked.set("from", this.#last);
    const source = new EventSource(`${this.#address}?${asked}`);
    this.#source = source;
    const on = (name, take) =>
      source.addEventListener(name, (event) => {
        if (source !== this.#source) return;
        this.#heard = performance.now();
        this.#wait = FIRST_WAIT_MS;
        if (event.lastEventId) this.#last = event.lastEventId;
        this.#on.live(true);
        this.#on.refused(null, null);
        take(JSON.parse(event.data));
      });
    on("info", (info) => this.#on.info(info));
    on("snapshot", () => this.#on.snapshot());
    on("table", (card) => this.#on.table(card));
    on("removed", ({ table }) => this.#on.removed(table));
    on("round", (round) => this.#on.round(round));
    on("end", () => this.#on.end());
    source.addEventListener("error", () => {
      if (source !== this.#source) return;
      this.#on.live(false);
      if (source.readyState !== EventSource.CLOSED) return;
      this.#later();
      this.#ask();
    });
  }

  /** An EventSource does not say why it was refused; a plain request does. */
  async #ask() {
    const asked = this.#tables === null ? "" : `?${new URLSearchParams({ tables: this.#tables })}`;
    try {
      const answer = await fetch(`/api/hall/tables${asked}`);
      const refuses = answer.status >= 400 && answer.status < 500;
      this.#on.refused(refuses ? answer.status : null, refuses ? await answer.text() : null);
    } catch {
      // The hub is away: the page says so anyway.
    }
  }

  #watch() {
    if (this.#retry === null && performance.now() - this.#heard > SILENCE_MS) {
      this.#on.live(false);
      this.#later();
    }
  }

  #later() {
    this.#source?.close();
    this.#source = null;
    if (this.#retry !== null) return;
    this.#retry = setTimeout(() => this.#open(), this.#wait * (0.75 + Math.random() / 2));
    this.#wait = Math.min(this.#wait * 2, LONGEST_WAIT_MS);
  }
}
