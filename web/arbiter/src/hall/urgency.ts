// Which table an arbiter goes to first.

import type { ArbiterTable, Item } from "../gen/flagfall/arbiter/v1/table_pb";
import type { Clocks } from "../gen/flagfall/feed/v1/table_pb";
import { SIDES, timeOf, type Side } from "../laws/clock";
import { needNotWrite, troubleMs } from "../laws/control";

/** What cannot wait before what can: a game may be over, a window may close, somebody stands and waits, something is broken. */
const KINDS: readonly string[] = [
  "by-hand",
  "flag",
  "illegal-move",
  "illegal-position",
  "claim-flag",
  "claim-illegal-move",
  "claim-threefold",
  "claim-fifty-moves",
  "call",
  "default",
  "result-signal",
  "device",
  "wrong-clock",
  "wrong-setup",
  "colours-reversed",
  "board-disagrees",
  "moves-missing",
  "adjusted-at-table",
  "late-news",
  "promotion",
  "reports-lost",
  "silent-device",
];

/** "I am on it" lapses after so long. */
const TAKEN_FOR_MS = 180_000;

/** Who is on it at this moment of hall time; empty: nobody (any more). */
export function takenBy(item: Item, now: number): string {
  const lapsed = item.takenMs !== undefined && now !== 0 && now - Number(item.takenMs) > TAKEN_FOR_MS;
  return lapsed ? "" : item.takenBy;
}

export interface Waiting {
  table: ArbiterTable;
  item: Item;
}

function rankOf(item: Item): number {
  const kind = KINDS.indexOf(item.kind);
  // A window that closes with the opponent's next move comes before everything else (A.5.2).
  return (item.untilAnswered ? 0 : 100) + (item.certain ? 0 : 50) + (kind < 0 ? KINDS.length : kind);
}

/** All items of these tables, the most urgent first; what a colleague is on comes after what nobody is on. */
export function waiting(tables: Iterable<ArbiterTable>, me: string, now: number): Waiting[] {
  const all: Waiting[] = [];
  for (const table of tables) for (const item of table.game?.items ?? []) all.push({ table, item });
  const elsewhere = ({ item }: Waiting) => {
    const by = takenBy(item, now);
    return by !== "" && by !== me ? 1 : 0;
  };
  return all.sort(
    (a, b) =>
      elsewhere(a) - elsewhere(b) ||
      rankOf(a.item) - rankOf(b.item) ||
      Number(a.item.sinceMs - b.item.sinceMs) ||
      (a.table.hall?.table ?? 0) - (b.table.hall?.table ?? 0),
  );
}

export type State = "empty" | "armed" | "playing" | "paused" | "over" | "by-hand";

export function stateOf(table: ArbiterTable): State {
  const { game } = table;
  if (!game || !table.hall || table.hall.game === "") return "empty";
  if (game.result !== "*") return "over";
  if (game.parked !== "") return "by-hand";
  if (game.startedMs === undefined) return "armed";
  return table.hall.paused ? "paused" : "playing";
}

export interface Trouble {
  table: ArbiterTable;
  side: Side;
  ms: number;
  /** He need not write any more (8.4). */
  writes: boolean;
}

/** The player with the least time, where he is in time trouble. */
export function troubleOf(table: ArbiterTable, now: number): Trouble | null {
  const { game } = table;
  const state = stateOf(table);
  if (!game?.clocks || (state !== "playing" && state !== "paused")) return null;
  const clocks: Clocks = game.clocks;
  const limit = troubleMs(game.timeControl);
  let least: Trouble | null = null;
  for (const side of SIDES) {
    const { ms } = timeOf(clocks, side, now);
    if (ms >= limit || (least !== null && least.ms <= ms)) continue;
    const period = side === "white" ? game.periodWhite : game.periodBlack;
    least = { table, side, ms, writes: !needNotWrite(game.timeControl, period, ms) };
  }
  return least;
}

export interface Filter {
  event: string;
  sector: string;
  text: string;
}

/** Letters without their marks, so that "Cosic" finds "Ćosić". */
export function plain(text: string): string {
  return text.normalize("NFD").replace(/\p{M}/gu, "").replace(/ł/gi, "l").replace(/đ/gi, "d").toLowerCase();
}

/** Those of the tables that the filter lets through. */
export function matching(tables: Iterable<ArbiterTable>, { event, sector, text }: Filter): ArbiterTable[] {
  const wanted = plain(text.trim());
  // A number is a table's, from its first figure on.
  const isNumber = /^\d+$/.test(wanted);
  const found: ArbiterTable[] = [];
  for (const table of tables) {
    const { hall } = table;
    if (!hall) continue;
    if (event !== "" && hall.event !== event) continue;
    if (sector !== "" && table.sector !== sector) continue;
    const hit =
      wanted === "" ||
      (isNumber
        ? String(hall.table).startsWith(wanted)
        : [hall.white, hall.black].some((player) => plain(`${player?.title ?? ""} ${player?.name ?? ""}`).includes(wanted)));
    if (hit) found.push(table);
  }
  return found;
}
