// The page's own words, in four languages. What happened and what is proposed is the hub's to say.

import { en } from "./en";
import { pl } from "./pl";
import { ru } from "./ru";
import { sr } from "./sr";

export type Key = keyof typeof en;
export type Words = Readonly<Record<Key, string>>;
export type Language = "en" | "sr" | "ru" | "pl";

export const LANGUAGES: Readonly<Record<Language, string>> = { en: "English", sr: "Srpski", ru: "Русский", pl: "Polski" };

/** As the hub and the browser name them. */
export const TAGS: Readonly<Record<Language, string>> = { en: "en", sr: "sr-Latn", ru: "ru", pl: "pl" };

const ALL: Readonly<Record<Language, Words>> = { en, sr, ru, pl };

function preferred(): Language {
  for (const tag of typeof navigator === "undefined" ? [] : navigator.languages) {
    const found = tag.slice(0, 2);
    if (found in ALL) return found as Language;
  }
  return "en";
}

export let language: Language = preferred();

export function setLanguage(wanted: Language): void {
  language = wanted;
  formats = null;
}

/** The words for it; `{name}` is filled in. */
export function t(key: Key, fill: Readonly<Record<string, string | number>> = {}): string {
  return ALL[language][key].replace(/\{(\w+)\}/g, (whole, name: string) => String(fill[name] ?? whole));
}

/** Words that are looked up by what the hub says; its own word where there are none. */
export function named(prefix: string, name: string): string {
  const words: Readonly<Record<string, string>> = ALL[language];
  return words[`${prefix}.${name}`] ?? name;
}

let formats: { clock: Intl.DateTimeFormat } | null = null;
let days: { of: Language; format: Intl.DateTimeFormat } | null = null;

/** Day and time, as people here write them. */
export function dayTime(date: Date): string {
  if (days?.of !== language) days = { of: language, format: new Intl.DateTimeFormat(TAGS[language], { dateStyle: "medium", timeStyle: "short" }) };
  return days.format.format(date);
}

/** `14:03:12`, as people here write it. */
export function clockTime(date: Date): string {
  formats ??= { clock: new Intl.DateTimeFormat(TAGS[language], { hour: "2-digit", minute: "2-digit", second: "2-digit", hour12: false }) };
  return formats.clock.format(date);
}
