// What the console knows of the hall: the newest state of every table, and how old that is.

import type { GetHallResponse } from "../gen/flagfall/admin/v1/admin_pb";
import type { Event } from "../gen/flagfall/admin/v1/event_pb";
import type { ArbiterTable } from "../gen/flagfall/arbiter/v1/table_pb";
import type { Place } from "../gen/flagfall/feed/v1/table_pb";
import type { Notice, WatchTablesResponse } from "../gen/flagfall/arbiter/v1/arbiter_pb";
import { heardTime } from "./time";

/** The hub says something every five seconds; after this the view is stale. */
const STALE_MS = 8_000;
/** A hub that restarts is back within this; only then a broken stream makes the view stale. */
const GRACE_MS = 3_000;
/** Drawn no oftener than this, however much happens: an old tablet has other work too. */
const TELL_EVERY_MS = 100;

export class Store {
  tables: ReadonlyMap<number, ArbiterTable> = new Map();
  hall: GetHallResponse | null = null;
  events: ReadonlyMap<string, Event> = new Map();
  /** What is wrong in the hall beyond single tables. */
  notices: readonly Notice[] = [];
  /** The first snapshot is whole. */
  whole = false;
  /** Where to go on from. */
  place: Place | undefined;
  /** When the hub's stream last said something, by `performance.now()`. */
  heard = Number.NEGATIVE_INFINITY;
  /** The same by the wall's clock. */
  heardAt: Date | null = null;
  /** The stream has ended and is not there again. */
  broken = false;

  #working = new Map<number, ArbiterTable>();
  #snapshot: Map<number, ArbiterTable> | null = null;
  #watchers = new Set<() => void>();
  /** Who watches one table only. */
  #tableWatchers = new Map<number, Set<() => void>>();
  /** The tables whose watchers are not told yet; `null`: all of them. */
  #fresh: Set<number> | null = new Set();
  #told = false;
  #toldAt = Number.NEGATIVE_INFINITY;

  /** Is what is shown so old that it may be wrong? */
  isStale(now = performance.now()): boolean {
    return this.whole && now - this.heard > (this.broken ? GRACE_MS : STALE_MS);
  }

  watch(told: () => void): () => void {
    this.#watchers.add(told);
    return () => this.#watchers.delete(told);
  }

  /** Watches one table. */
  watchTable(number: number, told: () => void): () => void {
    let watchers = this.#tableWatchers.get(number);
    if (watchers === undefined) this.#tableWatchers.set(number, (watchers = new Set()));
    watchers.add(told);
    return () => {
      watchers.delete(told);
      if (watchers.size === 0 && this.#tableWatchers.get(number) === watchers) this.#tableWatchers.delete(number);
    };
  }

  /** Takes a message of the hall's stream. */
  take(message: WatchTablesResponse): void {
    this.heard = performance.now();
    this.heardAt = new Date();
    this.broken = false;
    const { update } = message;
    switch (update.case) {
      case "snapshot":
        this.#snapshot ??= new Map();
        put(this.#snapshot, update.value);
        return;
      case "snapshotEnd":
        if (this.#snapshot !== null || update.value.reset) this.#working = this.#snapshot ?? new Map();
        this.#snapshot = null;
        this.#fresh = null;
        this.place = update.value.place;
        this.whole = true;
        break;
      case "changed":
        if (update.value.table) {
          put(this.#working, update.value.table);
          this.#fresh?.add(update.value.table.hall?.table ?? 0);
        }
        this.place = update.value.place ?? this.place;
        break;
      case "removed":
        this.#working.delete(update.value.table);
        this.#fresh?.add(update.value.table);
        this.place = update.value.place ?? this.place;
        break;
      case "heartbeat":
        this.place = update.value.place ?? this.place;
        if (this.hall) heardTime(this.hall.epoch, this.hall.speed, update.value.nowMs);
        break;
    }
    this.changed();
  }

  /** The stream has ended; a snapshot that was cut off begins anew. */
  cutOff(): void {
    this.#snapshot = null;
    this.broken = true;
    this.changed();
  }

  /** Tells the watchers, once for all that happens until the page is next drawn. */
  changed(): void {
    if (this.#told) return;
    this.#told = true;
    const tell = () => {
      if (!this.#told) return;
      this.#told = false;
      this.#toldAt = performance.now();
      const fresh = this.#fresh ?? this.#tableWatchers.keys();
      this.#fresh = new Set();
      this.tables = new Map(this.#working);
      for (const number of [...fresh]) for (const told of this.#tableWatchers.get(number) ?? []) told();
      for (const told of this.#watchers) told();
    };
    // A page that is not seen is not drawn, but it still has to vibrate.
    if (document.hidden) {
      setTimeout(tell, 250);
      return;
    }
    const early = this.#toldAt + TELL_EVERY_MS - performance.now();
    if (early <= 0) requestAnimationFrame(tell);
    else setTimeout(() => (document.hidden ? tell() : requestAnimationFrame(tell)), early);
  }
}

function put(tables: Map<number, ArbiterTable>, table: ArbiterTable): void {
  if (table.hall) tables.set(table.hall.table, table);
}
