import { beforeEach, expect, test } from "vitest";
import { Keep, type Shelf } from "./keep";
import type { Up } from "./outbox";
import { Position, type Change } from "./position";
import { Recorder } from "./recorder";

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

function recorder(boot: number, now = 0): Recorder {
  const hands = {
    send: (up: Up, message: object) => void sent.push([up, message as Sent]),
    changed: () => {},
    text: () => {},
  };
  return new Recorder({ model: "test", firmware: "0" }, new Keep(memory, "board"), hands, (at) => at, boot, now);
}

const of = (up: Up): Sent[] => sent.filter(([what]) => what === up).map(([, message]) => message);
const squares = (report: Sent | undefined): string =>
  (report?.["squares"] as { changes: { square: string; now: string }[] }).changes.map(({ square, now }) => square + now).join(" ");

beforeEach(() => {
  memory = new Memory();
  sent = [];
});

function moves(position: Position, ...played: string[]): string {
  let last: { from: string; to: string } | null = null;
  let changes: Change[] = [];
  for (const move of played) {
    const [from, to] = [move.slice(0, 2), move.slice(2, 4)];
    changes = position.move(from, to, last, (move[4] as "Q") ?? null);
    position = position.with(changes);
    last = { from, to };
  }
  return changes.map(([square, now]) => square + now).join(" ");
}

test("a move is what it changes on the board, whatever the Laws say", () => {
  expect(moves(new Position(), "e2e4")).toBe("e2 e4P");
  expect(moves(new Position(), "e2e4", "d7d5", "e4d5")).toBe("e4 d5P");
  expect(moves(new Position(), "e2e4", "a7a6", "e4e5", "d7d5", "e5d6")).toBe("e5 d5 d6P");
  // Too late, or beside: the other pawn stays.
  expect(moves(new Position(), "e2e4", "d7d5", "e4e5", "a7a6", "e5d6")).toBe("e5 d6P");
  expect(moves(new Position("8/8/3p4/3P4/8/8/8/8"), "d6d5")).toBe("d6 d5p");
  // A knight that goes where it cannot, and a king onto a square beside another.
  expect(moves(new Position(), "b1b5")).toBe("b1 b5N");
  expect(moves(new Position("8/P7/8/8/8/8/8/8"), "a7a8Q")).toBe("a7 a8Q");
  expect(moves(new Position("8/P7/8/8/8/8/8/8"), "a7a8")).toBe("a7 a8P");
});

test("castling moves both, also where the king is put onto his rook", () => {
  const ready = "r3k2r/8/8/8/8/8/8/R3K2R";
  expect(moves(new Position(ready), "e1g1")).toBe("e1 h1 g1K f1R");
  expect(moves(new Position(ready), "e8c8")).toBe("e8 a8 c8k d8r");
  expect(moves(new Position(ready), "e1h1")).toBe("e1 h1 g1K f1R");
  expect(moves(new Position("8/8/8/8/8/8/8/5RK1"), "g1f1")).toBe("g1 f1 c1K d1R");
  expect(moves(new Position("8/8/8/8/8/8/8/2R1K3"), "e1c1")).toBe("e1 c1K d1R");
  // Without a rook it is a king's move, and an illegal one.
  expect(moves(new Position("8/8/8/8/8/8/8/4K3"), "e1g1")).toBe("e1 g1K");
});

test("a placement comes back as it was, and what is taken back is as before", () => {
  for (const placement of ["rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR", "8/8/8/8/8/8/8/8", "r3k2r/8/1pP5/8/8/7N/8/R3K2R"]) {
    expect(new Position(placement).placement).toBe(placement);
  }
  const board = recorder(1);
  const before = board.position.placement;
  board.move("e2", "e4", null, 10);
  board.takeBack(20);
  expect(board.position.placement).toBe(before);
  expect([board.canTakeBack, board.last]).toEqual([false, null]);
});

test("taps are reported by their own moments, kept until they are seen, and sent again", () => {
  const board = recorder(7, 1000);
  board.move("e2", "e4", null, 1500.7);
  expect(of("report")).toEqual([]);
  board.onConnected(2000);
  expect(of("birth")[0]).toMatchObject({
    placement: "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR",
    abilities: { board: true, tells_pieces: true },
    next_seq: 1,
    oldest_seq: 0,
  });
  expect(of("report")[0]).toMatchObject({ boot: 7, seq: 0, event_ms: 1500, sent_ms: 2000 });
  expect(squares(of("report")[0])).toBe("e2 e4P");
  board.heard("seen", JSON.stringify({ boot: 7, seq: "0" }), 2100);
  expect(board.unseen).toBe(0);
  board.move("e7", "e5", null, 3000);
  board.onLost();
  board.takeBack(3500);
  expect([board.unseen, of("report").length]).toEqual([2, 2]);

  // Loaded again: another boot, the same board, and what was not seen goes out first.
  sent = [];
  const again = recorder(8, 0);
  expect(again.position.placement).toBe("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR");
  again.move("c7", "c5", null, 50);
  again.onConnected(100);
  expect(of("birth")[0]).toMatchObject({ kept_boot: 7, kept_oldest_seq: 1, kept_next_seq: 3 });
  expect(of("report").map((report) => [report["boot"], report["seq"]])).toEqual([[7, 1], [7, 2]]);
  again.heard("seen", JSON.stringify({ boot: 7, seq: "2" }), 200);
  expect(of("report").map((report) => [report["boot"], report["seq"]])).toEqual([[7, 1], [7, 2], [8, 0]]);
});

test("a board obeys no order but to show a line, and no old hub", () => {
  const board = recorder(3);
  board.onConnected(0);
  const order = (what: object, epoch: string): unknown => {
    board.heard("order", JSON.stringify({ id: `o${of("ack").length}`, epoch, boot: 3, ...what }), 10);
    return of("ack").at(-1)?.["outcome"];
  };
  expect(order({ stop: {} }, "2")).toBe("OUTCOME_CANNOT");
  expect(order({ text: { text: "hello", for_ms: "1000" } }, "2")).toBe("OUTCOME_DONE");
  expect(order({ text: { text: "hello", for_ms: "1000" } }, "1")).toBe("OUTCOME_OLD_EPOCH");
});
