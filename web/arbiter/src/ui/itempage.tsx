// One item: what happened, by which article, the evidence, and what is proposed with its effect, before anything is confirmed.

import { useEffect, useRef, useState } from "preact/hooks";
import { act, go, maySeeOnly, useSecond, useTable } from "../app";
import { PromotionPiece } from "../gen/flagfall/arbiter/v1/arbiter_pb";
import type { ArbiterTable, Item } from "../gen/flagfall/arbiter/v1/table_pb";
import type { Move } from "../gen/flagfall/feed/v1/table_pb";
import { hallNow } from "../hub/time";
import { differences, placementAfter, type StartAt } from "../chess/replay";
import { named, t, type Key } from "../words";
import { Board } from "./board";
import { AcceptSheet, MaskSheet, SidesSheet, turnSides, WithoutBoardSheet } from "./boardtools";
import { Current } from "./current";
import { asksScoresheets, ScoresheetFlow } from "./scoresheets";
import { Icon } from "./icon";
import { Tags, Taken } from "./hall";
import { lastOf, moveName, MoveList } from "./moves";
import { Articles, Before, Fact, Facts, itemSteps, itemTitle, itemWhat, Orders, pairing, place, type Changes } from "./parts";
import { Choices, Reason, Sheet } from "./sheet";
import { AdjustSheet, DismissSheet, MoveSheet, PenaliseSheet, PIECES, RestoreSheet, ResultSheet } from "./sheets";
import { Since } from "./ticker";
import { pause, resume } from "./tablepage";

type Otherwise = "result" | "penalise" | "adjust" | "restore" | "move";
/** What a board is helped with. */
type Tool = "accept" | "mask" | "without" | "sides" | "sheets";

const OTHERWISE: Readonly<Record<Otherwise, { words: Key; sheet: typeof ResultSheet }>> = {
  result: { words: "result", sheet: ResultSheet },
  penalise: { words: "penalise", sheet: PenaliseSheet },
  adjust: { words: "adjust", sheet: AdjustSheet },
  restore: { words: "restore", sheet: RestoreSheet },
  move: { words: "move.enter", sheet: MoveSheet },
};

const TOOLS = { accept: AcceptSheet, mask: MaskSheet, without: WithoutBoardSheet, sides: SidesSheet } as const;

/** A proposal that changes under the thumb is not confirmed by the same tap. */
const CHANGED_FOR_MS = 1_500;

/** Whether this has changed just now, while it was looked at. */
function useJustChanged(value: bigint | undefined): boolean {
  const seen = useRef(value);
  const [changed, set] = useState(false);
  if (value !== undefined && seen.current === undefined) seen.current = value;
  const differs = value !== undefined && value !== seen.current;
  useEffect(() => {
    if (!differs) return;
    seen.current = value;
    set(true);
    const timer = setTimeout(() => set(false), CHANGED_FOR_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return differs || changed;
}

/** Evidence that is shown as a board, or is for the page only. */
const DRAWN = new Set(["claimed", "before", "after", "position", "board", "occurrences", "squares", "move"]);

export function ItemPage({ number, item: wanted }: { number: number; item: bigint }) {
  const { table, whole } = useTable(number);
  const [sheet, setSheet] = useState<Otherwise | Tool | "otherwise" | "dismiss" | null>(null);
  const [reason, setReason] = useState("");
  const [piece, setPiece] = useState<PromotionPiece | null>(null);
  useSecond();
  const item = table?.game?.items.find((item) => item.number === wanted);
  // The steps go on to their end, also when the item has been ruled on with their last.
  const flow = useRef<Item | null>(null);
  if (sheet === "sheets" && item) flow.current = item;
  const justChanged = useJustChanged(item?.revision);
  const steps =
    sheet === "sheets" && table && flow.current ? <ScoresheetFlow table={table} item={flow.current} close={() => setSheet(null)} key="flow" /> : null;
  if (!table || !item) {
    return (
      <main class="page item-page">
        {steps}
        <p class="empty">{table ? t("item.gone") : t("connecting")}</p>
        <p>
          <a class="button" href={`#/table/${number}`}>
            {t("to.table", { table: number })}
          </a>
        </p>
      </main>
    );
  }
  const close = () => setSheet(null);
  const { effect } = item;
  const changes: Changes = {
    whiteAdd: Number(effect?.whiteAddMs ?? 0),
    blackAdd: Number(effect?.blackAddMs ?? 0),
    whiteSet: effect?.whiteSetMs === undefined ? null : Number(effect.whiteSetMs),
    blackSet: effect?.blackSetMs === undefined ? null : Number(effect.blackSetMs),
  };
  const promotion = item.kind === "promotion";
  const Opened = sheet === null ? null : sheet in OTHERWISE ? OTHERWISE[sheet as Otherwise].sheet : sheet in TOOLS ? TOOLS[sheet as keyof typeof TOOLS] : null;
  const picture = ["board-disagrees", "order-unknown", "moves-missing"].includes(item.kind);
  return (
    <main class="page item-page" aria-label={itemTitle(item)}>
      {steps}
      <div class="table-head">
        <h2>
          <a class="number" href={`#/table/${number}`} aria-label={t("to.table", { table: number })}>
            {number}
          </a>
          <span>
            {itemTitle(item)} <Since ms={item.sinceMs} />
          </span>
        </h2>
        <span class="table-place">
          {pairing(table)} · {place(table)}
        </span>
      </div>
      <section class={item.certain ? "finding" : "finding suspected"}>
        {itemWhat(item).map((sentence) => (
          <p class="what" key={sentence}>
            {sentence}
          </p>
        ))}
        <p class="item-foot">
          <Articles articles={item.articles} />
          <Tags item={item} />
          <Taken table={table} item={item} />
        </p>
        {item.certain ? null : <p class="help">{t("suspected.help")}</p>}
      </section>
      <section class="proposed" aria-labelledby="proposed">
        <h2 id="proposed">{t("proposed")}</h2>
        {justChanged ? (
          <p class="note" role="alert">
            {t("proposal.changed")}
          </p>
        ) : null}
        <Steps steps={itemSteps(item)} />
        {(item.explanation?.notes ?? []).length > 0 ? (
          <ul class="item-notes">
            {item.explanation?.notes.map((note) => (
              <li key={note}>{note}</li>
            ))}
          </ul>
        ) : null}
        {effect?.result && !item.explanation ? <p class="effect-result">{t("effect.result", { result: effect.result })}</p> : null}
        {effect?.newGame && !item.explanation ? <p>{t("effect.new.game")}</p> : null}
        {effect?.mustPlay && !item.explanation ? <p>{t("effect.must.play", { what: effect.mustPlay })}</p> : null}
        <Before table={table} now={hallNow()} changes={changes} />
        {effect?.keepPlies === undefined || item.explanation ? null : <ToSet table={table} keep={effect.keepPlies} whole={whole} />}
        {promotion ? (
          <Choices
            label={t("promotion.piece")}
            chosen={piece}
            choose={setPiece}
            choices={PIECES.map(({ value, words }) => ({ value, label: t(words) }))}
          />
        ) : null}
        {maySeeOnly() ? null : (
          <>
            <Reason value={reason} set={setReason} />
            <div class="decide">
              <button
                type="button"
                class="main"
                disabled={justChanged || (promotion && piece === null)}
                onClick={() => {
                  void act(t("act.confirm", { table: number, what: itemTitle(item) }), number, (api, { requestId, options }) =>
                    api.confirmItem(
                      {
                        requestId,
                        reason,
                        table: number,
                        item: item.number,
                        itemRevision: item.revision,
                        promotion: piece ?? PromotionPiece.UNSPECIFIED,
                      },
                      options,
                    ),
                  );
                }}
              >
                <Icon name="check" /> {t("confirm")}
              </button>
              <button type="button" onClick={() => setSheet("otherwise")}>
                {t("otherwise")}
              </button>
              <button type="button" onClick={() => setSheet("dismiss")}>
                {t("dismiss")}
              </button>
            </div>
            {picture ? (
              <div class="choices" role="group" aria-label={t("board")}>
                <button type="button" onClick={() => setSheet("move")}>{t("move.enter")}</button>
                <button type="button" onClick={() => setSheet("accept")}>{t("accept")}</button>
                <button type="button" onClick={() => setSheet("mask")}>{t("mask")}</button>
                <button type="button" onClick={() => setSheet("without")}>{t("without.board")}</button>
              </div>
            ) : null}
            {item.kind === "wrong-clock" && table.clockDevice ? (
              <button type="button" onClick={() => turnSides([table], "clock")}>{t("sides.clock")}</button>
            ) : null}
            {asksScoresheets(table, item) ? (
              <button type="button" onClick={() => setSheet("sheets")}>{t("sheets.open")}</button>
            ) : null}
          </>
        )}
      </section>
      {item.kind === "claim-threefold" && !maySeeOnly() ? <ClaimedMoves table={table} item={item} /> : null}
      <Orders table={table} />
      <EvidenceOf table={table} item={item} whole={whole} />
      <p>
        <a class="button" href={`#/table/${number}`}>
          {t("to.table", { table: number })}
        </a>
      </p>
      {Opened ? (
        <Current table={table} close={close} key={sheet}>
          <Opened table={table} close={close} />
        </Current>
      ) : null}
      {sheet === "dismiss" ? <DismissSheet table={table} item={item} close={close} /> : null}
      {sheet === "otherwise" ? (
        <Sheet title={t("otherwise.title", { table: number })} close={close}>
          <p class="help">{t("otherwise.help")}</p>
          <div class="choices">
            <button type="button" onClick={() => { pause(number); close(); }}><Icon name="pause" /> {t("pause")}</button>
            <button type="button" onClick={() => { resume(number); close(); }}><Icon name="on" /> {t("resume")}</button>
            {(Object.keys(OTHERWISE) as Otherwise[]).map((name) => (
              <button type="button" key={name} onClick={() => setSheet(name)}>
                {t(OTHERWISE[name].words)}
              </button>
            ))}
            <button type="button" onClick={() => go(`#/table/${number}`)}>{t("to.table", { table: number })}</button>
          </div>
        </Sheet>
      ) : null}
    </main>
  );
}

/** The claimant's move numbers; what the record says of each is for the arbiter alone (9.2.3). */
function ClaimedMoves({ table, item }: { table: ArbiterTable; item: Item }) {
  const said = item.evidence.find(({ key }) => key === "claimed")?.value ?? "";
  const checked = said.split(" ").filter((part) => part !== "").map((part) => part.split(":"));
  const [given, set] = useState(checked.map(([number]) => number).join(" "));
  const number = table.hall?.table ?? 0;
  const moves = given.split(/[^0-9]+/).filter((part) => part !== "").map(Number);
  return (
    <section class="claimed" aria-labelledby="claimed">
      <h2 id="claimed">{t("claimed")}</h2>
      <p class="help">{t("claimed.help")}</p>
      <div class="claimed-entry">
        <label class="field">
          <span>{t("claimed.moves")}</span>
          <input type="text" inputMode="numeric" autocomplete="off" maxLength={60} placeholder="24 30 36" value={given} onInput={(event) => set(event.currentTarget.value)} />
        </label>
        <button
          type="button"
          disabled={moves.length === 0}
          onClick={() =>
            void act(t("act.claimed", { table: number }), number, (api, { requestId, options }) =>
              api.enterClaimedMoves({ requestId, table: number, item: item.number, moves }, options),
            )
          }
        >
          {t("claimed.check")}
        </button>
      </div>
      {checked.length === 0 ? null : (
        <ul class="claimed-check" aria-live="polite">
          {checked.map(([number, , stood]) => (
            <li key={number} class={stood === "yes" ? "right" : "wrong"}>
              <b>{number}</b> {t(stood === "yes" ? "claimed.yes" : "claimed.no")}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** What is to be done, in order; what a confirm carries out on the clocks among it. */
function Steps({ steps }: { steps: readonly string[] }) {
  if (steps.length < 2) return <p class="proposal">{steps[0] ?? ""}</p>;
  return (
    <ol class="proposal todo">
      {steps.map((step) => (
        <li key={step}>{step}</li>
      ))}
    </ol>
  );
}

/** The squares to be set up again, where the position is put back. */
function ToSet({ table, keep, whole }: { table: ArbiterTable; keep: number; whole: boolean }) {
  const { game } = table;
  if (!game || !whole) return null;
  const wanted = placementAfter(game.starts, game.moves, keep);
  const stands = game.sensed?.placement ?? game.fen.split(" ")[0] ?? "";
  const squares = differences(stands, wanted);
  if (squares.length === 0 || squares.length > 8) return null;
  return <p class="to-set">{t("effect.to.set", { squares: squares.join(" ") })}</p>;
}

const placementIn = (fen: string): string => fen.split(" ")[0] ?? "";

function EvidenceOf({ table, item, whole }: { table: ArbiterTable; item: Item; whole: boolean }) {
  const { game } = table;
  const found = new Map(item.evidence.map(({ key, value }) => [key, value]));
  const before = found.get("before");
  const after = found.get("after");
  const position = found.get("position");
  const picture = found.get("board");
  const squares = (found.get("squares") ?? "").split(" ").filter((square) => square !== "");
  const uci = found.get("move") ?? "";
  const made = uci.length >= 4 ? [uci.slice(0, 2), uci.slice(2, 4)] : [];
  const occurrences = (found.get("occurrences") ?? "").split(" ").filter((n) => n !== "").map(Number);
  const words = item.evidence.filter(({ key }) => !DRAWN.has(key));
  return (
    <section class="evidence" aria-labelledby="evidence">
      <h2 id="evidence">{t("evidence")}</h2>
      <div class="boards">
        {before !== undefined ? (
          <Captioned label={t("evidence.before")}>
            <Board placement={placementIn(before)} label={t("evidence.before")} last={made.slice(0, 1)} />
          </Captioned>
        ) : null}
        {after !== undefined ? (
          <Captioned label={t("evidence.after")}>
            <Board placement={placementIn(after)} label={t("evidence.after")} last={made} />
          </Captioned>
        ) : null}
        {position !== undefined ? (
          <Captioned label={t("evidence.position")}>
            <Board placement={placementIn(position)} label={t("evidence.position")} />
          </Captioned>
        ) : null}
        {item.kind === "board-disagrees" && picture !== undefined ? (
          <>
            <Captioned label={t("board.hub")}>
              <Board placement={placementIn(game?.fen ?? "")} marked={squares} label={t("board.hub")} />
            </Captioned>
            <Captioned label={t("board.sensed")}>
              <Board placement={placementIn(picture)} marked={squares} label={t("board.sensed")} />
            </Captioned>
          </>
        ) : null}
      </div>
      {occurrences.length > 0 && whole && game ? (
        <Occurrences occurrences={occurrences} moves={game.moves} starts={game.starts} />
      ) : null}
      {words.length > 0 ? (
        <Facts>
          {words.map(({ key, value }) => (
            <Fact key={key} name={named("evidence", key)}>
              {value}
            </Fact>
          ))}
        </Facts>
      ) : null}
      {whole && game && game.moves.length > 0 ? (
        <details>
          <summary>{t("clock.history")}</summary>
          <Replay moves={game.moves} starts={game.starts} />
        </details>
      ) : null}
    </section>
  );
}

function Captioned({ label, children }: { label: string; children: preact.ComponentChildren }) {
  return (
    <div class="captioned">
      <p class="caption" aria-hidden="true">
        {label}
      </p>
      {children}
    </div>
  );
}

/** The position that is claimed, each time it stood, to be clicked through. */
function Occurrences(props: { occurrences: readonly number[]; moves: readonly Move[]; starts: readonly StartAt[] }) {
  const { occurrences, moves, starts } = props;
  const [at, set] = useState(0);
  const plies = occurrences[Math.min(at, occurrences.length - 1)] ?? 0;
  return (
    <div class="occurrences">
      <Choices
        label={t("occurrences")}
        chosen={at}
        choose={set}
        choices={occurrences.map((plies, index) => ({
          value: index,
          label: `${index + 1}: ${plies === 0 ? t("start.position") : moveName(starts, moves, plies - 1)}`,
        }))}
      />
      <Board
        placement={placementAfter(starts, moves, plies)}
        last={lastOf(moves[plies - 1])}
        label={t("occurrence.n", { n: at + 1 })}
      />
    </div>
  );
}

/** The whole record, to be stepped through. */
function Replay({ moves, starts }: { moves: readonly Move[]; starts: readonly StartAt[] }) {
  const [plies, set] = useState(moves.length);
  return (
    <div class="two restore">
      <Board placement={placementAfter(starts, moves, plies)} last={lastOf(moves[plies - 1])} label={t("board.hub")} />
      <MoveList moves={moves} starts={starts} chosen={plies} choose={set} />
    </div>
  );
}
