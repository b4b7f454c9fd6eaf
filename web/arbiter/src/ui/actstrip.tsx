// What became of what was tapped.

import { useEffect, useState } from "preact/hooks";
import { acts, go, useActs } from "../app";
import type { Act } from "../hub/acts";
import { clockTime, t } from "../words";
import { Icon } from "./icon";

/** Good news goes by itself. */
const DONE_MS = 4_000;
const AT_MOST = 4;

function words(act: Act): string {
  const time = clockTime(act.tapped);
  switch (act.state) {
    case "sent":
      return t("act.sent");
    case "asking":
      return t("act.asking", { time });
    case "waiting":
      return t("act.waiting", { time });
    case "done":
      return act.refused.length > 0 ? t("act.done.but", { n: act.refused.length }) : t("act.done");
    case "not-done":
      return t("act.not.done", { time });
    case "refused":
      return act.refusal?.reason === "STALE_REVISION" ? t("act.stale") : t("act.refused");
    case "unknown":
      return t("act.unknown", { time });
  }
}

const isGood = (act: Act): boolean => act.state === "done" && act.refused.length === 0;

export function ActStrip() {
  useActs();
  const [, again] = useState(0);
  const shown = acts.all
    .filter((act) => !(isGood(act) && act.ended !== null && performance.now() - act.ended > DONE_MS))
    .slice(0, AT_MOST);
  const fading = shown.some(isGood);
  useEffect(() => {
    if (!fading) return;
    const timer = setInterval(() => again((n) => n + 1), 500);
    return () => clearInterval(timer);
  }, [fading]);
  return (
    <ol class="acts" aria-live="assertive" aria-relevant="additions text" aria-label={t("acts")}>
      {shown.map((act) => (
        <li key={act.id} class={`act ${act.state}${act.refused.length > 0 ? " partly" : ""}`}>
          <div class="act-words">
            <b>{words(act)}</b> <span>{act.label}</span>
            {act.state === "refused" || (act.state === "done" && act.message !== "") ? (
              <p>{act.message}</p>
            ) : null}
            {act.refused.map(({ table, message }) => (
              <p key={table}>{message}</p>
            ))}
          </div>
          {act.state === "refused" && act.table !== null ? (
            <button
              type="button"
              onClick={() => {
                const table = act.table;
                acts.drop(act);
                go(`#/table/${table}`);
              }}
            >
              {t("look.again")}
            </button>
          ) : null}
          {act.state === "sent" ? null : (
            <button type="button" class="quiet icon" aria-label={t("dismiss.message")} onClick={() => acts.drop(act)}>
              <Icon name="close" />
            </button>
          )}
        </li>
      ))}
    </ol>
  );
}
