// Tables in rows, a thousand of them: in blocks, of which only those near the window are filled, a few rows in a frame. Each row follows
// its own table, so that a move at one table draws one row.

import { memo } from "preact/compat";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { useTableRow } from "../app";
import { stateOf, type State } from "../hall/urgency";
import { t } from "../words";
import { inTurn } from "../turns";
import { isStopping, PlayerName } from "./parts";
import { Face } from "./ticker";

/** Fills every line of the grid with one to six tables in a line. */
const BLOCK = 60;
/** So many rows are drawn in a frame, and room is made for so many blocks. */
const A_FRAME = 8;
const BLOCKS_A_FRAME = 4;
/** As near as this, a block is filled: it is there before it is scrolled to. */
const NEAR = "600px 0px";

export interface Row {
  table: number;
  /** What else is said of it. */
  note: string;
}

/** All of them, in this order. */
export function Rows({ rows, chosen }: { rows: readonly Row[]; chosen: number | null }) {
  const blocks = [];
  const drawn = useGrowing(Math.ceil(rows.length / BLOCK), BLOCKS_A_FRAME) * BLOCK;
  for (let from = 0; from < Math.min(rows.length, drawn); from += BLOCK) {
    const block = rows.slice(from, from + BLOCK);
    const here = block.some(({ table }) => table === chosen) ? chosen : null;
    blocks.push(<Block key={from} rows={block} chosen={here} />);
  }
  return <div class="blocks">{blocks}</div>;
}

interface BlockProps {
  rows: readonly Row[];
  /** Of these, the one that is looked at. */
  chosen: number | null;
}

const Block = memo(
  function Block({ rows, chosen }: BlockProps) {
    const list = useRef<HTMLUListElement>(null);
    const [near, setNear] = useState(false);
    const [filled, fill] = useState(0);
    useLayoutEffect(() => (list.current === null ? undefined : nearness(list.current, setNear)), []);
    useLayoutEffect(() => {
      if (!near) fill(0);
      else if (filled < rows.length) return inTurn(() => fill((n) => n + A_FRAME));
      return;
    }, [near, filled, rows.length]);
    return (
      <ul class="rows" ref={list}>
        {rows.map(({ table, note }, index) =>
          index < filled ? <TableRow key={table} number={table} note={note} chosen={table === chosen} /> : <li class="row" key={table} />,
        )}
      </ul>
    );
  },
  (one, other) =>
    one.chosen === other.chosen &&
    one.rows.length === other.rows.length &&
    one.rows.every(({ table, note }, index) => table === other.rows[index]?.table && note === other.rows[index]?.note),
);

const listeners = new Map<Element, (near: boolean) => void>();
let observer: IntersectionObserver | null = null;
/** From this width on the hall scrolls within the page. */
const wide = matchMedia("(min-width: 900px)");

wide.addEventListener("change", () => {
  observer?.disconnect();
  observer = null;
  for (const [element] of listeners) observe(element);
});

/** Tells whether this is near what is seen, until told to stop. */
function nearness(element: Element, told: (near: boolean) => void): () => void {
  listeners.set(element, told);
  observe(element);
  return () => {
    listeners.delete(element);
    observer?.unobserve(element);
  };
}

function observe(element: Element): void {
  const root = wide.matches ? element.closest(".master") : null;
  if (observer?.root !== root) {
    observer?.disconnect();
    observer = null;
  }
  observer ??= new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) listeners.get(target)?.(isIntersecting);
    },
    { root, rootMargin: NEAR },
  );
  observer.observe(element);
}

/** How many of a long list are drawn by now: some at once, more in every frame. */
export function useGrowing(length: number, step = A_FRAME): number {
  const [drawn, draw] = useState(step);
  useLayoutEffect(() => (drawn < length ? inTurn(() => draw((n) => n + step)) : undefined), [drawn, drawn < length]);
  return drawn;
}

export function stateWords(state: State, result: string): string {
  return state === "over" ? result : state === "playing" ? "" : t(`state.${state}`);
}

const TableRow = memo(function TableRow({ number, note, chosen }: { number: number; note: string; chosen: boolean }) {
  const table = useTableRow(number);
  if (table === undefined) return null;
  const { hall, game } = table;
  const state = stateOf(table);
  const clocks = game?.clocks ?? hall?.clocks;
  const stopping = isStopping(table);
  return (
    <li class={`row ${state}${chosen ? " chosen" : ""}`}>
      <a href={`#/table/${number}`}>
        <span class="number">
          <span class="hidden">{t("table")} </span>
          {number}
        </span>
        <span class="who">
          <span class="player">
            <PlayerName player={hall?.white} />
            {state === "empty" ? null : <Face clocks={clocks} side="white" stopping={stopping} />}
          </span>
          <span class="player">
            <PlayerName player={hall?.black} />
            {state === "empty" ? null : <Face clocks={clocks} side="black" stopping={stopping} />}
          </span>
          {note === "" ? null : <span class="trouble-note">{note}</span>}
        </span>
        {state === "playing" ? null : <span class={`state ${state}`}>{stateWords(state, game?.result ?? "")}</span>}
      </a>
    </li>
  );
});
