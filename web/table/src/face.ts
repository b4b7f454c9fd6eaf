// What the two at the table see and touch: two halves, and a strip between them. It shows what 12.6 allows: both times, whose clock
// runs, and what the players themselves have said; nothing of what the hub has found.
//
// Both halves can be pressed at any time: what is asked stands in a tray beside the strip and never over a half.

import { other, type Side } from "./clock";
import type { Device } from "./device";
import { el, held, mark, say } from "./dom";
import { figures } from "./figures";
import { t, type Key } from "./words";
import type { Result } from "./wire";

const SIDES = ["left", "right"] as const;
/** How long the button that stops both clocks is held, and the arbiter's that sets them going. */
const HOLD_TO_STOP = 500;
const HOLD_TO_GO_ON = 1_200;
/** A tray that nobody answers closes again. */
const TRAY_MS = 15_000;
/** A hand may have pressed in the last moment without the page having been told yet: so much later a flag is taken to have fallen. */
const GRACE = 40;
/** A touch that is said to be older than this has another clock than the page. */
const BELIEVED = 10_000;

const RESULTS: readonly (readonly [Result, Key, Key])[] = [
  ["1-0", "won.white", "won.white.long"],
  ["1/2-1/2", "won.none", "won.none.long"],
  ["0-1", "won.black", "won.black.long"],
];

type Asked =
  | { what: "nothing" }
  | { what: "draw" }
  | { what: "claim"; side: Side }
  | { what: "result"; chosen: { left: Result | null; right: Result | null } };

interface HalfView {
  root: HTMLElement;
  press: HTMLButtonElement;
  time: HTMLElement;
  who: HTMLElement;
  word: HTMLElement;
  tray: HTMLElement;
}

export interface Outside {
  table: number;
  online(): boolean;
  /** The first touch of each kind lets the page fill the screen. */
  touched(): void;
  settings(): void;
}

export class Face {
  private readonly halves: Record<Side, HalfView>;
  private readonly strip: { root: HTMLElement; number: HTMLElement; state: HTMLElement; hold: HTMLButtonElement; more: HTMLButtonElement };
  private readonly draw: HTMLButtonElement;
  private readonly result: HTMLButtonElement;
  private asked: Asked = { what: "nothing" };
  private askedAt = 0;
  private line: { text: string; until: number } | null = null;
  private trays = "";

  constructor(
    root: HTMLElement,
    private readonly device: () => Device,
    private readonly outside: Outside,
  ) {
    this.halves = { left: this.half("left"), right: this.half("right") };
    const hold = el("button", { type: "button", class: "hold" });
    const more = el("button", { type: "button", class: "more" });
    this.draw = el("button", { type: "button", class: "ask" });
    this.result = el("button", { type: "button", class: "ask" });
    const [number, state] = [el("span", { class: "number" }), el("span", { class: "state", role: "status" })];
    const strip = el("nav", { class: "strip" }, el("div", { class: "where" }, number, state), this.draw, hold, this.result, more);
    this.strip = { root: strip, number, state, hold, more };
    root.replaceChildren(this.halves.left.root, strip, this.halves.right.root);

    held(hold, HOLD_TO_STOP, (at) => {
      if (!this.device().table.paused) this.device().pause(at);
    });
    const goOn = el("button", { type: "button", class: "hold go-on" });
    held(goOn, HOLD_TO_GO_ON, (at) => this.device().resume(at));
    hold.after(goOn);
    this.goOn = goOn;
    this.draw.addEventListener("click", () => this.ask({ what: "draw" }));
    this.result.addEventListener("click", () => this.ask({ what: "result", chosen: { left: null, right: null } }));
    more.addEventListener("click", () => outside.settings());
  }

  private readonly goOn: HTMLButtonElement;

  private half(side: Side): HalfView {
    const press = el("button", { type: "button", class: "press" });
    const [time, who, word] = [
      el("div", { class: "time", role: "timer" }),
      el("div", { class: "who" }),
      el("div", { class: "word" }),
    ];
    const tray = el("div", { class: "tray" });
    // The moment is the event's own: when the glass was touched, not when this line runs.
    press.addEventListener("pointerdown", (event) => {
      event.preventDefault();
      if (event.button === 0) this.pressed(side, event.timeStamp);
    });
    press.addEventListener("keydown", (event) => {
      if ((event.key === "Enter" || event.key === " ") && !event.repeat) {
        event.preventDefault();
        this.pressed(side, event.timeStamp);
      }
    });
    const turned = el("div", { class: "turned" }, press, who, time, word, tray);
    const root = el("section", { class: `half ${side}` }, turned);
    return { root, press, time, who, word, tray };
  }

  private pressed(side: Side, at: number): void {
    const now = performance.now();
    // Some browsers' events once had another clock than their pages: that one is not believed.
    this.device().touch(side, at <= now && now - at < BELIEVED ? at : now);
    this.outside.touched();
    this.show(performance.now());
  }

  private ask(asked: Asked): void {
    // The same button again closes it.
    this.asked = asked.what === this.asked.what ? { what: "nothing" } : asked;
    this.askedAt = performance.now();
    this.show(this.askedAt);
  }

  private done(): void {
    this.asked = { what: "nothing" };
    this.show(performance.now());
  }

  /** A line of the hub's, for so long. */
  tell(text: string, ms: number): void {
    this.line = text === "" ? null : { text, until: performance.now() + ms };
  }

  /** Words have changed: everything is written anew. */
  anew(): void {
    this.trays = "";
    this.show(performance.now());
  }

  /** Draws what is so at this moment. */
  show(now: number): void {
    const device = this.device();
    device.reach(Math.floor(now) - GRACE);
    const { clock, table } = device;
    const { running, control } = clock;
    const white = control?.white ?? null;
    if (this.asked.what !== "nothing" && now - this.askedAt > TRAY_MS) this.asked = { what: "nothing" };
    const begun = SIDES.some((side) => clock.half(side).moves > 0 || clock.half(side).flag) || table.ran !== null || running !== null;

    for (const side of SIDES) {
      const { root, press, time, who, word } = this.halves[side];
      const own = clock.half(side);
      const shown = control === null ? "–:––" : figures(clock.shows(side, Math.floor(now)));
      say(time, shown);
      mark(time, "length", String(shown.length));
      const color = white === null ? "" : white === side ? "white" : "black";
      say(who, color === "" ? "" : t(color));
      mark(root, "color", color);
      mark(root, "state", own.flag ? "flag" : running === side ? "runs" : running === null ? "stands" : "waits");
      say(word, this.wordFor(side, begun, white));
      const name = t("press", { side: color === "" ? t(side) : t(color) });
      if (press.ariaLabel !== name) press.ariaLabel = name;
    }

    const { strip, draw, result, goOn } = this;
    say(strip.number, String(this.outside.table));
    strip.number.title = t("table", { n: this.outside.table });
    if (this.line !== null && this.line.until < now) this.line = null;
    const online = this.outside.online();
    mark(strip.root, "online", String(online));
    const unseen = device.unseen;
    const stopped = begun && running === null && !SIDES.some((side) => clock.half(side).flag);
    const offline = unseen > 0 ? `${t("offline")} · ${unseen}` : t("offline");
    const full = device.keepsNothing ? t("no.storage") : null;
    say(strip.state, this.line?.text ?? full ?? (online ? (stopped ? t("paused") : "") : offline));
    strip.state.title = online ? "" : t("offline.why", { n: unseen });
    say(strip.hold, t("arbiter"));
    strip.hold.ariaLabel = t("arbiter.hold");
    say(goOn, t("resume"));
    goOn.ariaLabel = t("resume.hold");
    say(draw, t("draw"));
    say(result, t("result"));
    strip.more.ariaLabel = t("more");
    // Nothing that covers a half, while a clock runs.
    strip.more.disabled = running !== null;
    strip.hold.hidden = table.paused || control === null;
    goOn.hidden = !(table.paused && table.ran !== null && running === null);
    draw.hidden = result.hidden = !begun;
    draw.ariaExpanded = String(this.asked.what === "draw" || this.asked.what === "claim");
    result.ariaExpanded = String(this.asked.what === "result");
    this.showTrays(white);
  }

  private wordFor(side: Side, begun: boolean, white: Side | null): string {
    const { clock, table } = this.device();
    if (clock.control === null) return t("waiting");
    if (!begun) return white === other(side) ? t("start") : "";
    const [own, his] = [table.results[side], table.results[other(side)]];
    if (own !== null && his !== null) {
      return own === his
        ? t("result.agreed", { result: brief(own) })
        : t("result.disagree", { own: brief(own), other: brief(his) });
    }
    if (own !== null) return t("result.own", { result: brief(own) });
    if (his !== null) return t("result.other");
    if (table.offer === side) return t("offered.own");
    if (table.offer === other(side)) return t("offered.other");
    return "";
  }

  private showTrays(white: Side | null): void {
    const { table } = this.device();
    const key = JSON.stringify([this.asked, table, white]);
    if (key === this.trays) return;
    this.trays = key;
    for (const side of SIDES) this.halves[side].tray.replaceChildren(...this.tray(side));
  }

  /** What this player can say now. */
  private tray(side: Side): HTMLElement[] {
    const { asked } = this;
    const device = this.device();
    const { table } = device;
    const button = (words: string, kind: string, tap: (at: number) => void): HTMLElement => {
      const made = el("button", { type: "button", class: kind }, words);
      made.addEventListener("click", (event) => tap(event.timeStamp));
      return made;
    };
    const after = (act: (at: number) => void) => (at: number) => {
      act(at);
      this.done();
    };
    switch (asked.what) {
      case "draw":
        return [
          button(t("offer"), "choice", after((at) => device.offerDraw(side, at))),
          button(t("claim"), "choice", () => this.ask({ what: "claim", side })),
        ];
      case "claim":
        if (asked.side !== side) return [];
        return [
          button(t("claim.sure"), "choice main", after((at) => device.claim(side, "draw", at))),
          button(t("back"), "choice", () => this.done()),
        ];
      case "result": {
        const chosen = asked.chosen[side];
        if (table.results[side] !== null) {
          return [button(t("change"), "choice", () => device.takeBackResult(side))];
        }
        if (chosen === null) {
          return RESULTS.map(([result, words, long]) => {
            const made = button(t(words), "choice", () => {
              asked.chosen[side] = result;
              this.askedAt = performance.now();
              this.anew();
            });
            made.ariaLabel = t(long);
            return made;
          });
        }
        return [
          button(t("confirm", { result: brief(chosen) }), "choice main", (at) => {
            asked.chosen[side] = null;
            device.result(side, chosen, at);
            if (device.table.results[other(side)] !== null) this.done();
            else this.anew();
          }),
          button(t("back"), "choice", () => {
            asked.chosen[side] = null;
            this.anew();
          }),
        ];
      }
      case "nothing":
        if (table.offer !== other(side)) return [];
        return [
          button(t("accept"), "choice main", after((at) => device.answerDraw(side, true, at))),
          button(t("decline"), "choice", after((at) => device.answerDraw(side, false, at))),
        ];
    }
  }
}

/** `1–0`, which no line's end may take apart. */
function brief(result: Result): string {
  return t(RESULTS.find(([known]) => known === result)?.[1] ?? "won.none").replace("–", "\u2060–\u2060");
}
