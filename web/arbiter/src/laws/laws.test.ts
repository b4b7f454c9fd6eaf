import { create } from "@bufbuild/protobuf";
import { expect, it } from "vitest";
import { ClocksSchema, Color } from "../gen/flagfall/feed/v1/table_pb";
import { change, face, keyed, readKeyed, readTime, span, timeOf } from "./clock";
import { movesToControl, needNotWrite, periodsOf, troubleMs } from "./control";

it("a clock shows tenths below twenty seconds, and hours where there are some", () => {
  expect([0, 19_999, 20_000, 299_999, 3_909_000].map(face)).toEqual(["0:00.0", "0:19.9", "0:20", "4:59", "1:05:09"]);
  expect(face(-5)).toBe("0:00.0");
});

it("changes have their sign", () => {
  expect([120_000, -30_000, 2_500, 0].map(change)).toEqual(["+2:00", "−0:30", "+0:02.5", "+0:00"]);
  expect(span(843_999)).toBe("14:03");
});

it("times are read as people write them", () => {
  expect(["5:00", "1:05:09", "90", "0:07"].map(readTime)).toEqual([300_000, 3_909_000, 5_400_000, 7_000]);
  for (const bad of ["", "a", "1:2:3:4", "5:60", "-1", "1:99:00"]) expect(readTime(bad)).toBeNull();
});

it("the running time counts on from what was told, after the delay, and never below zero", () => {
  const clocks = create(ClocksSchema, {
    whiteMs: 10_000n,
    blackMs: 20_000n,
    running: Color.WHITE,
    asOfMs: 1_000n,
    delayUntilMs: 6_000n,
  });
  expect(timeOf(clocks, "white", 5_000).ms).toBe(10_000);
  expect(timeOf(clocks, "white", 8_000).ms).toBe(8_000);
  expect(timeOf(clocks, "white", 99_000).ms).toBe(0);
  expect(timeOf(clocks, "black", 99_000)).toEqual({ ms: 20_000, running: false, silent: false });
  clocks.noSignal = true;
  expect(timeOf(clocks, "white", 8_000)).toMatchObject({ ms: 10_000, silent: true });
});

it("a keypad's figures come in from the right, down to tenths of a second", () => {
  const typed = (keys: string) => [...keys].reduce((shown, key) => keyed(key === "<" ? shown.slice(0, -1) : shown + key), "");
  expect(["5", "12.3", "12,3", "500", "10509", "9000", "51<", "0", "12.<"].map(typed)).toEqual([
    "0:05",
    "0:12.3",
    "0:12.3",
    "5:00",
    "1:05:09",
    "90:00",
    "0:05",
    "0:00",
    "0:12",
  ]);
  expect(typed("5<")).toBe("");
  expect(["0:05", "0:12.3", "0:12.", "5:00", "90:00", "1:05:09"].map(readKeyed)).toEqual([
    5_000, 12_300, 12_000, 300_000, 5_400_000, 3_909_000,
  ]);
  for (const bad of ["", "0:61", "1:60:00", "x"]) expect(readKeyed(bad), bad).toBeNull();
});

it("a time control says its moves and increments", () => {
  expect(periodsOf("40/90m+30s,30m+30s")).toEqual([
    { moves: 40, timeMs: 5_400_000, incrementMs: 30_000 },
    { moves: null, timeMs: 1_800_000, incrementMs: 30_000 },
  ]);
  expect(movesToControl("40/90m,20/30m,15m", 1, 45)).toBe(15);
  expect(movesToControl("90m+30s", 0, 12)).toBeNull();
});

it("who has less than five minutes and gets less than thirty seconds a move need not write", () => {
  expect(needNotWrite("90m+30s", 0, 60_000)).toBe(false);
  expect(needNotWrite("90m", 0, 299_999)).toBe(true);
  expect(needNotWrite("90m", 0, 300_000)).toBe(false);
  expect(needNotWrite("3m+2s", 0, 60_000)).toBe(false);
  expect([troubleMs("90m+30s"), troubleMs("3m+2s"), troubleMs("1m")]).toEqual([300_000, 18_000, 10_000]);
});
