// After a flag in a period that is counted in moves: the steps of 8.5 and 8.6, one by one, with a page for the record.

import { useEffect, useRef, useState } from "preact/hooks";
import { act, me, useSecond } from "../app";
import type { ArbiterTable, Item } from "../gen/flagfall/arbiter/v1/table_pb";
import { hallNow } from "../hub/time";
import { face, other, sideOf, SIDES, timeOf, type Side } from "../laws/clock";
import { periodsOf } from "../laws/control";
import { clockTime, dayTime, t, type Key } from "../words";
import { Board } from "./board";
import { moveName, written } from "./moves";
import { pairing, place, playerName, sideName } from "./parts";
import { Choices, Sheet } from "./sheet";
import { Fact, Facts } from "./parts";
import { pause } from "./tablepage";

type Writers = "both" | "white" | "black" | "nobody";

const WRITERS: readonly { value: Writers; words: Key }[] = [
  { value: "both", words: "sheets.both" },
  { value: "white", words: "sheets.only.white" },
  { value: "black", words: "sheets.only.black" },
  { value: "nobody", words: "sheets.nobody" },
];

/** What is to be done by whom did not write: 8.5.2 where one did, 8.5.1 where neither did. */
function steps(writers: Writers): readonly { words: Key; article: string }[] {
  switch (writers) {
    case "both":
      return [{ words: "sheets.step.compare", article: "8.5" }];
    case "white":
    case "black":
      return [{ words: "sheets.step.one", article: "8.5.2" }];
    case "nobody":
      return [
        { words: "sheets.step.stop", article: "8.5.1" },
        { words: "sheets.step.arbiter", article: "8.5.1" },
      ];
  }
}

/** The moves that the period asks for, those of earlier periods with them. */
function required(control: string, period: number): number {
  const moves = periodsOf(control).slice(0, period + 1).map((one) => one.moves ?? 0);
  return moves.reduce((sum, one) => sum + one, 0);
}

interface Frozen {
  at: Date;
  white: string;
  black: string;
  running: string;
  placement: string;
  fen: string;
  completed: readonly [number, number];
  /** The last move of the record, with its number. */
  last: string;
}

/** 8.5.3: the position, the clock times, whose clock was running and the number of moves, before anything is reconstructed. */
function frozen(table: ArbiterTable): Frozen {
  const { game } = table;
  const clocks = game?.clocks;
  const shows = (side: Side) => (clocks ? face(timeOf(clocks, side, hallNow()).ms) : "–");
  const running = sideOf(clocks?.running);
  return {
    at: new Date(),
    white: shows("white"),
    black: shows("black"),
    running: running === null ? t("sheets.stand") : sideName(running),
    placement: (game?.fen ?? "").split(" ")[0] ?? "",
    fen: game?.fen ?? "",
    completed: [game?.completedWhite ?? 0, game?.completedBlack ?? 0],
    last: game && game.moves.length > 0 ? moveName(game.starts, game.moves, game.moves.length - 1) : "",
  };
}

/** Whether the flow is for this item: a flag, where moves were to be made. */
export function asksScoresheets(table: ArbiterTable, item: Item): boolean {
  const { game } = table;
  const of = sideOf(item.of);
  if (!game || item.kind !== "flag" || of === null) return false;
  return required(game.timeControl, 0) > 0 && item.evidence.some(({ key, value }) => key === "moves missing" && value !== "");
}

export function ScoresheetFlow({ table, item, close }: { table: ArbiterTable; item: Item; close: () => void }) {
  useSecond();
  const of = sideOf(item.of) ?? "white";
  const { game } = table;
  const number = table.hall?.table ?? 0;
  // What stood there when the flow was begun.
  const [then] = useState(() => frozen(table));
  const [flagged] = useState(item);
  const [writers, setWriters] = useState<Writers | null>(null);
  const [rebuilt, setRebuilt] = useState<boolean | null>(null);
  const [moves, setMoves] = useState("");
  /** Up to which move White's and Black's scoresheets go. */
  const [until, setUntil] = useState<readonly [string, string]>(["", ""]);
  const [words, setWords] = useState("");
  const [ruled, setRuled] = useState<string | null>(null);
  const [paper, setPaper] = useState(false);
  const earlier = flagged.effect?.result ? 0 : 1;
  const period = Math.max(0, (of === "white" ? game?.periodWhite : game?.periodBlack) ?? 0);
  const counted = of === "white" ? then.completed[0] : then.completed[1];
  const missing = Number(flagged.evidence.find(({ key }) => key === "moves missing")?.value ?? 0);
  const needed = missing > 0 ? counted + missing : required(game?.timeControl ?? "", Math.max(0, period - earlier));
  const shown = moves === "" ? null : Number(moves);
  const enough = rebuilt === false || (shown !== null && shown >= needed);
  const stands = sideOf(game?.clocks?.running) === null;
  const open = game?.items.find((known) => known.number === flagged.number);
  const upTo = (side: Side): string => {
    const number = until[side === "white" ? 0 : 1];
    return number === "" ? "" : t("sheets.until.is", { side: sideName(side), n: number });
  };
  const summary = (): string =>
    [
      t("sheets.record", { side: sideName(of), time: clockTime(then.at) }),
      `${t("sheets.writers")}: ${t(WRITERS.find(({ value }) => value === writers)?.words ?? "sheets.both")}`,
      `${t("sheets.clocks")}: ${then.white} / ${then.black}, ${t("sheets.running")}: ${then.running}`,
      `${t("sheets.position")}: ${then.fen}`,
      `${t("moves.completed")}: ${then.completed[0]} / ${then.completed[1]}`,
      then.last === "" ? "" : `${t("sheets.last")}: ${then.last}`,
      ...SIDES.map(upTo),
      rebuilt === false ? t("sheets.cannot") : t("sheets.shown", { n: moves, of: needed }),
      words.trim(),
    ]
      .filter((line) => line !== "")
      .join("; ")
      .slice(0, 1_900);
  const rule = (overstepped: boolean) => {
    if (!open) return;
    const reason = summary();
    setRuled(overstepped ? t("sheets.overstepped") : rebuilt === false ? t("sheets.next.period") : t("sheets.in.time"));
    const label = t("act.sheets", { table: number });
    void act(label, number, (api, { requestId, options }) =>
      overstepped
        ? api.confirmItem({ requestId, reason, table: number, item: open.number, itemRevision: open.revision, promotion: 0 }, options)
        : api.dismissItem({ requestId, reason, table: number, item: open.number, itemRevision: open.revision }, options),
    );
  };
  return (
    <Sheet title={t("sheets.title", { table: number, side: sideName(of) })} close={close}>
      <ol class="flow">
        <li>
          <h3>{t("sheets.writers.ask")} <span class="article">{t("article", { n: "8.4" })}</span></h3>
          <Choices label={t("sheets.writers")} chosen={writers} choose={setWriters} choices={WRITERS.map(({ value, words }) => ({ value, label: t(words) }))} />
        </li>
        {writers === null ? null : (
          <li>
            <h3>{t("sheets.now")}</h3>
            {steps(writers).map(({ words, article }) => (
              <p key={words}>
                {t(words)} <span class="article">{t("article", { n: article })}</span>
              </p>
            ))}
            {writers === "both" || stands ? null : (
              <button type="button" onClick={() => pause(number)}>{t("pause")}</button>
            )}
            <p class="help">{stands ? t("sheets.stand") : t("sheets.still.running")}</p>
          </li>
        )}
        {writers === null ? null : (
          <li>
            <h3>{t("sheets.frozen", { time: clockTime(then.at) })} <span class="article">{t("article", { n: "8.5.3" })}</span></h3>
            <div class="two">
              <Board placement={then.placement} label={t("sheets.position")} />
              <Facts>
                <Fact name={t("white")}>{then.white}</Fact>
                <Fact name={t("black")}>{then.black}</Fact>
                <Fact name={t("sheets.running")}>{then.running}</Fact>
                <Fact name={t("moves.completed")}>{then.completed[0]} / {then.completed[1]}</Fact>
                <Fact name={t("sheets.needed")}>{needed}</Fact>
                {then.last === "" ? null : <Fact name={t("sheets.last")}>{then.last}</Fact>}
              </Facts>
            </div>
          </li>
        )}
        {writers === null ? null : (
          <li>
            <h3>{t("sheets.until.ask")} <span class="article">{t("article", { n: writers === "nobody" ? "8.5.1" : "8.5.2" })}</span></h3>
            <div class="two">
              {SIDES.map((side, index) => {
                const number = until[index] ?? "";
                const lacks = number === "" ? "" : written(game?.starts ?? [], game?.moves ?? [], Number(number) + 1);
                return (
                  <label class="field" key={side}>
                    <span>{t("sheets.until", { side: sideName(side) })}</span>
                    <input
                      type="text"
                      inputMode="numeric"
                      autocomplete="off"
                      value={number}
                      onInput={(event) => {
                        const text = event.currentTarget.value.replace(/\D/g, "").slice(0, 3);
                        setUntil(index === 0 ? [text, until[1]] : [until[0], text]);
                      }}
                    />
                    {lacks === "" ? null : (
                      <small role="status" class="lacks">
                        {t("sheets.lacks")} {lacks}
                      </small>
                    )}
                  </label>
                );
              })}
            </div>
          </li>
        )}
        {writers === null ? null : (
          <li>
            <h3>{t("sheets.rebuilt.ask")} <span class="article">{t("article", { n: "8.5.3" })}</span></h3>
            <Choices
              label={t("sheets.rebuilt.ask")}
              chosen={rebuilt}
              choose={setRebuilt}
              choices={[
                { value: true, label: t("sheets.rebuilt") },
                { value: false, label: t("sheets.not.rebuilt") },
              ]}
            />
            {rebuilt !== true ? null : (
              <label class="field">
                <span>{t("sheets.moves.of", { side: sideName(of) })}</span>
                <input
                  type="text"
                  inputMode="numeric"
                  autocomplete="off"
                  value={moves}
                  onInput={(event) => setMoves(event.currentTarget.value.replace(/\D/g, "").slice(0, 3))}
                />
              </label>
            )}
          </li>
        )}
        {rebuilt === false || shown !== null ? (
          <li>
            <h3>
              {enough ? t(rebuilt === false ? "sheets.next.period" : "sheets.in.time") : t("sheets.overstepped")}{" "}
              <span class="article">{t("article", { n: rebuilt === false ? "8.6" : enough ? "6.4" : "6.9" })}</span>
            </h3>
            <p class="help">{enough ? t("sheets.in.time.help") : t("sheets.overstepped.help", { side: sideName(other(of)) })}</p>
            <label class="field">
              <span>{t("reason")}</span>
              <textarea rows={2} maxLength={400} value={words} onInput={(event) => setWords(event.currentTarget.value)} />
            </label>
            {ruled !== null ? (
              <p role="status">
                <b>{ruled}</b>
              </p>
            ) : !open ? (
              <p class="note">{t("item.gone")}</p>
            ) : (
              <button type="button" class={enough ? "main" : "main danger"} onClick={() => rule(!enough)}>
                {enough ? t("sheets.rule.in.time") : t("sheets.rule.overstepped")}
              </button>
            )}
            <button type="button" onClick={() => setPaper(true)}>{t("sheets.print")}</button>
          </li>
        ) : null}
      </ol>
      {paper ? (
        <Paper
          title={t("sheets.paper")}
          lines={[
            [t("table"), `${number} · ${place(table)}`],
            [t("sheets.players"), pairing(table)],
            [t("sheets.made"), `${dayTime(then.at)} · ${me()}`],
            [t("sheets.flag.of"), `${sideName(of)} · ${playerName(of === "white" ? table.hall?.white : table.hall?.black)}`],
            [t("time.control"), game?.timeControl ?? ""],
            [t("sheets.writers"), t(WRITERS.find(({ value }) => value === writers)?.words ?? "sheets.both")],
            [t("sheets.clocks"), SIDES.map((side) => `${sideName(side)} ${then[side]}`).join(", ")],
            [t("sheets.running"), then.running],
            [t("sheets.position"), then.fen],
            [t("moves.completed"), `${then.completed[0]} / ${then.completed[1]}`],
            [t("sheets.needed"), String(needed)],
            [t("sheets.last"), then.last],
            [t("sheets.until.ask"), SIDES.map(upTo).filter((line) => line !== "").join(", ")],
            [t("sheets.rebuilt.ask"), rebuilt === false ? t("sheets.cannot") : t("sheets.shown", { n: moves, of: needed })],
            [t("sheets.ruling"), ruled ?? (enough ? t("sheets.in.time") : t("sheets.overstepped"))],
            [t("reason"), words],
          ]}
          close={() => setPaper(false)}
        />
      ) : null}
    </Sheet>
  );
}

/** A page to print: what was found and ruled, with lines to sign. Nothing but text comes into it. */
function Paper({ title, lines, close }: { title: string; lines: readonly (readonly [string, string])[]; close: () => void }) {
  const frame = useRef<HTMLIFrameElement>(null);
  useEffect(() => {
    const page = frame.current?.contentDocument;
    if (!page) return;
    page.documentElement.lang = document.documentElement.lang;
    page.title = title;
    const add = (parent: Element, tag: string, text = "") => {
      const made = page.createElement(tag);
      made.textContent = text;
      parent.append(made);
      return made;
    };
    page.body.replaceChildren();
    add(page.body, "h1", title);
    const list = add(page.body, "dl");
    for (const [name, value] of lines) {
      add(list, "dt", name);
      add(list, "dd", value === "" ? "–" : value);
    }
    for (const who of ["white", "black", "role.arbiter"] as const) add(page.body, "p", `${t(who)}: ______________________________`);
  }, []);
  return (
    <Sheet title={title} close={close}>
      <button type="button" class="main" onClick={() => frame.current?.contentWindow?.print()}>
        {t("record.print")}
      </button>
      <iframe class="record-page" ref={frame} title={title} />
    </Sheet>
  );
}
