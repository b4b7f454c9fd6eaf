// A recorder's board as a device: what he taps is reported as a board with sensors would, kept until it is seen, and nothing is
// judged here (docs/devices.md). Milliseconds of this boot and messages in, messages out.

import type { Keep } from "./keep";
import { Position, START, type Change, type Move, type Piece } from "./position";
import { Reporter, type Hands, type Nature, type Wall } from "./reporter";
import { fields, num, type Report } from "./wire";

/** How late a tap mostly comes after the press that it belongs to: a recorder sees the move, and then finds it. So long a slip can be put right. */
export const LATE_MS = 5_000;
/** So many taps can be taken back. */
const REMEMBERED = 300;

/** What was done: what takes it back, and the move before it. */
interface Step {
  back: Change[];
  last: Move | null;
}

/** What outlives a reload. */
interface State {
  boot: number;
  nextSeq: number;
  lastOrder: string;
  epoch: number;
  placement: string;
  last: Move | null;
  steps: Step[];
  at: number;
  latest: Report | null;
}

export class Recorder extends Reporter {
  position = new Position();
  /** The move that was tapped last. */
  last: Move | null = null;
  private steps: Step[] = [];

  constructor(
    nature: Nature,
    private readonly keep: Keep,
    hands: Hands,
    private readonly wall: Wall,
    boot: number,
    now: number,
  ) {
    super(nature, keep, hands, boot, now);
    const state = keep.state() as State | null;
    if (state !== null) {
      this.outbox.takeUp(state.boot, state.latest);
      this.lastOrder = state.lastOrder;
      this.epoch = state.epoch;
      this.position = new Position(state.placement);
      this.last = state.last;
      this.steps = state.steps;
    }
    this.write(now);
  }

  protected write(now: number): void {
    const { boot, lastOrder, epoch, last, steps } = this;
    const { nextSeq, latest } = this.outbox;
    const { placement } = this.position;
    const state: State = { boot, nextSeq, lastOrder, epoch, placement, last, steps, at: now, latest };
    this.keep.setState({ ...state, wall: this.wall(now) });
  }

  get canTakeBack(): boolean {
    return this.steps.length > 0;
  }

  /** A move as it was made, legal or not. */
  move(from: string, to: string, becomes: Piece | null, at: number): void {
    const changes = this.position.move(from, to, this.last, becomes);
    if (changes.length > 0) this.change(changes, { from, to }, at);
  }

  /** Something is put on a square, or taken off, by hand. */
  put(square: string, piece: Piece | "", at: number): void {
    if ((this.position.on(square) ?? "") !== piece) this.change([[square, piece]], this.last, at);
  }

  private change(changes: Change[], last: Move | null, at: number): void {
    this.steps.push({ back: this.position.undoing(changes), last: this.last });
    if (this.steps.length > REMEMBERED) this.steps.shift();
    this.last = last;
    this.show(changes, at);
  }

  /** The last tap was a slip of the finger, or the player has put it back: the squares are as before. */
  takeBack(at: number): void {
    const step = this.steps.pop();
    if (step === undefined) return;
    this.last = step.last;
    this.show(step.back, at);
  }

  private show(changes: Change[], at: number): void {
    this.position = this.position.with(changes);
    const wire = changes.map(([square, now]) => ({ square, now }));
    const when = this.moment(at);
    this.outbox.add({ squares: { changes: wire } }, when, () => this.write(when), () => this.hands.changed());
  }

  /** A new game: the pieces stand as at its start. */
  setUp(at: number): void {
    this.position = new Position(START);
    this.last = null;
    this.steps = [];
    const when = this.moment(at);
    this.outbox.add({ placement: { squares: START } }, when, () => this.write(when), () => this.hands.changed());
  }

  protected abilities(): object {
    return { board: true, tells_pieces: true, shows_text: true, resolution_ms: 1, sensing_lag_ms: LATE_MS, counter_bits: 0, by_hand: true };
  }

  protected shows(): object {
    return { placement: this.position.placement };
  }

  /** A board obeys nothing but a line of text; everything else it answers that it cannot. */
  protected order(order: Readonly<Record<string, unknown>>, now: number): void {
    const epoch = num(order["epoch"]);
    const old = epoch < this.epoch;
    const text = order["text"];
    if (!old) this.epoch = epoch;
    const done = !old && text !== undefined && num(order["boot"]) === this.boot;
    if (done) {
      const line = fields(text);
      this.hands.text(String(line["text"] ?? ""), num(line["for_ms"]));
      this.lastOrder = String(order["id"] ?? "");
      this.write(this.moment(now));
    }
    this.hands.send("ack", {
      boot: this.boot,
      order_id: String(order["id"] ?? ""),
      outcome: done ? "OUTCOME_DONE" : old ? "OUTCOME_OLD_EPOCH" : "OUTCOME_CANNOT",
      detail: done ? "" : "a board takes no orders",
      effect_ms: now,
      after_seq: this.outbox.nextSeq - 1,
      sent_ms: now,
    });
  }
}
