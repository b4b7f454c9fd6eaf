// How long ago something was heard of.

import { t } from ".";
import { span } from "../laws/clock";

/** Nobody wants to know seconds exactly that are over when he has read them. */
const JUST_NOW_MS = 10_000;

/** `heard just now`, `heard 0:12 ago`. */
export function heardAgo(ms: number): string {
  return ms < JUST_NOW_MS ? t("heard.now") : t("heard.ago", { time: span(ms) });
}
