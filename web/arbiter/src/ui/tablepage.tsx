// One table: board, clocks, record, devices, rulings, and everything that can be done there.

import { useState } from "preact/hooks";
import { act, isChief, maySeeOnly, useFreeDevices, useSecond, useTable } from "../app";
import { AppealOutcome, Online, type ArbiterTable, type DeviceHealth, type Ruling } from "../gen/flagfall/arbiter/v1/table_pb";
import { hallNow } from "../hub/time";
import { stateOf } from "../hall/urgency";
import { placementAfter } from "../chess/replay";
import { movesToControl, needNotWrite, periodsOf } from "../laws/control";
import { change, other, sideOf, timeOf, type Side } from "../laws/clock";
import { named, t, type Key } from "../words";
import { heardAgo } from "../words/heard";
import { Appeals, AppealSheet } from "./appeal";
import { Board } from "./board";
import { AcceptSheet, MaskSheet, SidesSheet, WithoutBoardSheet } from "./boardtools";
import { Current } from "./current";
import { RecordSheet } from "./record";
import { Icon } from "./icon";
import { Tags, Taken } from "./hall";
import { stateWords } from "./rows";
import { lastOf, moveName, MoveList } from "./moves";
import { Articles, Fact, Facts, effectShort, isStopping, itemTitle, itemWhat, Orders, place, PlayerName, sideName, when } from "./parts";
import { Choices, Sheet } from "./sheet";
import {
  AdjustSheet,
  ClaimSheet,
  MoveSheet,
  NoteSheet,
  ObserveSheet,
  PenaliseSheet,
  PresenceSheet,
  ReopenSheet,
  RestoreSheet,
  ResultSheet,
} from "./sheets";
import { Face, Since } from "./ticker";

type SheetName = "resume" | "swap" | "note" | "appeal" | "accept" | "mask" | "without" | "sides" | "adjust" | "result" | "claim" | "penalise" | "observe" | "restore" | "move" | "presence" | "reopen" | "more";

const SHEETS: Readonly<Record<Exclude<SheetName, "more">, typeof AdjustSheet>> = {
  resume: ResumeSheet,
  swap: SwapSheet,
  adjust: AdjustSheet,
  result: ResultSheet,
  claim: ClaimSheet,
  penalise: PenaliseSheet,
  observe: ObserveSheet,
  restore: RestoreSheet,
  move: MoveSheet,
  presence: PresenceSheet,
  note: NoteSheet,
  reopen: ReopenSheet,
  appeal: AppealSheet,
  accept: AcceptSheet,
  mask: MaskSheet,
  without: WithoutBoardSheet,
  sides: SidesSheet,
};

export function TablePage({ number }: { number: number }) {
  const { table, rulings, whole } = useTable(number);
  const [plies, setPlies] = useState<number | null>(null);
  const [sheet, setSheet] = useState<SheetName | null>(null);
  const [turned, setTurned] = useState(false);
  const [sensors, setSensors] = useState(false);
  const [record, setRecord] = useState(false);
  useSecond();
  if (!table) {
    return (
      <main class="page table">
        <p class="empty">{t("no.such.table", { table: number })}</p>
      </main>
    );
  }
  const { game } = table;
  const state = stateOf(table);
  const moves = whole ? (game?.moves ?? []) : [];
  const starts = game?.starts ?? [];
  const last = moves.length;
  const shown = plies === null ? last : Math.min(plies, last);
  const live = plies === null || shown === last;
  const differs = game?.sensed?.differs ?? [];
  const placement = sensors && game?.sensed
    ? game.sensed.placement
    : live || !whole
      ? ((game?.fen ?? table.hall?.fen ?? "").split(" ")[0] ?? "")
      : placementAfter(starts, moves, shown);
  const close = () => setSheet(null);
  const Open = sheet === null || sheet === "more" ? null : SHEETS[sheet];
  const orientation: Side = turned ? "black" : "white";
  return (
    <main class={`page table ${state}`} aria-label={t("table.n", { n: number })}>
      <div class="table-head">
        <h2>
          <span class="number">{number}</span>
          <span class="table-place">{place(table)}</span>
        </h2>
        <span class={`state ${state}`}>
          {stateWords(state, game?.result ?? "")}
          {game?.termination ? ` · ${game.terminationText || named("termination", game.termination)}` : ""}
          {game?.appeals.some(({ outcome }) => outcome === AppealOutcome.UNSPECIFIED) ? ` · ${t("appeal.provisional")}` : ""}
        </span>
      </div>
      {game?.parked ? (
        <p class="note" role="alert">
          {t("parked")} <bdi>{game.parked}</bdi>
        </p>
      ) : null}
      <div class="table-board">
        <PlayerStrip table={table} side={other(orientation)} />
        <Board
          placement={placement}
          orientation={orientation}
          last={sensors ? [] : live ? lastOf(game?.moves[game.moves.length - 1]) : lastOf(moves[shown - 1])}
          marked={sensors || live ? differs : []}
          label={sensors ? t("board.sensed") : live ? t("board.hub") : t("board.after", { move: moveName(starts, moves, shown - 1) })}
        />
        <PlayerStrip table={table} side={orientation} />
        <div class="stepper" role="group" aria-label={t("step")}>
          <button type="button" aria-label={t("step.first")} disabled={shown === 0} onClick={() => setPlies(0)}><Icon name="first" /></button>
          <button type="button" aria-label={t("step.back")} disabled={shown === 0} onClick={() => setPlies(shown - 1)}><Icon name="back" /></button>
          <span class="step-at">{shown === 0 ? t("start.position") : moveName(starts, moves, shown - 1)}</span>
          <button type="button" aria-label={t("step.on")} disabled={live} onClick={() => setPlies(shown + 1 >= last ? null : shown + 1)}><Icon name="on" /></button>
          <button type="button" aria-label={t("step.last")} disabled={live} onClick={() => setPlies(null)}><Icon name="last" /></button>
          <button type="button" aria-label={t("turn.board")} aria-pressed={turned} onClick={() => setTurned(!turned)}><Icon name="turn" /></button>
        </div>
        {game?.sensed ? (
          <div class="sensed" role="group" aria-label={t("board.which")}>
            <button type="button" aria-pressed={!sensors} onClick={() => setSensors(false)}>{t("board.hub")}</button>
            <button type="button" aria-pressed={sensors} onClick={() => setSensors(true)}>{t("board.sensed")}</button>
            {maySeeOnly() || (differs.length === 0 && game.masked.length === 0) ? null : (
              <>
                {differs.length > 0 ? <button type="button" onClick={() => setSheet("accept")}>{t("accept")}</button> : null}
                <button type="button" onClick={() => setSheet("mask")}>{t("mask")}</button>
                <button type="button" onClick={() => setSheet("without")}>{t("without.board")}</button>
              </>
            )}
            <span class={differs.length > 0 ? "sensed-note differs" : "sensed-note"} role="status">
              {differs.length > 0 ? t("board.differs", { squares: differs.join(" ") }) : t("board.agrees")}
            </span>
          </div>
        ) : game ? (
          <p class="help">
            {game.withoutBoard ? t("board.given.up") : t("board.none")}{" "}
            {game.withoutBoard && !maySeeOnly() ? (
              <button type="button" onClick={() => setSheet("without")}>{t("with.board.do")}</button>
            ) : null}
          </p>
        ) : null}
      </div>
      <div class="table-side">
        <TableItems table={table} />
        <Actions table={table} open={setSheet} />
        <Orders table={table} />
        <State table={table} />
        <section class="record">
          <h2>{t("moves")}</h2>
          {whole ? (
            <MoveList moves={moves} starts={starts} chosen={shown} choose={(n) => setPlies(n === last ? null : n)} />
          ) : (
            <p class="empty">{t("connecting")}</p>
          )}
        </section>
        <Devices table={table} swap={() => setSheet("swap")} />
        <Appeals table={table} />
        <Rulings rulings={rulings} />
        {maySeeOnly() ? null : (
          <button type="button" class="print" onClick={() => setRecord(true)}>
            {t("print")}
          </button>
        )}
      </div>
      {Open ? (
        <Current table={table} close={close} key={sheet}>
          <Open table={table} close={close} {...((sheet === "restore" || sheet === "move") && !live ? { plies: shown } : {})} />
        </Current>
      ) : null}
      {record ? <RecordSheet table={number} close={() => setRecord(false)} /> : null}
      {sheet === "more" ? <MoreSheet table={table} close={close} open={setSheet} /> : null}
    </main>
  );
}

function PlayerStrip({ table, side }: { table: ArbiterTable; side: Side }) {
  const { hall, game } = table;
  const white = side === "white";
  const player = white ? hall?.white : hall?.black;
  const clocks = game?.clocks ?? hall?.clocks;
  const notes: string[] = [];
  if (game) {
    const period = white ? game.periodWhite : game.periodBlack;
    const completed = white ? game.completedWhite : game.completedBlack;
    const left = movesToControl(game.timeControl, period, completed);
    if (left !== null) notes.push(t("moves.to.control", { n: left }));
    const illegal = white ? game.illegalWhite : game.illegalBlack;
    if (illegal > 0) notes.push(t("illegal.moves", { n: illegal }));
    if (white ? game.absentWhite : game.absentBlack) notes.push(t("absent"));
    if (sideOf(game.drawOffer) === side) notes.push(t("offers.draw"));
    if (game.mustPlay !== "" && sideOf(game.turn) === side) notes.push(t("must.play", { what: game.mustPlay }));
    if (clocks && stateOf(table) === "playing" && needNotWrite(game.timeControl, period, timeOf(clocks, side, hallNow()).ms)) {
      notes.push(t("need.not.write"));
    }
  }
  const about = [player?.rating ? String(player.rating) : "", player?.federation ?? "", player?.team ?? ""];
  return (
    <div class={`strip ${side}`}>
      <span class={`disc ${side}`} aria-hidden="true" />
      <span class="strip-who">
        <PlayerName player={player} />
        <small>{about.filter((part) => part !== "").join(" · ")}</small>
        {notes.length > 0 ? <small class="strip-notes">{notes.join(" · ")}</small> : null}
      </span>
      <Face clocks={clocks} side={side} stopping={isStopping(table)} />
    </div>
  );
}

function TableItems({ table }: { table: ArbiterTable }) {
  const items = table.game?.items ?? [];
  if (items.length === 0) return null;
  const number = table.hall?.table ?? 0;
  return (
    <section class="table-items" aria-label={t("waiting")}>
      <ul class="items">
        {items.map((item) => (
          <li key={String(item.number)} class={item.certain ? "item" : "item suspected"}>
            <a href={`#/table/${number}/item/${item.number}`}>
              <span class="item-words">
                <span class="item-head">
                  <b>{itemTitle(item)}</b>
                  <Since ms={item.sinceMs} />
                </span>
                <span class="what">{itemWhat(item).join(" ")}</span>
                {effectShort(item) === "" ? null : <span class="proposal">→ {effectShort(item)}</span>}
              </span>
            </a>
            <span class="item-foot">
              <Tags item={item} />
              <Taken table={table} item={item} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Pausing and going on need no sheet: it is one tap. */
export function pause(table: number): void {
  void act(t("act.pause", { table }), table, (api, { requestId, options }) => api.pauseGame({ requestId, table }, options));
}

export function resume(table: number): void {
  void act(t("act.resume", { table }), table, (api, { requestId, options }) => api.resumeGame({ requestId, table }, options));
}

/** The board is not as it should be: it is set right first, or the arbiter knows better. */
function ResumeSheet({ table, close }: { table: ArbiterTable; close: () => void }) {
  const number = table.hall?.table ?? 0;
  const { game } = table;
  const differs = game?.sensed?.differs ?? [];
  return (
    <Sheet title={t("resume.title", { table: number })} close={close}>
      <p class="note">
        {differs.length > 0 ? t("resume.differs", { squares: differs.join(" ") }) : t("board.agrees")}
      </p>
      <Board placement={(game?.fen ?? "").split(" ")[0] ?? ""} marked={differs} label={t("board.hub")} />
      <button
        type="button"
        class={differs.length > 0 ? "main danger" : "main"}
        onClick={() => {
          resume(number);
          close();
        }}
      >
        {differs.length > 0 ? t("resume.all.the.same") : t("resume")}
      </button>
    </Sheet>
  );
}

function Actions({ table, open }: { table: ArbiterTable; open: (sheet: SheetName) => void }) {
  if (maySeeOnly()) return null;
  const state = stateOf(table);
  if (state === "empty") return null;
  const number = table.hall?.table ?? 0;
  const running = table.game?.clocks?.running;
  const stands = sideOf(running) === null;
  return (
    <nav class="actions" aria-label={t("actions")}>
      {state === "over" ? (
        <button type="button" class="main" onClick={() => open("result")}>{t("result.correct")}</button>
      ) : stands ? (
        <button
          type="button"
          class="main"
          onClick={() => ((table.game?.sensed?.differs.length ?? 0) > 0 ? open("resume") : resume(number))}
        >
          <Icon name="on" /> {t("resume")}
        </button>
      ) : (
        <button type="button" class="main pause" onClick={() => pause(number)}><Icon name="pause" /> {t("pause")}</button>
      )}
      <button type="button" onClick={() => open("adjust")}>{t("adjust")}</button>
      <button type="button" onClick={() => open("claim")}>{t("claim")}</button>
      <button type="button" class="only-narrow" onClick={() => open("more")}>{t("more")}</button>
      <MoreButtons table={table} open={open} wide />
    </nav>
  );
}

function MoreButtons({ table, open, wide }: { table: ArbiterTable; open: (sheet: SheetName) => void; wide?: boolean }) {
  const over = stateOf(table) === "over";
  const names: readonly (readonly [SheetName, Key])[] = [
    ["result", "result"],
    ["penalise", "penalise"],
    ["observe", "seen"],
    ["restore", "restore"],
    ["move", "move.enter"],
    ["presence", "presence"],
    ["note", "note"],
    ["appeal", "appeal"],
    ...(table.clockDevice || table.boardDevice ? ([["sides", "sides"]] as const) : []),
    ...(over ? ([["reopen", "reopen"]] as const) : []),
  ];
  return (
    <>
      {names.map(([name, words]) => (
        <button
          type="button"
          key={name}
          class={wide ? "only-wide" : ""}
          disabled={name === "reopen" && !isChief()}
          onClick={() => open(name)}
        >
          {t(words)}
        </button>
      ))}
    </>
  );
}

function MoreSheet({ table, close, open }: { table: ArbiterTable; close: () => void; open: (sheet: SheetName) => void }) {
  return (
    <Sheet title={t("table.n", { n: table.hall?.table ?? 0 })} close={close}>
      <div class="choices">
        <MoreButtons table={table} open={open} />
      </div>
    </Sheet>
  );
}

/** A clock that is so much off the count is looked at: missed presses, or a wrong setting. */
const CHECK_MS = 60_000;

function State({ table }: { table: ArbiterTable }) {
  const { game } = table;
  if (!game) return null;
  const turn = sideOf(game.turn);
  return (
    <section>
      <h2>{t("game")}</h2>
      <Facts>
        <Fact name={t("time.control")}>{game.timeControl}</Fact>
        {turn && game.result === "*" ? <Fact name={t("turn")}>{sideName(turn)}</Fact> : null}
        <Fact name={t("moves.completed")}>
          {game.completedWhite} / {game.completedBlack}
        </Fact>
        {game.playersTold.length > 0 ? (
          <Fact name={t("players.told")}>{game.playersTold.map((told) => named("told", told)).join(", ")}</Fact>
        ) : null}
        {game.check?.read ? (
          <Fact name={t("clock.check")} alert={Math.abs(Number(game.check.deviationMs)) >= CHECK_MS}>
            {change(Number(game.check.deviationMs))}
          </Fact>
        ) : null}
        {game.masked.length > 0 ? <Fact name={t("mask.now")} alert>{game.masked.join(" ")}</Fact> : null}
        {periodsOf(game.timeControl).length > 1 ? (
          <Fact name={t("period")}>
            {game.periodWhite + 1} / {game.periodBlack + 1}
          </Fact>
        ) : null}
        {game.startedMs === undefined ? null : <Fact name={t("started")}>{when(game.startedMs)}</Fact>}
      </Facts>
    </section>
  );
}

const ONLINE: Readonly<Record<Online, Key>> = {
  [Online.UNSPECIFIED]: "online.unknown",
  [Online.UNKNOWN]: "online.unknown",
  [Online.ONLINE]: "online.online",
  [Online.SILENT]: "online.silent",
};

/** Another device takes over, in mid-game too. */
function SwapSheet({ table, close }: { table: ArbiterTable; close: () => void }) {
  const { clockDevice, boardDevice } = table;
  const number = table.hall?.table ?? 0;
  const ours = [...new Set([clockDevice?.id ?? "", boardDevice?.id ?? ""])].filter((id) => id !== "");
  const [old, setOld] = useState(ours[0] ?? "");
  const [chosen, choose] = useState<string | null>(null);
  const free = useFreeDevices();
  return (
    <Sheet title={t("swap.title", { table: number })} close={close}>
      {ours.length > 1 ? (
        <Choices
          label={t("swap.old")}
          chosen={old}
          choose={setOld}
          choices={ours.map((id) => ({ value: id, label: `${id === clockDevice?.id ? t("device.clock") : t("device.board")} ${id}` }))}
        />
      ) : (
        <p>
          {t("swap.old")}: <b>{old}</b>
        </p>
      )}
      {free === null ? (
        <p class="help">{t("connecting")}</p>
      ) : free.length === 0 ? (
        <p class="help">{t("swap.none")}</p>
      ) : (
        <Choices
          label={t("swap.new")}
          chosen={chosen}
          choose={choose}
          choices={free.slice(0, 40).map(({ id, battery }) => ({
            value: id,
            label: battery === undefined ? id : `${id} · ${t("battery", { n: battery })}`,
          }))}
        />
      )}
      <button
        type="button"
        class="main"
        disabled={chosen === null || old === ""}
        onClick={() => {
          void act(t("act.swap", { table: number, old, new: chosen ?? "" }), number, (_, { requestId, options }, admin) =>
            admin.replaceDevice({ requestId, oldDevice: old, newDevice: chosen ?? "" }, options),
          );
          close();
        }}
      >
        {t("swap.do")}
      </button>
    </Sheet>
  );
}

function Devices({ table, swap }: { table: ArbiterTable; swap: () => void }) {
  const { clockDevice, boardDevice } = table;
  const one = clockDevice && boardDevice && clockDevice.id === boardDevice.id;
  return (
    <section>
      <h2>{t("devices")}</h2>
      <Facts>
        {clockDevice ? <Device name={one ? t("device.both") : t("device.clock")} device={clockDevice} /> : (
          <Fact name={t("device.clock")}>{t("device.none")}</Fact>
        )}
        {one ? null : boardDevice ? <Device name={t("device.board")} device={boardDevice} /> : (
          <Fact name={t("device.board")}>{t("device.none")}</Fact>
        )}
      </Facts>
      {clockDevice || boardDevice ? (
        <button type="button" class="swap" onClick={swap}>
          {t("swap")}
        </button>
      ) : null}
    </section>
  );
}

function Device({ name, device }: { name: string; device: DeviceHealth }) {
  const bad = device.online === Online.SILENT || (device.battery !== undefined && device.battery < 15);
  const parts = [t(ONLINE[device.online])];
  if (device.battery !== undefined) parts.push(t("battery", { n: device.battery }));
  if (device.signal !== undefined) parts.push(t("signal", { n: device.signal }));
  if (device.driftPpm !== 0n) parts.push(t("drift", { n: (Number(device.driftPpm) / 10_000).toFixed(2) }));
  if (device.online !== Online.ONLINE && device.lastHeardMs !== undefined) parts.push(heardAgo(hallNow() - Number(device.lastHeardMs)));
  return (
    <Fact name={name} alert={bad}>
      <b>{device.id}</b> {parts.join(" · ")}
    </Fact>
  );
}

function Rulings({ rulings }: { rulings: readonly Ruling[] }) {
  if (rulings.length === 0) return null;
  return (
    <section>
      <h2>{t("rulings")}</h2>
      <ol class="rulings">
        {[...rulings].reverse().map((ruling, index) => (
          <li key={`${ruling.atMs} ${index}`}>
            <span class="ruling-head">
              <time>{when(ruling.atMs)}</time> <bdi>{ruling.author === "regulations" ? t("regulations") : ruling.author}</bdi>
              <Articles articles={ruling.articles} />
            </span>
            <span>{ruling.text || ruling.what}</span>
            {ruling.reason === "" ? null : <q>{ruling.reason}</q>}
          </li>
        ))}
      </ol>
    </section>
  );
}
