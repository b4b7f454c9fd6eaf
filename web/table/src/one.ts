// Only one window of a phone is its clock: two would write over each other what they keep.

const NAME = "flagfall-table-clock";
const OWNER = "flagfall-table-owner";

export type Claimed = "mine" | "taken";

/**
 * Takes the clock for this window, from another one if `by_force`. `lost` is told when another window takes it.
 *
 * By Web Locks, which browsers have over https and on this machine; elsewhere by a mark that every window watches.
 */
export async function claim(byForce: boolean, lost: () => void): Promise<Claimed> {
  if (!("locks" in navigator)) {
    const own = String(crypto.getRandomValues(new Uint32Array(1))[0]);
    localStorage.setItem(OWNER, own);
    addEventListener("storage", (event) => {
      if (event.key === OWNER && event.newValue !== own) lost();
    });
    return "mine";
  }
  return new Promise((resolve) => {
    const mode = byForce ? { steal: true } : { ifAvailable: true };
    navigator.locks
      .request(NAME, mode, (lock) => {
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
