// Tables that somebody has to walk to: number, who plays there, and what is the matter.

import { memo } from "preact/compat";
import type { ArbiterTable } from "../gen/flagfall/arbiter/v1/table_pb";
import { pairing } from "./parts";
import { useGrowing } from "./rows";

/** So many are drawn in a frame. */
const A_FRAME = 24;

interface WalkProps {
  tables: readonly ArbiterTable[];
  /** Who plays there is told too. */
  who?: boolean;
  note?: (table: ArbiterTable) => string;
  label?: string;
}

export function Walk({ tables, who = true, note, label }: WalkProps) {
  const drawn = useGrowing(tables.length, A_FRAME);
  return (
    <ul class="walk" aria-label={label}>
      {tables.slice(0, drawn).map((table) => (
        <Table
          key={table.hall?.table}
          number={table.hall?.table ?? 0}
          who={who ? pairing(table) : ""}
          note={note?.(table) ?? ""}
        />
      ))}
    </ul>
  );
}

/** Of plain words only, so that a table of which nothing else is to be said is not drawn again. */
const Table = memo(function Table({ number, who, note }: { number: number; who: string; note: string }) {
  const small = note === "" ? null : <small>{note}</small>;
  return (
    <li>
      <a class="button" href={`#/table/${number}`}>
        <span class="number">{number}</span>
        {who === "" ? (
          small
        ) : (
          <span>
            {who} {small}
          </span>
        )}
      </a>
    </li>
  );
});
