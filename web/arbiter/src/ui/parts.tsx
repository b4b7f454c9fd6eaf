// Small parts that several pages share.

import type { ComponentChildren } from "preact";
import type { ArbiterTable, Item, Order } from "../gen/flagfall/arbiter/v1/table_pb";
import { OrderStatus } from "../gen/flagfall/arbiter/v1/table_pb";
import type { Player } from "../gen/flagfall/feed/v1/table_pb";
import { wallOf } from "../hub/time";
import { change, face, sideOf, timeOf, type Side } from "../laws/clock";
import { clockTime, named, t, type Key } from "../words";

export function sideName(side: Side): string {
  return t(side);
}

export function playerName(player: Player | undefined): string {
  if (!player || player.name === "") return "—";
  return player.title === "" ? player.name : `${player.title} ${player.name}`;
}

export function PlayerName({ player }: { player: Player | undefined }) {
  return (
    <bdi class="player-name">
      {player?.title ? <b class="title">{player.title} </b> : null}
      {player?.name || "—"}
    </bdi>
  );
}

export function pairing(table: ArbiterTable): string {
  return `${playerName(table.hall?.white)} – ${playerName(table.hall?.black)}`;
}

/** `Open · round 3 · board 12`. */
export function place(table: ArbiterTable): string {
  const { hall } = table;
  if (!hall || hall.event === "") return "";
  const parts = [hall.eventName || hall.event, t("round.n", { n: hall.round })];
  if (hall.board !== 0 && hall.board !== hall.table) parts.push(t("board.n", { n: hall.board }));
  if (table.sector !== "") parts.push(t("sector.n", { n: table.sector }));
  return parts.join(" · ");
}

export function kindName(item: Item): string {
  return named("kind", item.kind);
}

/** What it is and about whom, in the hub's words where it has some. */
export function itemTitle(item: Item): string {
  if (item.explanation && item.explanation.title !== "") return item.explanation.title;
  const side = sideOf(item.of);
  return side === null ? kindName(item) : `${kindName(item)} · ${sideName(side)}`;
}

/** What happened, in sentences. */
export function itemWhat(item: Item): readonly string[] {
  return item.explanation && item.explanation.what.length > 0 ? item.explanation.what : [item.what];
}

/** What a confirm does to clocks and result, in figures; empty where that is not all, or nothing. */
export function effectShort({ effect }: Item): string {
  if (!effect) return "";
  const add = (side: Side, ms: bigint) => (ms === 0n ? [] : [`${sideName(side)} ${change(Number(ms))}`]);
  const set = (side: Side, ms: bigint | undefined) => (ms === undefined ? [] : [`${sideName(side)} = ${face(Number(ms))}`]);
  return [
    ...(effect.result === "" ? [] : [effect.result]),
    ...add("white", effect.whiteAddMs),
    ...add("black", effect.blackAddMs),
    ...set("white", effect.whiteSetMs),
    ...set("black", effect.blackSetMs),
  ].join(" · ");
}

/** What is to be done, in order. */
export function itemSteps(item: Item): readonly string[] {
  return item.explanation && item.explanation.steps.length > 0 ? item.explanation.steps : [item.proposal];
}

export function when(hallMs: bigint): string {
  const wall = wallOf(Number(hallMs));
  return wall === null ? "" : clockTime(wall);
}

export function Articles({ articles }: { articles: readonly string[] }) {
  if (articles.length === 0) return null;
  return (
    <span class="articles">
      {articles.map((article) => (
        <span class="article" key={article}>
          {t("article", { n: article })}
        </span>
      ))}
    </span>
  );
}

export interface Changes {
  whiteAdd?: number;
  blackAdd?: number;
  whiteSet?: number | null;
  blackSet?: number | null;
}

/** Both clocks before and after, told before anything is confirmed. */
export function Before({ table, now, changes }: { table: ArbiterTable; now: number; changes: Changes }) {
  const clocks = table.game?.clocks;
  if (!clocks) return null;
  const row = (side: Side, add: number, set: number | null | undefined) => {
    const { ms, running } = timeOf(clocks, side, now);
    const after = set ?? ms + add;
    const changed = set != null || add !== 0;
    return (
      <tr class={changed ? "changed" : ""} key={side}>
        <th scope="row">{sideName(side)}</th>
        <td>
          <span class={running ? "face running" : "face"}>{face(ms)}</span>
          {running ? <span class="hidden"> {t("running")}</span> : null}
        </td>
        <td class="arrow" aria-hidden="true">{changed ? "→" : ""}</td>
        <td class="after">{changed ? face(after) : t("unchanged")}</td>
        <td class="delta">{set != null ? "=" : add !== 0 ? change(add) : ""}</td>
      </tr>
    );
  };
  return (
    <table class="before">
      <caption class="hidden">{t("clocks.before.after")}</caption>
      <tbody>
        {row("white", changes.whiteAdd ?? 0, changes.whiteSet)}
        {row("black", changes.blackAdd ?? 0, changes.blackSet)}
      </tbody>
    </table>
  );
}

function orderWords(order: Order): string {
  const { what } = order;
  switch (what.case) {
    case "control":
      return t("order.control");
    case "add":
      return t("order.add", { white: change(Number(what.value.whiteMs)), black: change(Number(what.value.blackMs)) });
    case "set":
      return t("order.set", { white: face(Number(what.value.whiteMs)), black: face(Number(what.value.blackMs)) });
    case "run":
      return t("order.run", { side: sideName(sideOf(what.value.side) ?? "white") });
    case "stop":
      return t("order.stop");
    default:
      return "";
  }
}

const STATUS: Readonly<Record<OrderStatus, Key>> = {
  [OrderStatus.UNSPECIFIED]: "order.sent",
  [OrderStatus.SENT]: "order.sent",
  [OrderStatus.REFUSED]: "order.refused",
  [OrderStatus.BY_HAND]: "order.by.hand",
  [OrderStatus.STOPPING]: "order.stopping",
  [OrderStatus.DONE]: "order.done",
  [OrderStatus.MOVED_ON]: "order.moved.on",
};

const LOOK: Readonly<Record<OrderStatus, string>> = {
  [OrderStatus.UNSPECIFIED]: "sent",
  [OrderStatus.SENT]: "sent",
  [OrderStatus.STOPPING]: "sent",
  [OrderStatus.MOVED_ON]: "sent",
  [OrderStatus.REFUSED]: "by-hand",
  [OrderStatus.BY_HAND]: "by-hand",
  [OrderStatus.DONE]: "done",
};

/** The clock has not stopped yet, though it was told to. */
export function isStopping(table: ArbiterTable): boolean {
  return (
    table.game?.orders.some(
      ({ what, status }) => status === OrderStatus.STOPPING || (what.case === "stop" && status === OrderStatus.SENT),
    ) ?? false
  );
}

/** Orders to the clock: those that it has not carried out, and what it has just answered. */
export function Orders({ table }: { table: ArbiterTable }) {
  const orders = [...(table.game?.orders ?? []), ...(table.game?.answeredOrders ?? [])];
  if (orders.length === 0) return null;
  return (
    <section class="orders" aria-label={t("orders")}>
      <h2>{t("orders")}</h2>
      <ul>
        {orders.map((order) => (
          <li key={String(order.number)} class={LOOK[order.status]}>
            <span>{orderWords(order)}</span>
            <b>{t(STATUS[order.status])}</b>
            {order.why === "" ? null : <small>{order.why}</small>}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** A list of facts, name and value. */
export function Facts({ children }: { children: ComponentChildren }) {
  return <dl class="facts">{children}</dl>;
}

export function Fact({ name, children, alert }: { name: string; children: ComponentChildren; alert?: boolean }) {
  return (
    <div class={alert ? "fact alert" : "fact"}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
