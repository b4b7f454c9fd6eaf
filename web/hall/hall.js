// The hall's screen: keeps the newest state of every table and shows as many as can be read at once: boards, clocks alone, the
// standings; on a wall, or laid over a broadcast.

import { Boards, set } from "./boards.js";
import { Feed } from "./feed.js";
import { HallTime } from "./halltime.js";
import { languageIn, optionsFrom } from "./options.js";
import { Strip } from "./results.js";
import { Standings, standings } from "./standings.js";
import { language, speak, t } from "./words.js";

// A hub that restarts is back within this; only then the page says that it is alone.
const GRACE_MS = 3000;
const TICK_MS = 100;
// What is drawn in one frame takes no longer than this; the rest waits for the next.
const PAINT_MS = 2;
// What is said of the whole hall is said so often.
const ABOUT_MS = 500;
// So much of the page is the featured boards', one or two, and more of them.
const FEATURED = [0.4, 0.5];

const byId = (id) => document.getElementById(id);
speak(languageIn(location.search));
const options = optionsFrom(location.search);
const time = new HallTime();
/** Table number → what the hub says of it. */
const tables = new Map();
/** Event → its round, and who has no game in it. */
const rounds = new Map();
const grid = new Boards(byId("grid"));
const featured = new Boards(byId("featured"));
const sheet = options.view === "standings" ? new Standings(byId("standings")) : null;
const strip = options.results && sheet === null ? new Strip(byId("results")) : null;
/** Tables named since a snapshot began, or null outside one. */
let named = null;
let info = null;
let pages = 1;
let page = 0;
let turned = performance.now();
let lostAt = null;
let stale = false;
let staleSince = null;
let refused = null;
let loaded = false;
let everything = true;
let frame = null;
/** What is said of all tables together is not so any more. */
let about = true;
let aboutAt = -ABOUT_MS;
/** Event → how many of its tables are here; and the events' names. */
let events = new Map();

const root = document.documentElement;
if (options.theme) root.dataset.theme = options.theme;
root.dataset.view = options.view;
root.classList.toggle("overlay", options.overlay);
byId("grid").setAttribute("aria-label", t("tables"));
byId("results").querySelector("h2").textContent = t("results");

/** Whether this table is asked for. */
function isAskedFor(data) {
  if (options.event !== null && data.event !== options.event) return false;
  if (options.boards !== null && !options.boards.has(data.board)) return false;
  return options.tables === null || options.tables.has(data.table);
}

function draw() {
  frame = null;
  const begun = performance.now();
  if (everything) arrange();
  everything = false;
  const now = time.known ? time.now() : 0;
  let left = false;
  for (const zone of [featured, grid]) {
    if (zone.layout !== null) left = zone.paint(tables, called, now, begun + PAINT_MS) || left;
  }
  if (left) wanted();
}

function wanted() {
  frame ??= requestAnimationFrame(draw);
}

function all() {
  everything = true;
  about = true;
  wanted();
}

/** The tables asked for in the order of their numbers: of the hall, or of the boards in their event. */
function inOrder() {
  const asked = [...tables.values()].filter(isAskedFor);
  const boards = options.boards !== null || options.event !== null;
  asked.sort((one, other) => (boards && one.event === other.event ? one.board - other.board : 0) || one.table - other.table);
  return asked.map(({ table }) => table);
}

/** Which tables stand on the page, and how big. */
function arrange() {
  events = new Map();
  for (const { event, event_name } of tables.values()) {
    const known = events.get(event) ?? { name: event_name, count: 0 };
    known.count += 1;
    events.set(event, known);
  }
  drawHeader();
  const { clientWidth: width } = root;
  const main = byId("main");
  const height = root.clientHeight - main.offsetTop - (strip !== null ? byId("results").offsetHeight : 0);
  if (sheet !== null) return arrangeStandings(width, height);
  const asked = inOrder();
  const big = options.featured === null ? [] : asked.filter((table) => options.featured.has(table));
  const rest = big.length === 0 ? asked : asked.filter((table) => !big.includes(table));
  byId("featured").hidden = big.length === 0;
  const share = big.length === 0 ? 0 : rest.length === 0 ? 1 : FEATURED[big.length > 2 ? 1 : 0];
  const upright = height > width;
  main.classList.toggle("upright", upright);
  set(main, "--featured", `${share * 100}%`);
  const size = (part) => (upright ? [width, height * part] : [width * part, height]);
  const withBoards = options.view === "boards";
  if (big.length === 0) featured.clear();
  else featured.arrange(big, 0, ...size(share), { withBoards, onePage: true });
  const narrow = width < 640 && !options.overlay;
  const layout = grid.arrange(rest, currentPage(), ...size(1 - share), { withBoards, onePage: options.overlay, narrow });
  turnedTo(layout.pages);
  document.body.classList.toggle("scroll", layout.scroll);
  empty(asked.length === 0);
}

function currentPage() {
  if (options.page !== null) page = options.page - 1;
  return page;
}

/** There are so many pages now. */
function turnedTo(count) {
  pages = count;
  page = pages > 0 ? currentPage() % pages : 0;
  const text = pages > 1 ? t("page", { n: page + 1, of: pages }) : "";
  setText("page", text);
}

function arrangeStandings(width, height) {
  const found = standingsNow();
  const { pages: count, scroll } = sheet.show(found, currentPage(), width, height);
  turnedTo(count);
  document.body.classList.toggle("scroll", scroll);
  empty(found.rows.length === 0);
}

/** Everybody in the round that is shown: of the event asked for, else of all. */
function standingsNow() {
  const cards = [...tables.values()].filter(isAskedFor);
  const unpaired = [];
  for (const [event, round] of rounds) {
    if ((options.event === null || options.event === event) && events.has(event)) unpaired.push(...round.unpaired);
  }
  // With tables or boards asked for it is about those.
  return standings(cards, options.tables === null && options.boards === null ? unpaired : []);
}

function empty(is) {
  const element = byId("empty");
  element.hidden = !(loaded && is);
  if (element.hidden) return;
  element.textContent =
    options.boards !== null
      ? t("no.games.at.boards", { which: options.boards.text })
      : options.tables !== null
        ? t("no.games.at.tables", { which: options.tables.text })
        : t("no.games");
}

/** What a table is called by: its number, or its board's in the event where boards are asked for; and what else says something. */
function called(data) {
  const parts = [];
  const byBoard = options.boards !== null;
  if (!byBoard && data.board && data.board !== data.table && (events.get(data.event)?.count ?? 0) > 1) {
    parts.push(t("board", { n: data.board }));
  }
  if (events.size > 1 && options.event === null) parts.push(data.event_name);
  return [byBoard ? data.board : data.table, parts.join(" · ")];
}

/** "Open · Round 3", an event's name once however many rounds of it are played. */
function eventsPlayed() {
  const played = new Map();
  for (const data of tables.values()) {
    if (!isAskedFor(data)) continue;
    if (!played.has(data.event_name)) played.set(data.event_name, new Set());
    played.get(data.event_name).add(data.round);
  }
  return [...played].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, numbers]) => {
    const sorted = [...numbers].sort((a, b) => a - b);
    return `${name} · ${t(sorted.length > 1 ? "rounds" : "round", { n: sorted.join(", ") })}`;
  });
}

function setText(id, text) {
  const element = byId(id);
  if (element.textContent !== text) element.textContent = text;
  element.hidden = text === "";
}

function drawHeader() {
  about = false;
  aboutAt = performance.now();
  setText("hall", info?.hall ?? "");
  setText("round", eventsPlayed().join("  |  "));
  let [playing, finished] = [0, 0];
  for (const data of tables.values()) {
    if (!isAskedFor(data)) continue;
    if (data.view.result !== "*") finished += 1;
    else if (data.view.started) playing += 1;
  }
  const count = sheet === null ? t("count", { playing, finished }) : t("so.far", { over: finished, of: playing + finished });
  setText("count", loaded && tables.size > 0 ? count : "");
  setText("view", sheet === null ? "" : t("standings"));
  setText("speed", info && info.speed !== 1 ? t("speed", { n: info.speed }) : "");
  document.title = info?.hall ? `${info.hall} – Flagfall` : "Flagfall";
  strip?.draw(tables, isAskedFor, performance.now());
}

/** What is said of all tables together: seldom, for it looks at all of them. */
function drawAbout() {
  const before = strip !== null && byId("results").hidden;
  drawHeader();
  // Room is made for the first result.
  if (strip !== null && before !== byId("results").hidden) return all();
  if (sheet !== null) all();
}

function drawBanner() {
  const said = [...options.errors];
  if (refused !== null) said.unshift(refused);
  // Over a broadcast nothing is said that is not for viewers: there the clocks fade.
  else if (stale && !options.overlay) said.unshift(t("lost", { since: staleSince }));
  const before = byId("banner").hidden;
  setText("banner", said.join(" · "));
  if (before !== byId("banner").hidden) all();
}

function tick() {
  const at = performance.now();
  const nowStale = lostAt !== null && at - lostAt > GRACE_MS;
  if (nowStale !== stale) {
    stale = nowStale;
    const since = new Date(Date.now() - (lostAt === null ? 0 : at - lostAt));
    staleSince = since.toLocaleTimeString([], { hour12: false });
    document.body.classList.toggle("stale", stale);
    drawBanner();
  }
  if (document.hidden) return;
  if (about && at - aboutAt > ABOUT_MS) drawAbout();
  else if (strip !== null && at - aboutAt > 10 * ABOUT_MS) about = true;
  if (pages > 1 && options.page === null && at - turned > options.seconds * 1000) {
    turned = at;
    page = (page + 1) % pages;
    all();
  }
  // Without the hub nobody knows whether a clock still runs.
  if (stale || !time.known) return;
  const now = time.now(at);
  featured.tick(now);
  grid.tick(now);
}

grid.onNear = featured.onNear = wanted;
addEventListener("resize", all);
// A token put behind the address of a page that is open already.
addEventListener("hashchange", () => location.reload());
addEventListener("keydown", ({ key }) => {
  const step = { ArrowRight: 1, PageDown: 1, ArrowLeft: -1, PageUp: -1 }[key];
  if (!step || pages < 2) return;
  options.page = null;
  turned = performance.now();
  page = (page + step + pages) % pages;
  all();
});

/** A screen away from the hub's machine is let in by a token behind the address's #, which no server or log ever sees. */
async function enter() {
  const token = new URLSearchParams(location.hash.slice(1)).get("token");
  if (token === null) return;
  history.replaceState(null, "", location.pathname + location.search);
  await fetch("/api/hall/token", { method: "POST", headers: { authorization: `Bearer ${token}` } }).catch(() => {});
}

drawBanner();
setInterval(tick, TICK_MS);
await enter();
new Feed("/api/hall/feed", options.tables?.text ?? null, {
  info(said) {
    // Another program serves this page now: its scripts may speak otherwise.
    if (info && info.page !== said.page) return location.reload();
    info = said;
    time.take(said);
    about = true;
  },
  snapshot() {
    named = new Set();
  },
  table(data) {
    named?.add(data.table);
    const before = tables.get(data.table);
    tables.set(data.table, data);
    const { view } = data;
    const over = before?.view.result !== view.result || before?.view.started !== view.started || before?.round !== data.round;
    if (over) about = true;
    const seen = named === null && before !== undefined && before.game === data.game;
    if (over) strip?.take(data, seen, performance.now());
    if (before?.event !== data.event || before?.board !== data.board) return named === null ? all() : undefined;
    grid.changed(data.table);
    featured.changed(data.table);
    wanted();
  },
  removed(table) {
    strip?.forget(table);
    if (tables.delete(table)) all();
  },
  round(said) {
    rounds.set(said.event, said);
    about = true;
  },
  end() {
    if (named !== null) {
      for (const table of tables.keys()) {
        if (named.has(table)) continue;
        tables.delete(table);
        strip?.forget(table);
      }
    }
    named = null;
    loaded = true;
    all();
  },
  refused(status, words) {
    const said = status === 401 && language !== "en" ? t("token") : words;
    if (refused === said) return;
    refused = said;
    drawBanner();
  },
  live(yes) {
    root.dataset.feed = yes ? "live" : "lost";
    if (yes) lostAt = null;
    else lostAt ??= performance.now();
  },
});
