// The record, move by move, with what each clock showed.

import { useEffect, useRef } from "preact/hooks";
import type { Move } from "../gen/flagfall/feed/v1/table_pb";
import { numberOf, type StartAt } from "../chess/replay";
import { face } from "../laws/clock";
import { t } from "../words";

/** From and to of a move, for marking. */
export function lastOf(move: Move | undefined): string[] {
  return move === undefined || move.uci.length < 4 ? [] : [move.uci.slice(0, 2), move.uci.slice(2, 4)];
}

/** `12. Nf3`, `12… Nf6`. */
export function moveName(starts: readonly StartAt[], moves: readonly Move[], index: number): string {
  const { number, white } = numberOf(starts, index);
  return `${number}${white ? "." : "…"} ${moves[index]?.san ?? ""}`;
}

/** Moves as a scoresheet has them, from the one with this number on: `34. Qe2 Rd8 35. Kf1`. */
export function written(starts: readonly StartAt[], moves: readonly Move[], from: number): string {
  const parts: string[] = [];
  moves.forEach((move, index) => {
    const { number, white } = numberOf(starts, index);
    if (number < from) return;
    if (white) parts.push(`${number}.`);
    else if (parts.length === 0) parts.push(`${number}…`);
    parts.push(move.san);
  });
  return parts.join(" ");
}

export function MoveList(props: {
  moves: readonly Move[];
  starts: readonly StartAt[];
  /** So many half-moves are shown on the board. */
  chosen: number;
  choose: (plies: number) => void;
}) {
  const { moves, starts, chosen, choose } = props;
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    const box = list.current;
    const at = box?.querySelector<HTMLElement>("[aria-pressed=true]");
    if (!box || !at) return;
    const [top, bottom] = [at.offsetTop - box.offsetTop, at.offsetTop - box.offsetTop + at.offsetHeight];
    if (top < box.scrollTop) box.scrollTop = top;
    else if (bottom > box.scrollTop + box.clientHeight) box.scrollTop = bottom - box.clientHeight;
  }, [chosen, moves.length]);
  return (
    <ol class="moves" ref={list} aria-label={t("moves")} tabIndex={0}>
      <li class="start">
        <button type="button" aria-pressed={chosen === 0} onClick={() => choose(0)}>
          {t("start.position")}
        </button>
      </li>
      {moves.map((move, index) => {
        const { number, white } = numberOf(starts, index);
        return (
          <li class={white ? "white" : "black"} key={index}>
            {white || index === 0 ? <span class="move-number">{number}{white ? "." : "…"}</span> : null}
            <button type="button" aria-pressed={chosen === index + 1} onClick={() => choose(index + 1)}>
              <b>
                {move.san}
                {move.promotionUnconfirmed ? "?" : ""}
              </b>
              <small>{move.clockMs === undefined ? "" : face(Number(move.clockMs))}</small>
            </button>
          </li>
        );
      })}
    </ol>
  );
}
