// The clock itself: counts both times by the control it was given (6.3). Whole milliseconds of one boot in, times out; it reads no
// clock of its own. Times are true at `asOf`; what is shown between is worked out and never stored, so that a tap that happened
// before the last frame was drawn counts from its own moment.

export type Side = "left" | "right";

export const other = (side: Side): Side => (side === "left" ? "right" : "left");

export type Bonus = { kind: "none" } | { kind: "increment" | "delay" | "bronstein"; ms: number };

export interface Period {
  /** Moves to complete in it; 0: the rest of the game. */
  moves: number;
  ms: number;
  bonus: Bonus;
}

export interface Control {
  periods: Period[];
  /** The next period comes at the press that completes the moves; otherwise to both when the first reaches zero. */
  addedOnMoves: boolean;
  /** In the last period both stand when one reaches zero. */
  freeze: boolean;
  white: Side;
}

export interface Half {
  ms: number;
  moves: number;
  period: number;
  flag: boolean;
}

export interface ClockData {
  control: Control | null;
  left: Half;
  right: Half;
  running: Side | null;
  asOf: number;
  /** How long the running side has run in this turn. */
  used: number;
}

const half = (ms = 0): Half => ({ ms, moves: 0, period: 0, flag: false });

export const noClock = (): ClockData => ({ control: null, left: half(), right: half(), running: null, asOf: 0, used: 0 });

export class TableClock {
  constructor(public data: ClockData = noClock()) {}

  get running(): Side | null {
    return this.data.running;
  }

  get control(): Control | null {
    return this.data.control;
  }

  half(side: Side): Readonly<Half> {
    return this.data[side];
  }

  /** What a side shows at this moment. */
  shows(side: Side, now: number): number {
    if (this.data.running !== side) return this.data[side].ms;
    const ran = Math.max(0, now - this.data.asOf);
    return Math.max(0, this.data[side].ms - Math.max(0, ran - this.waits(side)));
  }

  setControl(control: Control, left: number, right: number, now: number): void {
    this.data = { ...noClock(), control, left: half(left), right: half(right), asOf: now };
  }

  /** When the running side reaches zero, if nothing happens before. */
  nextZero(): number | null {
    const side = this.data.running;
    if (side === null || this.data[side].flag) return null;
    return this.data.asOf + this.data[side].ms + this.waits(side);
  }

  /** Takes every zero up to `now`: periods that begin by time, and the flag, which is told with its moment. */
  reach(now: number): { side: Side; at: number } | null {
    for (;;) {
      const side = this.data.running;
      const zero = this.nextZero();
      if (side === null || zero === null || zero > now) return null;
      this.consume(side, zero);
      const { control } = this.data;
      const next = this.data[side].period + 1;
      if (control !== null && !control.addedOnMoves && next < control.periods.length) {
        this.enter("left", next);
        this.enter("right", next);
        continue;
      }
      this.data[side].flag = true;
      if (control?.freeze ?? true) this.data.running = null;
      return { side, at: zero };
    }
  }

  /** A press by `side`; false when it does nothing, because that side's time does not run. */
  press(side: Side, at: number): boolean {
    if (this.data.running !== side) return false;
    this.consume(side, at);
    const own = this.data[side];
    own.moves += 1;
    const bonus = this.bonus(side);
    if (bonus.kind === "increment") own.ms += bonus.ms;
    if (bonus.kind === "bronstein") own.ms += Math.min(bonus.ms, this.data.used);
    const { control } = this.data;
    if (control?.addedOnMoves === true) {
      const upTo = control.periods.slice(0, own.period + 1).reduce((sum, period) => sum + period.moves, 0);
      const next = own.period + 1;
      if (upTo > 0 && own.moves >= upTo && next < control.periods.length) this.enter(side, next);
    }
    this.data.running = other(side);
    this.data.used = 0;
    return true;
  }

  stop(at: number): void {
    const side = this.data.running;
    if (side === null) return;
    this.consume(side, at);
    this.data.running = null;
  }

  /** This side's time runs. */
  run(side: Side, at: number): void {
    const before = this.data.running;
    if (before !== null) this.consume(before, at);
    if (before !== null && before !== side) this.data.used = 0;
    this.data.running = side;
    this.data.asOf = at;
  }

  /** Adds to both sides, running or not. */
  add(left: number, right: number, at: number): void {
    if (this.data.running !== null) this.consume(this.data.running, at);
    for (const [side, ms] of [["left", left], ["right", right]] as const) {
      const own = this.data[side];
      own.ms = Math.max(0, own.ms + ms);
      if (own.ms > 0) own.flag = false;
    }
  }

  /** Sets both sides; false while it runs. */
  set(left: number, right: number, moves: { left?: number | undefined; right?: number | undefined }): boolean {
    if (this.data.running !== null) return false;
    for (const [side, ms, made] of [["left", left, moves.left], ["right", right, moves.right]] as const) {
      const own = this.data[side];
      own.ms = ms;
      own.moves = made ?? own.moves;
      if (ms > 0) own.flag = false;
      if (this.data.control?.addedOnMoves === true) own.period = this.periodAfter(own.moves);
    }
    return true;
  }

  /** The clock went on for so long while nothing counted (a reload, a phone that slept), and a new boot begins at `now`. */
  resume(ran: number, now: number): void {
    const side = this.data.running;
    const { asOf } = this.data;
    if (side !== null) this.consume(side, asOf + Math.max(0, ran));
    this.data.asOf = now;
  }

  private periodAfter(moves: number): number {
    const periods = this.data.control?.periods ?? [];
    let upTo = 0;
    let at = 0;
    for (const period of periods.slice(0, -1)) {
      upTo += period.moves;
      if (moves < upTo) break;
      at += 1;
    }
    return at;
  }

  private bonus(side: Side): Bonus {
    return this.data.control?.periods[this.data[side].period]?.bonus ?? { kind: "none" };
  }

  /** How long the main time still waits in this turn (6.3.2). */
  private waits(side: Side): number {
    const bonus = this.bonus(side);
    return bonus.kind === "delay" ? Math.max(0, bonus.ms - this.data.used) : 0;
  }

  private enter(side: Side, period: number): void {
    this.data[side].period = period;
    this.data[side].ms += this.data.control?.periods[period]?.ms ?? 0;
  }

  private consume(side: Side, at: number): void {
    const ran = Math.max(0, at - this.data.asOf);
    const free = Math.min(ran, this.waits(side));
    this.data[side].ms = Math.max(0, this.data[side].ms - (ran - free));
    this.data.used += ran;
    this.data.asOf = Math.max(this.data.asOf, at);
  }
}
