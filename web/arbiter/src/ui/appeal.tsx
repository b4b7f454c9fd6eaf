// Appeals: lodged, spoken about, closed. Play goes on; a result is provisional meanwhile.

import { useState } from "preact/hooks";
import { act, isChief, maySeeOnly } from "../app";
import { AppealOutcome, type Appeal, type ArbiterTable } from "../gen/flagfall/arbiter/v1/table_pb";
import { hallTime, wallOf } from "../hub/time";
import { colorOf, sideOf, type Side } from "../laws/clock";
import { dayTime, t, type Key } from "../words";
import { sideName, when } from "./parts";
import { Choices, Reason, Sheet } from "./sheet";
import { sides, type SheetProps } from "./sheets";

const OUTCOMES: readonly { value: AppealOutcome; words: Key }[] = [
  { value: AppealOutcome.UPHELD, words: "appeal.upheld" },
  { value: AppealOutcome.DISMISSED, words: "appeal.dismissed" },
  { value: AppealOutcome.WITHDRAWN, words: "appeal.withdrawn" },
];

/** `14:30` today, or tomorrow where that has passed, in hall time. */
function hallTimeOf(text: string, future: boolean): bigint | undefined {
  const found = /^(\d{1,2}):(\d{2})$/.exec(text);
  if (!found || !hallTime.known) return undefined;
  const wall = new Date();
  wall.setHours(Number(found[1]), Number(found[2]), 0, 0);
  const apart = wall.getTime() - Date.now();
  if (future && apart < 0) wall.setDate(wall.getDate() + 1);
  if (!future && apart > 0) return undefined;
  return BigInt(Math.round(hallTime.now() + (wall.getTime() - Date.now()) * hallTime.speed));
}

/** A player appeals. */
export function AppealSheet({ table, close }: SheetProps) {
  const [by, setBy] = useState<Side | null>(null);
  const [lodged, setLodged] = useState("");
  const [fee, setFee] = useState("");
  const [deadline, setDeadline] = useState("");
  const [statement, setStatement] = useState("");
  const number = table.hall?.table ?? 0;
  return (
    <Sheet title={t("appeal.title", { table: number })} close={close}>
      <p class="help">{t("appeal.help")}</p>
      <Choices label={t("appeal.by")} chosen={by} choose={setBy} choices={sides(table)} />
      <div class="two">
        <label class="field">
          <span>{t("appeal.lodged")}</span>
          <input type="time" value={lodged} onInput={(event) => setLodged(event.currentTarget.value)} />
        </label>
        <label class="field">
          <span>{t("appeal.deadline")}</span>
          <input type="time" value={deadline} onInput={(event) => setDeadline(event.currentTarget.value)} />
        </label>
      </div>
      <label class="field">
        <span>{t("appeal.fee")}</span>
        <input type="text" maxLength={80} autocomplete="off" value={fee} placeholder="100 EUR" onInput={(event) => setFee(event.currentTarget.value)} />
      </label>
      <label class="field">
        <span>{t("appeal.statement")}</span>
        <textarea rows={5} maxLength={2000} value={statement} onInput={(event) => setStatement(event.currentTarget.value)} />
      </label>
      <button
        type="button"
        class="main"
        disabled={by === null || statement.trim() === ""}
        onClick={() => {
          if (by === null) return;
          const lodgedMs = hallTimeOf(lodged, false);
          const deadlineMs = hallTimeOf(deadline, true);
          void act(t("act.appeal", { table: number }), number, (api, { requestId, options }) =>
            api.lodgeAppeal(
              {
                requestId,
                table: number,
                by: colorOf(by),
                fee: fee.trim(),
                statement: statement.trim(),
                ...(lodgedMs === undefined ? {} : { lodgedMs }),
                ...(deadlineMs === undefined ? {} : { deadlineMs }),
              },
              options,
            ),
          );
          close();
        }}
      >
        {t("appeal.lodge")}
      </button>
    </Sheet>
  );
}

function outcomeWords(appeal: Appeal): string {
  const found = OUTCOMES.find(({ value }) => value === appeal.outcome);
  return found ? t(found.words) : t("appeal.open");
}

/** All appeals at a table. */
export function Appeals({ table }: { table: ArbiterTable }) {
  const [stating, setStating] = useState<Appeal | null>(null);
  const [closing, setClosing] = useState<Appeal | null>(null);
  const appeals = table.game?.appeals ?? [];
  if (appeals.length === 0) return null;
  return (
    <section class="appeals" aria-label={t("appeals")}>
      <h2>{t("appeals")}</h2>
      <ul>
        {appeals.map((appeal) => {
          const open = appeal.outcome === AppealOutcome.UNSPECIFIED;
          const deadline = appeal.deadlineMs === undefined ? null : wallOf(Number(appeal.deadlineMs));
          return (
            <li key={String(appeal.number)} class={open ? "appeal open" : "appeal"}>
              <p class="appeal-head">
                <b>{sideName(sideOf(appeal.by) ?? "white")}</b>
                <span>{t("appeal.at", { time: when(appeal.lodgedMs) })}</span>
                {appeal.fee === "" ? null : <bdi>{appeal.fee}</bdi>}
                {deadline === null ? null : <span>{t("appeal.until", { time: dayTime(deadline) })}</span>}
                <span class={open ? "tag suspected" : "tag"}>{outcomeWords(appeal)}</span>
              </p>
              {appeal.statements.map((said, index) => (
                <p key={index} class="said">
                  {said.by === "" ? null : <b><bdi>{said.by}</bdi>: </b>}
                  {said.text}
                </p>
              ))}
              {open ? null : (
                <p class="said">
                  <b>
                    {when(appeal.closedMs ?? 0n)} <bdi>{appeal.closedBy}</bdi>:{" "}
                  </b>
                  {appeal.decision}
                </p>
              )}
              {!open || maySeeOnly() ? null : (
                <div class="choices">
                  <button type="button" onClick={() => setStating(appeal)}>{t("appeal.state")}</button>
                  <button type="button" disabled={!isChief()} onClick={() => setClosing(appeal)}>{t("appeal.close")}</button>
                </div>
              )}
            </li>
          );
        })}
      </ul>
      {stating ? <StatementSheet table={table} appeal={stating} close={() => setStating(null)} /> : null}
      {closing ? <CloseSheet table={table} appeal={closing} close={() => setClosing(null)} /> : null}
    </section>
  );
}

function StatementSheet({ table, appeal, close }: SheetProps & { appeal: Appeal }) {
  const [by, setBy] = useState("");
  const [statement, setStatement] = useState("");
  const number = table.hall?.table ?? 0;
  const common: readonly Key[] = ["white", "black", "role.arbiter", "appeal.witness"];
  return (
    <Sheet title={t("appeal.state")} close={close}>
      <div class="choices" role="group" aria-label={t("appeal.who")}>
        {common.map((key) => (
          <button type="button" key={key} aria-pressed={by === t(key)} onClick={() => setBy(t(key))}>
            {t(key)}
          </button>
        ))}
      </div>
      <label class="field">
        <span>{t("appeal.who")}</span>
        <input type="text" maxLength={80} autocomplete="off" value={by} onInput={(event) => setBy(event.currentTarget.value)} />
      </label>
      <label class="field">
        <span>{t("appeal.statement")}</span>
        <textarea rows={5} maxLength={2000} value={statement} onInput={(event) => setStatement(event.currentTarget.value)} />
      </label>
      <button
        type="button"
        class="main"
        disabled={by.trim() === "" || statement.trim() === ""}
        onClick={() => {
          void act(t("act.appeal", { table: number }), number, (api, { requestId, options }) =>
            api.addAppealStatement(
              { requestId, table: number, appeal: appeal.number, by: by.trim(), statement: statement.trim() },
              options,
            ),
          );
          close();
        }}
      >
        {t("note.do")}
      </button>
    </Sheet>
  );
}

function CloseSheet({ table, appeal, close }: SheetProps & { appeal: Appeal }) {
  const [outcome, setOutcome] = useState<AppealOutcome | null>(null);
  const [reason, setReason] = useState("");
  const number = table.hall?.table ?? 0;
  return (
    <Sheet title={t("appeal.close")} close={close}>
      <Choices
        label={t("appeal.outcome")}
        chosen={outcome}
        choose={setOutcome}
        choices={OUTCOMES.map(({ value, words }) => ({ value, label: t(words) }))}
      />
      {outcome === AppealOutcome.UPHELD ? <p class="help">{t("appeal.upheld.help")}</p> : null}
      <Reason value={reason} set={setReason} />
      <button
        type="button"
        class="main"
        disabled={outcome === null}
        onClick={() => {
          if (outcome === null) return;
          void act(t("act.appeal", { table: number }), number, (api, { requestId, options }) =>
            api.closeAppeal({ requestId, reason, table: number, appeal: appeal.number, outcome }, options),
          );
          close();
        }}
      >
        {t("appeal.close")}
      </button>
    </Sheet>
  );
}
