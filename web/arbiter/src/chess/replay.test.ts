import { expect, it } from "vitest";
import { differences, INITIAL, moved, numberOf, placementAfter, placementOf, squaresOf } from "./replay";

const starts = [{ plies: 0, fen: INITIAL }];
const record = (text: string) => text.split(" ").map((uci) => ({ uci }));

it("plays a record through, castling and en passant with it", () => {
  const moves = record("e2e4 a7a6 e4e5 d7d5 e5d6 a6a5 g1f3 a5a4 f1e2 a4a3 e1g1");
  expect(placementAfter(starts, moves, 5)).toBe("rnbqkbnr/1pp1pppp/p2P4/8/8/8/PPPP1PPP/RNBQKBNR");
  expect(placementAfter(starts, moves, 11)).toBe("rnbqkbnr/1pp1pppp/3P4/8/8/p4N2/PPPPBPPP/RNBQ1RK1");
  expect(placementAfter(starts, moves, 0)).toBe(INITIAL.split(" ")[0]);
});

it("promotes, and castles as king takes rook", () => {
  expect(placementOf(moved(squaresOf("8/P7/8/8/8/8/8/8"), "a7a8n"))).toBe("N7/8/8/8/8/8/8/8");
  expect(placementOf(moved(squaresOf("8/8/8/8/8/8/8/1R3K2"), "f1b1"))).toBe("8/8/8/8/8/8/8/2KR4");
});

it("moves what was moved, legal or not, and never fails", () => {
  expect(placementOf(moved(squaresOf("8/8/8/8/8/8/8/4K2R"), "e1e3"))).toBe("8/8/8/8/8/4K3/8/7R");
  expect(placementOf(moved(squaresOf("8/8/8/8/8/8/8/4K3"), "nonsense"))).toBe("8/8/8/8/8/8/8/4K3");
});

it("goes on from a position that was set", () => {
  const set = [...starts, { plies: 2, fen: "4k3/8/8/8/8/8/8/4K2R b K - 0 30" }];
  expect(placementAfter(set, record("e2e4 e7e5 e8d8"), 3)).toBe("3k4/8/8/8/8/8/8/4K2R");
  expect(numberOf(set, 2)).toEqual({ number: 30, white: false });
  expect(numberOf(set, 1)).toEqual({ number: 1, white: false });
});

it("names the squares that differ", () => {
  expect(differences("8/8/8/8/8/8/8/4K3", "8/8/8/8/8/8/8/3K4")).toEqual(["d1", "e1"]);
});
