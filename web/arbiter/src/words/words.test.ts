import { expect, it } from "vitest";
import { setLanguage, type Language } from ".";
import { en } from "./en";
import { heardAgo } from "./heard";
import { pl } from "./pl";
import { ru } from "./ru";
import { sr } from "./sr";

const holes = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort().join();

it("every language fills in the same things", () => {
  for (const words of [sr, ru, pl]) {
    for (const [key, text] of Object.entries(words)) {
      expect(`${key} ${holes(text)}`).toBe(`${key} ${holes(en[key as keyof typeof en])}`);
      expect(text.trim()).not.toBe("");
    }
  }
});

it("what was heard seconds ago was heard just now, in every language", () => {
  const heard: [Language, string, string][] = [
    ["en", "heard just now", "heard 0:10 ago"],
    ["sr", "javio se upravo", "javio se pre 0:10"],
    ["ru", "слышно только что", "слышно 0:10 назад"],
    ["pl", "słyszane przed chwilą", "słyszane 0:10 temu"],
  ];
  for (const [language, now, then] of heard) {
    setLanguage(language);
    expect([heardAgo(0), heardAgo(9_999), heardAgo(10_000)]).toEqual([now, now, then]);
  }
  setLanguage("en");
});
