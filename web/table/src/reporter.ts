// What a clock and a recorder's board have in common as devices: they are born, hear the hub, tell vital signs, and keep what they report
// until it is seen (docs/devices.md). Milliseconds of this boot and messages in, messages out; no clock is read and no network known.

import type { Keep } from "./keep";
import { Outbox, type Up } from "./outbox";
import { num, read } from "./wire";

export interface Hands {
  /** Sends, if there is a connection. */
  send(up: Up, message: object): void;
  /** Something to be seen has changed. */
  changed(): void;
  /** A line of text for so long. */
  text(line: string, ms: number): void;
}

export interface Nature {
  model: string;
  firmware: string;
}

/** The calendar's time at a moment of this boot, for bridging what no counter saw. */
export type Wall = (now: number) => number;

export abstract class Reporter {
  battery: number | null = null;
  protected readonly outbox: Outbox;
  protected lastOrder = "";
  /** The highest hub epoch that was obeyed. */
  protected epoch = 0;
  protected lastAt: number;
  /** The newest start of the hub that was heard of. */
  private hubEpoch = 0;

  constructor(
    private readonly nature: Nature,
    keep: Keep,
    protected readonly hands: Hands,
    readonly boot: number,
    now: number,
  ) {
    this.outbox = new Outbox(boot, keep, (up, message) => hands.send(up, message));
    this.lastAt = now;
  }

  /** Writes the state that outlives a reload. */
  protected abstract write(now: number): void;

  /** What it can do. */
  protected abstract abilities(): object;

  /** What it shows, as its birth tells it; `now` in whole milliseconds. */
  protected abstract shows(now: number): object;

  /** An order of the hub. */
  protected abstract order(order: Readonly<Record<string, unknown>>, now: number): void;

  /** What its vital signs tell of that too. */
  protected vitalSigns(_now: number): object {
    return {};
  }

  /** A reload would lose something: the phone's memory is full. */
  get keepsNothing(): boolean {
    return this.outbox.keepsNothing;
  }

  /** Reports that the hub has not seen. */
  get unseen(): number {
    return this.outbox.unseen;
  }

  /** Whole milliseconds, and never before what was reported last. */
  protected moment(at: number): number {
    this.lastAt = Math.max(this.lastAt, Math.floor(at));
    return this.lastAt;
  }

  /** A new connection is about to be made: its Will. */
  connecting(): object {
    return this.outbox.connecting();
  }

  /** Connected and subscribed: the birth, and what was not seen. */
  onConnected(now: number): void {
    this.outbox.connected = true;
    this.birth(Math.floor(now));
  }

  onLost(): void {
    this.outbox.connected = false;
  }

  private birth(now: number): void {
    const { model, firmware } = this.nature;
    const known = { last_order: this.lastOrder, highest_epoch: this.epoch };
    this.outbox.birth({ model, firmware, abilities: this.abilities(), ...this.shows(now), ...known }, now);
  }

  vital(now: number, probe: { id: number; received: number } | null = null): void {
    if (!this.outbox.connected) return;
    this.hands.send("vital", {
      boot: this.boot,
      last_seq: this.outbox.nextSeq - 1,
      sent_ms: Math.floor(now),
      ...(this.battery === null ? {} : { battery_percent: this.battery }),
      ...this.vitalSigns(Math.floor(now)),
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
      // A new start of the hub: it is told again who is here.
      if (this.hubEpoch !== 0 && epoch > this.hubEpoch && this.outbox.connected) this.birth(Math.floor(now));
      this.hubEpoch = Math.max(this.hubEpoch, epoch);
    }
  }

  /** Written now and then, so that a reload knows how long the page was away. */
  note(now: number): void {
    this.write(Math.floor(now));
  }
}
