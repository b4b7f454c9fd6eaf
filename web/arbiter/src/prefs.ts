// What this tablet remembers: the token, the language, colours, sound. Nothing of the hall.

import { language, setLanguage, TAGS, type Language } from "./words";

const TOKEN = "flagfall-arbiter-token";
const PREFS = "flagfall-arbiter-prefs";

export type Theme = "auto" | "light" | "dark";

export interface Prefs {
  language: Language;
  theme: Theme;
  /** In the playing area a sound would be a hint: off unless switched on. */
  sound: boolean;
  vibrate: boolean;
}

export function storage(): Storage | null {
  try {
    return localStorage;
  } catch {
    // Forbidden by the browser's settings: the token lives as long as the page.
    return null;
  }
}

let unkept = "";

/** The token from the address's fragment, which is taken out of it at once, or the one kept. */
export function token(): string {
  const given = /^#(?:.*&)?token=([^&]+)/.exec(location.hash)?.[1];
  if (given !== undefined) {
    history.replaceState(null, "", location.pathname);
    keepToken(decodeURIComponent(given));
  }
  return storage()?.getItem(TOKEN) ?? unkept;
}

export function keepToken(token: string): void {
  unkept = token;
  storage()?.setItem(TOKEN, token);
}

export function forgetToken(): void {
  unkept = "";
  storage()?.removeItem(TOKEN);
}

function read(): Prefs {
  const prefs: Prefs = { language, theme: "auto", sound: false, vibrate: true };
  try {
    const kept: unknown = JSON.parse(storage()?.getItem(PREFS) ?? "{}");
    if (typeof kept === "object" && kept !== null) {
      const { language: lang, theme, sound, vibrate } = kept as Partial<Record<keyof Prefs, unknown>>;
      if (lang === "en" || lang === "sr" || lang === "ru" || lang === "pl") prefs.language = lang;
      if (theme === "light" || theme === "dark") prefs.theme = theme;
      if (typeof sound === "boolean") prefs.sound = sound;
      if (typeof vibrate === "boolean") prefs.vibrate = vibrate;
    }
  } catch {
    // Not ours, or damaged: as new.
  }
  return prefs;
}

export const prefs: Prefs = read();

export function apply(): void {
  setLanguage(prefs.language);
  document.documentElement.lang = TAGS[prefs.language];
  if (prefs.theme === "auto") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = prefs.theme;
}

export function change(some: Partial<Prefs>): void {
  Object.assign(prefs, some);
  storage()?.setItem(PREFS, JSON.stringify(prefs));
  apply();
}
