import { create } from "@bufbuild/protobuf";
import { expect, it } from "vitest";
import { ArbiterTableSchema, Online, OrderStatus, type ArbiterTable } from "../gen/flagfall/arbiter/v1/table_pb";
import { INITIAL } from "../chess/replay";
import { swapped, troublesOf, turned } from "./ready";

const PLACEMENT = INITIAL.split(" ")[0] ?? "";

function table(change: (table: ArbiterTable) => void = () => undefined): ArbiterTable {
  const made = create(ArbiterTableSchema, {
    clockDevice: { id: "unit-1", online: Online.ONLINE, battery: 80 },
    boardDevice: { id: "unit-1", online: Online.ONLINE },
    game: { fen: INITIAL, sensed: { placement: PLACEMENT } },
  });
  change(made);
  return made;
}

const shows = (placement: string) => (table: ArbiterTable) => {
  const sensed = table.game?.sensed;
  if (sensed) Object.assign(sensed, { placement, differs: ["e1"] });
};

it("a table whose clock answers and whose pieces stand is ready", () => {
  expect(troublesOf(table())).toEqual([]);
});

it("a board the wrong way round and a king on the queen's square are named", () => {
  expect(turned(PLACEMENT)).toBe("RNBKQBNR/PPPPPPPP/8/8/8/8/pppppppp/rnbkqbnr");
  expect(troublesOf(table(shows(turned(PLACEMENT))))).toEqual(["board-turned"]);
  expect(troublesOf(table(shows(swapped(PLACEMENT))))).toEqual(["king-and-queen"]);
  expect(troublesOf(table(shows("8/8/8/8/8/8/8/8")))).toEqual(["board-differs"]);
});

it("a silent clock, one without its control, and a low battery are named", () => {
  const bad = table(({ clockDevice, game }) => {
    if (clockDevice) Object.assign(clockDevice, { online: Online.SILENT, battery: 3 });
    if (game) game.sensed = undefined;
  });
  expect(troublesOf(bad)).toEqual(["clock-silent", "clock-battery"]);
  const waits = create(ArbiterTableSchema, {
    clockDevice: { id: "c", online: Online.ONLINE },
    game: { orders: [{ status: OrderStatus.SENT }, { status: OrderStatus.SENT }] },
  });
  expect(troublesOf(waits)).toEqual(["clock-control"]);
  expect(troublesOf(create(ArbiterTableSchema, {}))).toEqual(["no-game"]);
});
