// What outlives a reload: the clock's state and every report that the hub has not yet seen.
//
// `localStorage`, because it is written before the line that writes it returns: a press is kept before it is shown, in the same
// breath, and a page that dies a moment later has kept it. (IndexedDB would answer later, and a press cannot wait.)

import type { Report } from "./wire";

/** The part of `Storage` that is used. */
export type Shelf = Pick<Storage, "getItem" | "setItem" | "removeItem" | "key" | "length">;

/** Reports of one boot, oldest first. */
export interface Kept {
  boot: number;
  reports: Report[];
}

export class Keep {
  private readonly prefix: string;
  /** Something could not be written: the memory is full. The clock goes on, and says so. */
  full = false;

  constructor(private readonly shelf: Shelf, device: string) {
    this.prefix = `flagfall-table/${device}/`;
  }

  state(): unknown {
    return this.json(`${this.prefix}state`);
  }

  setState(state: unknown): void {
    this.set(`${this.prefix}state`, state);
  }

  report(report: Report): void {
    this.set(this.key(report.boot, report.seq), report);
  }

  forget(boot: number, seq: number): void {
    this.shelf.removeItem(this.key(boot, seq));
  }

  /** All reports, by boot. */
  reports(): Map<number, Report[]> {
    const found = new Map<number, Report[]>();
    for (let at = 0; at < this.shelf.length; at += 1) {
      const key = this.shelf.key(at);
      if (key === null || !key.startsWith(`${this.prefix}report/`)) continue;
      const report = this.json(key) as Report | null;
      if (report === null) continue;
      const boot = found.get(report.boot);
      if (boot === undefined) found.set(report.boot, [report]);
      else boot.push(report);
    }
    for (const reports of found.values()) reports.sort((a, b) => a.seq - b.seq);
    return found;
  }

  private key(boot: number, seq: number): string {
    return `${this.prefix}report/${boot}/${seq}`;
  }

  private set(key: string, value: unknown): void {
    try {
      this.shelf.setItem(key, JSON.stringify(value));
      this.full = false;
    } catch {
      // A press counts all the same; only a reload would lose it now.
      this.full = true;
    }
  }

  private json(key: string): unknown {
    try {
      return JSON.parse(this.shelf.getItem(key) ?? "null");
    } catch {
      return null;
    }
  }
}
