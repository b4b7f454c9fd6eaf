// A recorder's board as a device: what he taps is reported as a board with sensors would, kept until it is seen, and nothing is
// judged here (docs/devices.md). Milliseconds of this boot and messages in, messages out.

import type { Hands, Nature, Wall } from "./device";
import type { Keep } from "./keep";
import { Outbox } from "./outbox";
import { Position, START, type Change, type Move, type Piece } from "./position";
import { fields, num, read, type Report } from "./wire";

/** How late a tap may come after the press that it belongs to: a recorder sees the move, and then finds it. */
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

export class Recorder {
  readonly boot: number;
  position = new Position();
  /** The move that was tapped last. */
  last: Move | null = null;
  battery: number | null = null;
  private readonly outbox: Outbox;
  private steps: Step[] = [];
  private lastOrder = "";
  private epoch = 0;
  private hubEpoch = 0;
  private lastAt = 0;

  constructor(
    private readonly nature: Nature,
    private readonly keep: Keep,
    private readonly hands: Hands,
    private readonly wall: Wall,
    boot: number,
    now: number,
  ) {
    this.boot = boot;
    this.outbox = new Outbox(boot, keep, (up, message) => hands.send(up, message));
    const state = keep.state() as State | null;
    if (state !== null) {
      this.outbox.takeUp(state.boot, state.latest);
      this.lastOrder = state.lastOrder;
      this.epoch = state.epoch;
      this.position = new Position(state.placement);
      this.last = state.last;
      this.steps = state.steps;
    }
    this.lastAt = now;
    this.write(now);
  }

  private write(now: number): void {
    const { boot, lastOrder, epoch, last, steps } = this;
    const { nextSeq, latest } = this.outbox;
    const { placement } = this.position;
    const state: State = { boot, nextSeq, lastOrder, epoch, placement, last, steps, at: now, latest };
    this.keep.setState({ ...state, wall: this.wall(now) });
  }

  get unseen(): number {
    return this.outbox.unseen;
  }

  get keepsNothing(): boolean {
    return this.outbox.keepsNothing;
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

  /** Whole milliseconds, and never before what was reported last. */
  private moment(at: number): number {
    this.lastAt = Math.max(this.lastAt, Math.floor(at));
    return this.lastAt;
  }

  connecting(): object {
    return this.outbox.connecting();
  }

  onConnected(now: number): void {
    this.outbox.connected = true;
    this.birth(Math.floor(now));
  }

  onLost(): void {
    this.outbox.connected = false;
  }

  private birth(now: number): void {
    const own = {
      model: this.nature.model,
      firmware: this.nature.firmware,
      abilities: { board: true, tells_pieces: true, shows_text: true, resolution_ms: 1, sensing_lag_ms: LATE_MS, counter_bits: 0, by_hand: true },
      placement: this.position.placement,
      last_order: this.lastOrder,
      highest_epoch: this.epoch,
    };
    this.outbox.birth(own, now);
  }

  vital(now: number, probe: { id: number; received: number } | null = null): void {
    if (!this.outbox.connected) return;
    this.hands.send("vital", {
      boot: this.boot,
      last_seq: this.outbox.nextSeq - 1,
      sent_ms: Math.floor(now),
      ...(this.battery === null ? {} : { battery_percent: this.battery }),
      ...(probe === null ? {} : { probe_id: probe.id, probe_received_ms: Math.floor(probe.received) }),
    });
  }

  /** A message of the hub, by the last level of its topic. */
  heard(name: string, text: string, now: number): void {
    const message = read(text);
    if (message === null) return;
    if (name === "time") this.vital(now, { id: num(message["id"]), received: now });
    if (name === "seen") {
      if (this.outbox.seen(message, Math.floor(now), () => this.write(this.lastAt))) this.birth(Math.floor(now));
      this.hands.changed();
    }
    if (name === "order") this.order(message, Math.floor(now));
    if (name === "state" && message["online"] === true) {
      const epoch = num(message["epoch"]);
      if (this.hubEpoch !== 0 && epoch > this.hubEpoch && this.outbox.connected) this.birth(Math.floor(now));
      this.hubEpoch = Math.max(this.hubEpoch, epoch);
    }
  }

  /** A board obeys nothing but a line of text; everything else it answers that it cannot. */
  private order(order: Readonly<Record<string, unknown>>, now: number): void {
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

  /** Written now and then, so that a reload knows how long the page was away. */
  note(now: number): void {
    this.write(Math.floor(now));
  }
}
