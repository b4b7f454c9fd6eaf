// What a chess clock shows at a moment.

import { Color, type Clocks } from "../gen/flagfall/feed/v1/table_pb";

export type Side = "white" | "black";

export const SIDES: readonly Side[] = ["white", "black"];

export function colorOf(side: Side): Color {
  return side === "white" ? Color.WHITE : Color.BLACK;
}

export function sideOf(color: Color | undefined): Side | null {
  if (color === Color.WHITE) return "white";
  if (color === Color.BLACK) return "black";
  return null;
}

export function other(side: Side): Side {
  return side === "white" ? "black" : "white";
}

export interface Shown {
  ms: number;
  running: boolean;
  /** The clock is not heard: this is the last that it said. */
  silent: boolean;
}

/** One side's time at hall time `now`. */
export function timeOf(clocks: Clocks, side: Side, now: number): Shown {
  const told = Number(side === "white" ? clocks.whiteMs : clocks.blackMs);
  const runs = clocks.running === colorOf(side);
  if (clocks.noSignal) return { ms: told, running: runs, silent: true };
  if (!runs || now === 0) return { ms: told, running: runs, silent: false };
  // With a simple delay the time stands until the delay is over.
  const since = Math.max(Number(clocks.asOfMs), Number(clocks.delayUntilMs ?? clocks.asOfMs));
  return { ms: Math.max(0, told - Math.max(0, now - since)), running: true, silent: false };
}

const two = (n: number): string => String(n).padStart(2, "0");

/** `1:05:09`, `5:09`, and `0:19.4` below twenty seconds. */
export function face(ms: number): string {
  const left = Math.max(0, ms);
  if (left < 20_000) return `0:${two(Math.floor(left / 1000))}.${Math.floor((left % 1000) / 100)}`;
  const seconds = Math.floor(left / 1000);
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return h > 0 ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
}

/** A change: `+2:00`, `−0:30`; with tenths only where there are some. */
export function change(ms: number): string {
  const size = Math.abs(ms);
  const seconds = Math.floor(size / 1000);
  const tenths = Math.floor((size % 1000) / 100);
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const figures = h > 0 ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
  return `${ms < 0 ? "−" : "+"}${figures}${tenths > 0 ? `.${tenths}` : ""}`;
}

/** How long ago: `0:12`, `14:03`, `1:02:09`. */
export function span(ms: number): string {
  return change(Math.floor(Math.max(0, ms) / 1000) * 1000).slice(1);
}

/** A keypad has no colon: figures come in from the right, `10509` is `1:05:09`, `12` is twelve seconds, `12.3` the same and three tenths. */
export function keyed(text: string): string {
  const [before, ...after] = text.replaceAll(",", ".").split(".");
  const tenths = after.length === 0 ? "" : `.${after.join("").replace(/\D/g, "").slice(0, 1)}`;
  const figures = (before ?? "").replace(/\D/g, "").replace(/^0+(?=\d)/, "").slice(0, 6);
  // Nothing, or the last figure was taken away again.
  if ((figures === "" && tenths === "") || text === "0:0") return "";
  const shown = figures.padStart(3, "0");
  const parts = [shown.slice(0, -4), shown.slice(-4, -2), shown.slice(-2)].filter((part) => part !== "");
  return parts.join(":") + tenths;
}

/** Reads what `keyed` has made: `0:12.3`, `5:09`, `1:05:09`; `null` is no time, or none yet. */
export function readKeyed(text: string): number | null {
  const found = /^(?:(\d{1,2}):)?(\d{1,2}):(\d\d)(?:\.(\d?))?$/.exec(text);
  if (!found) return null;
  const [h, m, s, tenths] = [1, 2, 3, 4].map((at) => Number(found[at] ?? 0)) as [number, number, number, number];
  if (s > 59 || (found[1] !== undefined && m > 59)) return null;
  return ((h * 60 + m) * 60 + s) * 1000 + tenths * 100;
}

/** Reads `1:05:09`, `5:09` or `90` (minutes); `null` is no time. */
export function readTime(text: string): number | null {
  const parts = text.trim().split(/[:.]/);
  if (parts.length === 0 || parts.length > 3 || parts.some((part) => !/^\d{1,3}$/.test(part))) return null;
  const numbers = parts.map(Number);
  const [h, m, s] =
    numbers.length === 3 ? numbers : numbers.length === 2 ? [0, ...numbers] : [0, numbers[0], 0];
  if (numbers.length > 1 && (s ?? 0) > 59) return null;
  if (numbers.length === 3 && (m ?? 0) > 59) return null;
  return (((h ?? 0) * 60 + (m ?? 0)) * 60 + (s ?? 0)) * 1000;
}
