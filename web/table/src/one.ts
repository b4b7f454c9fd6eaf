// Only one window of a phone is its clock, and one its board: two would write over each other what they keep.

import type { Duty } from "./login";

const NAMES: Readonly<Record<Duty, string>> = { clock: "flagfall-table-clock", board: "flagfall-table-recorder" };
const OWNERS: Readonly<Record<Duty, string>> = { clock: "flagfall-table-owner", board: "flagfall-table-recorder-owner" };

export type Claimed = "mine" | "taken";

/**
 * Takes the clock, or the board, for this window, from another one if `by_force`. `lost` is told when another window takes it.
 *
 * By Web Locks, which browsers have over https and on this machine; elsewhere by a mark that every window watches.
 */
export async function claim(duty: Duty, byForce: boolean, lost: () => void): Promise<Claimed> {
  const [name, owner] = [NAMES[duty], OWNERS[duty]];
  if (!("locks" in navigator)) {
    const own = String(crypto.getRandomValues(new Uint32Array(1))[0]);
    localStorage.setItem(owner, own);
    addEventListener("storage", (event) => {
      if (event.key === owner && event.newValue !== own) lost();
    });
    return "mine";
  }
  return new Promise((resolve) => {
    const mode = byForce ? { steal: true } : { ifAvailable: true };
    navigator.locks
      .request(name, mode, (lock) => {
        if (lock === null) {
          resolve("taken");
          return;
        }
        resolve("mine");
        // Held as long as the page lives.
        return new Promise<never>(() => {});
      })
      .catch(() => lost());
  });
}
