// Hall time as this page knows it.

import { HallTime } from "../../../hall/halltime.js";

export const hallTime = new HallTime();

/** Hall time now, or 0 while the hub has not said it. */
export function hallNow(): number {
  return hallTime.known ? hallTime.now() : 0;
}

/** Takes what the hub said of its time. */
export function heardTime(epoch: bigint, speed: number, nowMs: bigint): void {
  hallTime.take({ epoch: Number(epoch), speed, now_ms: Number(nowMs) });
}

/** The wall clock's time of a moment in hall time, for showing when something happened. */
export function wallOf(hallMs: number): Date | null {
  if (!hallTime.known) return null;
  return new Date(Date.now() - (hallTime.now() - hallMs) / hallTime.speed);
}
