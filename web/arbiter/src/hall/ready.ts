// Whether a table is ready for its round: its clock answers and has the time control, its pieces stand right, nothing runs low.

import { Online, OrderStatus, type ArbiterTable } from "../gen/flagfall/arbiter/v1/table_pb";
import { placementOf, squaresOf } from "../chess/replay";

export type Trouble =
  | "no-game"
  | "clock-silent"
  | "clock-control"
  | "clock-by-hand"
  | "clock-battery"
  | "board-silent"
  | "board-turned"
  | "king-and-queen"
  | "board-differs"
  | "board-battery";

/** What still works is charged; below this a clock may not last the round. */
const LOW_PERCENT = 15;

/** The same board seen from the other side. */
export function turned(placement: string): string {
  return placementOf(squaresOf(placement).reverse());
}

/** The same with each side's king and queen in the other's place. */
export function swapped(placement: string): string {
  const squares = squaresOf(placement);
  for (const row of [0, 56]) [squares[row + 3], squares[row + 4]] = [squares[row + 4], squares[row + 3]];
  return placementOf(squares);
}

/** What is not right at a table before its game begins; nothing: it is ready. */
export function troublesOf(table: ArbiterTable): Trouble[] {
  const { game, clockDevice, boardDevice } = table;
  if (!game) return ["no-game"];
  const found: Trouble[] = [];
  if (clockDevice) {
    if (clockDevice.online !== Online.ONLINE) found.push("clock-silent");
    if (clockDevice.battery !== undefined && clockDevice.battery < LOW_PERCENT) found.push("clock-battery");
  }
  for (const { status } of game.orders) {
    if (status === OrderStatus.REFUSED || status === OrderStatus.BY_HAND) found.push("clock-by-hand");
    else if (clockDevice?.online === Online.ONLINE) found.push("clock-control");
  }
  if (boardDevice && boardDevice.id !== clockDevice?.id) {
    if (boardDevice.online !== Online.ONLINE) found.push("board-silent");
    if (boardDevice.battery !== undefined && boardDevice.battery < LOW_PERCENT) found.push("board-battery");
  }
  const { sensed } = game;
  if (boardDevice && sensed && sensed.differs.length > 0) {
    const wanted = game.fen.split(" ")[0] ?? "";
    if (sensed.placement === turned(wanted)) found.push("board-turned");
    else if (sensed.placement === swapped(wanted)) found.push("king-and-queen");
    else found.push("board-differs");
  }
  return [...new Set(found)];
}
