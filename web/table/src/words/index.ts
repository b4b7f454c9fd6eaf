// The page's words, in four languages: the browser's choice, until somebody chooses.

import { en } from "./en";
import { pl } from "./pl";
import { ru } from "./ru";
import { sr } from "./sr";

export type Key = keyof typeof en;
export type Words = Readonly<Record<Key, string>>;
export type Language = "en" | "sr" | "ru" | "pl";

export const LANGUAGES: Readonly<Record<Language, string>> = { en: "English", sr: "Srpski", ru: "Русский", pl: "Polski" };

const TAGS: Readonly<Record<Language, string>> = { en: "en", sr: "sr-Latn", ru: "ru", pl: "pl" };
const ALL: Readonly<Record<Language, Words>> = { en, sr, ru, pl };
const KEY = "flagfall-table-language";

function preferred(): Language {
  const kept = typeof localStorage === "undefined" ? null : localStorage.getItem(KEY);
  const wanted = typeof navigator === "undefined" ? [] : navigator.languages;
  for (const tag of [kept ?? "", ...wanted]) {
    const found = tag.slice(0, 2);
    if (found in ALL) return found as Language;
  }
  return "en";
}

export let language: Language = "en";
let title: Key = "title";

/** Speaks the browser's language, or the one that was chosen on it; the page is called so. */
export function begin(called: Key): void {
  title = called;
  choose(preferred());
}

export function choose(wanted: Language, keep = false): void {
  language = wanted;
  if (keep) localStorage.setItem(KEY, wanted);
  document.documentElement.lang = TAGS[wanted];
  document.title = t(title);
}

/** The words for it; `{name}` is filled in. */
export function t(key: Key, fill: Readonly<Record<string, string | number>> = {}): string {
  return ALL[language][key].replace(/\{(\w+)\}/g, (whole, name: string) => String(fill[name] ?? whole));
}
