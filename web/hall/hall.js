// The hall's screen: keeps the newest state of every table and shows as many as can be read at once.

import { Card } from "./card.js";
import { Feed } from "./feed.js";
import { arrangement } from "./grid.js";
import { HallTime } from "./halltime.js";
import { optionsFrom } from "./options.js";

// A hub that restarts is back within this; only then the page says that it is alone.
const GRACE_MS = 3000;
const TICK_MS = 100;

const byId = (id) => document.getElementById(id);
const options = optionsFrom(location.search);
const time = new HallTime();
/** Table number → what the hub says of it. */
const tables = new Map();
/** Table number → its card, of the tables on this page. */
const cards = new Map();
/** Tables named since a snapshot began, or null outside one. */
let named = null;
let info = null;
let layout = null;
let page = 0;
let turned = performance.now();
let lostAt = null;
let stale = false;
let staleSince = null;
let refused = null;
let loaded = false;
const changed = new Set();
let everything = true;
let frame = null;

if (options.theme) document.documentElement.dataset.theme = options.theme;

function draw() {
  frame = null;
  if (everything) arrange();
  const now = time.known ? time.now() : 0;
  for (const table of everything ? cards.keys() : changed) {
    const data = tables.get(table);
    if (data) cards.get(table)?.show(data, placeOf(data), now);
  }
  everything = false;
  changed.clear();
  drawHeader();
}

function wanted() {
  frame ??= requestAnimationFrame(draw);
}

function all() {
  everything = true;
  wanted();
}

/** Which tables stand on the page, and how big. */
function arrange() {
  const grid = byId("grid");
  const numbers = [...tables.keys()].sort((a, b) => a - b);
  const { clientWidth: width } = document.documentElement;
  const height = document.documentElement.clientHeight - byId("grid").offsetTop;
  layout = arrangement(numbers.length, width, height);
  if (options.page !== null) page = options.page - 1;
  page = layout.pages > 0 ? page % layout.pages : 0;

  document.body.classList.toggle("scroll", layout.scroll);
  grid.className = `${layout.look} ${layout.perPage <= 6 ? "roomy" : ""}`;
  const set = (name, value) => grid.style.setProperty(name, value);
  set("--columns", layout.columns);
  set("--rows", layout.rows);
  set("--board", `${layout.board}px`);
  set("--clock", `${layout.clock.toFixed(1)}px`);
  set("--name", `${layout.name.toFixed(1)}px`);
  set("--gap", `${layout.gap}px`);
  set("--pad", `${layout.pad}px`);

  const shown = numbers.slice(page * layout.perPage, (page + 1) * layout.perPage);
  for (const [table, card] of cards) {
    if (shown.includes(table)) continue;
    card.element.remove();
    cards.delete(table);
  }
  grid.querySelector(".empty")?.remove();
  let before = null;
  for (const table of shown) {
    if (!cards.has(table)) cards.set(table, new Card(table));
    const { element } = cards.get(table);
    const after = before === null ? grid.firstChild : before.nextSibling;
    if (after !== element) grid.insertBefore(element, after);
    before = element;
  }
  if (loaded && numbers.length === 0) {
    const empty = document.createElement("p");
    empty.className = "empty";
    empty.textContent = options.tables === null ? "No games yet." : `No games at tables ${options.tables} yet.`;
    grid.append(empty);
  }
}

/** What else a table is called by: the board in its event, and the event's name, where that says something. */
function placeOf(data) {
  let [inEvent, names] = [0, new Set()];
  for (const { event, event_name } of tables.values()) {
    if (event === data.event) inEvent += 1;
    names.add(event_name);
  }
  const parts = [];
  if (data.board && data.board !== data.table && inEvent > 1) parts.push(`board ${data.board}`);
  if (names.size > 1) parts.push(data.event_name);
  return parts.join(" · ");
}

/** "Open · Round 3", an event's name once however many rounds of it are played. */
function eventsPlayed() {
  const rounds = new Map();
  for (const { event_name, round } of tables.values()) {
    if (!rounds.has(event_name)) rounds.set(event_name, new Set());
    rounds.get(event_name).add(round);
  }
  return [...rounds].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, played]) => {
    const numbers = [...played].sort((a, b) => a - b);
    return `${name} · Round${numbers.length > 1 ? "s" : ""} ${numbers.join(", ")}`;
  });
}

function setText(id, text) {
  const element = byId(id);
  if (element.textContent !== text) element.textContent = text;
  element.hidden = text === "";
}

function drawHeader() {
  setText("hall", info?.hall ?? "");
  setText("round", eventsPlayed().join("  |  "));
  let [playing, finished] = [0, 0];
  for (const { view } of tables.values()) {
    if (view.result !== "*") finished += 1;
    else if (view.started) playing += 1;
  }
  setText("count", loaded && tables.size > 0 ? `${playing} playing, ${finished} finished` : "");
  setText("speed", info && info.speed !== 1 ? `×${info.speed} speed` : "");
  setText("page", layout && layout.pages > 1 ? `page ${page + 1} of ${layout.pages}` : "");
  document.title = info?.hall ? `${info.hall} – Flagfall` : "Flagfall";
}

function drawBanner() {
  const said = [...options.errors];
  if (refused !== null) said.unshift(refused);
  else if (stale) said.unshift(`No connection to the hub since ${staleSince}. What stands here is the last that was heard.`);
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
  if (layout && layout.pages > 1 && options.page === null && at - turned > options.seconds * 1000) {
    turned = at;
    page = (page + 1) % layout.pages;
    all();
  }
  // Without the hub nobody knows whether a clock still runs.
  if (stale || !time.known || document.hidden) return;
  const now = time.now(at);
  for (const card of cards.values()) if (card.counts) card.tick(now);
}

addEventListener("resize", all);
// A token put behind the address of a page that is open already.
addEventListener("hashchange", () => location.reload());
addEventListener("keydown", ({ key }) => {
  const step = { ArrowRight: 1, PageDown: 1, ArrowLeft: -1, PageUp: -1 }[key];
  if (!step || !layout || layout.pages < 2) return;
  options.page = null;
  turned = performance.now();
  page = (page + step + layout.pages) % layout.pages;
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
new Feed("/api/hall/feed", options.tables, {
  info(said) {
    // Another program serves this page now: its scripts may speak otherwise.
    if (info && info.page !== said.page) return location.reload();
    info = said;
    time.take(said);
    wanted();
  },
  snapshot() {
    named = new Set();
  },
  table(data) {
    named?.add(data.table);
    const fresh = !tables.has(data.table);
    const other = !fresh && tables.get(data.table).event !== data.event;
    tables.set(data.table, data);
    if (fresh || other) return named === null ? all() : undefined;
    changed.add(data.table);
    wanted();
  },
  removed(table) {
    if (tables.delete(table)) all();
  },
  end() {
    if (named !== null) for (const table of tables.keys()) if (!named.has(table)) tables.delete(table);
    named = null;
    loaded = true;
    all();
  },
  refused(words) {
    if (refused === words) return;
    refused = words;
    drawBanner();
  },
  live(yes) {
    document.documentElement.dataset.feed = yes ? "live" : "lost";
    if (yes) lostAt = null;
    else lostAt ??= performance.now();
  },
});
