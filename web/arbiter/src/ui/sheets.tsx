// What an arbiter can do at a table, each on a sheet of its own: everything that the API has.

import { useState } from "preact/hooks";
import { act, isChief, send, useSecond } from "../app";
import { FactKind, Observation, PromotionPiece } from "../gen/flagfall/arbiter/v1/arbiter_pb";
import type { ArbiterTable, Item } from "../gen/flagfall/arbiter/v1/table_pb";
import { Color } from "../gen/flagfall/feed/v1/table_pb";
import { hallNow } from "../hub/time";
import { numberOf as numberOfHalf, placementAfter } from "../chess/replay";
import { change, colorOf, face, keyed, other, readKeyed, sideOf, type Side, SIDES } from "../laws/clock";
import { periodsOf } from "../laws/control";
import { t, type Key } from "../words";
import { Board } from "./board";
import { MoveList, lastOf, moveName } from "./moves";
import { Before, itemWhat, playerName, sideName } from "./parts";
import { Choices, Reason, Sheet } from "./sheet";

export interface SheetProps {
  table: ArbiterTable;
  close: () => void;
}

const numberOf = (table: ArbiterTable): number => table.hall?.table ?? 0;

export const sides = (table: ArbiterTable) =>
  SIDES.map((side) => ({
    value: side,
    label: `${sideName(side)} · ${playerName(side === "white" ? table.hall?.white : table.hall?.black)}`,
  }));

const shortSides = () => SIDES.map((side) => ({ value: side, label: sideName(side) }));

const STEPS: readonly number[] = [-120_000, -60_000, -30_000, 30_000, 60_000, 120_000];

interface OneTime {
  add: number;
  set: string;
}

/** Changes and settings of both clocks (6.10). */
export function AdjustSheet({ table, close }: SheetProps) {
  useSecond();
  const [white, setWhite] = useState<OneTime>({ add: 0, set: "" });
  const [black, setBlack] = useState<OneTime>({ add: 0, set: "" });
  const [moves, setMoves] = useState("");
  const [periods, setPeriods] = useState<readonly [number | null, number | null]>([null, null]);
  const [reason, setReason] = useState("");
  const number = numberOf(table);
  const last = periodsOf(table.game?.timeControl ?? "").length;
  // What was seen when the sheet was opened: a setting rests on that.
  const [revision] = useState(table.game?.revision ?? 0n);
  const whiteSet = readKeyed(white.set);
  const blackSet = readKeyed(black.set);
  const bad = (white.set !== "" && whiteSet === null) || (black.set !== "" && blackSet === null);
  const nothing = white.add === 0 && black.add === 0 && whiteSet === null && blackSet === null && moves === "";
  const noPeriod = periods[0] === null && periods[1] === null;
  const one = (side: Side, value: OneTime, set: (value: OneTime) => void) => (
    <fieldset class="one-time">
      <legend>{sideName(side)}</legend>
      <div class="steps">
        {STEPS.map((step) => (
          <button type="button" key={step} onClick={() => set({ add: value.add + step, set: "" })}>
            {change(step)}
          </button>
        ))}
      </div>
      <div class="set-to">
        <label class="field">
          <span>{t("set.to")}</span>
          <input
            type="text"
            inputMode="decimal"
            placeholder="h:mm:ss"
            autocomplete="off"
            value={value.set}
            onInput={(event) => set({ add: 0, set: keyed(event.currentTarget.value) })}
          />
        </label>
        <output>{value.add !== 0 ? change(value.add) : readKeyed(value.set) === null ? "" : `= ${face(readKeyed(value.set) ?? 0)}`}</output>
        <button type="button" class="quiet" onClick={() => set({ add: 0, set: "" })}>
          {t("clear")}
        </button>
      </div>
    </fieldset>
  );
  return (
    <Sheet title={t("adjust.title", { table: number })} close={close}>
      <div class="two">
        {one("white", white, setWhite)}
        {one("black", black, setBlack)}
      </div>
      <label class="field">
        <span>{t("moves.completed")}</span>
        <input
          type="text"
          inputMode="numeric"
          pattern="[0-9]*"
          autocomplete="off"
          placeholder={`${table.game?.completedWhite ?? 0} / ${table.game?.completedBlack ?? 0}`}
          value={moves}
          onInput={(event) => setMoves(event.currentTarget.value.replace(/\D/g, "").slice(0, 3))}
        />
      </label>
      {last > 1 ? (
        <div class="two">
          {SIDES.map((side, index) => (
            <label class="field" key={side}>
              <span>{t("period.of", { side: sideName(side) })}</span>
              <select
                value={String(periods[index] ?? (side === "white" ? table.game?.periodWhite : table.game?.periodBlack) ?? 0)}
                onChange={(event) => {
                  const value = Number(event.currentTarget.value);
                  setPeriods(index === 0 ? [value, periods[1]] : [periods[0], value]);
                }}
              >
                {Array.from({ length: last }, (_, period) => (
                  <option value={String(period)} key={period}>
                    {t("period.n", { n: period + 1 })}
                  </option>
                ))}
              </select>
            </label>
          ))}
        </div>
      ) : null}
      <Before
        table={table}
        now={hallNow()}
        changes={{ whiteAdd: white.add, blackAdd: black.add, whiteSet, blackSet }}
      />
      <Reason value={reason} set={setReason} />
      {bad ? (
        <p class="note" role="alert">
          {t("time.unreadable")}
        </p>
      ) : null}
      <button
        type="button"
        class="main"
        disabled={bad || nothing === noPeriod}
        onClick={() => {
          if (!noPeriod) {
            const [white, black] = periods;
            void act(t("act.periods", { table: number }), number, (api, { requestId, options }) =>
              api.setPeriods(
                { requestId, reason, table: number, revision, ...(white === null ? {} : { white }), ...(black === null ? {} : { black }) },
                options,
              ),
            );
            // Times that are set rest on the revision that this changes: they are a step of their own.
            return close();
          }
          const one = ({ add }: OneTime, set: number | null) =>
            set !== null
              ? { change: { case: "setMs" as const, value: BigInt(set) } }
              : add !== 0
                ? { change: { case: "addMs" as const, value: BigInt(add) } }
                : undefined;
          const words = [
            ...(whiteSet !== null ? [`${t("white")} = ${face(whiteSet)}`] : white.add !== 0 ? [`${t("white")} ${change(white.add)}`] : []),
            ...(blackSet !== null ? [`${t("black")} = ${face(blackSet)}`] : black.add !== 0 ? [`${t("black")} ${change(black.add)}`] : []),
          ];
          const sets = whiteSet !== null || blackSet !== null || moves !== "";
          void act(t("act.adjust", { table: number, what: words.join(", ") }), number, (api, { requestId, options }) => {
            const whiteChange = one(white, whiteSet);
            const blackChange = one(black, blackSet);
            return api.adjustClocks(
              {
                requestId,
                reason,
                table: number,
                ...(sets ? { revision } : {}),
                ...(whiteChange ? { white: whiteChange } : {}),
                ...(blackChange ? { black: blackChange } : {}),
                ...(moves === "" ? {} : { movesDone: Number(moves) }),
              },
              options,
            );
          });
          close();
        }}
      >
        {t("adjust.do")}
      </button>
    </Sheet>
  );
}

const RESULTS: readonly { value: string; words: Key }[] = [
  { value: "1-0", words: "result.white" },
  { value: "1/2-1/2", words: "result.draw" },
  { value: "0-1", words: "result.black" },
  { value: "0-0", words: "result.both.lose" },
  { value: "1/2-0", words: "result.half.white" },
  { value: "0-1/2", words: "result.half.black" },
];

export function ResultSheet({ table, close }: SheetProps) {
  const [result, set] = useState<string | null>(null);
  const [reason, setReason] = useState("");
  const [revision] = useState(table.game?.revision ?? 0n);
  const [game] = useState(table.hall?.game ?? "");
  const number = numberOf(table);
  return (
    <Sheet title={t("result.title", { table: number })} close={close}>
      <Choices
        label={t("result")}
        chosen={result}
        choose={set}
        choices={RESULTS.map(({ value, words }) => ({ value, label: `${value.replaceAll("1/2", "½")}  ${t(words)}` }))}
      />
      <Reason value={reason} set={setReason} />
      <button
        type="button"
        class="main"
        disabled={result === null}
        onClick={() => {
          // It rests on this game and this revision, so it may wait for the network.
          const errand = { kind: "result" as const, table: number, result: result ?? "", reason, revision: String(revision), game };
          void send(t("act.result", { table: number, result: result ?? "" }), errand);
          close();
        }}
      >
        {t("result.do")}
      </button>
    </Sheet>
  );
}

interface Claim {
  kind: FactKind;
  words: Key;
  /** A move written down and not made can be named (9.2.1, 9.3.1). */
  intends?: boolean;
  /** Nobody's in particular. */
  both?: boolean;
}

const CLAIMS: readonly Claim[] = [
  { kind: FactKind.CLAIMED_ILLEGAL_MOVE, words: "claim.illegal.move" },
  { kind: FactKind.CLAIMED_FLAG, words: "claim.flag" },
  { kind: FactKind.CLAIMED_THREEFOLD, words: "claim.threefold", intends: true },
  { kind: FactKind.CLAIMED_FIFTY_MOVES, words: "claim.fifty", intends: true },
  { kind: FactKind.DRAW_OFFERED, words: "claim.draw.offered" },
  { kind: FactKind.DRAW_ACCEPTED, words: "claim.draw.accepted" },
  { kind: FactKind.DRAW_DECLINED, words: "claim.draw.declined" },
  { kind: FactKind.DRAW_AGREED, words: "claim.draw.agreed", both: true },
  { kind: FactKind.CORRECTION_AGREED, words: "claim.correction", both: true },
  { kind: FactKind.RESIGNED, words: "claim.resigned" },
  { kind: FactKind.ARRIVED, words: "claim.arrived" },
];

/** What is no fact of the record but the arbiter's to rule on: it is written down, and the ruling follows. */
const NOTED: readonly { words: Key; article: string }[] = [{ words: "claim.touch", article: "4.3" }];

/** What a player claims, says or does at the table. */
export function ClaimSheet({ table, close }: SheetProps) {
  const [claim, setClaim] = useState<Claim | null>(null);
  const [noted, setNoted] = useState<(typeof NOTED)[number] | null>(null);
  const [text, setText] = useState("");
  const [by, setBy] = useState<Side | null>(null);
  const [intends, setIntends] = useState("");
  const number = numberOf(table);
  const ready = noted !== null ? by !== null : claim !== null && (claim.both === true || by !== null);
  const revision = table.game?.revision ?? 0n;
  return (
    <Sheet title={t("claim.title", { table: number })} close={close}>
      <Choices label={t("claim.by")} chosen={by} choose={setBy} choices={sides(table)} />
      <Choices
        label={t("claim.what")}
        chosen={claim}
        choose={(claim) => {
          setClaim(claim);
          setNoted(null);
        }}
        choices={CLAIMS.map((claim) => ({ value: claim, label: t(claim.words) }))}
      />
      <Choices
        label={t("claim.noted")}
        chosen={noted}
        choose={(noted) => {
          setNoted(noted);
          setClaim(null);
        }}
        choices={NOTED.map((noted) => ({ value: noted, label: `${t(noted.words)} (${noted.article})` }))}
      />
      {noted === null ? null : (
        <label class="field">
          <span>{t("claim.touch.what")}</span>
          <input type="text" autocomplete="off" maxLength={300} value={text} onInput={(event) => setText(event.currentTarget.value)} />
        </label>
      )}
      {claim?.kind === FactKind.DRAW_AGREED ? <p class="help">{t("claim.draw.early")}</p> : null}
      {claim?.intends ? (
        <label class="field">
          <span>{t("claim.intends")}</span>
          <input
            type="text"
            autocomplete="off"
            autocapitalize="none"
            spellcheck={false}
            maxLength={10}
            placeholder={t("claim.intends.none")}
            value={intends}
            onInput={(event) => setIntends(event.currentTarget.value.trim())}
          />
        </label>
      ) : null}
      <p class="help">{noted === null ? t("claim.help") : t("claim.touch.help")}</p>
      <button
        type="button"
        class="main"
        disabled={!ready}
        onClick={() => {
          const who = by === null ? "" : sideName(by);
          if (noted !== null) {
            const words = `${who}: ${t(noted.words)} (${noted.article}). ${text.trim()}`.trim();
            void act(t("act.claim", { table: number, what: t(noted.words), who }), number, (api, { requestId, options }) =>
              api.addNote({ requestId, table: number, text: words, revision }, options),
            );
            close();
            return;
          }
          if (claim === null) return;
          void act(t("act.claim", { table: number, what: t(claim.words), who }), number, (api, { requestId, options }) =>
            api.enterFact(
              {
                requestId,
                table: number,
                kind: claim.kind,
                by: by === null ? Color.UNSPECIFIED : colorOf(by),
                intends: claim.intends ? intends : "",
              },
              options,
            ),
          );
          close();
        }}
      >
        {t("claim.do")}
      </button>
    </Sheet>
  );
}

type PenaltyKind = "warning" | "add" | "take" | "loss";

const PENALTIES: readonly { value: PenaltyKind; words: Key }[] = [
  { value: "warning", words: "penalty.warning" },
  { value: "add", words: "penalty.add" },
  { value: "take", words: "penalty.take" },
  { value: "loss", words: "penalty.loss" },
];

const PENALTY_TIMES: readonly number[] = [30_000, 60_000, 120_000, 300_000];

/** A penalty of 12.9. */
export function PenaliseSheet({ table, close }: SheetProps) {
  useSecond();
  const [of, setOf] = useState<Side | null>(null);
  const [kind, setKind] = useState<PenaltyKind | null>(null);
  const [ms, setMs] = useState(120_000);
  const [reason, setReason] = useState("");
  const [revision] = useState(table.game?.revision ?? 0n);
  const number = numberOf(table);
  const timed = kind === "add" || kind === "take";
  const changes = { whiteAdd: 0, blackAdd: 0 };
  if (of !== null && kind === "add") changes[other(of) === "white" ? "whiteAdd" : "blackAdd"] = ms;
  if (of !== null && kind === "take") changes[of === "white" ? "whiteAdd" : "blackAdd"] = -ms;
  return (
    <Sheet title={t("penalise.title", { table: number })} close={close}>
      <Choices label={t("penalise.whom")} chosen={of} choose={setOf} choices={sides(table)} />
      <Choices
        label={t("penalty")}
        chosen={kind}
        choose={setKind}
        choices={PENALTIES.map(({ value, words }) => ({ value, label: t(words) }))}
      />
      {timed ? (
        <Choices
          label={t("how.much")}
          chosen={ms}
          choose={setMs}
          choices={PENALTY_TIMES.map((ms) => ({ value: ms, label: change(ms).slice(1) }))}
        />
      ) : null}
      <Before table={table} now={hallNow()} changes={changes} />
      <Reason value={reason} set={setReason} />
      <button
        type="button"
        class={kind === "loss" ? "main danger" : "main"}
        disabled={of === null || kind === null}
        onClick={() => {
          if (of === null || kind === null) return;
          const penalty =
            kind === "warning"
              ? { case: "warning" as const, value: {} }
              : kind === "add"
                ? { case: "addTimeMs" as const, value: BigInt(ms) }
                : kind === "take"
                  ? { case: "takeTimeMs" as const, value: BigInt(ms) }
                  : { case: "loss" as const, value: {} };
          const words = PENALTIES.find(({ value }) => value === kind)?.words ?? "penalty";
          const what = `${sideName(of)}: ${t(words)}${timed ? ` ${change(ms).slice(1)}` : ""}`;
          void act(t("act.penalise", { table: number, what }), number, (api, { requestId, options }) =>
            api.penalise(
              {
                requestId,
                reason,
                table: number,
                ...(kind === "loss" ? { revision } : {}),
                of: colorOf(of),
                penalty: { kind: penalty },
              },
              options,
            ),
          );
          close();
        }}
      >
        {t("penalise.do")}
      </button>
    </Sheet>
  );
}

const OBSERVATIONS: readonly { value: Observation; words: Key; side: boolean }[] = [
  { value: Observation.FLAG, words: "seen.flag", side: true },
  { value: Observation.ILLEGAL_MOVE, words: "seen.illegal.move", side: true },
  { value: Observation.TWO_HANDS, words: "seen.two.hands", side: true },
  { value: Observation.ILLEGAL_POSITION, words: "seen.illegal.position", side: false },
  { value: Observation.COLOURS_REVERSED, words: "seen.colours", side: false },
  { value: Observation.WRONG_SETUP, words: "seen.setup", side: false },
  { value: Observation.WRONG_CLOCK, words: "seen.clock", side: false },
  { value: Observation.DEVICE, words: "seen.device", side: true },
];

/** The arbiter has seen it himself. */
export function ObserveSheet({ table, close }: SheetProps) {
  const [seen, setSeen] = useState<(typeof OBSERVATIONS)[number] | null>(null);
  const [of, setOf] = useState<Side | null>(null);
  const [reason, setReason] = useState("");
  const number = numberOf(table);
  return (
    <Sheet title={t("seen.title", { table: number })} close={close}>
      <Choices
        label={t("seen.what")}
        chosen={seen}
        choose={setSeen}
        choices={OBSERVATIONS.map((seen) => ({ value: seen, label: t(seen.words) }))}
      />
      {seen?.side ? <Choices label={t("seen.whose")} chosen={of} choose={setOf} choices={sides(table)} /> : null}
      <Reason value={reason} set={setReason} />
      <button
        type="button"
        class="main"
        disabled={seen === null || (seen.side && of === null)}
        onClick={() => {
          if (seen === null) return;
          void act(t("act.seen", { table: number, what: t(seen.words) }), number, (api, { requestId, options }) =>
            api.observe(
              {
                requestId,
                reason,
                table: number,
                what: seen.value,
                of: seen.side && of !== null ? colorOf(of) : Color.UNSPECIFIED,
              },
              options,
            ),
          );
          close();
        }}
      >
        {t("seen.do")}
      </button>
    </Sheet>
  );
}

/** The position is put back by picking the move after which the game goes on; times stay. */
export function RestoreSheet({ table, close, plies }: SheetProps & { plies?: number }) {
  const { game } = table;
  const moves = game?.moves ?? [];
  const starts = game?.starts ?? [];
  const [keep, setKeep] = useState(plies ?? Math.max(0, moves.length - 1));
  const [fen, setFen] = useState("");
  const [reason, setReason] = useState("");
  const [revision] = useState(game?.revision ?? 0n);
  const number = numberOf(table);
  const byFen = fen.trim() !== "";
  return (
    <Sheet title={t("restore.title", { table: number })} close={close}>
      <p class="help">{t("restore.help")}</p>
      <div class="two restore">
        <Board
          placement={byFen ? fen.trim() : placementAfter(starts, moves, keep)}
          last={byFen ? [] : lastOf(moves[keep - 1])}
          label={t("restore.board")}
        />
        <MoveList moves={moves} starts={starts} chosen={keep} choose={setKeep} />
      </div>
      <label class="field">
        <span>{t("restore.fen")}</span>
        <input
          type="text"
          autocomplete="off"
          spellcheck={false}
          maxLength={120}
          value={fen}
          onInput={(event) => setFen(event.currentTarget.value)}
        />
      </label>
      <Reason value={reason} set={setReason} />
      <button
        type="button"
        class="main"
        onClick={() => {
          const what = byFen ? "FEN" : t("restore.after", { move: moves[keep - 1]?.san ?? t("start.position") });
          void act(t("act.restore", { table: number, what }), number, (api, { requestId, options }) =>
            api.restorePosition(
              {
                requestId,
                reason,
                table: number,
                revision,
                to: byFen ? { case: "fen", value: fen.trim() } : { case: "keepPlies", value: keep },
              },
              options,
            ),
          );
          close();
        }}
      >
        {byFen ? t("restore.do.fen") : t("restore.do", { move: moves[keep - 1]?.san ?? t("start.position") })}
      </button>
    </Sheet>
  );
}

const PIECES: readonly { value: PromotionPiece; letter: string; words: Key }[] = [
  { value: PromotionPiece.QUEEN, letter: "q", words: "queen" },
  { value: PromotionPiece.ROOK, letter: "r", words: "rook" },
  { value: PromotionPiece.BISHOP, letter: "b", words: "bishop" },
  { value: PromotionPiece.KNIGHT, letter: "n", words: "knight" },
];

/** Moves of a scoresheet as they are written, without their numbers. */
export function movesOf(text: string): string[] {
  return text
    .replace(/\d+\s*(?:\.+|…)/g, " ")
    .split(/\s+/)
    .filter((word) => word !== "" && !/^(?:1-0|0-1|1\/2-1\/2|½-½|\*)$/.test(word));
}

/** A move entered by two taps on the board, or one or more as they are written; also instead of an earlier one. */
export function MoveSheet({ table, close, plies }: SheetProps & { plies?: number }) {
  const { game } = table;
  const [made, setMade] = useState("");
  const [piece, setPiece] = useState("q");
  const [reason, setReason] = useState("");
  /** The half-move that is mended, from 1; 0: the next one is entered. */
  const [mended, setMended] = useState(plies ?? 0);
  const [revision] = useState(game?.revision ?? 0n);
  const number = numberOf(table);
  const moves = game?.moves ?? [];
  const starts = game?.starts ?? [];
  const placement = mended > 0 ? placementAfter(starts, moves, mended - 1) : ((game?.fen ?? "").split(" ")[0] ?? "");
  const promotes = /^[a-h][27][a-h][18]$/.test(made) && isPawnOn(placement, made.slice(0, 2));
  const move = promotes ? made + piece : made;
  const written = movesOf(move);
  const several = written.length > 1;
  const side = mended > 0 ? (numberOfHalf(starts, mended - 1).white ? "white" : "black") : (sideOf(game?.turn) ?? "white");
  return (
    <Sheet title={t("move.title", { table: number })} close={close}>
      {moves.length === 0 ? null : (
        <label class="field">
          <span>{t("move.which")}</span>
          <select
            value={String(mended)}
            onChange={(event) => {
              setMended(Number(event.currentTarget.value));
              setMade("");
            }}
          >
            <option value="0">{t("move.next")}</option>
            {moves
              .map((_, index) => index)
              .reverse()
              .map((index) => (
                <option value={String(index + 1)} key={index}>
                  {t("move.mend", { move: moveName(starts, moves, index) })}
                </option>
              ))}
          </select>
        </label>
      )}
      <p class="help">{mended > 0 ? t("move.mend.help") : t("move.help", { side: sideName(side) })}</p>
      <Board
        placement={placement}
        last={lastOf(mended > 0 ? moves[mended - 2] : moves[moves.length - 1])}
        label={t("move.board")}
        onMove={(from, to) => setMade(from + to)}
      />
      {promotes ? (
        <Choices
          label={t("promotion.piece")}
          chosen={piece}
          choose={setPiece}
          choices={PIECES.map(({ letter, words }) => ({ value: letter, label: t(words) }))}
        />
      ) : null}
      <label class="field">
        <span>{mended > 0 ? t("move") : t("move.or.more")}</span>
        <input
          type="text"
          autocomplete="off"
          autocapitalize="none"
          spellcheck={false}
          maxLength={mended > 0 ? 10 : 1_000}
          placeholder={mended > 0 ? "Nf3" : "Nf3, 12. Nf3 Nf6 13. g3"}
          value={made}
          onInput={(event) => setMade(event.currentTarget.value)}
        />
      </label>
      <Reason value={reason} set={setReason} />
      <button
        type="button"
        class="main"
        disabled={written.length === 0 || (several && mended > 0)}
        onClick={() => {
          const label = t("act.move", { table: number, move: several ? `${written[0]} … (${written.length})` : (written[0] ?? "") });
          if (mended > 0) {
            void act(label, number, (api, { requestId, options }) =>
              api.mendMove({ requestId, reason, table: number, revision, ply: mended, move: written[0] ?? "" }, options),
            );
          } else if (several) {
            // One after the other, each on what the one before has made; the first that is refused is the last.
            void act(label, number, async (api, { requestId, options }) => {
              let now = revision;
              let answer: Awaited<ReturnType<typeof api.enterMove>> | undefined;
              for (const [index, move] of written.entries()) {
                answer = await api.enterMove({ requestId: `${requestId}/${index}`, reason, table: number, revision: now, move }, options);
                now = answer.receipt?.revision ?? now + 1n;
              }
              return answer ?? {};
            });
          } else {
            void act(label, number, (api, { requestId, options }) =>
              api.enterMove({ requestId, reason, table: number, revision, move: written[0] ?? "" }, options),
            );
          }
          close();
        }}
      >
        {mended > 0 ? t("move.mend.do") : several ? t("move.do.more", { n: written.length }) : t("move.do")}
      </button>
    </Sheet>
  );
}

function isPawnOn(placement: string, square: string): boolean {
  const row = (placement.split("/")[8 - Number(square[1])] ?? "").replace(/\d/g, (n) => ".".repeat(Number(n)));
  return /p/i.test(row[square.charCodeAt(0) - 97] ?? "");
}

export function PresenceSheet({ table, close }: SheetProps) {
  const [who, setWho] = useState<Side | null>(null);
  const [present, setPresent] = useState<boolean | null>(null);
  const [reason, setReason] = useState("");
  const number = numberOf(table);
  return (
    <Sheet title={t("presence.title", { table: number })} close={close}>
      <Choices label={t("presence.who")} chosen={who} choose={setWho} choices={sides(table)} />
      <Choices
        label={t("presence")}
        chosen={present}
        choose={setPresent}
        choices={[
          { value: true, label: t("present") },
          { value: false, label: t("absent") },
        ]}
      />
      <Reason value={reason} set={setReason} />
      <button
        type="button"
        class="main"
        disabled={who === null || present === null}
        onClick={() => {
          if (who === null || present === null) return;
          const what = `${sideName(who)}: ${t(present ? "present" : "absent")}`;
          void act(t("act.presence", { table: number, what }), number, (api, { requestId, options }) =>
            api.setPresence({ requestId, reason, table: number, who: colorOf(who), present }, options),
          );
          close();
        }}
      >
        {t("presence.do")}
      </button>
    </Sheet>
  );
}

/** Something for the record that changes nothing. */
export function NoteSheet({ table, close }: SheetProps) {
  const [text, setText] = useState("");
  const [revision] = useState(table.game?.revision ?? 0n);
  const [game] = useState(table.hall?.game ?? "");
  const number = numberOf(table);
  return (
    <Sheet title={t("note.title", { table: number })} close={close}>
      <label class="field">
        <span>{t("note.text")}</span>
        <textarea rows={4} maxLength={1000} value={text} onInput={(event) => setText(event.currentTarget.value)} />
      </label>
      <button
        type="button"
        class="main"
        disabled={text.trim() === ""}
        onClick={() => {
          const errand = { kind: "note" as const, table: number, text: text.trim(), revision: String(revision), game };
          void send(t("act.note", { table: number }), errand);
          close();
        }}
      >
        {t("note.do")}
      </button>
    </Sheet>
  );
}

/** Chief arbiter: back to the last moment before the end. */
export function ReopenSheet({ table, close }: SheetProps) {
  const [reason, setReason] = useState("");
  const [revision] = useState(table.game?.revision ?? 0n);
  const number = numberOf(table);
  return (
    <Sheet title={t("reopen.title", { table: number })} close={close}>
      <p class="help">{isChief() ? t("reopen.help") : t("reopen.not.you")}</p>
      <Reason value={reason} set={setReason} />
      <button
        type="button"
        class="main danger"
        disabled={!isChief()}
        onClick={() => {
          void act(t("act.reopen", { table: number }), number, (api, { requestId, options }) =>
            api.reopenGame({ requestId, reason, table: number, revision }, options),
          );
          close();
        }}
      >
        {t("reopen.do")}
      </button>
    </Sheet>
  );
}

/** Dropping an item, with the reason for the record. */
export function DismissSheet({ table, close, item }: SheetProps & { item: Item }) {
  const [reason, setReason] = useState("");
  const number = numberOf(table);
  const common: readonly Key[] = ["dismiss.adjusted", "dismiss.mistake", "dismiss.settled", "dismiss.not.claimed"];
  return (
    <Sheet title={t("dismiss.title", { table: number })} close={close}>
      <p>{itemWhat(item).join(" ")}</p>
      <div class="choices" role="group" aria-label={t("reason")}>
        {common.map((key) => (
          <button type="button" key={key} aria-pressed={reason === t(key)} onClick={() => setReason(t(key))}>
            {t(key)}
          </button>
        ))}
      </div>
      <Reason value={reason} set={setReason} placeholder={t("reason.needed")} />
      <button
        type="button"
        class="main"
        disabled={reason.trim() === ""}
        onClick={() => {
          void act(t("act.dismiss", { table: number }), number, (api, { requestId, options }) =>
            api.dismissItem(
              { requestId, reason, table: number, item: item.number, itemRevision: item.revision },
              options,
            ),
          );
          close();
        }}
      >
        {t("dismiss.do")}
      </button>
    </Sheet>
  );
}

export { PIECES, shortSides };
