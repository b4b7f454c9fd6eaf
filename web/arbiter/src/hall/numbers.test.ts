import { expect, it } from "vitest";
import { tablesOf } from "./numbers";

it("reads tables as people write them, and takes only those that there are", () => {
  const there = [1, 2, 5, 6, 7, 17];
  expect(tablesOf("5-12, 17", there)).toEqual([5, 6, 7, 17]);
  expect(tablesOf("17;2 2", there)).toEqual([2, 17]);
  expect(tablesOf("1–2", there)).toEqual([1, 2]);
  expect(tablesOf("99", there)).toEqual([]);
  expect(tablesOf("", there)).toEqual([]);
  for (const bad of ["12-5", "a", "1-2-3", "-4", "1e3"]) expect(tablesOf(bad, there), bad).toBeNull();
});
