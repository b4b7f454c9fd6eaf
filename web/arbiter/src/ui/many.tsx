// The same at one table or at many: what was wrong at the start of a round is seldom wrong at one table only.

import { useState } from "preact/hooks";
import { actAtMany, maySeeOnly, useStore } from "../app";
import { tablesOf } from "../hall/numbers";
import { Observation } from "../gen/flagfall/arbiter/v1/arbiter_pb";
import { t, type Key } from "../words";
import { turnSides } from "./boardtools";
import { pairing } from "./parts";
import { Choices, Reason } from "./sheet";

type Deed = "colours" | "setup" | "clock" | "sides" | "board" | "pause" | "resume" | "note";

const DEEDS: readonly { value: Deed; words: Key }[] = [
  { value: "colours", words: "seen.colours" },
  { value: "setup", words: "seen.setup" },
  { value: "clock", words: "seen.clock" },
  { value: "sides", words: "sides.clock" },
  { value: "board", words: "sides.board" },
  { value: "pause", words: "pause" },
  { value: "resume", words: "resume" },
  { value: "note", words: "note" },
];

const SEEN: Partial<Record<Deed, Observation>> = {
  colours: Observation.COLOURS_REVERSED,
  setup: Observation.WRONG_SETUP,
  clock: Observation.WRONG_CLOCK,
};

export function ManyPage() {
  const { tables } = useStore();
  const [given, setGiven] = useState("");
  const [deed, choose] = useState<Deed | null>(null);
  const [reason, setReason] = useState("");
  const numbers = tablesOf(given, [...tables.keys()]);
  const meant = (numbers ?? []).flatMap((number) => tables.get(number) ?? []);
  const words = DEEDS.find(({ value }) => value === deed)?.words;
  const go = () => {
    if (deed === null || words === undefined || meant.length === 0) return;
    const label = t("act.many", { what: t(words), n: meant.length });
    const what = SEEN[deed];
    if (deed === "sides" || deed === "board") turnSides(meant, deed === "sides" ? "clock" : "board");
    else if (what !== undefined) {
      void actAtMany(label, meant, (api, { requestId, options }, { hall }) =>
        api.observe({ requestId, reason, table: hall?.table ?? 0, what }, options),
      );
    } else if (deed === "note") {
      void actAtMany(label, meant, (api, { requestId, options }, { hall }) =>
        api.addNote({ requestId, text: reason.trim(), table: hall?.table ?? 0 }, options),
      );
    } else {
      void actAtMany(label, meant, (api, { requestId, options }, { hall }) => {
        const request = { requestId, reason, table: hall?.table ?? 0 };
        return deed === "pause" ? api.pauseGame(request, options) : api.resumeGame(request, options);
      });
    }
    setGiven("");
    choose(null);
    setReason("");
  };
  return (
    <main class="page many">
      <h2>{t("many")}</h2>
      <p class="help">{t("many.help")}</p>
      <label class="field">
        <span>{t("many.tables")}</span>
        <input type="text" autocomplete="off" placeholder="5-12, 17" value={given} onInput={(event) => setGiven(event.currentTarget.value)} />
      </label>
      <p role="status">
        {given.trim() === "" ? "" : numbers === null ? t("many.unreadable") : t("many.meant", { n: meant.length })}
      </p>
      {meant.length > 0 && meant.length <= 12 ? (
        <ul class="plain">
          {meant.map((table) => (
            <li key={table.hall?.table}>
              <b>{table.hall?.table}</b> {pairing(table)}
            </li>
          ))}
        </ul>
      ) : null}
      <Choices label={t("many.what")} chosen={deed} choose={choose} choices={DEEDS.map(({ value, words }) => ({ value, label: t(words) }))} />
      {deed === null || deed === "sides" || deed === "board" ? null : (
        <Reason value={reason} set={setReason} placeholder={t(deed === "note" ? "reason.needed" : "reason.optional")} />
      )}
      {deed !== null && SEEN[deed] !== undefined ? <p class="help">{t("many.items")}</p> : null}
      <button
        type="button"
        class="main"
        disabled={maySeeOnly() || meant.length === 0 || deed === null || (deed === "note" && reason.trim() === "")}
        onClick={go}
      >
        {t("many.do", { n: meant.length })}
      </button>
    </main>
  );
}
