// The hall by urgency: what waits for an arbiter, who is short of time, and everybody else.

import { memo } from "preact/compat";
import { useMemo, useRef, useState } from "preact/hooks";
import { act, go, maySeeOnly, me, useSecond, useStore } from "../app";
import type { ArbiterTable, Item } from "../gen/flagfall/arbiter/v1/table_pb";
import { hallNow } from "../hub/time";
import { matching, stateOf, takenBy, troubleOf, waiting, type Filter, type Trouble } from "../hall/urgency";
import { movesToControl } from "../laws/control";
import { other, sideOf } from "../laws/clock";
import { t } from "../words";
import { itemTitle, itemWhat, place, PlayerName, sideName } from "./parts";
import { Rows, useGrowing, type Row } from "./rows";
import { Since } from "./ticker";

/** What the arbiter looks at; kept while other pages are looked at. */
export const filter: Filter = { event: "", sector: "", text: "" };

/** `aside`: beside another page. */
export function HallPage({ chosen, aside }: { chosen: number | null; aside: boolean }) {
  const { tables, whole } = useStore();
  const [, again] = useState(0);
  useSecond();
  const set = (some: Partial<Filter>) => {
    Object.assign(filter, some);
    again((n) => n + 1);
  };
  const all = useMemo(
    () => [...tables.values()].sort((a, b) => (a.hall?.table ?? 0) - (b.hall?.table ?? 0)),
    [tables],
  );
  const seen = matching(all, filter);
  const now = hallNow();
  const items = waiting(seen, me(), now);
  const troubles: Trouble[] = [];
  const rest: Row[] = [];
  const over: Row[] = [];
  for (const table of seen) {
    const trouble = troubleOf(table, now);
    if (trouble) troubles.push(trouble);
    else (stateOf(table) === "over" ? over : rest).push({ table: table.hall?.table ?? 0, note: "" });
  }
  troubles.sort((a, b) => a.ms - b.ms);
  const drawn = useGrowing(items.length);
  const Root = aside ? "aside" : "main";
  return (
    <Root class="page hall" aria-label={t("hall")}>
      <Search all={all} seen={seen} set={set} />
      {!whole ? (
        <p class="empty">{t("connecting")}</p>
      ) : all.length === 0 ? (
        <p class="empty">{t("no.tables")}</p>
      ) : (
        <>
          <section aria-labelledby="waiting">
            <h2 id="waiting">
              {t("waiting")} <span class="count">{items.length}</span>
            </h2>
            {items.length === 0 ? <p class="empty calm">{t("nothing.waits")}</p> : null}
            <ul class="items">
              {items.slice(0, drawn).map(({ table, item }) => (
                <ItemCard
                  key={`${table.hall?.table} ${table.hall?.game} ${item.number}`}
                  table={table}
                  item={item}
                  by={takenBy(item, now)}
                  chosen={chosen === table.hall?.table}
                />
              ))}
            </ul>
          </section>
          <Notices />
          {troubles.length === 0 ? null : (
            <section aria-labelledby="trouble">
              <h2 id="trouble">
                {t("time.trouble")} <span class="count">{troubles.length}</span>
              </h2>
              <Rows
                rows={troubles.map((trouble) => ({ table: trouble.table.hall?.table ?? 0, note: troubleNote(trouble) }))}
                chosen={chosen}
              />
            </section>
          )}
          {rest.length === 0 ? null : (
            <section aria-labelledby="rest">
              <h2 id="rest">
                {t("others")} <span class="count">{rest.length}</span>
              </h2>
              <Rows rows={rest} chosen={chosen} />
            </section>
          )}
          {over.length === 0 ? null : (
            <section aria-labelledby="over">
              <h2 id="over">
                {t("over")} <span class="count">{over.length}</span>
              </h2>
              <Rows rows={over} chosen={chosen} />
            </section>
          )}
        </>
      )}
    </Root>
  );
}

/** What is wrong in the hall beyond single tables. */
function Notices() {
  const { notices } = useStore();
  if (notices.length === 0) return null;
  return (
    <section aria-labelledby="notices">
      <h2 id="notices">
        {t("hall.notices")} <span class="count">{notices.length}</span>
      </h2>
      <ul class="notices">
        {notices.map((notice) => (
          <li key={notice.kind} class={notice.kind === "newer-hub" || notice.kind === "broker-lost" ? "notice grave" : "notice"}>
            <details>
              <summary>
                <span>
                  <b>{notice.what}</b> <Since ms={notice.sinceMs} />
                </span>
              </summary>
              <p>{notice.advice}</p>
              <ul class="walk">
                {notice.devices.map((device) => (
                  <li key={device.id}>
                    <a class="button" href={device.table === undefined ? "#/" : `#/table/${device.table}`}>
                      <span class="number">{device.table ?? "–"}</span>
                      <span>
                        {device.id} <small>{device.detail}</small>
                      </span>
                    </a>
                  </li>
                ))}
                {notice.places.map((place) => (
                  <li key={`${place.event}/${place.round}/${place.table}`}>
                    <a class="button" href={place.table === undefined ? "#/" : `#/table/${place.table}`}>
                      <span class="number">{place.table ?? "–"}</span>
                      <span>
                        {place.event}, {place.round} <small>{place.detail}</small>
                      </span>
                    </a>
                  </li>
                ))}
              </ul>
            </details>
          </li>
        ))}
      </ul>
    </section>
  );
}

function troubleNote({ table, side, writes }: Trouble): string {
  const { game } = table;
  if (!game) return "";
  const white = side === "white";
  const left = movesToControl(
    game.timeControl,
    white ? game.periodWhite : game.periodBlack,
    white ? game.completedWhite : game.completedBlack,
  );
  const parts = [sideName(side)];
  if (left !== null) parts.push(t("moves.to.control", { n: left }));
  if (!writes) parts.push(t("need.not.write"));
  return parts.join(" · ");
}

function Search(props: { all: readonly ArbiterTable[]; seen: readonly ArbiterTable[]; set: (some: Partial<Filter>) => void }) {
  const input = useRef<HTMLInputElement>(null);
  const events = new Map<string, string>();
  const sectors = new Set<string>();
  for (const { hall, sector } of props.all) {
    if (hall && hall.event !== "") events.set(hall.event, hall.eventName || hall.event);
    if (sector !== "") sectors.add(sector);
  }
  const first = props.seen[0]?.hall?.table;
  return (
    <form
      class="search"
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        // The number itself before those that begin with it.
        const named = props.seen.find(({ hall }) => String(hall?.table) === filter.text.trim())?.hall?.table ?? first;
        if (filter.text.trim() !== "" && named !== undefined) {
          input.current?.blur();
          go(`#/table/${named}`);
        }
      }}
    >
      <label class="field find">
        <span class="hidden">{t("find")}</span>
        <input
          ref={input}
          id="find"
          type="search"
          enterkeyhint="go"
          autocomplete="off"
          placeholder={t("find")}
          value={filter.text}
          onInput={(event) => props.set({ text: event.currentTarget.value })}
        />
      </label>
      {events.size > 1 ? (
        <label class="field">
          <span class="hidden">{t("event")}</span>
          <select value={filter.event} onChange={(event) => props.set({ event: event.currentTarget.value })}>
            <option value="">{t("all.events")}</option>
            {[...events].map(([id, name]) => (
              <option value={id} key={id}>
                {name}
              </option>
            ))}
          </select>
        </label>
      ) : null}
      {sectors.size > 1 ? (
        <label class="field">
          <span class="hidden">{t("sector")}</span>
          <select value={filter.sector} onChange={(event) => props.set({ sector: event.currentTarget.value })}>
            <option value="">{t("all.sectors")}</option>
            {[...sectors].sort().map((sector) => (
              <option value={sector} key={sector}>
                {t("sector.n", { n: sector })}
              </option>
            ))}
          </select>
        </label>
      ) : null}
    </form>
  );
}

/** Taking an item, or saying who is on it. */
export function Taken({ table, item }: { table: ArbiterTable; item: Item }) {
  const number = table.hall?.table ?? 0;
  const by = takenBy(item, hallNow());
  if (by !== "") {
    const mine = by === me();
    return (
      <span class={mine ? "taken mine" : "taken"}>
        {mine ? t("taken.by.you") : t("taken.by", { name: by })}
        {item.takenMs === undefined ? null : (
          <>
            {" "}
            <Since ms={item.takenMs} />
          </>
        )}
      </span>
    );
  }
  if (maySeeOnly()) return null;
  return (
    <button
      type="button"
      class="take"
      onClick={() =>
        void act(t("act.take", { table: number }), number, (api, { requestId, options }) =>
          api.takeItem({ requestId, table: number, item: item.number }, options),
        )
      }
    >
      {t("take")}
    </button>
  );
}

export function Tags({ item }: { item: Item }) {
  const side = sideOf(item.of);
  return (
    <>
      {item.certain ? null : <span class="tag suspected">{t("suspected")}</span>}
      {item.untilAnswered ? (
        <span class="tag window">
          {side === null ? t("window.open") : t("window.open.side", { side: sideName(other(side)) })}
        </span>
      ) : null}
    </>
  );
}

interface ItemCardProps {
  table: ArbiterTable;
  item: Item;
  /** Who is on it just now. */
  by: string;
  chosen: boolean;
}

const ItemCard = memo(function ItemCard({ table, item, by, chosen }: ItemCardProps) {
  const number = table.hall?.table ?? 0;
  const look = `item${item.certain ? "" : " suspected"}${by !== "" && by !== me() ? " elsewhere" : ""}${chosen ? " chosen" : ""}`;
  return (
    <li class={look}>
      <a href={`#/table/${number}/item/${item.number}`}>
        <span class="number">
          <span class="hidden">{t("table")} </span>
          {number}
        </span>
        <span class="item-words">
          <span class="item-head">
            <b>{itemTitle(item)}</b>
            <Since ms={item.sinceMs} />
          </span>
          <span class="what">{itemWhat(item).join(" ")}</span>
          <span class="where">
            <PlayerName player={table.hall?.white} /> – <PlayerName player={table.hall?.black} />
          </span>
          <span class="where">{place(table)}</span>
        </span>
      </a>
      <span class="item-foot">
        <Tags item={item} />
        <Taken table={table} item={item} />
      </span>
    </li>
  );
});
