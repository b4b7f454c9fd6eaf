import { create } from "@bufbuild/protobuf";
import { expect, it } from "vitest";
import { INITIAL } from "../chess/replay";
import { MoveSchema } from "../gen/flagfall/feed/v1/table_pb";
import { moveName, written } from "./moves";

const moves = ["e4", "e5", "Nf3", "Nc6", "Bb5"].map((san) => create(MoveSchema, { san }));

it("what a scoresheet lacks is written with the numbers of its moves", () => {
  const starts = [{ plies: 0, fen: INITIAL }];
  expect(written(starts, moves, 2)).toBe("2. Nf3 Nc6 3. Bb5");
  expect(written(starts, moves, 4)).toBe("");
  expect(moveName(starts, moves, 3)).toBe("2… Nc6");
  const later = [{ plies: 0, fen: "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 30" }];
  expect(written(later, moves.slice(1, 3), 1)).toBe("30… e5 31. Nf3");
});
