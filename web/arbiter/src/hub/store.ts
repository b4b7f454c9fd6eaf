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
  #told = false;

  /** Is what is shown so old that it may be wrong? */
  isStale(now = performance.now()): boolean {
    return this.whole && now - this.heard > (this.broken ? GRACE_MS : STALE_MS);
  }

  watch(told: () => void): () => void {
    this.#watchers.add(told);
    return () => this.#watchers.delete(told);
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
        this.place = update.value.place;
        this.whole = true;
        break;
      case "changed":
        if (update.value.table) put(this.#working, update.value.table);
        this.place = update.value.place ?? this.place;
        break;
      case "removed":
        this.#working.delete(update.value.table);
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
      this.tables = new Map(this.#working);
      for (const told of this.#watchers) told();
    };
    // A page that is not seen is not drawn, but it still has to vibrate.
    if (document.hidden) setTimeout(tell, 250);
    else requestAnimationFrame(tell);
  }
}

function put(tables: Map<number, ArbiterTable>, table: ArbiterTable): void {
  if (table.hall) tables.set(table.hall.table, table);
}
