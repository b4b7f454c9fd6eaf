// What a device has reported and the hub has not seen: numbered, kept until it is, and sent again where it did not come
// (docs/devices.md). A clock and a recorder's board keep it alike.

import type { Keep, Kept } from "./keep";
import { num, type Report, type What } from "./wire";

export type Up = "birth" | "report" | "vital" | "ack";

/** Reports kept until they are seen; then the two oldest become one declaration of loss. */
const MEMORY = 4096;

export class Outbox {
  nextSeq = 0;
  /** The newest report, as it stands in the device's state: kept in the same breath as what it changed. */
  latest: Report | null = null;
  connected = false;
  private connection = 0;
  private kept: Report[] = [];
  /** Reports of earlier boots, oldest boot first: they go out before this boot's own. */
  private earlier: Kept[] = [];

  constructor(
    readonly boot: number,
    private readonly keep: Keep,
    private readonly send: (up: Up, message: object) => void,
  ) {}

  /** Takes up what an earlier boot has kept. */
  takeUp(boot: number, latest: Report | null): void {
    const reports = this.keep.reports();
    if (latest !== null && !(reports.get(boot) ?? []).some((report) => report.seq === latest.seq)) {
      this.keep.report(latest);
      reports.set(boot, [...(reports.get(boot) ?? []), latest]);
    }
    // The boot before this one is the last of them; a map keeps the order of nothing, so the others follow their reports' age.
    const boots = [...reports].sort(([a], [b]) => Number(a === boot) - Number(b === boot));
    this.earlier = boots.map(([of, kept]) => ({ boot: of, reports: kept }));
  }

  /** A reload would lose something: the phone's memory is full. */
  get keepsNothing(): boolean {
    return this.keep.full;
  }

  /** Reports that the hub has not seen. */
  get unseen(): number {
    return this.kept.length + this.earlier.reduce((sum, kept) => sum + kept.reports.length, 0);
  }

  /** Makes the next report: kept first (`write` writes the state that goes with it), then `shown`, then sent. */
  add(what: What, at: number, write: (seq: number) => void, shown: () => void): void {
    const report: Report = { boot: this.boot, seq: this.nextSeq, event_ms: at, sent_ms: at, ...what };
    this.nextSeq += 1;
    this.latest = report;
    write(report.seq);
    this.keep.report(report);
    this.kept.push(report);
    if (this.kept.length > MEMORY) this.forgetOldest();
    shown();
    if (this.connected && this.earlier.length === 0) this.send("report", report);
  }

  /** The memory is full: the two oldest become one declaration of loss. */
  private forgetOldest(): void {
    const [first, second, ...rest] = this.kept;
    if (first === undefined || second === undefined) return;
    const from = "lost" in first ? first.lost.first_seq : first.seq;
    const { boot, seq, event_ms, sent_ms } = second;
    const lost: Report = { boot, seq, event_ms, sent_ms, lost: { first_seq: from, last_seq: seq } };
    this.keep.forget(boot, first.seq);
    this.keep.report(lost);
    this.kept = [lost, ...rest];
  }

  /** A new connection is about to be made: its Will. */
  connecting(): object {
    this.connection += 1;
    return { boot: this.boot, connection: this.connection, polite: false };
  }

  /** Who is here: what is the device's own, and what it keeps; and then that. */
  birth(own: object, now: number): void {
    const oldest = this.kept[0];
    const before = this.earlier[0];
    const last = before?.reports.at(-1);
    this.send("birth", {
      boot: this.boot,
      connection: this.connection,
      ...own,
      sent_ms: now,
      up_ms: now,
      next_seq: this.nextSeq,
      oldest_seq: oldest === undefined ? this.nextSeq : "lost" in oldest ? oldest.lost.first_seq : oldest.seq,
      ...(before !== undefined && last !== undefined
        ? { kept_boot: before.boot, kept_oldest_seq: before.reports[0]?.seq ?? 0, kept_next_seq: last.seq + 1 }
        : {}),
    });
    this.again(0, now);
  }

  /** Sends what is kept from `seq` on; an earlier boot's first, as it was, and this boot's own only after all of those. */
  private again(seq: number, now: number): void {
    const before = this.earlier[0];
    if (before !== undefined) {
      for (const report of before.reports) this.send("report", report);
      return;
    }
    for (const report of this.kept) if (report.seq >= seq) this.send("report", { ...report, sent_ms: now });
  }

  /** The hub has seen so many; true where it wants to be told again who is here. `write` writes the state without what is seen. */
  seen(message: Readonly<Record<string, unknown>>, now: number, write: () => void): boolean {
    if (message["birth"] === true) return true;
    const [boot, seq] = [num(message["boot"]), num(message["seq"])];
    const before = this.earlier[0];
    if (before !== undefined && before.boot === boot) {
      before.reports = this.forgetUpTo(before.reports, seq, write);
      if (before.reports.length === 0) {
        this.earlier.shift();
        // Either the next of the earlier boots is named now, or this one's own reports may go.
        return true;
      }
      if (message["resend"] === true) this.again(seq + 1, now);
    } else if (boot === this.boot) {
      this.kept = this.forgetUpTo(this.kept, seq, write);
      if (message["resend"] === true) this.again(seq + 1, now);
    }
    return false;
  }

  private forgetUpTo(reports: Report[], seq: number, write: () => void): Report[] {
    for (const report of reports) if (report.seq <= seq) this.keep.forget(report.boot, report.seq);
    if (this.latest !== null && this.latest.boot === reports[0]?.boot && this.latest.seq <= seq) {
      this.latest = null;
      write();
    }
    return reports.filter((report) => report.seq > seq);
  }
}
