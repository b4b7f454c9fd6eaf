// One table with its whole record and the history of its rulings, while somebody looks at it.

import type { ArbiterTable, Ruling } from "../gen/flagfall/arbiter/v1/table_pb";
import type { Hub } from "./client";
import { isNoToken } from "./client";

const WAIT_MS = 1_000;
/** The hub says something every five seconds. */
const DEAD_MS = 11_000;

/** Follows until told to stop. */
export function followTable(hub: Hub, number: number, told: (table: ArbiterTable, rulings: Ruling[]) => void): () => void {
  let stopped = false;
  let abort = new AbortController();
  let rulings: Ruling[] = [];
  /** What the history was last asked for: it changes with the revision, and with a new game. */
  let known = "";
  let newest: ArbiterTable | null = null;

  async function history(): Promise<void> {
    try {
      const said = await hub.arbiter.getGame({ which: { case: "table", value: number } }, { timeoutMs: 4_000 });
      rulings = said.rulings;
      if (!stopped && newest) told(newest, rulings);
    } catch {
      // It is asked for again with the next change.
      known = "";
    }
  }

  function take(table: ArbiterTable): void {
    newest = table;
    told(table, rulings);
    const now = `${table.hall?.game} ${table.game?.revision} ${table.game?.items.map((item) => item.number).join()}`;
    if (now !== known) {
      known = now;
      void history();
    }
  }

  async function follow(): Promise<void> {
    while (!stopped) {
      abort = new AbortController();
      let heard = performance.now();
      const watch = setInterval(() => {
        if (performance.now() - heard > DEAD_MS) abort.abort();
      }, 1_000);
      try {
        for await (const { update } of hub.arbiter.watchTables({ tables: [number] }, { signal: abort.signal })) {
          heard = performance.now();
          if (update.case === "snapshot") take(update.value);
          else if (update.case === "changed" && update.value.table) take(update.value.table);
        }
      } catch (error) {
        if (stopped || isNoToken(error)) return;
      } finally {
        clearInterval(watch);
      }
      await new Promise((done) => setTimeout(done, WAIT_MS));
    }
  }

  void follow();
  return () => {
    stopped = true;
    abort.abort();
  };
}
