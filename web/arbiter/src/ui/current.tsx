// A sheet is opened on the table as the page shows it; what was just done from this page is waited for before that.

import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { acts, useActs, useSecond } from "../app";
import type { ArbiterTable } from "../gen/flagfall/arbiter/v1/table_pb";
import { t } from "../words";
import { Sheet } from "./sheet";

/** A wait shorter than this is not spoken of. */
const UNSAID_MS = 300;

/** Its children are there once the table has in it what was done from here, and stay, whatever comes after. */
export function Current(props: { table: ArbiterTable; close: () => void; children: ComponentChildren }) {
  useActs();
  useSecond();
  const { hall, game } = props.table;
  const number = hall?.table ?? 0;
  const waits = acts.isAhead(number, game?.revision ?? 0n);
  const [opened, open] = useState(!waits);
  const [said, say] = useState(false);
  useEffect(() => {
    if (!waits) open(true);
  }, [waits]);
  useEffect(() => {
    const timer = setTimeout(() => say(true), UNSAID_MS);
    return () => clearTimeout(timer);
  }, []);
  if (opened) return <>{props.children}</>;
  if (!said) return null;
  return (
    <Sheet title={t("table.n", { n: number })} close={props.close}>
      <p role="status">{t("waits.for.own")}</p>
    </Sheet>
  );
}
