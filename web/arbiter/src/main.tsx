// The arbiter's console.

import "./console.css";
import { render } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { isIn, me, start, useRoute, useSecond, useSession, useStore, type Route } from "./app";
import { hallNow } from "./hub/time";
import { matching, waiting } from "./hall/urgency";
import { apply } from "./prefs";
import { ActStrip } from "./ui/actstrip";
import { filter, HallPage } from "./ui/hall";
import { ItemPage } from "./ui/itempage";
import { Icon } from "./ui/icon";
import { Login } from "./ui/login";
import { beep, buzz } from "./ui/notice";
import { itemTitle } from "./ui/parts";
import { BindPage } from "./ui/bind";
import { ManyPage } from "./ui/many";
import { PeoplePage } from "./ui/people";
import { RoundPage } from "./ui/round";
import { Settings } from "./ui/settings";
import { StopPage } from "./ui/stop";
import { TablePage } from "./ui/tablepage";
import { clockTime, t } from "./words";

const MINUTE_MS = 60_000;

function Console() {
  useSession();
  const route = useRoute();
  const [, again] = useState(0);
  const redraw = () => again((n) => n + 1);
  if (!isIn()) return <Login again={redraw} />;
  const detail = route.page !== "hall";
  return (
    <div class={`console at-${route.page}${detail ? " detail" : ""}`}>
      <Head route={route} />
      <Stale />
      <Warnings />
      <News />
      <div class="pages">
        <div class="master">
          <HallPage chosen={"table" in route ? route.table : null} aside={detail} />
        </div>
        <div class="pane">
          <Page route={route} again={redraw} />
        </div>
      </div>
      <ActStrip />
      <Bar route={route} />
    </div>
  );
}

function Page({ route, again }: { route: Route; again: () => void }) {
  switch (route.page) {
    case "table":
      return <TablePage number={route.table} key={route.table} />;
    case "item":
      return <ItemPage number={route.table} item={route.item} key={`${route.table} ${route.item}`} />;
    case "round":
      return <RoundPage />;
    case "stop":
      return <StopPage />;
    case "people":
      return <PeoplePage />;
    case "bind":
      return <BindPage />;
    case "many":
      return <ManyPage />;
    case "settings":
      return <Settings again={again} />;
    case "hall":
      return <p class="empty choose">{t("choose.table")}</p>;
  }
}

function Head({ route }: { route: Route }) {
  const store = useStore();
  useSecond();
  const stale = store.isStale();
  const speed = store.hall?.speed ?? 1;
  return (
    <header class="head">
      {route.page === "hall" ? null : (
        <a class="button back" href={route.page === "item" ? `#/table/${route.table}` : "#/"} aria-label={t("back")}>
          <Icon name="left" />
        </a>
      )}
      <h1>
        <a href="#/">
          <bdi>{store.hall?.name ?? "Flagfall"}</bdi>
        </a>
      </h1>
      {speed !== 1 ? <span class="tag speed">×{speed}</span> : null}
      {store.hall?.insecure ? <span class="tag suspected">{t("insecure")}</span> : null}
      <span class={`link ${!store.whole ? "off" : stale ? "stale" : "live"}`} role="status">
        {!store.whole ? t("connecting") : stale ? t("stale") : t("live")}
      </span>
      <span class="me">
        <bdi>{me()}</bdi>
      </span>
      <a class="button head-stop" href="#/stop" aria-label={t("stop")}>
        <Icon name="stop" />
      </a>
    </header>
  );
}

/** What is wrong with the hub itself. */
function Warnings() {
  const { hall } = useStore();
  if (!hall?.roomWarning) return null;
  return (
    <p class="note warning" role="alert">
      {hall.roomWarning}
    </p>
  );
}

/** A stale view says so, in red, over everything. */
function Stale() {
  const store = useStore();
  useSecond();
  if (!store.isStale() || store.heardAt === null) return null;
  const silent = performance.now() - store.heard;
  return (
    <p class="stale-banner" role="alert">
      {silent < MINUTE_MS
        ? t("stale.for", { n: Math.floor(silent / 1000), time: clockTime(store.heardAt) })
        : t("stale.since", { time: clockTime(store.heardAt) })}
    </p>
  );
}

/** What is new trembles, sounds where that was switched on, is read out, and counts in the title. */
function News() {
  const store = useStore();
  const known = useRef<Set<string> | null>(null);
  const [said, say] = useState("");
  const seen = matching(store.tables.values(), { ...filter, text: "" });
  const items = waiting(seen, me(), hallNow());
  const key = items.map(({ table, item }) => `${table.hall?.game} ${item.number}`);
  useEffect(() => {
    document.title = items.length > 0 ? `(${items.length}) ${t("title")}` : t("title");
    if (!store.whole) return;
    const before = known.current;
    known.current = new Set(key);
    if (before === null) return;
    const fresh = items.filter(({ item }, index) => !before.has(key[index] ?? "") && item.takenBy === "");
    if (fresh.length === 0) return;
    buzz();
    beep();
    say(fresh.map(({ table, item }) => `${t("table.n", { n: table.hall?.table ?? 0 })}: ${itemTitle(item)}`).join(". "));
  }, [key.join(), store.whole]);
  return (
    <p class="hidden" role="status" aria-live="polite">
      {said}
    </p>
  );
}

function Bar({ route }: { route: Route }) {
  const store = useStore();
  const count = [...store.tables.values()].reduce((sum, { game }) => sum + (game?.items.length ?? 0), 0);
  const at = (page: Route["page"]) => (route.page === page ? ("page" as const) : undefined);
  return (
    <nav class="bar" aria-label={t("pages")}>
      <a href="#/" aria-current={at("hall")}>
        <Icon name="hall" /> {t("hall")} {count > 0 ? <span class="count">{count}</span> : null}
      </a>
      <a
        href="#/"
        onClick={() => {
          setTimeout(() => document.getElementById("find")?.focus(), 50);
        }}
      >
        <Icon name="find" /> {t("find.short")}
      </a>
      <a href="#/round" aria-current={at("round")}>
        <Icon name="round" /> {t("round")}
      </a>
      <a href="#/stop" class="stop-link" aria-current={at("stop")}>
        <Icon name="stop" /> {t("stop")}
      </a>
      <a href="#/settings" aria-current={at("settings")}>
        <Icon name="settings" /> {t("settings")}
      </a>
    </nav>
  );
}

// To find a table from a keyboard.
addEventListener("keydown", (event) => {
  if (event.key !== "/" || event.ctrlKey || event.metaKey || event.target instanceof HTMLInputElement) return;
  event.preventDefault();
  if (document.getElementById("find")?.offsetParent === null) location.hash = "#/";
  setTimeout(() => document.getElementById("find")?.focus(), 50);
});

apply();
start();
const root = document.getElementById("console");
if (root) render(<Console />, root);
// Only where the browser trusts the connection; without it the page works all the same.
if ("serviceWorker" in navigator && !import.meta.env.DEV) void navigator.serviceWorker.register("/arbiter-shell.js", { scope: "/arbiter" }).catch(() => undefined);
