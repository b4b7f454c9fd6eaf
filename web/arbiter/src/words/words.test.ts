import { expect, it } from "vitest";
import { en } from "./en";
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
