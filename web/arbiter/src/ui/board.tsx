// A board to look at, or to make one move on.

import { Chessground } from "chessground";
import type { Api } from "chessground/api";
import type { Key } from "chessground/types";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { INITIAL, nameOf, placementOf, squaresOf } from "../chess/replay";
import type { Side } from "../laws/clock";
import { t } from "../words";

export interface BoardProps {
  placement: string;
  orientation?: Side;
  /** From and to of the move that led here. */
  last?: readonly string[] | undefined;
  /** Squares to be looked at. */
  marked?: readonly string[];
  label: string;
  /** A move made on it, from and to. */
  onMove?: (from: string, to: string) => void;
}

const NAMES = ["k", "q", "r", "b", "n", "p"];

/** The position for somebody who does not see it. */
function said(placement: string): string {
  const squares = squaresOf(placement);
  const of = (white: boolean) =>
    NAMES.flatMap((letter) => {
      const piece = white ? letter.toUpperCase() : letter;
      const where = squares.flatMap((found, index) => (found === piece ? [nameOf(index)] : []));
      const name = letter === "p" ? "" : t(`piece.${letter}` as "piece.k");
      return where.map((square) => name + square);
    }).join(" ");
  return `${t("white")}: ${of(true)}. ${t("black")}: ${of(false)}.`;
}

export function Board({ placement, orientation = "white", last, marked = [], label, onMove }: BoardProps) {
  const element = useRef<HTMLDivElement>(null);
  const ground = useRef<Api | null>(null);
  const tapped = useRef(onMove);
  tapped.current = onMove;
  const movable = onMove !== undefined;

  const config = useMemo(() => {
    const squares = squaresOf(placement || INITIAL);
    const custom = new Map<Key, string>();
    // A board that does not tell pieces apart says only where something stands.
    squares.forEach((piece, index) => {
      if (piece !== undefined && !/[kqrbnp]/i.test(piece)) {
        custom.set(nameOf(index) as Key, "taken");
        squares[index] = undefined;
      }
    });
    for (const square of marked) custom.set(square as Key, `${custom.get(square as Key) ?? ""} differs`.trim());
    return { fen: placementOf(squares), custom };
  }, [placement, marked.join()]);

  useEffect(() => {
    if (!element.current) return;
    ground.current = Chessground(element.current, {
      coordinates: true,
      animation: { enabled: false },
      disableContextMenu: true,
      drawable: { enabled: false },
      viewOnly: !movable,
      movable: {
        free: true,
        color: "both",
        showDests: false,
        rookCastle: false,
        events: { after: (from, to) => tapped.current?.(from, to) },
      },
      premovable: { enabled: false },
      draggable: { showGhost: false },
    });
    // It remembers where it lies until something is scrolled; a sheet that grows moves it as well, and a tap would go one square beside.
    const wrap = element.current;
    const look = () => ground.current?.state.dom.bounds.clear();
    for (const kind of ["mousedown", "touchstart"]) wrap.addEventListener(kind, look, { capture: true, passive: true });
    return () => {
      for (const kind of ["mousedown", "touchstart"]) wrap.removeEventListener(kind, look, { capture: true });
      ground.current?.destroy();
    };
  }, [movable]);

  useEffect(() => {
    ground.current?.set({
      fen: config.fen,
      orientation,
      lastMove: (last ?? []) as Key[],
      highlight: { lastMove: true, check: false, custom: config.custom },
    });
  }, [config, orientation, last?.join(), movable]);

  return (
    <figure class="board" aria-label={label}>
      <div ref={element} class="cg-wrap" aria-hidden="true" />
      <figcaption class="hidden">{said(placement)}</figcaption>
    </figure>
  );
}
