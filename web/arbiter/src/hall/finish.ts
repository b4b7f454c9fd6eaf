// How far a round is from its end: what still plays, where a result is missing, and where one is not settled.

import { AppealOutcome, type ArbiterTable } from "../gen/flagfall/arbiter/v1/table_pb";
import { sideOf } from "../laws/clock";
import { stateOf } from "./urgency";

export interface Finish {
  /** A clock runs. */
  playing: ArbiterTable[];
  /** No clock runs, and there is no result. */
  missing: ArbiterTable[];
  /** There is a result, or one was entered, and an item, a contradiction or an appeal is open. */
  disputed: ArbiterTable[];
  /** Nothing more is to be done. */
  over: ArbiterTable[];
}

/** What the two entered, or showed, waits for an arbiter. */
function isSignalled(table: ArbiterTable): boolean {
  return table.game?.items.some(({ kind }) => kind === "result-signal") ?? false;
}

export function isAppealed(table: ArbiterTable): boolean {
  return table.game?.appeals.some(({ outcome }) => outcome === AppealOutcome.UNSPECIFIED) ?? false;
}

export function finishOf(tables: Iterable<ArbiterTable>): Finish {
  const finish: Finish = { playing: [], missing: [], disputed: [], over: [] };
  for (const table of tables) {
    const over = stateOf(table) === "over";
    if (over && ((table.game?.items.length ?? 0) > 0 || isAppealed(table))) finish.disputed.push(table);
    else if (over) finish.over.push(table);
    else if (isSignalled(table)) finish.disputed.push(table);
    else if (sideOf(table.game?.clocks?.running) !== null) finish.playing.push(table);
    else finish.missing.push(table);
  }
  return finish;
}
