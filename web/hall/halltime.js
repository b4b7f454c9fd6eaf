// The hall's clock as this page knows it. The hub says its hall time now and then; between, the page counts on at the
// hall's speed by its own monotonic clock. Figures travel for a while, so the latest of the last minute is the nearest.

const KEPT = 12;

export class HallTime {
  #speed = 1;
  #epoch = null;
  #offsets = [];

  /** Takes what the hub says: `{epoch, speed, now_ms}`. */
  take({ epoch, speed, now_ms }, at = performance.now()) {
    if (speed !== this.#speed || epoch !== this.#epoch) this.#offsets = [];
    this.#speed = speed;
    this.#epoch = epoch;
    const offset = now_ms - at * speed;
    // After a computer's sleep the monotonic clock may have stood: what was known before is worth nothing.
    if (this.#offsets.length > 0 && Math.abs(this.#best() - offset) > 3000 * speed) this.#offsets = [];
    this.#offsets.push(offset);
    if (this.#offsets.length > KEPT) this.#offsets.shift();
  }

  /** Whether the hub has said its time yet. */
  get known() {
    return this.#offsets.length > 0;
  }

  /** Hall milliseconds in one of ours. */
  get speed() {
    return this.#speed;
  }

  /** Hall time in milliseconds. */
  now(at = performance.now()) {
    return at * this.#speed + this.#best();
  }

  #best() {
    return Math.max(...this.#offsets);
  }
}
