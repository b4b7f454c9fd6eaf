// What an arbiter does: one tap, one request id, done now or not at all. Only notes and results may wait for the network: they name the
// game and the revision that they rest on, and go out once, if those still hold. They wait through a reload of the page as well.
//
// Every act names the hall time until which it may be begun. An act that gets no answer is asked about with the same id and the same
// time: the hub then says what it did, or that it is too late. So "done" and "not done" are both certain, and nothing happens late.

import type { Receipt, TableAnswer } from "../gen/flagfall/arbiter/v1/arbiter_pb";
import { refusalOf, type Refusal } from "./client";
import { keep, kept, unkeep, type Errand, type Kept } from "./errands";
import { hallNow, hallTime } from "./time";

/** An act that is not with the hub by then is not done. */
export const UNTIL_MS = 5_000;
/** So often it is asked what became of an act without an answer. */
const ASK_EVERY_MS = 1_500;
const GIVE_UP_MS = 15 * 60_000;
const KEPT = 30;
/** A view that does not follow in this time will not, whatever the reason. */
const FOLLOWS_MS = 5_000;

/** `sent`: on its way. `asking`: no answer, and too late by now to be begun. `waiting`: no answer, and it will be done when there is one. */
export type ActState = "sent" | "asking" | "waiting" | "done" | "refused" | "not-done" | "unknown";

export interface Act {
  id: string;
  label: string;
  table: number | null;
  tapped: Date;
  state: ActState;
  /** The hub's own words, where it has some. */
  message: string;
  refusal: Refusal | null;
  /** Of an act at many tables: those that refused. */
  refused: { table: number; message: string }[];
  /** When it came to its end, by `performance.now()`. */
  ended: number | null;
  /** It waits only as long as the page lives. */
  lost: boolean;
}

/** It was somebody else's, who is not logged in here any more. */
export class NotYours extends Error {}

export interface Sending {
  requestId: string;
  options: { headers: Record<string, string>; timeoutMs: number; signal?: AbortSignal };
}

export type Call = (
  sending: Sending,
) => Promise<{ receipt?: Receipt } | { answers: TableAnswer[] } | { refused: Act["refused"] } | { table?: unknown }>;

export class Acts {
  all: Act[] = [];
  #watchers = new Set<() => void>();
  /** The ruling revisions that the newest acts have led to, and when, by `performance.now()`. */
  #led = new Map<number, { revision: bigint; at: number }>();

  watch(told: () => void): () => void {
    this.#watchers.add(told);
    return () => this.#watchers.delete(told);
  }

  #tell(): void {
    for (const told of this.#watchers) told();
  }

  /** The newest act on this table that is still under way. */
  underWay(table: number | null): Act | undefined {
    return this.all.find((act) => act.table === table && (act.state === "sent" || act.state === "asking" || act.state === "waiting"));
  }

  /** What was done here has led on from this revision of the table, and is so fresh that a view need not have it yet. */
  isAhead(table: number, revision: bigint): boolean {
    const led = this.#led.get(table);
    return led !== undefined && led.revision > revision && performance.now() - led.at < FOLLOWS_MS;
  }

  #leads(table: number | null, receipt: Receipt | undefined): void {
    if (table === null || receipt?.revision === undefined) return;
    this.#led.set(table, { revision: receipt.revision, at: performance.now() });
  }

  /** Forgets one that has been read. */
  drop(act: Act): void {
    this.all = this.all.filter((other) => other !== act);
    unkeep(act.id);
    this.#tell();
  }

  /** Nobody is logged in any more. What waits is kept for when he is again. */
  clear(): void {
    this.all = [];
    this.#led.clear();
    this.#tell();
  }

  /** Something would be lost with the page. */
  waits(): boolean {
    return this.all.some(({ state, lost }) => lost && (state === "sent" || state === "waiting"));
  }

  /** Sends an act and stays with it until it is known what became of it. */
  send(label: string, table: number | null, call: Call): Promise<Act> {
    return this.#see(begun(uuid(), label, table, new Date()), call, false);
  }

  /** The same of one that is of use later too. */
  sendOrWait(label: string, errand: Errand, by: string, call: Call): Promise<Act> {
    const act = begun(uuid(), label, errand.table, new Date());
    act.lost = !keep({ id: act.id, label, tapped: act.tapped.toISOString(), by, errand });
    return this.#see(act, call, true);
  }

  /** Goes on with what waited when the page was left. */
  goOn(call: (kept: Kept) => Call): void {
    for (const one of kept()) {
      if (this.all.some(({ id }) => id === one.id)) continue;
      const act = begun(one.id, one.label, one.errand.table, new Date(one.tapped));
      act.state = "waiting";
      void this.#see(act, call(one), true);
    }
  }

  async #see(act: Act, call: Call, mayWait: boolean): Promise<Act> {
    this.all = [act, ...this.all].slice(0, KEPT);
    this.#tell();
    const tapped = performance.now();
    const until = Math.ceil(hallNow() + UNTIL_MS * hallTime.speed);
    const headers: Record<string, string> = hallTime.known && !mayWait ? { "flagfall-until-ms": String(until) } : {};
    for (;;) {
      // Taken away by who does not want it any more.
      if (mayWait && !this.all.includes(act)) return this.#end(act, "not-done");
      const spent = performance.now() - tapped;
      const timeoutMs = Math.max(2_000, UNTIL_MS - spent);
      try {
        const answer = await call({ requestId: act.id, options: { headers, timeoutMs } });
        if ("answers" in answer) {
          for (const { table, answer: said } of answer.answers) {
            if (said.case === "refused") act.refused.push({ table, message: said.value.message });
            if (said.case === "done") this.#leads(table, said.value);
          }
        } else if ("refused" in answer) {
          act.refused.push(...answer.refused);
        } else if ("receipt" in answer) {
          act.message = answer.receipt?.note ?? "";
          this.#leads(act.table, answer.receipt);
        }
        return this.#end(act, "done");
      } catch (error) {
        if (error instanceof NotYours) return this.#end(act, "not-done");
        const refusal = refusalOf(error);
        if (refusal !== null && refusal.reason !== "BUSY" && refusal.reason !== "STOPPING") {
          act.refusal = refusal;
          act.message = refusal.message;
          return this.#end(act, refusal.reason === "TOO_LATE" ? "not-done" : "refused");
        }
        // Without a time in the call a repetition would do it late: then nobody asks.
        if (!mayWait && (!hallTime.known || performance.now() - tapped > GIVE_UP_MS)) return this.#end(act, "unknown");
      }
      if (performance.now() - tapped >= UNTIL_MS && act.state === "sent") {
        act.state = mayWait ? "waiting" : "asking";
        this.#tell();
      }
      const left = UNTIL_MS - (performance.now() - tapped);
      await new Promise((done) => setTimeout(done, left > 0 ? Math.min(left, 300) : ASK_EVERY_MS));
    }
  }

  #end(act: Act, state: ActState): Act {
    act.state = state;
    act.ended = performance.now();
    // What was only cleared away waits on for its owner.
    if (this.all.includes(act)) unkeep(act.id);
    this.#tell();
    return act;
  }
}

function begun(id: string, label: string, table: number | null, tapped: Date): Act {
  return { id, label, table, tapped, state: "sent", message: "", refusal: null, refused: [], ended: null, lost: false };
}

/** A random UUID; `crypto.randomUUID` is missing on a plain HTTP page. */
export function uuid(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
