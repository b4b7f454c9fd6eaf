import { expect, test } from "vitest";
import { TableClock, type Bonus, type Period } from "./clock";

const period = (moves: number, ms: number, bonus: Bonus = { kind: "none" }): Period => ({ moves, ms, bonus });

function clock(periods: Period[], start: number, addedOnMoves = true): TableClock {
  const made = new TableClock();
  made.setControl({ periods, addedOnMoves, freeze: true, white: "left" }, start, start, 0);
  return made;
}

test("an increment is added at the press, and a press by the other side does nothing", () => {
  const made = clock([period(0, 60_000, { kind: "increment", ms: 2000 })], 62_000);
  made.run("left", 1000);
  expect(made.shows("left", 2000)).toBe(61_000);
  expect(made.press("left", 4500)).toBe(true);
  expect(made.shows("left", 9999)).toBe(60_500);
  expect(made.press("left", 5000)).toBe(false);
  expect(made.press("right", 5500)).toBe(true);
  expect(made.shows("right", 5500)).toBe(63_000);
});

test("what is shown between does not count: a tap of an earlier moment counts from its own", () => {
  const made = clock([period(0, 60_000)], 60_000);
  made.run("left", 0);
  made.shows("left", 5000);
  made.reach(5000);
  made.press("left", 4990);
  expect(made.shows("left", 5000)).toBe(55_010);
});

test("a flag falls at its own moment and freezes both", () => {
  const made = clock([period(0, 10_000)], 10_000);
  made.run("right", 0);
  expect(made.reach(9_999)).toBeNull();
  expect(made.reach(10_700)).toEqual({ side: "right", at: 10_000 });
  expect([made.running, made.half("right").flag, made.shows("right", 20_000)]).toEqual([null, true, 0]);
  expect(made.reach(30_000)).toBeNull();
});

test("the next period comes at the press that completes the moves, or when the first reaches zero", () => {
  const periods = [period(2, 10_000), period(0, 5000)];
  const onMoves = clock(periods, 10_000);
  onMoves.run("left", 0);
  onMoves.press("left", 1000);
  onMoves.press("right", 2000);
  onMoves.press("left", 3000);
  expect([onMoves.shows("left", 3000), onMoves.shows("right", 3000)]).toEqual([13_000, 9000]);

  const onZero = clock(periods, 10_000, false);
  onZero.run("left", 0);
  expect(onZero.reach(12_000)).toBeNull();
  expect([onZero.shows("left", 12_000), onZero.shows("right", 12_000)]).toEqual([3000, 15_000]);
  expect(onZero.reach(20_000)).toEqual({ side: "left", at: 15_000 });
});

test("a delay lets the main time wait, and Bronstein gives back what was used", () => {
  const delay = clock([period(0, 10_000, { kind: "delay", ms: 3000 })], 10_000);
  delay.run("left", 0);
  expect([delay.nextZero(), delay.shows("left", 2000), delay.shows("left", 4000)]).toEqual([13_000, 10_000, 9000]);
  delay.press("left", 5000);
  expect(delay.shows("left", 5000)).toBe(8000);

  const bronstein = clock([period(0, 10_000, { kind: "bronstein", ms: 3000 })], 10_000);
  bronstein.run("left", 0);
  bronstein.press("left", 2000);
  bronstein.press("right", 7000);
  expect([bronstein.shows("left", 7000), bronstein.shows("right", 7000)]).toEqual([10_000, 8000]);
});

test("only a clock that stands is set; a stop costs nobody anything", () => {
  const made = clock([period(0, 10_000)], 10_000);
  made.run("left", 0);
  expect(made.set(1, 2, {})).toBe(false);
  made.stop(100);
  made.add(5000, -1000, 5000);
  expect([made.shows("left", 9000), made.shows("right", 9000)]).toEqual([14_900, 9000]);
  expect(made.set(7000, 8000, { left: 3 })).toBe(true);
  expect([made.half("left").moves, made.half("right").moves]).toEqual([3, 0]);
});

test("what ran while the page was away is counted on", () => {
  const made = clock([period(0, 60_000)], 60_000);
  made.run("left", 50_000);
  made.resume(4_000, 120);
  expect(made.shows("left", 120)).toBe(56_000);
  expect(made.shows("left", 1_120)).toBe(55_000);
});
