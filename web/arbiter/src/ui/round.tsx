// A round: which tables are ready, arming and calling it, what still plays, and the results that are brought on paper.

import { useEffect, useMemo, useState } from "preact/hooks";
import { act, isChief, maySeeOnly, send, useActs, useAnnouncement, useRounds, useSecond, useStore } from "../app";
import { RoundState } from "../gen/flagfall/admin/v1/event_pb";
import type { Round } from "../gen/flagfall/admin/v1/event_pb";
import type { ArbiterTable } from "../gen/flagfall/arbiter/v1/table_pb";
import { stateOf } from "../hall/urgency";
import { finishOf, isAppealed } from "../hall/finish";
import { troublesOf } from "../hall/ready";
import { colorOf, SIDES, type Side } from "../laws/clock";
import { named, t, type Key } from "../words";
import { filter } from "./hall";
import { ImportSheet, Office } from "./office";
import { itemTitle, playerName, sideName } from "./parts";
import { Sheet } from "./sheet";
import { Held } from "./stop";
import { Walk } from "./walk";

/** Whoever has called the round can still take it back for so long. */
const COUNTDOWN_S = 5;

const STATES: Readonly<Record<RoundState, Key>> = {
  [RoundState.UNSPECIFIED]: "round.prepared",
  [RoundState.PREPARED]: "round.prepared",
  [RoundState.ARMED]: "round.armed",
  [RoundState.STARTED]: "round.started",
  [RoundState.ENDED]: "round.ended",
};

export function RoundPage() {
  const { events, tables } = useStore();
  const acts = useActs();
  useSecond();
  const [event, setEvent] = useState(filter.event);
  const [number, setNumber] = useState<number | null>(null);
  const chosen = event !== "" ? event : ([...events.keys()][0] ?? "");
  // A round's state changes with what is done to it; so it is asked for again when that has come to an end.
  const done = acts.all.filter(({ table, ended }) => table === null && ended !== null).length;
  const rounds = useRounds(chosen, done);
  const round = useMemo(() => {
    if (!rounds || rounds.length === 0) return null;
    const asked = rounds.find((round) => round.number === number);
    return asked ?? rounds.find(({ state }) => state !== RoundState.ENDED) ?? rounds[rounds.length - 1] ?? null;
  }, [rounds, number]);
  return (
    <main class="page round">
      <h2>{t("round")}</h2>
      <div class="search">
        {events.size > 1 ? (
          <label class="field">
            <span>{t("event")}</span>
            <select value={chosen} onChange={(event) => setEvent(event.currentTarget.value)}>
              {[...events.values()].map(({ id, name }) => (
                <option value={id} key={id}>
                  {name}
                </option>
              ))}
            </select>
          </label>
        ) : null}
        {rounds && rounds.length > 1 ? (
          <label class="field">
            <span>{t("round")}</span>
            <select
              value={String(round?.number ?? "")}
              onChange={(event) => setNumber(Number(event.currentTarget.value))}
            >
              {rounds.map(({ number, state }) => (
                <option value={String(number)} key={number}>
                  {t("round.n", { n: number })} · {t(STATES[state])}
                </option>
              ))}
            </select>
          </label>
        ) : null}
      </div>
      {events.size === 0 || (rounds !== null && rounds.length === 0) ? (
        <>
          <p class="empty">{t("round.none")}</p>
          {events.size > 0 && isChief() ? <FirstRound event={chosen} /> : null}
        </>
      ) : round === null ? (
        <p class="empty">{t("connecting")}</p>
      ) : (
        <>
          <OneRound key={`${round.event} ${round.number}`} round={round} tables={tables} />
          <Office round={round} next={Math.max(...(rounds ?? []).map((one) => one.number)) + 1} />
        </>
      )}
    </main>
  );
}

/** An event without rounds gets its first. */
function FirstRound({ event }: { event: string }) {
  const [open, set] = useState(false);
  return (
    <>
      <button type="button" class="main" onClick={() => set(true)}>
        {t("import")}
      </button>
      {open ? <ImportSheet event={event} round={1} timeControl="" close={() => set(false)} /> : null}
    </>
  );
}

function OneRound({ round, tables }: { round: Round; tables: ReadonlyMap<number, ArbiterTable> }) {
  const { event, number } = round;
  const own = round.pairings.flatMap(({ table }) => {
    const found = tables.get(table);
    // Another round's game may still be played there.
    return found?.hall?.event === event && found.hall.round === number ? [found] : [];
  });
  const about = { n: number, event: round.event };
  // Tables where a game of another round is not over block only their own pairing.
  const blocked = round.state === RoundState.PREPARED ? [] : round.pairings.filter(({ game }) => game === "").map(({ table }) => table);
  const [announces, announce] = useState(false);
  const answered = (
    label: Key,
    call: "armRound" | "endRound",
  ) =>
    void act(t(label, about), null, (api, { requestId, options }) => api[call]({ requestId, event, round: number }, options));
  return (
    <>
      <p class="round-state" role="status">
        <b>{t("round.n", { n: number })}</b>
        <span>{t(STATES[round.state])}</span>
        <span>{round.timeControl}</span>
        <span>{t("round.games", { n: round.pairings.length })}</span>
      </p>
      <button type="button" onClick={() => announce(true)}>
        {t("announcement")}
      </button>
      {announces ? <Announcement event={event} round={number} close={() => announce(false)} /> : null}
      {round.state === RoundState.PREPARED ? (
        <section>
          <p class="help">{t("round.arm.help")}</p>
          <button
            type="button"
            class="main"
            disabled={maySeeOnly()}
            onClick={() => answered("act.arm", "armRound")}
          >
            {t("round.arm")}
          </button>
        </section>
      ) : null}
      {blocked.length === 0 ? null : (
        <section>
          <h2>
            {t("round.blocked")} <span class="count">{blocked.length}</span>
          </h2>
          <p class="help">{t("round.blocked.help")}</p>
          <ul class="walk">
            {blocked.map((table) => (
              <li key={table}>
                <a class="button" href={`#/table/${table}`}>
                  <span class="number">{table}</span>
                </a>
              </li>
            ))}
          </ul>
          <button type="button" disabled={maySeeOnly()} onClick={() => answered("act.arm", "armRound")}>
            {t("round.arm.rest")}
          </button>
        </section>
      )}
      {round.state === RoundState.ARMED || round.state === RoundState.STARTED ? <NotBegun round={round} tables={own} /> : null}
      {round.state === RoundState.ARMED ? <Ready round={round} tables={own} /> : null}
      {round.state === RoundState.STARTED ? (
        <Playing round={round} tables={own} end={() => answered("act.end", "endRound")} />
      ) : null}
    </>
  );
}

/** What an arbiter reads out: the regulations, in whole sentences. */
function Announcement({ event, round, close }: { event: string; round: number; close: () => void }) {
  const text = useAnnouncement(event, round);
  return (
    <Sheet title={t("announcement")} close={close}>
      {text === null ? <p class="help">{t("connecting")}</p> : <p class="announcement">{text}</p>}
    </Sheet>
  );
}

const troubleWords = (table: ArbiterTable): string =>
  troublesOf(table)
    .map((trouble) => named("ready", trouble))
    .join(" · ");

function Ready({ round, tables }: { round: Round; tables: readonly ArbiterTable[] }) {
  const waiting = tables.filter((table) => troublesOf(table).length > 0);
  const [left, setLeft] = useState<number | null>(null);
  const { event, number } = round;
  useEffect(() => {
    if (left === null) return;
    const timer = setTimeout(() => {
      if (left > 1) return setLeft(left - 1);
      setLeft(null);
      void act(t("act.start", { n: number, event }), null, (api, { requestId, options }) =>
        api.startRound({ requestId, event, round: number, tables: [] }, options),
      );
    }, 1_000);
    return () => clearTimeout(timer);
  }, [left]);
  return (
    <>
      <section>
        <p class="round-state" role="status">
          <b>{t("round.ready", { n: tables.length - waiting.length, of: tables.length })}</b>
        </p>
        {waiting.length === 0 ? null : (
          <Walk tables={waiting} who={false} note={troubleWords} label={t("round.walk")} />
        )}
      </section>
      <Presence tables={tables} />
      <section>
        {left === null ? (
          <Held label={t("round.start")} disabled={maySeeOnly()} done={() => setLeft(COUNTDOWN_S)} />
        ) : (
          <>
            <p class="countdown" role="timer" aria-live="assertive">
              {left}
            </p>
            <button type="button" class="danger" onClick={() => setLeft(null)}>
              {t("round.start.stop")}
            </button>
          </>
        )}
      </section>
    </>
  );
}

/** Tables that have their game and were not called: of a round that goes on, one by one. */
function NotBegun({ round, tables }: { round: Round; tables: readonly ArbiterTable[] }) {
  const waiting = round.state === RoundState.STARTED ? tables.filter((table) => stateOf(table) === "armed") : [];
  if (waiting.length === 0) return null;
  const numbers = waiting.map(({ hall }) => hall?.table ?? 0);
  return (
    <section>
      <h2>
        {t("round.not.begun")} <span class="count">{waiting.length}</span>
      </h2>
      <Walk tables={waiting} note={troubleWords} />
      <Held
        label={t("round.start.these", { n: waiting.length })}
        disabled={maySeeOnly()}
        done={() =>
          void act(t("act.start", { n: round.number, event: round.event }), null, (api, { requestId, options }) =>
            api.startRound({ requestId, event: round.event, round: round.number, tables: numbers }, options),
          )
        }
      />
    </section>
  );
}

/** Everybody is taken to be present unless he is marked absent; defaults are found only for those (6.7). */
function Presence({ tables }: { tables: readonly ArbiterTable[] }) {
  const [given, set] = useState("");
  const table = tables.find(({ hall }) => String(hall?.table) === given);
  const absent = tables.flatMap((table) => {
    const found: { table: ArbiterTable; side: Side }[] = [];
    if (table.game?.absentWhite) found.push({ table, side: "white" });
    if (table.game?.absentBlack) found.push({ table, side: "black" });
    return found;
  });
  const mark = (table: ArbiterTable, side: Side, present: boolean) => {
    const number = table.hall?.table ?? 0;
    const what = `${sideName(side)}: ${t(present ? "present" : "absent")}`;
    void act(t("act.presence", { table: number, what }), number, (api, { requestId, options }) =>
      api.setPresence({ requestId, table: number, who: colorOf(side), present }, options),
    );
  };
  const nameOf = (table: ArbiterTable, side: Side) => playerName(side === "white" ? table.hall?.white : table.hall?.black);
  if (maySeeOnly()) return null;
  return (
    <section aria-labelledby="presence">
      <h2 id="presence">
        {t("presence.absent")} <span class="count">{absent.length}</span>
      </h2>
      <form class="slip" onSubmit={(event) => event.preventDefault()}>
        <label class="field">
          <span>{t("table")}</span>
          <input
            type="text"
            inputMode="numeric"
            autocomplete="off"
            value={given}
            onInput={(event) => set(event.currentTarget.value.replace(/\D/g, "").slice(0, 5))}
          />
        </label>
        <p class="slip-who" role="status">
          {given === "" ? t("presence.help") : table ? "" : t("slip.none")}
        </p>
        <div class="choices pair" role="group" aria-label={t("presence.who")}>
          {SIDES.map((side) => (
            <button
              type="button"
              key={side}
              disabled={!table}
              onClick={() => {
                if (table) mark(table, side, false);
                set("");
              }}
            >
              {table ? nameOf(table, side) : sideName(side)}: {t("absent")}
            </button>
          ))}
        </div>
      </form>
      {absent.length === 0 ? null : (
        <ul class="plain">
          {absent.map(({ table, side }) => (
            <li key={`${table.hall?.table} ${side}`} class="absent">
              <span>
                <b>{table.hall?.table}</b> {nameOf(table, side)}
              </span>
              <button type="button" onClick={() => mark(table, side, true)}>
                {t("presence.come")}
              </button>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function Playing({ round, tables, end }: { round: Round; tables: readonly ArbiterTable[]; end: () => void }) {
  const { playing, missing, disputed, over } = finishOf(tables.filter((table) => stateOf(table) !== "armed"));
  const left = round.pairings.length - over.length - disputed.filter((table) => stateOf(table) === "over").length;
  return (
    <>
      <section>
        <p class="round-state" role="status">
          <b>{t("round.over", { n: round.pairings.length - left, of: round.pairings.length })}</b>
        </p>
        <Slip tables={tables} />
      </section>
      <TableList title="round.missing" tables={missing} />
      <TableList title="round.disputed" tables={disputed} note={(table) => (isAppealed(table) ? t("appeal.open") : (table.game?.items[0] ? itemTitle(table.game.items[0]) : ""))} />
      {left === 0 ? (
        <>
          {disputed.length > 0 ? <p class="help">{t("round.end.disputed")}</p> : null}
          <button type="button" class="main" disabled={maySeeOnly()} onClick={end}>
            {t("round.end")}
          </button>
        </>
      ) : null}
      <TableList title="round.still" tables={playing} />
      <Presence tables={tables.filter((table) => stateOf(table) !== "over")} />
    </>
  );
}

function TableList({ title, tables, note }: { title: Key; tables: readonly ArbiterTable[]; note?: (table: ArbiterTable) => string }) {
  if (tables.length === 0) return null;
  return (
    <section>
      <h2>
        {t(title)} <span class="count">{tables.length}</span>
      </h2>
      <Walk tables={tables} note={note} />
    </section>
  );
}

const SLIPS: readonly { value: string; label: string }[] = [
  { value: "1-0", label: "1–0" },
  { value: "1/2-1/2", label: "½–½" },
  { value: "0-1", label: "0–1" },
];

/** Results from paper slips: the table's number, and one tap. */
function Slip({ tables }: { tables: readonly ArbiterTable[] }) {
  const [given, set] = useState("");
  const table = tables.find(({ hall }) => String(hall?.table) === given);
  const over = table !== undefined && stateOf(table) === "over";
  if (maySeeOnly()) return null;
  return (
    <form class="slip" onSubmit={(event) => event.preventDefault()}>
      <label class="field">
        <span>{t("table")}</span>
        <input
          type="text"
          inputMode="numeric"
          autocomplete="off"
          value={given}
          onInput={(event) => set(event.currentTarget.value.replace(/\D/g, "").slice(0, 5))}
        />
      </label>
      <p class="slip-who" role="status">
        {table ? (
          <>
            <b>
              {playerName(table.hall?.white)} – {playerName(table.hall?.black)}
            </b>{" "}
            {over ? table.game?.result : ""}
          </>
        ) : given === "" ? (
          t("slip.help")
        ) : (
          t("slip.none")
        )}
      </p>
      <div class="choices" role="group" aria-label={t("result")}>
        {SLIPS.map(({ value, label }) => (
          <button
            type="button"
            key={value}
            disabled={!table || over}
            onClick={() => {
              const number = table?.hall?.table ?? 0;
              const revision = table?.game?.revision ?? 0n;
              const game = table?.hall?.game ?? "";
              const reason = t("slip.reason");
              set("");
              const errand = { kind: "result" as const, table: number, result: value, reason, revision: String(revision), game };
              void send(t("act.result", { table: number, result: label }), errand);
            }}
          >
            {label}
          </button>
        ))}
      </div>
    </form>
  );
}
