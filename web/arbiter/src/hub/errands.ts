// What may wait for the network: notes and results. They are data, so that they outlive the page; each names the game and the revision
// that it rests on, and has its one request id for ever. No token is kept with them, only the name of who gave them.

import { storage } from "../prefs";

const KEY = "flagfall-arbiter-waiting";
/** What is older is of no use to anybody. */
const KEPT_FOR_MS = 24 * 3_600_000;

export type Errand =
  | { kind: "note"; table: number; text: string; revision: string; game: string }
  | { kind: "result"; table: number; result: string; reason: string; revision: string; game: string };

export interface Kept {
  /** The request id. */
  id: string;
  label: string;
  /** When it was tapped, ISO 8601. */
  tapped: string;
  /** Who tapped. */
  by: string;
  errand: Errand;
}

function isErrand(value: unknown): value is Errand {
  if (typeof value !== "object" || value === null) return false;
  const { kind, table, text, result, reason, revision, game } = value as Record<string, unknown>;
  const rests = typeof table === "number" && typeof revision === "string" && /^\d+$/.test(revision) && typeof game === "string";
  if (kind === "note") return rests && typeof text === "string";
  return kind === "result" && rests && typeof result === "string" && typeof reason === "string";
}

function isKept(value: unknown): value is Kept {
  if (typeof value !== "object" || value === null) return false;
  const { id, label, tapped, by, errand } = value as Record<string, unknown>;
  return (
    typeof id === "string" &&
    typeof label === "string" &&
    typeof tapped === "string" &&
    Date.now() - Date.parse(tapped) < KEPT_FOR_MS &&
    typeof by === "string" &&
    isErrand(errand)
  );
}

export function kept(): Kept[] {
  try {
    const found: unknown = JSON.parse(storage()?.getItem(KEY) ?? "[]");
    return Array.isArray(found) ? found.filter(isKept) : [];
  } catch {
    // Not ours, or damaged: nothing of ours can be saved of it.
    return [];
  }
}

function write(all: readonly Kept[]): boolean {
  const place = storage();
  if (place === null) return false;
  try {
    if (all.length === 0) place.removeItem(KEY);
    else place.setItem(KEY, JSON.stringify(all));
    return true;
  } catch {
    // Full: it lives as long as the page.
    return false;
  }
}

/** Whether it outlives the page now. */
export function keep(one: Kept): boolean {
  return write([...kept().filter(({ id }) => id !== one.id), one]);
}

export function unkeep(id: string): void {
  const before = kept();
  const after = before.filter((one) => one.id !== id);
  if (after.length !== before.length) write(after);
}
