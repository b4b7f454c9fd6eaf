// `/table/{n}`: this phone is the clock of that table; `/table/{n}/board`: it is the board on which a recorder taps the moves. Puts the
// device, what is kept, the link and the face together.

import "./table.css";
import { BoardFace } from "./boardface";
import { Device } from "./device";
import { Face } from "./face";
import { Keep } from "./keep";
import { Link, type Ended } from "./link";
import { login, tableOf, type Duty, type Login } from "./login";
import { claim } from "./one";
import { join, keeps, settings, stopped } from "./pages";
import { Recorder } from "./recorder";
import type { Hands, Nature, Reporter, Wall } from "./reporter";
import { Sleep, fillScreen, stayAwake } from "./wake";
import { num, read } from "./wire";
import { begin, t, type Key } from "./words";

const VITAL_EVERY = 5_000;
/** How often the state is written though nothing happens, so that a reload knows how long the page was away. */
const NOTE_EVERY = 2_000;
/** While the page is not drawn, flags are looked for so often. */
const UNSEEN_EVERY = 250;

interface Shown {
  show(now: number): void;
  tell(line: string, ms: number): void;
  anew(): void;
}

interface Outside {
  table: number;
  online(): boolean;
  touched(): void;
  settings(): void;
}

/** What makes a clock a clock, and a board a board. */
interface Kind<M extends Reporter> {
  duty: Duty;
  make(keep: Keep, hands: Hands, wall: Wall, boot: number, now: number): M;
  show(device: () => M, outside: Outside): Shown;
  /** What it is called, where it is none any more or not yet. */
  words: Readonly<Record<"elsewhere" | "why" | "refused" | "device", Key>>;
  /** Nothing is lost with it: no game is on it. */
  idle(device: M): boolean;
}

const nature = (model: string): Nature => ({ model, firmware: "1" });

const CLOCK: Kind<Device> = {
  duty: "clock",
  make: (...of) => new Device(nature("flagfall table page"), ...of),
  show: (device, outside) => new Face(root, device, outside),
  words: { elsewhere: "elsewhere", why: "elsewhere.why", refused: "refused", device: "device" },
  idle: (device) => device.clock.control === null,
};

const BOARD: Kind<Recorder> = {
  duty: "board",
  make: (...of) => new Recorder(nature("flagfall recorder page"), ...of),
  show: (device, outside) => new BoardFace(root, device, outside),
  words: { elsewhere: "elsewhere.board", why: "elsewhere.board.why", refused: "refused.board", device: "device.board" },
  idle: (device) => !device.canTakeBack,
};

const root = document.getElementById("clock") as HTMLElement;

/** The calendar's time at a moment of this page's counter. */
const wall = (now: number): number => Date.now() - Math.round(performance.now() - now);

function newBoot(): number {
  const [random] = crypto.getRandomValues(new Uint32Array(1));
  return (random ?? 0) || 1;
}

async function start<M extends Reporter>(kind: Kind<M>, table: number, who: Login, byForce: boolean): Promise<void> {
  let over = false;
  let end = (): void => {};
  const elsewhere = (): void => {
    over = true;
    end();
    stopped(root, kind.words.elsewhere, kind.words.why, { words: "here", tap: () => location.reload() });
  };
  if ((await claim(kind.duty, byForce, elsewhere)) === "taken") {
    stopped(root, kind.words.elsewhere, kind.words.why, { words: "here", tap: () => void start(kind, table, who, true) });
    return;
  }
  run(kind, table, who, (stop) => (end = stop), () => over, elsewhere);
}

function run<M extends Reporter>(
  kind: Kind<M>,
  table: number,
  who: Login,
  onEnd: (stop: () => void) => void,
  over: () => boolean,
  elsewhere: () => void,
): void {
  const keep = new Keep(localStorage, who.device);
  // The hall's name stands in every topic; the hub has written it on the page.
  const hall = document.documentElement.dataset["hall"] ?? "hall";
  const topic = (level: string): string => `flagfall/v1/${hall}/${who.device}/${level}`;
  const state = `flagfall/v1/${hall}/hub/state`;

  let online = false;
  let speed = 1;
  let refused = false;
  let awake = false;
  let filled = false;
  const hands = {
    send: (up: string, message: object) => link.send(topic(up), JSON.stringify(message)),
    changed: () => face?.show(performance.now()),
    text: (line: string, ms: number) => face?.tell(line, ms),
  };
  let face: Shown | null = null;
  const sleep = new Sleep(wall, performance.now());
  // By the believed calendar: what is written after a sleep and before it is confirmed must not hide it.
  const calendar = (now: number): number => sleep.calendar(now);
  const boot = (): M => kind.make(keep, hands, calendar, newBoot(), Math.floor(performance.now()));
  let device = boot();

  const link = new Link(
    `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/mqtt`,
    who.device,
    who.secret,
    [topic("order"), topic("seen"), topic("time"), state],
    {
      will: () => ({ topic: topic("death"), payload: JSON.stringify(device.connecting()) }),
      up: () => {
        online = true;
        if (refused) {
          refused = false;
          mount();
        }
        device.onConnected(performance.now());
        device.vital(performance.now());
      },
      heard,
      down: (why: Ended) => {
        online = false;
        device.onLost();
        if (why === "elsewhere") {
          elsewhere();
        } else if (why === "refused" && kind.idle(device)) {
          // One with a game on it goes on, whatever the hub says of its code.
          refused = true;
          stopped(root, kind.words.refused, "refused.why");
        }
      },
    },
  );

  function heard(from: string, payload: string): void {
    const now = performance.now();
    const level = from === state ? "state" : from.slice(from.lastIndexOf("/") + 1);
    if (level === "state") speed = num(read(payload)?.["speed"]);
    device.heard(level, payload, now);
    // What the broker kept of the hub's state is old; a probe is of this moment.
    if (level === "time" && speed === 1 && sleep.hubSays(num(read(payload)?.["hub_ms"]), now) !== null) again();
  }

  /** The counter stood still while the phone slept: whatever was counted by it is over, as after a reload. */
  function again(): void {
    device.onLost();
    device = boot();
    device.onConnected(performance.now());
  }

  function mount(): void {
    const mounted = kind.show(() => device, {
      table,
      online: () => online,
      touched: () => {
        if (!filled) {
          filled = true;
          void fillScreen();
        }
        askAgain();
      },
      settings: () => settings({ device: `${t(kind.words.device)}: ${who.device}`, awake, fill: () => void fillScreen(), changed: () => mounted.anew() }),
    });
    face = mounted;
    mounted.show(performance.now());
  }

  const askAgain = stayAwake((is) => (awake = is));
  mount();
  link.open();

  const showing = (): boolean => !over() && !refused;
  const frame = (): void => {
    if (showing()) face?.show(performance.now());
    if (!over()) requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
  const timers = [
    setInterval(() => showing() && document.hidden && face?.show(performance.now()), UNSEEN_EVERY),
    setInterval(() => !link.busy && device.vital(performance.now()), VITAL_EVERY),
    setInterval(() => {
      device.note(performance.now());
      sleep.look(performance.now());
    }, NOTE_EVERY),
  ];
  addEventListener("online", () => link.hurry());
  document.addEventListener("visibilitychange", () => {
    sleep.look(performance.now());
    if (!document.hidden && !over()) link.hurry();
  });
  addEventListener("pagehide", () => {
    if (!over()) device.note(performance.now());
  });
  document.addEventListener("contextmenu", (event) => event.preventDefault());
  void battery((percent) => (device.battery = percent));
  onEnd(() => {
    timers.forEach(clearInterval);
    link.leave();
  });
}

async function battery(changed: (percent: number) => void): Promise<void> {
  type Battery = EventTarget & { level: number };
  const ask = (navigator as Navigator & { getBattery?: () => Promise<Battery> }).getBattery;
  const found = await ask?.call(navigator).catch(() => undefined);
  if (found === undefined) return;
  const tell = (): void => changed(Math.round(found.level * 100));
  found.addEventListener("levelchange", tell);
  tell();
}

if ("serviceWorker" in navigator) {
  // Over plain http there is none: then the page can only be loaded again while the hub is there.
  navigator.serviceWorker.register("/table-shell.js", { scope: "/table/" }).catch(() => undefined);
  // This very page was loaded before anything could keep it.
  caches.open("flagfall-table").then((cache) => cache.add(location.pathname)).catch(() => undefined);
}
const place = tableOf(location.pathname);
begin(place?.duty === "board" ? "title.board" : "title");
if (place === null) {
  join(root);
} else if (!keeps()) {
  stopped(root, "no.storage", "no.storage.why");
} else {
  const who = login(place.duty);
  if (who === null) stopped(root, place.duty === "board" ? "no.code.board" : "no.code", "no.code.why");
  else if (place.duty === "board") void start(BOARD, place.table, who, false);
  else void start(CLOCK, place.table, who, false);
}
