// One table with its whole record and the history of its rulings, while somebody looks at it.
//
// The hall's stream tells that it has changed; then it is asked for, once at a time. No second stream: a browser has six connections to
// a host, and a tablet may have several of these pages open.

import type { ArbiterTable, Ruling } from "../gen/flagfall/arbiter/v1/table_pb";
import type { Hub } from "./client";
import type { Store } from "./store";

/** After a failure, and no oftener than this. */
const AGAIN_MS = 1_000;
const PATIENCE_MS = 4_000;

/** Follows until told to stop. */
export function followTable(hub: Hub, store: Store, number: number, told: (table: ArbiterTable, rulings: Ruling[]) => void): () => void {
  let stopped = false;
  let asking = false;
  /** The brief state that the last answer belongs to, or a newer one. */
  let known: ArbiterTable | undefined;
  let retry: ReturnType<typeof setTimeout> | null = null;

  async function ask(): Promise<void> {
    const brief = store.tables.get(number);
    if (stopped || asking || brief === undefined || brief === known) return;
    asking = true;
    try {
      const said = await hub.arbiter.getGame({ which: { case: "table", value: number } }, { timeoutMs: PATIENCE_MS });
      known = brief;
      if (!stopped && said.table) told(said.table, said.rulings);
    } catch {
      known = undefined;
      retry ??= setTimeout(() => {
        retry = null;
        void ask();
      }, AGAIN_MS);
      return;
    } finally {
      asking = false;
    }
    // It may have changed while it was being told.
    void ask();
  }

  const leave = store.watch(() => void ask());
  void ask();
  return () => {
    stopped = true;
    leave();
    if (retry !== null) clearTimeout(retry);
  };
}
