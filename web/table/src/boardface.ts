// What a recorder sees and touches: a board as big as the phone, on which a move is two taps or one stroke, and a strip with what else
// he needs: take back, set pieces by hand, turn the board. Nothing is said of whether a move is legal (12.6).

import { el, held, mark, say } from "./dom";
import { SQUARES, isWhite, type Piece } from "./position";
import type { Recorder } from "./recorder";
import { t, type Key } from "./words";

const HOLD_TO_SET_UP = 1_200;
/** A touch that is said to be older than this has another clock than the page. */
const BELIEVED = 10_000;
const TURNED = "flagfall-table-board-turned";

const NAMES: Readonly<Record<string, Key>> = { k: "king", q: "queen", r: "rook", b: "bishop", n: "knight", p: "pawn" };
const PROMOTIONS = ["q", "r", "b", "n"] as const;
/** What can be put on a square by hand: off it, and every piece. */
const BOX: readonly (Piece | "")[] = ["", "K", "Q", "R", "B", "N", "P", "k", "q", "r", "b", "n", "p"];

const picture = (piece: Piece): string => `url("/pieces/${isWhite(piece) ? "w" : "b"}${piece.toUpperCase()}.svg")`;

export interface Outside {
  table: number;
  online(): boolean;
  touched(): void;
  settings(): void;
}

export class BoardFace {
  private readonly squares = new Map<string, HTMLButtonElement>();
  private readonly board = el("div", { class: "squares", role: "group" });
  private readonly strip: { root: HTMLElement; number: HTMLElement; state: HTMLElement; back: HTMLButtonElement; hand: HTMLButtonElement };
  private readonly more = el("button", { type: "button", class: "more" });
  private readonly turn = el("button", { type: "button", class: "ask" });
  private readonly fresh = el("button", { type: "button", class: "hold set-up" });
  private readonly tray = el("div", { class: "box" });
  private chosen: string | null = null;
  private asked: { from: string; to: string; at: number } | null = null;
  /** By hand: what is put on the next square that is tapped, or null for moving pieces about. */
  private byHand = false;
  private inHand: Piece | "" | null = null;
  private turned = localStorage.getItem(TURNED) === "yes";
  private line: { text: string; until: number } | null = null;
  private drawn = "";
  private shownTray = "";

  constructor(
    root: HTMLElement,
    private readonly device: () => Recorder,
    private readonly outside: Outside,
  ) {
    const [number, state] = [el("span", { class: "number" }), el("span", { class: "state", role: "status" })];
    const [back, hand] = [el("button", { type: "button", class: "ask back" }), el("button", { type: "button", class: "ask by-hand" })];
    this.strip = { root: el("nav", { class: "strip" }), number, state, back, hand };
    this.strip.root.append(el("div", { class: "where" }, number, state), back, hand, this.turn, this.fresh, this.more);
    for (const square of SQUARES) {
      const button = el("button", { type: "button", "data-square": square });
      button.addEventListener("keydown", (event) => {
        if ((event.key === "Enter" || event.key === " ") && !event.repeat) {
          event.preventDefault();
          this.tapped(square, event.timeStamp);
        }
      });
      this.squares.set(square, button);
    }
    this.board.addEventListener("pointerdown", (event) => this.down(event));
    this.board.addEventListener("pointerup", (event) => this.up(event));
    root.replaceChildren(el("section", { class: "record" }, this.board), this.tray, this.strip.root);
    this.lay();
    back.addEventListener("click", (event) => {
      this.nothing();
      this.device().takeBack(this.moment(event.timeStamp));
      this.show();
    });
    hand.addEventListener("click", () => {
      this.nothing();
      this.byHand = !this.byHand;
      this.show();
    });
    this.turn.addEventListener("click", () => {
      this.turned = !this.turned;
      localStorage.setItem(TURNED, this.turned ? "yes" : "no");
      this.lay();
      this.show();
    });
    this.more.addEventListener("click", () => outside.settings());
    held(this.fresh, HOLD_TO_SET_UP, (at) => {
      this.nothing();
      this.byHand = false;
      this.device().setUp(at);
      this.show();
    });
  }

  private lay(): void {
    const order = this.turned ? [...SQUARES].reverse() : SQUARES;
    this.board.replaceChildren(...order.map((square) => this.squares.get(square) as HTMLElement));
    this.drawn = "";
  }

  private nothing(): void {
    this.chosen = null;
    this.asked = null;
    this.inHand = null;
  }

  /** Some browsers' events once had another clock than their pages: that one is not believed. */
  private moment(at: number): number {
    const now = performance.now();
    return at <= now && now - at < BELIEVED ? at : now;
  }

  private squareAt(x: number, y: number): string | null {
    const found = document.elementFromPoint(x, y)?.closest<HTMLElement>("[data-square]");
    return found?.dataset["square"] ?? null;
  }

  private pressedOn: string | null = null;

  private down(event: PointerEvent): void {
    event.preventDefault();
    if (event.button !== 0) return;
    this.outside.touched();
    const square = this.squareAt(event.clientX, event.clientY);
    this.pressedOn = square;
    if (square === null) return;
    this.board.setPointerCapture(event.pointerId);
    this.tapped(square, event.timeStamp);
  }

  /** A piece that was drawn to another square has moved there. */
  private up(event: PointerEvent): void {
    const [from, to] = [this.pressedOn, this.squareAt(event.clientX, event.clientY)];
    this.pressedOn = null;
    if (from !== null && to !== null && from !== to && this.chosen === from) this.tapped(to, event.timeStamp);
  }

  private tapped(square: string, stamp: number): void {
    const device = this.device();
    const at = this.moment(stamp);
    this.asked = null;
    const piece = device.position.on(square);
    if (this.byHand && this.inHand !== null) {
      device.put(square, this.inHand, at);
    } else if (this.chosen === null) {
      if (piece !== null) this.chosen = square;
    } else if (this.chosen === square) {
      this.chosen = null;
    } else {
      this.moved(this.chosen, square, at);
    }
    this.show();
  }

  private moved(from: string, to: string, at: number): void {
    const device = this.device();
    const [moving, there] = [device.position.on(from), device.position.on(to)];
    if (moving === null) {
      this.chosen = null;
      return;
    }
    if (this.byHand) {
      device.put(from, "", at);
      device.put(to, moving, at);
      this.chosen = null;
      return;
    }
    const castles = moving.toUpperCase() === "K" && there?.toUpperCase() === "R";
    if (there !== null && isWhite(there) === isWhite(moving) && !castles) {
      // Nobody takes his own piece: it is the one that was meant.
      this.chosen = to;
      return;
    }
    this.chosen = null;
    if (device.position.promotes(from, to)) this.asked = { from, to, at };
    else device.move(from, to, null, at);
  }

  /** A line of the hub's, for so long. */
  tell(text: string, ms: number): void {
    this.line = text === "" ? null : { text, until: performance.now() + ms };
  }

  /** Words have changed: everything is written anew. */
  anew(): void {
    this.drawn = this.shownTray = "";
    this.show();
  }

  show(): void {
    const device = this.device();
    const { strip } = this;
    if (this.line !== null && this.line.until < performance.now()) this.line = null;
    const online = this.outside.online();
    mark(strip.root, "online", String(online));
    say(strip.number, String(this.outside.table));
    strip.number.title = t("table", { n: this.outside.table });
    const { unseen } = device;
    const offline = unseen > 0 ? `${t("offline")} · ${unseen}` : t("offline");
    const full = device.keepsNothing ? t("no.storage") : null;
    say(strip.state, this.line?.text ?? full ?? (online ? "" : offline));
    strip.state.title = online ? "" : t("offline.why", { n: unseen });
    say(strip.back, t("take.back"));
    strip.back.disabled = !device.canTakeBack;
    say(strip.hand, t("by.hand"));
    strip.hand.ariaPressed = String(this.byHand);
    say(this.turn, t("turn"));
    // The strip of a phone has room for one of them.
    this.turn.hidden = this.byHand;
    say(this.fresh, t("set.up"));
    this.fresh.ariaLabel = t("set.up.hold");
    this.fresh.hidden = !this.byHand;
    this.more.ariaLabel = t("more");
    this.showBoard();
    this.showTray();
  }

  private showBoard(): void {
    const { position, last } = this.device();
    const key = JSON.stringify([position.placement, last, this.chosen, this.asked, this.turned, document.documentElement.lang]);
    if (key === this.drawn) return;
    this.drawn = key;
    this.board.ariaLabel = t("board");
    for (const [square, button] of this.squares) {
      const piece = position.on(square);
      button.style.backgroundImage = piece === null ? "" : picture(piece);
      const now = this.asked?.to === square || this.asked?.from === square || this.chosen === square;
      mark(button, "is", now ? "chosen" : last !== null && (last.from === square || last.to === square) ? "last" : "");
      button.ariaLabel = piece === null ? square : `${square} ${this.named(piece)}`;
    }
  }

  private named(piece: Piece): string {
    const name = NAMES[piece.toLowerCase()] ?? "pawn";
    return `${t(isWhite(piece) ? "white" : "black")}: ${t(name)}`;
  }

  private showTray(): void {
    const { asked } = this;
    const pawn = asked === null ? null : this.device().position.on(asked.from);
    const key = JSON.stringify([asked, pawn, this.byHand, this.inHand, document.documentElement.lang]);
    if (key === this.shownTray) return;
    this.shownTray = key;
    mark(this.tray, "asks", asked !== null ? "promotion" : this.byHand ? "hand" : "");
    if (asked !== null && pawn !== null) {
      const white = isWhite(pawn);
      const pieces = [...PROMOTIONS.map((role) => (white ? role.toUpperCase() : role) as Piece), pawn];
      this.tray.replaceChildren(
        el("span", { class: "why" }, t("promotes")),
        ...pieces.map((piece) =>
          this.pick(piece, piece === pawn ? t("stays.pawn") : this.named(piece), () => {
            this.asked = null;
            this.device().move(asked.from, asked.to, piece === pawn ? null : piece, asked.at);
            this.show();
          }),
        ),
      );
    } else if (this.byHand) {
      const rows = BOX.map((piece) => {
        const button = this.pick(piece, piece === "" ? t("take.off") : this.named(piece), () => {
          this.chosen = null;
          this.inHand = this.inHand === piece ? null : piece;
          this.show();
        });
        button.ariaPressed = String(this.inHand === piece);
        return button;
      });
      this.tray.replaceChildren(el("span", { class: "why" }, t("by.hand.why")), ...rows);
    } else {
      this.tray.replaceChildren();
    }
  }

  private pick(piece: Piece | "", name: string, tap: () => void): HTMLButtonElement {
    const button = el("button", { type: "button", class: piece === "" ? "piece off" : "piece", "aria-label": name });
    if (piece !== "") button.style.backgroundImage = picture(piece);
    button.addEventListener("click", tap);
    return button;
  }
}
