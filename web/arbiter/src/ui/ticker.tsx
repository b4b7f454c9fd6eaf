// Clocks that count: one timer for all of them, and only figures that changed are written.

import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import type { Clocks } from "../gen/flagfall/feed/v1/table_pb";
import { hallNow } from "../hub/time";
import { face, span, timeOf, type Side } from "../laws/clock";
import { t } from "../words";

const TICK_MS = 100;
/** Writes what is shown at a moment of hall time, and gives the moment until which that stays so. */
type Writer = (now: number) => number;
/** All that is written, each with that moment. */
const ticking = new Map<Writer, number>();
let timer: ReturnType<typeof setInterval> | null = null;
let last = 0;

function tick(): void {
  const now = hallNow();
  // Hall time that went back is that of another hub.
  const again = now < last;
  last = now;
  for (const [each, until] of ticking) if (again || now >= until) ticking.set(each, each(now));
}

function join(each: Writer): () => void {
  const now = hallNow();
  const until = each(now);
  // Before the hub has told its time nothing is known to last.
  ticking.set(each, now === 0 ? 0 : until);
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
  useEffect(() => {
    let written: string | null = null;
    return join((now) => {
      const shown = text(now);
      if (element.current && written !== shown) element.current.textContent = written = shown;
      return now;
    });
  }, [text]);
  return <span ref={element} class={name} />;
}

/** One side's clock. */
export function Face({ clocks, side, stopping }: { clocks: Clocks | undefined; side: Side; stopping?: boolean }) {
  const element = useRef<HTMLSpanElement>(null);
  const figures = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => {
    const at = element.current;
    const text = figures.current;
    if (!at || !text || !clocks) return;
    const write = (now: number) => {
      const { ms, running, silent } = timeOf(clocks, side, now);
      const shown = face(ms);
      if (text.textContent !== shown) text.textContent = shown;
      const look = `face${running ? " running" : ""}${silent ? " silent" : ""}${ms <= 0 ? " zero" : ms < 20_000 ? " low" : ""}${stopping && running ? " stopping" : ""}`;
      if (at.className !== look) at.className = look;
      // Figures change with the second; below twenty, and while a delay goes by, every time is looked at.
      return ms < 21_000 ? now : now + (ms % 1000) + 1;
    };
    if (timeOf(clocks, side, 0).running && !clocks.noSignal) return join(write);
    write(0);
    return;
  }, [clocks, side, stopping]);
  return (
    <span ref={element} class="face" role="timer" aria-label={t(side === "white" ? "white.time" : "black.time")}>
      <span ref={figures} class="figures" />
    </span>
  );
}

/** How long ago a moment of hall time was. */
export function Since({ ms }: { ms: bigint }) {
  const at = useRef(ms);
  at.current = ms;
  const text = useRef((now: number) => (now === 0 ? "" : span(now - Number(at.current))));
  return <Ticking text={text.current} class="since" />;
}
