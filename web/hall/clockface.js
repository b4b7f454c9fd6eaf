// What a chess clock shows at a moment.

/**
 * One side's time at hall time `now`: `{ms, running, silent}`.
 *
 * The page counts on from what the clock reported; it never shows a zero that no clock has shown (only the flag on the
 * table falls): where its count would get there, it goes back to the last reported time and says that nothing is heard.
 */
export function timeOf(clocks, side, now) {
  const reported = clocks[side];
  if (clocks.no_signal) return { ms: reported, running: false, silent: true };
  if (clocks.running !== side) return { ms: reported, running: false, silent: false };
  if (reported <= 0) return { ms: reported, running: true, silent: false };
  // With a simple delay the time stands until the delay is over.
  const since = Math.max(clocks.as_of, clocks.delay_until ?? clocks.as_of);
  const left = reported - Math.max(0, now - since);
  if (left <= 0) return { ms: reported, running: false, silent: true };
  return { ms: left, running: true, silent: false };
}

/** `1:05:09`, `5:09`, and `0:19.4` below twenty seconds. */
export function face(ms) {
  const left = Math.max(0, ms);
  const two = (n) => String(n).padStart(2, "0");
  if (left < 20_000) return `0:${two(Math.floor(left / 1000))}.${Math.floor((left % 1000) / 100)}`;
  const seconds = Math.floor(left / 1000);
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return h > 0 ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
}
