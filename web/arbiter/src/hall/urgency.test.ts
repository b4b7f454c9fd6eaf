import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { ArbiterTableSchema, type ArbiterTable } from "../gen/flagfall/arbiter/v1/table_pb";
import { Color } from "../gen/flagfall/feed/v1/table_pb";
import { matching, plain, stateOf, troubleOf, waiting, type Filter } from "./urgency";

interface Made {
  kind?: string;
  certain?: boolean;
  takenBy?: string;
  untilAnswered?: boolean;
  since?: number;
}

function table(number: number, items: Made[] = [], whiteMs = 3_600_000): ArbiterTable {
  return create(ArbiterTableSchema, {
    sector: number < 10 ? "A" : "B",
    hall: { table: number, game: "g", event: "open", white: { name: "Ćosić, Đorđe", title: "GM" }, black: { name: "Łukasz" } },
    game: {
      result: "*",
      startedMs: 1n,
      timeControl: "90m",
      clocks: { whiteMs: BigInt(whiteMs), blackMs: 3_600_000n, running: Color.WHITE, asOfMs: 1_000n },
      items: items.map((item, index) => ({
        number: BigInt(index + 1),
        kind: item.kind ?? "flag",
        certain: item.certain ?? true,
        takenBy: item.takenBy ?? "",
        ...(item.takenBy ? { takenMs: 1_000n } : {}),
        untilAnswered: item.untilAnswered ?? false,
        sinceMs: BigInt(item.since ?? 0),
      })),
    },
  });
}

const order = (tables: ArbiterTable[], me = "Anna", now = 0) => waiting(tables, me, now).map(({ table }) => table.hall?.table);

describe("items", () => {
  it("whose window closes come before certain ones, those before suspected ones", () => {
    const tables = [
      table(1, [{ kind: "flag", certain: false }]),
      table(2, [{ kind: "silent-device" }]),
      table(3, [{ kind: "illegal-move", untilAnswered: true, certain: false }]),
      table(4, [{ kind: "flag" }]),
    ];
    expect(order(tables)).toEqual([3, 4, 2, 1]);
  });

  it("that a colleague is on come last, and my own do not", () => {
    const tables = [table(1, [{ takenBy: "Ben" }]), table(2, [{ kind: "call", takenBy: "Anna" }])];
    expect(order(tables, "Anna", 180_000)).toEqual([2, 1]);
    // Three minutes after he took it, Ben's word has lapsed.
    expect(order(tables, "Anna", 182_000)).toEqual([1, 2]);
  });

  it("of one kind come in the order of their age", () => {
    expect(order([table(1, [{ since: 20 }]), table(2, [{ since: 10 }])])).toEqual([2, 1]);
  });
});

describe("time trouble", () => {
  it("is under five minutes, counted on to now", () => {
    expect(troubleOf(table(1, [], 301_000), 1_000)).toBeNull();
    const trouble = troubleOf(table(1, [], 301_000), 3_500);
    expect(trouble).toMatchObject({ side: "white", ms: 298_500, writes: false });
  });

  it("is nobody's whose game is over", () => {
    const over = table(1, [], 1_000);
    if (over.game) over.game.result = "1-0";
    expect([stateOf(over), troubleOf(over, 1_000)]).toEqual(["over", null]);
  });
});

describe("a table is found", () => {
  const all = { event: "", sector: "", text: "" };
  const found = (one: ArbiterTable, filter: Filter) => matching([one], filter).length === 1;
  it("by its number from the left, and by a player's name without its marks", () => {
    expect(found(table(12), { ...all, text: "1" })).toBe(true);
    expect(found(table(12), { ...all, text: "2" })).toBe(false);
    expect(found(table(12), { ...all, text: "cosic" })).toBe(true);
    expect(found(table(12), { ...all, text: " lukasz " })).toBe(true);
    expect(plain("Đorđe Łuć")).toBe("dorde luc");
  });
  it("in its event and sector only", () => {
    expect(found(table(12), { ...all, sector: "A" })).toBe(false);
    expect(found(table(12), { ...all, event: "open", sector: "B" })).toBe(true);
  });
});
