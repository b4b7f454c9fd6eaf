// Stop everything: a fire alarm, a power cut (6.11.1). One held button, and then which clocks have not stopped.

import { useEffect, useRef, useState } from "preact/hooks";
import { act, maySeeOnly, useSecond, useStore } from "../app";
import { OrderStatus, type ArbiterTable } from "../gen/flagfall/arbiter/v1/table_pb";
import { stateOf } from "../hall/urgency";
import { change, sideOf } from "../laws/clock";
import { t } from "../words";
import { filter } from "./hall";
import { isStopping } from "./parts";
import { Choices, Reason } from "./sheet";
import { Walk } from "./walk";

const HOLD_MS = 1_000;
/** Whoever has called it can still take it back for so long. */
const COUNTDOWN_S = 5;
/** Time for both players alike, for what the interruption cost them. */
const MORE: readonly number[] = [0, 60_000, 120_000, 300_000];

/** The clock was told to stop and cannot, or did not answer. */
function stopByHand(table: ArbiterTable): boolean {
  const byHand = (status: OrderStatus) => status === OrderStatus.BY_HAND || status === OrderStatus.REFUSED;
  return table.game?.orders.some(({ what, status }) => what.case === "stop" && byHand(status)) ?? false;
}

function stopWords(table: ArbiterTable): string {
  return t(stopByHand(table) ? "order.by.hand" : isStopping(table) ? "order.stopping" : "stop.still.running");
}

interface Part {
  key: string;
  label: string;
  has: (table: ArbiterTable) => boolean;
}

export function StopPage() {
  const { tables } = useStore();
  useSecond();
  const [reason, setReason] = useState("");
  /** A stop was asked for here: clocks that still run have not confirmed it. */
  const [stopped, setStopped] = useState(false);
  const [more, setMore] = useState(0);
  const [left, setLeft] = useState<number | null>(null);
  /** The tables that were meant when the countdown began. */
  const meantNow = useRef<number[]>([]);
  const [chosen, choose] = useState(filter.event !== "" ? `event ${filter.event}` : "hall");
  const all = [...tables.values()];
  const parts: Part[] = [{ key: "hall", label: t("stop.hall"), has: () => true }];
  const events = new Map(all.flatMap(({ hall }) => (hall && hall.event !== "" ? [[hall.event, hall.eventName || hall.event]] : [])));
  if (events.size > 1) {
    for (const [id, name] of events) parts.push({ key: `event ${id}`, label: name, has: ({ hall }) => hall?.event === id });
  }
  const sectors = [...new Set(all.map(({ sector }) => sector))].filter((sector) => sector !== "").sort();
  if (sectors.length > 1) {
    for (const sector of sectors) {
      parts.push({ key: `sector ${sector}`, label: t("sector.n", { n: sector }), has: (table) => table.sector === sector });
    }
  }
  const part = parts.find(({ key }) => key === chosen) ?? parts[0];
  const meant = all.filter((table) => part?.has(table) ?? false);
  const playing = meant.filter((table) => stateOf(table) === "playing" || stateOf(table) === "paused");
  const running = playing.filter((table) => sideOf(table.game?.clocks?.running) !== null);
  const standing = playing.filter((table) => sideOf(table.game?.clocks?.running) === null);
  // Told to stop and not known to have: its answer is missing, or it is to be done by hand.
  const unconfirmed = playing.filter((table) => isStopping(table) || stopByHand(table) || (stopped && sideOf(table.game?.clocks?.running) !== null));
  useEffect(() => {
    if (left === null) return;
    const timer = setTimeout(() => {
      if (left > 1) return setLeft(left - 1);
      setLeft(null);
      setStopped(false);
      const tables = meantNow.current;
      void act(t("act.resume.all", { what: part?.label ?? "", n: tables.length }), null, (api, { requestId, options }) =>
        api.resumeTables({ requestId, reason, tables, addMs: BigInt(more) }, options),
      );
    }, 1_000);
    return () => clearTimeout(timer);
  }, [left]);
  const numbers = (some: readonly ArbiterTable[]) =>
    some.map((table) => table.hall?.table ?? 0).sort((a, b) => a - b);
  return (
    <main class="page stop">
      <h2>{t("stop.everything")}</h2>
      {parts.length > 5 ? (
        <label class="field">
          <span>{t("stop.what")}</span>
          <select value={part?.key ?? ""} onChange={(event) => choose(event.currentTarget.value)}>
            {parts.map(({ key, label }) => (
              <option value={key} key={key}>
                {label}
              </option>
            ))}
          </select>
        </label>
      ) : parts.length > 1 ? (
        <div class="choices" role="group" aria-label={t("stop.what")}>
          {parts.map(({ key, label }) => (
            <button type="button" key={key} aria-pressed={part?.key === key} onClick={() => choose(key)}>
              {label}
            </button>
          ))}
        </div>
      ) : null}
      <Reason value={reason} set={setReason} placeholder={t("stop.reason")} />
      <Held
        label={t("stop.hold", { n: running.length })}
        danger
        disabled={running.length === 0 || maySeeOnly()}
        done={() => {
          setStopped(true);
          void act(t("act.stop", { what: part?.label ?? "", n: running.length }), null, (api, { requestId, options }) =>
            api.pauseTables({ requestId, reason, tables: numbers(running) }, options),
          );
        }}
      />
      <p class="help" role="status">
        {t("stop.state", { running: running.length, standing: standing.length })}
      </p>
      {unconfirmed.length === 0 ? null : (
        <section>
          <h2>
            {t("stop.unconfirmed")} <span class="count">{unconfirmed.length}</span>
          </h2>
          <p class="help">{t("stop.unconfirmed.help")}</p>
          <Walk tables={unconfirmed} note={stopWords} />
        </section>
      )}
      {standing.length > 0 && unconfirmed.length === 0 && stopped ? (
        <p class="all-stand" role="status">
          {t("stop.all.stand", { n: standing.length })}
        </p>
      ) : null}
      {standing.length > 0 ? (
        <section>
          <h2>{t("stop.resume.title")}</h2>
          <Choices<number>
            label={t("stop.more")}
            chosen={more}
            choose={setMore}
            choices={MORE.map((ms) => ({ value: ms, label: ms === 0 ? t("stop.more.none") : t("stop.more.each", { time: change(ms) }) }))}
          />
          {left === null ? (
            <Held
              label={t("stop.resume", { n: standing.length })}
              disabled={maySeeOnly()}
              done={() => {
                meantNow.current = numbers(standing);
                setLeft(COUNTDOWN_S);
              }}
            />
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
      ) : null}
    </main>
  );
}

/** A button that acts when it has been held for a second, by finger, mouse or key. */
export function Held({ label, done, danger, disabled }: { label: string; done: () => void; danger?: boolean; disabled?: boolean }) {
  const [held, set] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);
  const release = () => {
    if (timer.current !== null) clearTimeout(timer.current);
    timer.current = null;
    set(false);
  };
  const press = () => {
    if (timer.current !== null || disabled) return;
    set(true);
    timer.current = setTimeout(() => {
      release();
      done();
    }, HOLD_MS);
  };
  useEffect(() => release, []);
  return (
    <button
      type="button"
      class={`held${danger ? " danger" : " main"}${held ? " holding" : ""}`}
      disabled={disabled ?? false}
      onPointerDown={press}
      onPointerUp={release}
      onPointerLeave={release}
      onPointerCancel={release}
      onContextMenu={(event) => event.preventDefault()}
      onKeyDown={(event) => {
        if (event.key === " " || event.key === "Enter") {
          event.preventDefault();
          press();
        }
      }}
      onKeyUp={release}
      onBlur={release}
    >
      <span class="fill" aria-hidden="true" />
      <span>{label}</span>
    </button>
  );
}
