// Keeps the store up to date: one stream of the whole hall, gone on from where it broke off.

import type { Hub } from "./client";
import { isNoToken, isNotAllowed } from "./client";
import type { Store } from "./store";
import { nextTask } from "../turns";
import { heardTime } from "./time";

/** A stream that has been silent so long is dead, whatever the browser thinks. */
const DEAD_MS = 11_000;
const LOOK_MS = 1_000;
const HALL_EVERY_MS = 5_000;
const FIRST_WAIT_MS = 400;
const LONGEST_WAIT_MS = 4_000;
/** A hall of a thousand tables comes in one piece; after so long with it the page is drawn and heard. */
const AT_ONCE_MS = 4;

export type Ended = "no-token" | "not-allowed";

/** Watches until told to stop, or until the token is no good. */
export function watchHall(hub: Hub, store: Store, ended: (why: Ended) => void): () => void {
  let stopped = false;
  let current: AbortController | null = null;
  let wake: (() => void) | null = null;
  let wait = FIRST_WAIT_MS;

  const sleep = (ms: number) =>
    new Promise<void>((done) => {
      const timer = setTimeout(done, ms);
      wake = () => {
        clearTimeout(timer);
        done();
      };
    });

  async function stream(): Promise<void> {
    while (!stopped) {
      current = new AbortController();
      const began = performance.now();
      try {
        const request = { resume: store.place, tables: [], brief: true };
        let since = performance.now();
        for await (const message of hub.arbiter.watchTables(request, { signal: current.signal })) {
          store.take(message);
          wait = FIRST_WAIT_MS;
          if (performance.now() - since > AT_ONCE_MS) {
            await nextTask();
            since = performance.now();
          }
        }
      } catch (error) {
        if (stopped) return;
        if (isNoToken(error)) return ended("no-token");
        if (isNotAllowed(error)) return ended("not-allowed");
      }
      store.cutOff();
      if (stopped) return;
      await sleep(Math.max(0, wait - (performance.now() - began)) + Math.random() * 200);
      wait = Math.min(wait * 2, LONGEST_WAIT_MS);
    }
  }

  async function hall(): Promise<void> {
    while (!stopped) {
      try {
        const said = await hub.admin.getHall({}, { timeoutMs: 4_000 });
        heardTime(said.epoch, said.speed, said.nowMs);
        const before = store.hall?.you?.also.join();
        store.hall = said;
        // Other tables are his now: all of them again.
        if (before !== undefined && before !== said.you?.also.join()) {
          store.place = undefined;
          current?.abort();
        }
        store.notices = (await hub.arbiter.listNotices({}, { timeoutMs: 4_000 })).notices;
        if (store.events.size === 0 || [...store.tables.values()].some((t) => t.hall && !store.events.has(t.hall.event))) {
          const { events } = await hub.admin.listEvents({}, { timeoutMs: 4_000 });
          store.events = new Map(events.map((event) => [event.id, event]));
        }
        store.changed();
      } catch (error) {
        if (stopped) return;
        if (isNoToken(error)) return ended("no-token");
      }
      await new Promise((done) => setTimeout(done, HALL_EVERY_MS));
    }
  }

  const look = setInterval(() => {
    const silent = performance.now() - store.heard;
    if (store.whole && silent > DEAD_MS && silent < DEAD_MS + 2 * LOOK_MS) current?.abort();
    if (store.isStale()) store.changed();
  }, LOOK_MS);
  // Back in the network or in somebody's hand: not after the wait, now.
  const again = () => {
    if (document.hidden) return;
    if (store.isStale()) current?.abort();
    wait = FIRST_WAIT_MS;
    wake?.();
  };
  addEventListener("online", again);
  document.addEventListener("visibilitychange", again);

  // Each in a task of its own: the first of every kind of call takes a while.
  void nextTask().then(stream);
  void nextTask().then(nextTask).then(hall);
  return () => {
    stopped = true;
    clearInterval(look);
    removeEventListener("online", again);
    document.removeEventListener("visibilitychange", again);
    current?.abort();
    wake?.();
  };
}
