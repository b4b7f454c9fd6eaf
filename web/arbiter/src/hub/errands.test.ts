import { beforeEach, expect, it, vi } from "vitest";
import { keep, kept, unkeep, type Kept } from "./errands";

const place = new Map<string, string>();
vi.stubGlobal("localStorage", {
  getItem: (key: string) => place.get(key) ?? null,
  setItem: (key: string, value: string) => place.set(key, value),
  removeItem: (key: string) => place.delete(key),
});

const note = (id: string, tapped = new Date()): Kept => ({
  id,
  label: "Table 1: note",
  tapped: tapped.toISOString(),
  by: "Anna",
  errand: { kind: "note", table: 1, text: "j'adoube", revision: "3", game: "g" },
});

beforeEach(() => place.clear());

it("what waits is kept until it is done, once", () => {
  expect([keep(note("a")), keep(note("b")), keep(note("a"))]).toEqual([true, true, true]);
  expect(kept().map(({ id }) => id)).toEqual(["b", "a"]);
  unkeep("b");
  unkeep("a");
  expect([...place]).toEqual([]);
});

it("what is of another day, or is none of ours, is not gone on with", () => {
  keep(note("old", new Date(Date.now() - 25 * 3_600_000)));
  expect(kept()).toEqual([]);
  for (const bad of ["", "[1]", '[{"id":"x"}]', "{}", '[{"id":"x","label":"","tapped":"2026","by":"A","errand":{"kind":"pause","table":1}}]']) {
    place.set("flagfall-arbiter-waiting", bad);
    expect(kept(), bad).toEqual([]);
  }
});
