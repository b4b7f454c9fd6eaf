import { expect, test } from "vitest";
import { figures } from "./figures";
import { parseCode, tableOf } from "./login";
import { Sleep } from "./wake";

test("a counter that stood still is found when the calendar and the hub both say so", () => {
  let ahead = 1_000_000;
  const sleep = new Sleep((now) => now + ahead, 0);
  expect(sleep.hubSays(5_000_000, 0)).toBeNull();
  // Both have gone on by half a minute more than the counter.
  ahead += 30_000;
  sleep.look(1000);
  expect(sleep.calendar(1000)).toBe(1_001_000);
  expect(sleep.hubSays(5_000_000 + 31_000 - 200, 1000)).toBe(30_000);
  expect(sleep.calendar(1000)).toBe(1_031_000);
  expect(sleep.hubSays(5_000_000 + 32_000, 2000)).toBeNull();
  // Somebody sets the calendar: the hub does not confirm it.
  ahead += 3_600_000;
  sleep.look(3000);
  expect(sleep.hubSays(5_000_000 + 33_000, 3000)).toBeNull();
  // A hub's word that was held up, and then comes at once, is no gap.
  expect(sleep.hubSays(5_000_000 + 31_000, 4000)).toBeNull();
  expect(sleep.hubSays(5_000_000 + 35_000, 5000)).toBeNull();
});

test("times are shown in tenths below twenty seconds, and never as zero while there is time", () => {
  expect([0, 1, 50, 1000, 19_900, 19_901, 20_000, 59_999, 60_000, 3_599_001, 5_400_000].map(figures)).toEqual(
    ["0.0", "0.1", "0.1", "1.0", "19.9", "0:20", "0:20", "1:00", "1:00", "1:00:00", "1:30:00"],
  );
});

test("the code and the table are read from the address", () => {
  expect(parseCode("#phone-12:abc123")).toEqual({ device: "phone-12", secret: "abc123" });
  for (const bad of ["", "#", "#phone", "#Phone:x", "#phone:", "#token=x"]) expect(parseCode(bad)).toBeNull();
  expect([tableOf("/table/12"), tableOf("/table/12/"), tableOf("/table/"), tableOf("/join")]).toEqual([
    { table: 12, duty: "clock" },
    { table: 12, duty: "clock" },
    null,
    null,
  ]);
  expect(tableOf("/table/12/board")).toEqual({ table: 12, duty: "board" });
});
