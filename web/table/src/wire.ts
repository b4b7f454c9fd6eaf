// The messages of proto/flagfall/device/v1 as JSON, as far as a clock sends and reads them (docs/devices.md). 64-bit numbers come
// as strings and go out as numbers.

import type { Bonus, Control, Period, Side, TableClock } from "./clock";

export const wireSide = (side: Side | null): string =>
  side === "left" ? "SIDE_LEFT" : side === "right" ? "SIDE_RIGHT" : "SIDE_UNSPECIFIED";

export function sideOf(wire: unknown): Side | null {
  if (wire === "SIDE_LEFT" || wire === 1) return "left";
  return wire === "SIDE_RIGHT" || wire === 2 ? "right" : null;
}

/** What a clock shows. */
export interface ClockState {
  left_ms: number;
  right_ms: number;
  running: string;
  left_moves: number;
  right_moves: number;
  left_flag: boolean;
  right_flag: boolean;
  has_control: boolean;
}

export function stateOf(clock: TableClock, now: number): ClockState {
  const [left, right] = [clock.half("left"), clock.half("right")];
  return {
    left_ms: clock.shows("left", now),
    right_ms: clock.shows("right", now),
    running: wireSide(clock.running),
    left_moves: left.moves,
    right_moves: right.moves,
    left_flag: left.flag,
    right_flag: right.flag,
    has_control: clock.control !== null,
  };
}

/** What stands on a square now: a piece's letter, or nothing. */
export interface SquareChange {
  square: string;
  now: string;
}

export type Result = "1-0" | "1/2-1/2" | "0-1";

/** One thing that happened. */
export type What =
  | { press: { side: string; clock: ClockState } }
  | { flag: { side: string; clock: ClockState } }
  | { button: { kind: string; side: string; claim?: string; result?: Result; clock: ClockState } }
  | { by_hand: { kind: string; before: ClockState; after: ClockState } }
  | { squares: { changes: SquareChange[] } }
  | { placement: { squares: string } }
  | { reading: ClockState }
  | { lost: { first_seq: number; last_seq: number } };

export type Report = { boot: number; seq: number; event_ms: number; sent_ms: number } & What;

type Fields = Readonly<Record<string, unknown>>;

/** A message of the hub; null where it is none. */
export function read(text: string): Fields | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Fields) : null;
  } catch {
    return null;
  }
}

/** A number, sent as one or as a string. */
export function num(value: unknown): number {
  const found = typeof value === "string" || typeof value === "number" ? Number(value) : 0;
  return Number.isFinite(found) ? found : 0;
}

export const opt = (value: unknown): number | undefined => (value === undefined || value === null ? undefined : num(value));

export const fields = (value: unknown): Fields => (typeof value === "object" && value !== null ? (value as Fields) : {});

function bonusOf(period: Fields): Bonus | null {
  const ms = num(period["bonus_ms"]);
  switch (period["bonus"] ?? "BONUS_UNSPECIFIED") {
    case "BONUS_UNSPECIFIED":
    case "BONUS_NONE":
      return { kind: "none" };
    case "BONUS_INCREMENT":
      return { kind: "increment", ms };
    case "BONUS_DELAY":
      return { kind: "delay", ms };
    case "BONUS_BRONSTEIN":
      return { kind: "bronstein", ms };
    default:
      return null;
  }
}

/** The time control of an order; null where it cannot be counted by. */
export function controlOf(order: Fields): Control | null {
  const given = order["periods"];
  if (!Array.isArray(given) || given.length === 0) return null;
  const periods: Period[] = [];
  for (const one of given) {
    const period = fields(one);
    const bonus = bonusOf(period);
    if (bonus === null) return null;
    periods.push({ moves: num(period["moves"]), ms: num(period["time_ms"]), bonus });
  }
  return {
    periods,
    addedOnMoves: order["added_on_moves"] === true,
    freeze: order["freeze"] === true,
    white: sideOf(order["white"]) ?? "left",
  };
}
