// The table's clock as a device: numbers what happens, keeps it until it is seen, obeys orders once (docs/devices.md). Milliseconds
// of this boot and messages in, messages out; it reads no clock and knows no network.

import { TableClock, noClock, other, type ClockData, type Side } from "./clock";
import type { Keep } from "./keep";
import { Reporter, type Hands, type Nature, type Wall } from "./reporter";
import { controlOf, fields, num, opt, sideOf, stateOf, wireSide, type ClockState, type Report, type Result, type What } from "./wire";

/** Answers remembered, for orders that come again. */
const ANSWERS = 64;

interface Answer {
  order_id: string;
  outcome: string;
  effect_ms: number;
  after_seq: number;
  clock: ClockState;
  detail: string;
}

/** How a game stands between the two at the table, as far as this clock was told. */
export interface Table {
  /** Stopped at the clock to call the arbiter (6.11.2). */
  paused: boolean;
  /** Whose time ran when it was stopped. */
  ran: Side | null;
  results: { left: Result | null; right: Result | null };
  /** Who has offered a draw that is not answered yet. */
  offer: Side | null;
}

const noTable = (): Table => ({ paused: false, ran: null, results: { left: null, right: null }, offer: null });

/** What outlives a reload. */
interface State {
  boot: number;
  nextSeq: number;
  lastOrder: string;
  epoch: number;
  /** Times in it are those of its boot. */
  clock: ClockData;
  table: Table;
  /** When this was written: in the boot's time, and by the calendar, which goes on while the page does not. */
  at: number;
  wall: number;
  /** The newest report, in the same breath as what it changed. */
  latest: Report | null;
}

export class Device extends Reporter {
  clock: TableClock;
  table: Table;
  private lastTurn = -1;
  private answers: Answer[] = [];

  constructor(
    nature: Nature,
    private readonly keep: Keep,
    hands: Hands,
    private readonly wall: Wall,
    boot: number,
    now: number,
  ) {
    super(nature, keep, hands, boot, now);
    this.clock = new TableClock();
    this.table = noTable();
    this.restore(now);
    this.write(now);
  }

  /** Takes up what was kept: a new boot with the old one's state. What ran then ran on. */
  private restore(now: number): void {
    const state = this.keep.state() as State | null;
    if (state === null) return;
    this.outbox.takeUp(state.boot, state.latest);
    this.lastOrder = state.lastOrder;
    this.epoch = state.epoch;
    this.table = { ...noTable(), ...state.table };
    this.clock = new TableClock(state.clock ?? noClock());
    const since = Math.max(0, state.at - this.clock.data.asOf);
    this.clock.resume(since + Math.round(Math.max(0, this.wall(now) - state.wall)), now);
  }

  protected write(now: number): void {
    const { boot, lastOrder, epoch, table } = this;
    const { nextSeq, latest } = this.outbox;
    const state: State = { boot, nextSeq, lastOrder, epoch, clock: this.clock.data, table, at: now, wall: this.wall(now), latest };
    this.keep.setState(state);
  }

  // ---- what happens at the table ----

  /** A hand on this half, at this moment. */
  touch(side: Side, at: number): void {
    const when = this.moment(at);
    this.reach(when);
    const { clock, table } = this;
    const fresh = clock.control !== null && clock.running === null && !table.paused && this.untouched();
    if (fresh && clock.control?.white === other(side)) {
      // Black starts White's clock; a clock started by hand keeps its own time.
      this.byHand("KIND_STARTED", when, () => clock.run(other(side), when));
      return;
    }
    if (clock.press(side, when) && table.offer === other(side)) {
      // A move made is an answer to the offer: it is declined by that (9.1.2.1).
      table.offer = null;
    }
    this.report({ press: { side: wireSide(side), clock: stateOf(clock, when) } }, when);
  }

  private untouched(): boolean {
    const [left, right] = [this.clock.half("left"), this.clock.half("right")];
    return left.moves === 0 && right.moves === 0 && !left.flag && !right.flag && this.table.ran === null;
  }

  /** Both clocks stopped to call the arbiter (6.11.2). */
  pause(at: number, side: Side | null = null): void {
    const when = this.moment(at);
    this.reach(when);
    this.halt(when);
    this.table.paused = true;
    this.button("KIND_PAUSE", side, when);
  }

  /** An arbiter sets it going again by hand. */
  resume(at: number): void {
    const when = this.moment(at);
    const side = this.table.ran;
    if (this.clock.running !== null || side === null) return;
    this.table.paused = false;
    this.byHand("KIND_STARTED", when, () => this.clock.run(side, when));
  }

  claim(side: Side, claim: string, at: number): void {
    this.pause(at, side);
    this.button("KIND_CLAIM", side, this.moment(at), { claim });
  }

  offerDraw(side: Side, at: number): void {
    const when = this.moment(at);
    this.reach(when);
    this.table.offer = side;
    this.button("KIND_DRAW_OFFERED", side, when);
  }

  answerDraw(side: Side, accepted: boolean, at: number): void {
    const when = this.moment(at);
    this.reach(when);
    this.table.offer = null;
    this.button(accepted ? "KIND_DRAW_ACCEPTED" : "KIND_DRAW_DECLINED", side, when);
    if (accepted) this.over(when);
  }

  /** A player's word on how the game ended; when both say the same, the clock stands. */
  result(side: Side, result: Result, at: number): void {
    const when = this.moment(at);
    this.reach(when);
    this.table.results[side] = result;
    this.button("KIND_RESULT", side, when, { result });
    const { left, right } = this.table.results;
    if (left === null || right === null) return;
    if (left === right) this.over(when);
    else this.claim(side, "", when);
  }

  takeBackResult(side: Side): void {
    this.table.results[side] = null;
    this.hands.changed();
  }

  private over(when: number): void {
    if (this.clock.running !== null) this.byHand("KIND_STOPPED", when, () => this.halt(when));
  }

  private halt(when: number): void {
    this.table.ran = this.clock.running ?? this.table.ran;
    this.clock.stop(when);
  }

  private byHand(kind: string, when: number, how: () => void): void {
    const before = stateOf(this.clock, when);
    how();
    this.report({ by_hand: { kind, before, after: stateOf(this.clock, when) } }, when);
  }

  private button(kind: string, side: Side | null, when: number, more: { claim?: string; result?: Result } = {}): void {
    this.report({ button: { kind, side: wireSide(side), ...more, clock: stateOf(this.clock, when) } }, when);
  }

  /** Flags up to `now`, each with its own moment. */
  reach(now: number): void {
    for (let zero = this.clock.reach(now); zero !== null; zero = this.clock.reach(now)) {
      const at = this.moment(zero.at);
      this.table.ran = zero.side;
      this.report({ flag: { side: wireSide(zero.side), clock: stateOf(this.clock, at) } }, at);
    }
  }

  private report(what: What, at: number): void {
    const write = (seq: number): void => {
      if ("press" in what || "flag" in what) this.lastTurn = seq;
      this.write(at);
    };
    this.outbox.add(what, at, write, () => this.hands.changed());
  }

  // ---- what the hub is told of it ----

  protected abilities(): object {
    return { clock: true, counts: true, shows_text: true, resolution_ms: 1, counter_bits: 0 };
  }

  protected shows(now: number): object {
    return { clock: stateOf(this.clock, now) };
  }

  protected override vitalSigns(now: number): object {
    return { clock: stateOf(this.clock, now) };
  }

  // ---- orders ----

  protected order(order: Readonly<Record<string, unknown>>, now: number): void {
    const id = String(order["id"] ?? "");
    let answer = this.answers.find((known) => known.order_id === id);
    if (answer === undefined) {
      const when = this.moment(now);
      this.reach(when);
      const [outcome, detail] = this.obey(order, when);
      answer = {
        order_id: id,
        outcome,
        detail,
        effect_ms: when,
        after_seq: this.outbox.nextSeq - 1,
        clock: stateOf(this.clock, when),
      };
      this.answers.push(answer);
      if (this.answers.length > ANSWERS) this.answers.shift();
      this.write(when);
      this.hands.changed();
    }
    this.hands.send("ack", { boot: this.boot, ...answer, sent_ms: now });
  }

  private obey(order: Readonly<Record<string, unknown>>, now: number): [outcome: string, detail: string] {
    const epoch = num(order["epoch"]);
    if (epoch < this.epoch) return ["OUTCOME_OLD_EPOCH", "a later hub has spoken"];
    this.epoch = epoch;
    if (num(order["boot"]) !== this.boot) return ["OUTCOME_MOVED_ON", "restarted since"];
    if (this.lastTurn > num(order["decided_seq"])) return ["OUTCOME_MOVED_ON", "pressed since"];
    const expires = num(order["expires_ms"]);
    if (expires !== 0 && now > expires) return ["OUTCOME_EXPIRED", "too late"];
    if (!this.carryOut(order, now)) return ["OUTCOME_CANNOT", "not in this state"];
    this.lastOrder = String(order["id"] ?? "");
    return ["OUTCOME_DONE", ""];
  }

  private carryOut(order: Readonly<Record<string, unknown>>, now: number): boolean {
    const { clock } = this;
    if (order["control"] !== undefined) {
      const given = fields(order["control"]);
      const control = controlOf(given);
      if (control === null) return false;
      clock.setControl(control, num(given["left_ms"]), num(given["right_ms"]), now);
      this.table = noTable();
      return true;
    }
    if (order["add"] !== undefined) {
      const add = fields(order["add"]);
      clock.add(num(add["left_ms"]), num(add["right_ms"]), now);
      return true;
    }
    if (order["set"] !== undefined) {
      const set = fields(order["set"]);
      return clock.set(num(set["left_ms"]), num(set["right_ms"]), { left: opt(set["left_moves"]), right: opt(set["right_moves"]) });
    }
    if (order["run"] !== undefined) {
      const side = sideOf(fields(order["run"])["side"]);
      if (side === null) return false;
      clock.run(side, now);
      this.table.paused = false;
      return true;
    }
    if (order["stop"] !== undefined) {
      this.halt(now);
      return true;
    }
    if (order["text"] !== undefined) {
      const text = fields(order["text"]);
      this.hands.text(String(text["text"] ?? ""), num(text["for_ms"]));
      return true;
    }
    return false;
  }
}
