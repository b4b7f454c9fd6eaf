// Clocks that count: one timer for all of them, and only figures that changed are written.

import { useEffect, useRef } from "preact/hooks";
import type { Clocks } from "../gen/flagfall/feed/v1/table_pb";
import { hallNow } from "../hub/time";
import { face, span, timeOf, type Side } from "../laws/clock";
import { t } from "../words";

const TICK_MS = 100;
const ticking = new Set<(now: number) => void>();
let timer: ReturnType<typeof setInterval> | null = null;

function tick(): void {
  const now = hallNow();
  for (const each of ticking) each(now);
}

function join(each: (now: number) => void): () => void {
  ticking.add(each);
  each(hallNow());
  timer ??= setInterval(tick, TICK_MS);
  return () => {
    ticking.delete(each);
    if (ticking.size === 0 && timer !== null) {
      clearInterval(timer);
      timer = null;
    }
  };
}

/** Text that follows hall time. */
export function Ticking({ text, class: name }: { text: (now: number) => string; class?: string }) {
  const element = useRef<HTMLSpanElement>(null);
  useEffect(
    () =>
      join((now) => {
        const shown = text(now);
        if (element.current && element.current.textContent !== shown) element.current.textContent = shown;
      }),
    [text],
  );
  return <span ref={element} class={name} />;
}

/** One side's clock. */
export function Face({ clocks, side, stopping }: { clocks: Clocks | undefined; side: Side; stopping?: boolean }) {
  const element = useRef<HTMLSpanElement>(null);
  useEffect(
    () =>
      join((now) => {
        const at = element.current;
        if (!at || !clocks) return;
        const { ms, running, silent } = timeOf(clocks, side, now);
        const shown = face(ms);
        if (at.textContent !== shown) at.textContent = shown;
        const look = `face${running ? " running" : ""}${silent ? " silent" : ""}${ms <= 0 ? " zero" : ms < 20_000 ? " low" : ""}${stopping && running ? " stopping" : ""}`;
        if (at.className !== look) at.className = look;
      }),
    [clocks, side, stopping],
  );
  return <span ref={element} class="face" role="timer" aria-label={t(side === "white" ? "white.time" : "black.time")} />;
}

/** How long ago a moment of hall time was. */
export function Since({ ms }: { ms: bigint }) {
  const at = useRef(ms);
  at.current = ms;
  const text = useRef((now: number) => (now === 0 ? "" : span(now - Number(at.current))));
  return <Ticking text={text.current} class="since" />;
}
