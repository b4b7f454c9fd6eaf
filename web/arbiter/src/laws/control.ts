// What follows from a time control, as the hub writes it: `40/90m+30s,30m+30s`, `15m d5s`, `3m b2s`.

export interface Period {
  /** Moves to be completed in it; `null` in the last one. */
  moves: number | null;
  timeMs: number;
  /** Added at each press; delays and Bronstein are not. */
  incrementMs: number;
}

function spanMs(text: string): number {
  let ms = 0;
  for (const [, figures, unit] of text.matchAll(/(\d+(?:\.\d+)?)(ms|h|m|s)/g)) {
    const scale = unit === "h" ? 3_600_000 : unit === "m" ? 60_000 : unit === "s" ? 1_000 : 1;
    ms += Number(figures) * scale;
  }
  return ms;
}

/** What has been read already: a hall has few time controls, and asks for them a thousand times a second. */
const read = new Map<string, readonly Period[]>();
const KEPT = 200;

export function periodsOf(control: string): readonly Period[] {
  let periods = read.get(control);
  if (periods === undefined) {
    periods = parsed(control);
    if (read.size >= KEPT) read.clear();
    read.set(control, periods);
  }
  return periods;
}

function parsed(control: string): Period[] {
  return control
    .split(",")
    .map((part) => /^\s*(?:(\d+)\/)?([\dhms.]+)(.*)$/.exec(part))
    .filter((found) => found !== null)
    .map(([, moves, time, rest]) => {
      const plus = /\+\s*([\dhms.]+)/.exec(rest ?? "");
      return {
        moves: moves === undefined ? null : Number(moves),
        timeMs: spanMs(time ?? ""),
        incrementMs: spanMs(plus?.[1] ?? ""),
      };
    });
}

/** Moves still to be completed until the control of this period (from 0); `null`: there is none, or it is not known. */
export function movesToControl(control: string, period: number, completed: number): number | null {
  const periods = periodsOf(control);
  if (period >= periods.length - 1) return null;
  let required = 0;
  for (const { moves } of periods.slice(0, period + 1)) {
    if (moves === null) return null;
    required += moves;
  }
  return Math.max(0, required - completed);
}

/** An hour or more for sixty moves: not rapid and not blitz (A.1, B.1). */
export function isStandard(control: string): boolean {
  const periods = periodsOf(control);
  const time = periods.reduce((sum, { timeMs }) => sum + timeMs, 0);
  return periods.length > 0 && time + 60 * (periods[0]?.incrementMs ?? 0) >= 3_600_000;
}

/**
 * Less than five minutes in the period, and less than 30 s added with each move: he need not write any more (8.4). In rapid and blitz
 * nobody has to (A.2, B.2).
 */
export function needNotWrite(control: string, period: number, leftMs: number): boolean {
  if (!isStandard(control)) return false;
  const periods = periodsOf(control);
  const now = periods[Math.min(period, periods.length - 1)];
  return now !== undefined && leftMs < 300_000 && now.incrementMs < 30_000;
}

/** Below this a player is in time trouble: five minutes, less where the whole game is short. */
export function troubleMs(control: string): number {
  const first = periodsOf(control)[0];
  return isStandard(control) || first === undefined ? 300_000 : Math.max(10_000, first.timeMs / 10);
}
