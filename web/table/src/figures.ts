// A time as a clock shows it: hours and minutes, minutes and seconds, tenths below 20 s. A second that has begun is shown, so that
// 0:00 is shown only when nothing is left.

export function figures(ms: number): string {
  if (ms < 20_000) {
    const tenths = Math.ceil(ms / 100);
    // 19.9 and then 20 again would be one figure too many.
    if (tenths < 200) return `${Math.floor(tenths / 10)}.${tenths % 10}`;
  }
  const seconds = Math.ceil(ms / 1000);
  const two = (value: number): string => String(value).padStart(2, "0");
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return h > 0 ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
}
