// Table numbers as people write them: `5-12, 17`.

/** The tables that are meant, of those that there are, in order; `null`: it cannot be read. */
export function tablesOf(text: string, there: readonly number[]): number[] | null {
  const parts = text.split(/[,;\s]+/).filter((part) => part !== "");
  const meant = new Set<number>();
  for (const part of parts) {
    const found = /^(\d{1,6})(?:[-–—](\d{1,6}))?$/.exec(part);
    if (!found) return null;
    const from = Number(found[1]);
    const to = found[2] === undefined ? from : Number(found[2]);
    if (to < from) return null;
    for (const number of there) if (number >= from && number <= to) meant.add(number);
  }
  return [...meant].sort((a, b) => a - b);
}
