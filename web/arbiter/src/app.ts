// The page's one session: who is logged in, what is known, what was done, where we are.

import { useEffect, useLayoutEffect, useState } from "preact/hooks";
import type { ArbiterTable, Ruling } from "./gen/flagfall/arbiter/v1/table_pb";
import { DeviceKind, Online, type Device } from "./gen/flagfall/admin/v1/device_pb";
import type { Round } from "./gen/flagfall/admin/v1/event_pb";
import { Role, type Person } from "./gen/flagfall/admin/v1/person_pb";
import { Acts, NotYours, type Act, type Call, type Sending } from "./hub/acts";
import type { Errand } from "./hub/errands";
import { connect, refusalOf, type Hub } from "./hub/client";
import { Store } from "./hub/store";
import { watchHall, type Ended } from "./hub/watch";
import { forgetToken, keepToken, token } from "./prefs";
import { followTable } from "./hub/table";
import { t } from "./words";

export const acts = new Acts();
export let store = new Store();

let hub: Hub | null = null;
let leave: (() => void) | null = null;
const watchers = new Set<() => void>();

/** Why nobody is logged in. */
export let loginNote: Ended | "logged-out" | null = null;

function tell(): void {
  for (const told of watchers) told();
}

export function isIn(): boolean {
  return hub !== null;
}

export function enter(given: string): void {
  keepToken(given.trim());
  start();
}

export function start(): void {
  const kept = token();
  leave?.();
  leave = null;
  hub = null;
  store = new Store();
  if (kept !== "") {
    hub = connect(kept);
    loginNote = null;
    leave = watchHall(hub, store, (why) => {
      loginNote = why;
      out();
    });
    acts.goOn(({ errand, by }) => carryOut(errand, by));
  }
  tell();
}

/** What the hub says in sentences is asked for again, in the language that is spoken now. */
export function relearn(): void {
  if (hub === null) return;
  leave?.();
  store.place = undefined;
  leave = watchHall(hub, store, (why) => {
    loginNote = why;
    out();
  });
}

function out(): void {
  leave?.();
  leave = null;
  hub = null;
  forgetToken();
  store = new Store();
  acts.clear();
  tell();
}

export function logOut(): void {
  loginNote = "logged-out";
  out();
}

export function me(): string {
  return store.hall?.you?.name ?? "";
}

export function isChief(): boolean {
  return store.hall?.you?.role === Role.CHIEF_ARBITER;
}

/** May only look: whoever is neither arbiter nor chief. */
export function maySeeOnly(): boolean {
  const role = store.hall?.you?.role;
  return role !== undefined && role !== Role.CHIEF_ARBITER && role !== Role.ARBITER;
}

/** Sends an act; `call` gets the API. */
export function act(
  label: string,
  table: number | null,
  call: (api: Hub["arbiter"], sending: Sending, admin: Hub["admin"]) => ReturnType<Call>,
): Promise<Act> {
  const api = hub;
  return acts.send(label, table, (sending) => {
    if (!api) return Promise.reject(new Error("nobody is logged in"));
    return call(api.arbiter, sending, api.admin);
  });
}

/** Sends what may wait for the network, now or when it is back. */
export function send(label: string, errand: Errand): Promise<Act> {
  return acts.sendOrWait(label, errand, me(), carryOut(errand, me()));
}

/** It goes out in the name of who gave it, or not at all. */
function carryOut(errand: Errand, by: string): Call {
  return async ({ requestId, options }) => {
    const api = hub?.arbiter;
    const you = store.hall?.you?.name;
    if (api === undefined || you === undefined) throw new Error("the hub has not said who is logged in");
    if (you !== by) throw new NotYours();
    const { table, game } = errand;
    const revision = BigInt(errand.revision);
    if (errand.kind === "note") return api.addNote({ requestId, table, text: errand.text, revision, game }, options);
    return api.setResult({ requestId, reason: errand.reason, table, revision, game, result: errand.result }, options);
  };
}

addEventListener("beforeunload", (event) => {
  if (acts.waits()) event.preventDefault();
});

/** Asks for something that changes nothing: the answer, or why there is none. */
export async function askAdmin<T>(call: (admin: Hub["admin"]) => Promise<T>): Promise<{ done: T } | { refused: string }> {
  if (hub === null) return { refused: "" };
  try {
    return { done: await call(hub.admin) };
  } catch (error) {
    return { refused: refusalOf(error)?.message ?? t("stale") };
  }
}

/** The same at many tables, one call for each: their answers together. */
export function actAtMany(
  label: string,
  tables: readonly ArbiterTable[],
  call: (api: Hub["arbiter"], sending: Sending, table: ArbiterTable, admin: Hub["admin"]) => Promise<unknown>,
): Promise<Act> {
  return act(label, null, async (api, { requestId, options }, admin) => {
    const refused: { table: number; message: string }[] = [];
    await Promise.all(
      tables.map(async (table) => {
        const number = table.hall?.table ?? 0;
        try {
          await call(api, { requestId: `${requestId}/${number}`, options }, table, admin);
        } catch (error) {
          const refusal = refusalOf(error);
          // Without an answer all are asked again; what is done is answered as it was.
          if (refusal === null || refusal.reason === "BUSY" || refusal.reason === "STOPPING") throw error;
          refused.push({ table: number, message: refusal.message });
        }
      }),
    );
    return { refused: refused.sort((a, b) => a.table - b.table) };
  });
}

/** All devices, looked at again every second; `null` until they are known. */
export function useDevices(): readonly Device[] | null {
  const [devices, set] = useState<readonly Device[] | null>(null);
  useEffect(() => {
    let stopped = false;
    const look = async () => {
      while (!stopped) {
        const said = await hub?.admin.listDevices({}, { timeoutMs: 3_000 }).catch(() => undefined);
        if (!stopped && said) set(said.devices);
        await new Promise((done) => setTimeout(done, 1_000));
      }
    };
    void look();
    return () => {
      stopped = true;
    };
  }, [hub]);
  return devices;
}

/** The devices that serve no table, those that are heard first; `null` until they are known. */
export function useFreeDevices(): readonly Device[] | null {
  const [devices, set] = useState<readonly Device[] | null>(null);
  useEffect(() => {
    const stop = new AbortController();
    hub?.admin
      .listDevices({}, { timeoutMs: 5_000, signal: stop.signal })
      .then((said) => {
        const rank = ({ online }: Device) => (online === Online.ONLINE ? 0 : 1);
        const free = said.devices.filter(({ table, kind }) => table === 0 && kind !== DeviceKind.GATEWAY);
        set(free.sort((a, b) => rank(a) - rank(b) || a.id.localeCompare(b.id)));
      })
      .catch(() => undefined);
    return () => stop.abort();
  }, []);
  return devices;
}

function useWatch(watch: (told: () => void) => () => void): void {
  const [, again] = useState(0);
  // Before anything else can happen: what changes between drawing and listening would not be drawn.
  useLayoutEffect(() => watch(() => again((n) => n + 1)), []);
}

export function useSession(): void {
  useWatch((told) => {
    watchers.add(told);
    return () => watchers.delete(told);
  });
}

export function useStore(): Store {
  const [, again] = useState(0);
  useLayoutEffect(() => store.watch(() => again((n) => n + 1)), [store]);
  return store;
}

/** One table as the hall's stream knows it. */
export function useTableRow(number: number): ArbiterTable | undefined {
  const [, again] = useState(0);
  useLayoutEffect(() => store.watchTable(number, () => again((n) => n + 1)), [store, number]);
  return store.tables.get(number);
}

export function useActs(): Acts {
  useWatch((told) => acts.watch(told));
  return acts;
}

/** Draws again every second. */
export function useSecond(): void {
  useWatch((told) => {
    const timer = setInterval(told, 1_000);
    return () => clearInterval(timer);
  });
}

export interface Followed {
  table: ArbiterTable | null;
  rulings: Ruling[];
  /** The whole record is here. */
  whole: boolean;
}

/** One table with its whole record; what the hall's stream knows of it until that has come. */
export function useTable(number: number): Followed {
  const [followed, set] = useState<Followed>({ table: null, rulings: [], whole: false });
  const hall = useStore();
  useEffect(() => {
    set({ table: null, rulings: [], whole: false });
    if (hub === null) return;
    return followTable(hub, store, number, (table, rulings) => set({ table, rulings, whole: true }));
  }, [number, hub]);
  const brief = hall.tables.get(number) ?? null;
  if (followed.table?.hall?.table !== number) return { table: brief, rulings: [], whole: false };
  return followed;
}

/** An event's rounds, asked for now and again whenever `again` changes; `null` until they are known. */
export function useRounds(event: string, again: unknown): readonly Round[] | null {
  const [rounds, set] = useState<{ event: string; rounds: readonly Round[] } | null>(null);
  useEffect(() => {
    if (hub === null || event === "") return;
    const stop = new AbortController();
    hub.admin
      .listRounds({ event }, { timeoutMs: 5_000, signal: stop.signal })
      .then((said) => set({ event, rounds: said.rounds }))
      .catch(() => undefined);
    return () => stop.abort();
  }, [event, again, hub]);
  return rounds?.event === event ? rounds.rounds : null;
}

/** Everybody with a token, asked for now and whenever `again` changes; `null` until they are known. For the chief arbiter. */
export function usePeople(again: unknown): readonly Person[] | null {
  const [people, set] = useState<readonly Person[] | null>(null);
  const { hall } = useStore();
  useEffect(() => {
    if (hub === null || !isChief()) return;
    const stop = new AbortController();
    hub.admin
      .listPeople({}, { timeoutMs: 5_000, signal: stop.signal })
      .then((said) => set(said.people))
      .catch(() => undefined);
    return () => stop.abort();
  }, [again, hub, hall?.you?.role]);
  return people;
}

/** A game's record on paper, as the hub writes it. */
export function useRecord(table: number): { html: string; game: string } | "asked" | "failed" {
  const [record, set] = useState<{ html: string; game: string } | "asked" | "failed">("asked");
  useEffect(() => {
    const stop = new AbortController();
    hub?.arbiter
      .getRecord({ which: { case: "table", value: table } }, { timeoutMs: 30_000, signal: stop.signal })
      .then(({ html, game }) => set({ html, game }))
      .catch(() => {
        if (!stop.signal.aborted) set("failed");
      });
    return () => stop.abort();
  }, [table]);
  return record;
}

/** What is read out before a round; `null` until it is known. */
export function useAnnouncement(event: string, round: number): string | null {
  const [text, set] = useState<string | null>(null);
  useEffect(() => {
    const stop = new AbortController();
    hub?.admin
      .getAnnouncement({ event, round }, { timeoutMs: 5_000, signal: stop.signal })
      .then((said) => set(said.text))
      .catch(() => undefined);
    return () => stop.abort();
  }, [event, round]);
  return text;
}

export type Route =
  | { page: "hall" }
  | { page: "round" }
  | { page: "table"; table: number }
  | { page: "item"; table: number; item: bigint }
  | { page: "stop" }
  | { page: "people" }
  | { page: "bind" }
  | { page: "many" }
  | { page: "settings" };

export function routeOf(hash: string): Route {
  const item = /^#\/table\/(\d{1,9})\/item\/(\d{1,9})$/.exec(hash);
  if (item) return { page: "item", table: Number(item[1]), item: BigInt(item[2] ?? 0) };
  const table = /^#\/table\/(\d{1,9})$/.exec(hash);
  if (table) return { page: "table", table: Number(table[1]) };
  if (hash === "#/round") return { page: "round" };
  if (hash === "#/stop") return { page: "stop" };
  if (hash === "#/people") return { page: "people" };
  if (hash === "#/bind") return { page: "bind" };
  if (hash === "#/many") return { page: "many" };
  if (hash === "#/settings") return { page: "settings" };
  return { page: "hall" };
}

export function useRoute(): Route {
  const [route, set] = useState(routeOf(location.hash));
  useLayoutEffect(() => {
    const moved = () => {
      // A token in the address of a page that is open already: somebody else logs in.
      if (location.hash.includes("token=")) start();
      set(routeOf(location.hash));
      scrollTo(0, 0);
    };
    addEventListener("hashchange", moved);
    return () => removeEventListener("hashchange", moved);
  }, []);
  return route;
}

export function go(hash: string): void {
  location.hash = hash;
}
