import { beforeEach, expect, test } from "vitest";
import { Device } from "./device";
import type { Up } from "./outbox";
import { Keep, type Shelf } from "./keep";

class Memory implements Shelf {
  readonly kept = new Map<string, string>();
  get length(): number {
    return this.kept.size;
  }
  key(at: number): string | null {
    return [...this.kept.keys()][at] ?? null;
  }
  getItem(key: string): string | null {
    return this.kept.get(key) ?? null;
  }
  setItem(key: string, value: string): void {
    this.kept.set(key, value);
  }
  removeItem(key: string): void {
    this.kept.delete(key);
  }
}

type Sent = Record<string, unknown>;

let memory = new Memory();
let sent: [Up, Sent][] = [];
/** The calendar, which is a day ahead of every counter. */
let days = 86_400_000;

function device(boot: number, now = 0): Device {
  const hands = {
    send: (up: Up, message: object) => void sent.push([up, message as Sent]),
    changed: () => {},
    text: () => {},
  };
  return new Device({ model: "test", firmware: "0" }, new Keep(memory, "phone"), hands, (at) => days + at, boot, now);
}

const of = (up: Up): Sent[] => sent.filter(([what]) => what === up).map(([, message]) => message);

const control = {
  periods: [{ moves: 0, time_ms: "60000", bonus: "BONUS_INCREMENT", bonus_ms: "2000" }],
  added_on_moves: true,
  white: "SIDE_LEFT",
  left_ms: "62000",
  right_ms: "62000",
  freeze: true,
};

function order(to: Device, id: string, now: number, what: object, more: object = {}): string {
  to.heard("order", JSON.stringify({ id, epoch: "3", boot: to.boot, decided_seq: "99", expires_ms: "0", ...what, ...more }), now);
  return String(of("ack").at(-1)?.["outcome"]);
}

beforeEach(() => {
  memory = new Memory();
  sent = [];
  days = 86_400_000;
});

test("a press is kept before it is sent, with the touch's own moment, and forgotten when it is seen", () => {
  const clock = device(7);
  clock.onConnected(0);
  expect(order(clock, "a", 10, { control })).toBe("OUTCOME_DONE");
  expect(order(clock, "b", 1000, { run: { side: "SIDE_LEFT" } })).toBe("OUTCOME_DONE");
  clock.touch("left", 4500.7);
  const [report] = of("report");
  expect(report).toMatchObject({ boot: 7, seq: 0, event_ms: 4500, press: { side: "SIDE_LEFT", clock: { left_ms: 60_500, running: "SIDE_RIGHT" } } });
  expect(memory.getItem("flagfall-table/phone/report/7/0")).toBe(JSON.stringify(report));
  clock.heard("seen", '{"boot":7,"seq":"0","resend":false,"birth":false}', 5000);
  expect([clock.unseen, memory.getItem("flagfall-table/phone/report/7/0")]).toEqual([0, null]);
});

test("without a network reports wait, and go out after the birth, in order", () => {
  const clock = device(7);
  order(clock, "a", 10, { control });
  order(clock, "b", 1000, { run: { side: "SIDE_LEFT" } });
  clock.touch("left", 2000);
  clock.touch("right", 3000);
  expect(of("report")).toEqual([]);
  clock.onConnected(9000);
  expect(sent.slice(-3).map(([up, { seq, sent_ms }]) => [up, seq, sent_ms])).toEqual([
    ["birth", undefined, 9000],
    ["report", 0, 9000],
    ["report", 1, 9000],
  ]);
  expect(of("birth")[0]).toMatchObject({ next_seq: 2, oldest_seq: 0 });
});

test("orders are done once and answered every time, and refused where the contract says so", () => {
  const clock = device(7);
  clock.onConnected(0);
  order(clock, "a", 10, { control });
  for (let time = 0; time < 3; time += 1) order(clock, "add", 20 + time, { add: { left_ms: "1000", right_ms: "0" } });
  expect(clock.clock.shows("left", 30)).toBe(63_000);
  expect(order(clock, "run", 40, { run: { side: "SIDE_LEFT" } })).toBe("OUTCOME_DONE");
  expect(order(clock, "set", 50, { set: { left_ms: "1", right_ms: "1" } })).toBe("OUTCOME_CANNOT");
  clock.touch("left", 100);
  expect(order(clock, "late", 110, { stop: {} }, { decided_seq: "-1" })).toBe("OUTCOME_MOVED_ON");
  expect(order(clock, "old", 110, { stop: {} }, { epoch: "2" })).toBe("OUTCOME_OLD_EPOCH");
  expect(order(clock, "other", 110, { stop: {} }, { boot: 8 })).toBe("OUTCOME_MOVED_ON");
  expect(order(clock, "gone", 110, { stop: {} }, { expires_ms: "109" })).toBe("OUTCOME_EXPIRED");
  expect(order(clock, "stop", 110, { stop: {} }, { expires_ms: "110" })).toBe("OUTCOME_DONE");
  expect(clock.clock.running).toBeNull();
});

test("a reload is a new boot with its state: what ran has run on, and the old reports go out first", () => {
  const first = device(7);
  order(first, "a", 10, { control });
  order(first, "b", 1000, { run: { side: "SIDE_LEFT" } });
  first.touch("left", 2000);
  // Four seconds later by the calendar another page counts from 100.
  days += 6000 - 100;
  const second = device(8, 100);
  expect(second.clock.running).toBe("right");
  expect(second.clock.shows("right", 100)).toBe(58_000);
  expect(order(second, "c", 110, { stop: {} }, { epoch: "2" })).toBe("OUTCOME_OLD_EPOCH");
  sent = [];
  second.touch("right", 150);
  second.onConnected(200);
  expect(of("birth")[0]).toMatchObject({ boot: 8, next_seq: 1, kept_boot: 7, kept_oldest_seq: 0, kept_next_seq: 1, last_order: "b", highest_epoch: 3 });
  expect(of("report").map(({ boot, seq, sent_ms }) => [boot, seq, sent_ms])).toEqual([[7, 0, 2000]]);
  second.heard("seen", '{"boot":7,"seq":"0"}', 300);
  expect(of("report").slice(1).map(({ boot, seq, sent_ms }) => [boot, seq, sent_ms])).toEqual([[8, 0, 300]]);
});

test("a press counts though the phone's memory is full, and that is said", () => {
  const clock = device(7);
  order(clock, "a", 0, { control });
  order(clock, "b", 0, { run: { side: "SIDE_LEFT" } });
  clock.onConnected(0);
  memory.setItem = () => {
    throw new Error("full");
  };
  clock.touch("left", 2000);
  expect([clock.clock.running, of("report").length, clock.keepsNothing]).toEqual(["right", 1, true]);
});

test("reports of two boots before are told one boot after the other", () => {
  for (const boot of [7, 8]) device(boot).touch("left", 10);
  const third = device(9);
  third.onConnected(20);
  expect(of("birth").at(-1)).toMatchObject({ kept_boot: 7 });
  third.heard("seen", '{"boot":7,"seq":"0"}', 30);
  expect(of("birth").at(-1)).toMatchObject({ boot: 9, kept_boot: 8 });
  third.heard("seen", '{"boot":8,"seq":"0"}', 40);
  expect(of("birth").at(-1)?.["kept_boot"]).toBeUndefined();
  expect(of("report").map(({ boot }) => boot)).toEqual([7, 8]);
});

test("a flag is reported with its own moment, however late the page looks", () => {
  const clock = device(7);
  order(clock, "a", 0, { control });
  order(clock, "b", 0, { run: { side: "SIDE_LEFT" } });
  clock.onConnected(0);
  clock.reach(70_000);
  expect(of("report")[0]).toMatchObject({ event_ms: 62_000, flag: { side: "SIDE_LEFT", clock: { left_ms: 0, left_flag: true } } });
});

test("two results that differ call the arbiter and stop the clocks; two that agree stop them", () => {
  const clock = device(7);
  order(clock, "a", 0, { control });
  order(clock, "b", 0, { run: { side: "SIDE_LEFT" } });
  clock.onConnected(0);
  clock.result("left", "1-0", 1000);
  expect(clock.clock.running).toBe("left");
  clock.result("right", "0-1", 1500);
  const kinds = of("report").map((report) => (report["button"] as { kind: string }).kind);
  expect(kinds).toEqual(["KIND_RESULT", "KIND_RESULT", "KIND_PAUSE", "KIND_CLAIM"]);
  expect([clock.clock.running, clock.table.paused]).toEqual([null, true]);
});

test("Black's press starts White's clock by hand, White's own does not", () => {
  const clock = device(7);
  order(clock, "a", 0, { control });
  clock.onConnected(0);
  clock.touch("left", 100);
  expect(clock.clock.running).toBeNull();
  clock.touch("right", 200);
  expect(of("report")[1]).toMatchObject({ event_ms: 200, by_hand: { kind: "KIND_STARTED", after: { running: "SIDE_LEFT", left_ms: 62_000 } } });
});
