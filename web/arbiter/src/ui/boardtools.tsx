// When a table's board does not do what it should: its picture is accepted, a square masked, or the game goes on without it.

import { useState } from "preact/hooks";
import { act, actAtMany } from "../app";
import { nameOf, numberOf, squaresOf } from "../chess/replay";
import { Side as AdminSide } from "../gen/flagfall/admin/v1/event_pb";
import { Side as ClockSide, type ArbiterTable } from "../gen/flagfall/arbiter/v1/table_pb";
import { sideOf, SIDES, type Side } from "../laws/clock";
import { t } from "../words";
import { Board } from "./board";
import { sideName } from "./parts";
import { Choices, Reason, Sheet } from "./sheet";
import type { SheetProps } from "./sheets";

/** The rights that king and rook where they stand can still have. */
function rightsOf(placement: string): string {
  const squares = squaresOf(placement);
  const has = (at: number, piece: string) => squares[at] === piece;
  return (
    (has(4, "K") && has(7, "R") ? "K" : "") +
    (has(4, "K") && has(0, "R") ? "Q" : "") +
    (has(60, "k") && has(63, "r") ? "k" : "") +
    (has(60, "k") && has(56, "r") ? "q" : "")
  );
}

/** What stands on the board becomes the position: only where its pieces are told apart. */
export function AcceptSheet({ table, close }: SheetProps) {
  const { game } = table;
  const [turn, setTurn] = useState<Side>(sideOf(game?.turn) ?? "white");
  const [reason, setReason] = useState("");
  const [revision] = useState(game?.revision ?? 0n);
  // What is confirmed is what was looked at, though the board may change under it.
  const [placement] = useState(game?.sensed?.placement ?? "");
  const number = table.hall?.table ?? 0;
  const known = (game?.fen ?? "").split(" ")[2] ?? "-";
  const rights = [...rightsOf(placement)].filter((right) => known.includes(right)).join("") || "-";
  const bare = /x/i.test(placement.replace(/[^x]/gi, ""));
  const { number: move } = numberOf(game?.starts ?? [], game?.plies ?? 0);
  const fen = `${placement} ${turn === "white" ? "w" : "b"} ${rights} - 0 ${move}`;
  return (
    <Sheet title={t("accept.title", { table: number })} close={close}>
      {bare || placement === "" ? (
        <p class="note">{t("accept.bare")}</p>
      ) : (
        <>
          <p class="help">{t("accept.help")}</p>
          <Board placement={placement} marked={game?.sensed?.differs ?? []} label={t("board.sensed")} />
          <Choices
            label={t("turn")}
            chosen={turn}
            choose={setTurn}
            choices={SIDES.map((side) => ({ value: side, label: `${t("turn")}: ${sideName(side)}` }))}
          />
          <Reason value={reason} set={setReason} />
          <button
            type="button"
            class="main"
            onClick={() => {
              void act(t("act.accept", { table: number }), number, (api, { requestId, options }) =>
                api.restorePosition({ requestId, reason, table: number, revision, to: { case: "fen", value: fen } }, options),
              );
              close();
            }}
          >
            {t("accept.do")}
          </button>
        </>
      )}
    </Sheet>
  );
}

/** Squares whose sensors are broken are tapped. */
export function MaskSheet({ table, close }: SheetProps) {
  const { game } = table;
  const [masked, set] = useState<readonly string[]>(game?.masked ?? []);
  const [reason, setReason] = useState("");
  const number = table.hall?.table ?? 0;
  const suggested = (game?.sensed?.differs ?? []).filter((square) => !masked.includes(square));
  const toggle = (square: string) =>
    set(masked.includes(square) ? masked.filter((other) => other !== square) : [...masked, square]);
  const rows = [7, 6, 5, 4, 3, 2, 1, 0];
  return (
    <Sheet title={t("mask.title", { table: number })} close={close}>
      <p class="help">{t("mask.help")}</p>
      <div class="mask" role="group" aria-label={t("mask.squares")}>
        {rows.flatMap((row) =>
          [0, 1, 2, 3, 4, 5, 6, 7].map((file) => {
            const square = nameOf(row * 8 + file);
            const look = [(row + file) % 2 === 0 ? "dark" : "light", suggested.includes(square) ? "differs" : ""];
            return (
              <button
                type="button"
                key={square}
                class={look.join(" ").trim()}
                aria-pressed={masked.includes(square)}
                onClick={() => toggle(square)}
              >
                {square}
              </button>
            );
          }),
        )}
      </div>
      <p role="status">{masked.length === 0 ? t("mask.none") : t("mask.chosen", { squares: masked.join(" ") })}</p>
      <Reason value={reason} set={setReason} />
      <button
        type="button"
        class="main"
        onClick={() => {
          void act(t("act.mask", { table: number }), number, (api, { requestId, options }) =>
            api.maskSquares({ requestId, reason, table: number, squares: [...masked] }, options),
          );
          close();
        }}
      >
        {t("mask.do")}
      </button>
    </Sheet>
  );
}

/** The game goes on without the board, or with it again. */
export function WithoutBoardSheet({ table, close }: SheetProps) {
  const [reason, setReason] = useState("");
  const number = table.hall?.table ?? 0;
  const without = table.game?.withoutBoard === true;
  return (
    <Sheet title={without ? t("with.board.title", { table: number }) : t("without.board.title", { table: number })} close={close}>
      <p class="help">{without ? t("with.board.help") : t("without.board.help")}</p>
      <Reason value={reason} set={setReason} />
      <button
        type="button"
        class="main"
        onClick={() => {
          const label = t(without ? "act.with.board" : "act.without.board", { table: number });
          void act(label, number, (api, { requestId, options }) =>
            api.useBoard({ requestId, reason, table: number, used: without }, options),
          );
          close();
        }}
      >
        {without ? t("with.board.do") : t("without.board.do")}
      </button>
    </Sheet>
  );
}

/** White sits at the other side of the clock than was thought, or the board lies the other way round. */
export function SidesSheet({ table, close }: SheetProps) {
  const { clockDevice, boardDevice } = table;
  const number = table.hall?.table ?? 0;
  return (
    <Sheet title={t("sides.title", { table: number })} close={close}>
      <p class="help">{t("sides.help")}</p>
      <div class="choices">
        <button
          type="button"
          disabled={!clockDevice}
          onClick={() => {
            turnSides([table], "clock");
            close();
          }}
        >
          {t("sides.clock")}
        </button>
        <button
          type="button"
          disabled={!boardDevice}
          onClick={() => {
            turnSides([table], "board");
            close();
          }}
        >
          {t("sides.board")}
        </button>
      </div>
    </Sheet>
  );
}

/** Exchanges left and right of the clock, or turns the board, at each of these tables; where no such device serves, nothing is done. */
export function turnSides(tables: readonly ArbiterTable[], what: "clock" | "board"): void {
  const words = t(what === "clock" ? "sides.clock" : "sides.board");
  const label = tables.length === 1 ? `${t("table.n", { n: tables[0]?.hall?.table ?? 0 })}: ${words}` : t("act.many", { what: words, n: tables.length });
  void actAtMany(label, tables, (_, { requestId, options }, table, admin) => {
    const { clockDevice, boardDevice } = table;
    const device = what === "clock" ? clockDevice : boardDevice;
    if (!device) return Promise.resolve();
    const same = clockDevice?.id === boardDevice?.id;
    return admin.bindDevice(
      {
        requestId,
        device: device.id,
        table: table.hall?.table ?? 0,
        asClock: what === "clock" || same,
        asBoard: what === "board" || same,
        ...(what === "clock"
          ? { whiteSide: table.whiteSide === ClockSide.LEFT ? AdminSide.RIGHT : AdminSide.LEFT }
          : { boardTurned: !table.boardTurned }),
      },
      options,
    );
  });
}
