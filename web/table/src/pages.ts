// Pages that are no clock: what the technician is told, and why a clock is none any more.

import { el } from "./dom";
import { LANGUAGES, choose, language, t, type Key, type Language } from "./words";

function languages(again: () => void): HTMLElement {
  const select = el("select", { "aria-label": t("language") });
  for (const [tag, name] of Object.entries(LANGUAGES)) {
    select.append(el("option", { value: tag, selected: tag === language }, name));
  }
  select.addEventListener("change", () => {
    choose(select.value as Language, true);
    again();
  });
  return select;
}

/** A heading, a sentence, and perhaps one thing to do. */
export function stopped(root: HTMLElement, what: Key, why: Key, action: { words: Key; tap: () => void } | null = null): void {
  const again = (): void => stopped(root, what, why, action);
  const page = el("div", { class: "page" }, el("h1", {}, t(what)), el("p", {}, t(why)));
  if (action !== null) {
    const button = el("button", { type: "button", class: "choice main" }, t(action.words));
    button.addEventListener("click", action.tap);
    page.append(button);
  }
  page.append(languages(again));
  root.replaceChildren(page);
}

/** How a phone becomes a clock, and what this one can do over this connection. */
export function join(root: HTMLElement): void {
  const can: [Key, boolean][] = [
    ["join.secure", location.protocol === "https:"],
    ["join.awake", "wakeLock" in navigator],
    ["join.one", "locks" in navigator],
    ["join.keep", keeps()],
    ["join.fill", document.fullscreenEnabled === true],
  ];
  const rows = can.map(([what, yes]) => el("li", { class: yes ? "yes" : "no" }, t(what), el("b", {}, t(yes ? "yes" : "no"))));
  root.replaceChildren(
    el(
      "div",
      { class: "page" },
      el("h1", {}, t("join.title")),
      el("p", {}, t("join.how")),
      el("h2", {}, t("join.this")),
      el("ul", {}, ...rows),
      el("p", {}, t("join.missing")),
      el("p", {}, t("join.terms")),
      languages(() => join(root)),
    ),
  );
}

/** Whether what is written can be read again. */
export function keeps(): boolean {
  try {
    localStorage.setItem("flagfall-table-try", "1");
    localStorage.removeItem("flagfall-table-try");
    return true;
  } catch {
    return false;
  }
}

export interface Settings {
  device: string;
  awake: boolean;
  fill: () => void;
  changed: () => void;
}

/** What a technician sets; it lies over the clock, and only while that stands. */
export function settings({ device, awake, fill, changed }: Settings): void {
  const dialog = el("dialog", { class: "settings" });
  const draw = (): void => {
    const whole = el("button", { type: "button", class: "choice" }, t("fullscreen"));
    whole.addEventListener("click", fill);
    const close = el("button", { type: "button", class: "choice main" }, t("close"));
    close.addEventListener("click", () => dialog.close());
    dialog.replaceChildren(
      el("h1", {}, t("more")),
      el("p", {}, device),
      el("p", {}, t(awake ? "awake" : "awake.not")),
      languages(() => {
        draw();
        changed();
      }),
      whole,
      close,
    );
  };
  draw();
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}
