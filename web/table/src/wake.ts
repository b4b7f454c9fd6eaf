// The phone itself: kept awake and filling the screen while there is a game; and whether its counter stood still while it slept.

/** Asks for the screen to stay on. It is lost whenever the page is hidden, so it is asked for again. */
export function stayAwake(changed: (awake: boolean) => void): () => void {
  let lock: WakeLockSentinel | null = null;
  const ask = async (): Promise<void> => {
    if (document.visibilityState !== "visible" || (lock !== null && !lock.released)) return;
    try {
      lock = await navigator.wakeLock.request("screen");
      lock.addEventListener("release", () => changed(false));
      changed(true);
    } catch {
      // Not over plain http, or the battery is low: the phone's own setting has to do it.
      changed(false);
    }
  };
  const again = (): void => void ask();
  document.addEventListener("visibilitychange", again);
  again();
  return again;
}

/** Fills the screen, where the browser lets a page do that, and keeps the way round it has. Only after a touch. */
export async function fillScreen(): Promise<void> {
  try {
    if (document.fullscreenElement === null) await document.documentElement.requestFullscreen({ navigationUI: "hide" });
    const orientation = screen.orientation as ScreenOrientation & { lock?: (way: string) => Promise<void> };
    await orientation.lock?.(orientation.type);
  } catch {
    // An iPhone's pages cannot; the page is installed to its home screen there, or shown by the kiosk.
  }
}

/** How long a counter may lag behind the calendar, in ms: clocks are set by the network in smaller steps. */
const STOOD_STILL = 2_000;

/**
 * Whether the page's counter stood still while the phone slept: some count only while they are awake. Two others have to say so
 * together, since each alone may be wrong: the phone's own calendar, which may be set, and the hub's time, which may come late.
 */
export class Sleep {
  private ahead: number;
  private hub: number | null = null;
  private asking = false;

  constructor(private readonly wall: (now: number) => number, now: number) {
    this.ahead = wall(now) - now;
  }

  /** The calendar at a moment of the counter, as far as it is believed: a leap of it counts only when the hub has confirmed it. */
  calendar(now: number): number {
    return now + Math.round(this.ahead);
  }

  /** Looks at the calendar, now and then and after every waking. */
  look(now: number): void {
    const stood = this.wall(now) - now - this.ahead;
    // Drift, and a calendar that is set back, are followed.
    if (stood < STOOD_STILL) this.ahead += stood;
    this.asking = stood >= STOOD_STILL;
  }

  /** The hub's time, from a message that came in now: for how long nothing was counted, where both say so. */
  hubSays(hubMs: number, now: number): number | null {
    this.look(now);
    const ahead = hubMs - now;
    const before = this.hub;
    this.hub = ahead;
    if (!this.asking) return null;
    const stood = this.wall(now) - now - this.ahead;
    this.ahead += stood;
    this.asking = false;
    return before !== null && ahead - before >= stood / 2 ? stood : null;
  }
}
