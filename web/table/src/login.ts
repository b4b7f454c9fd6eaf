// Which device this phone is, and at which table: from the code that the technician scans, `/table/12#clock-12:secret`. The secret
// stands behind the `#`, which browsers send to nobody, and is taken out of the address at once.

/** A phone may be a table's clock and a recorder's board by turns: each is kept by itself. */
const KEYS = { clock: "flagfall-table-device", board: "flagfall-table-board" } as const;

export type Duty = keyof typeof KEYS;

export interface Login {
  device: string;
  secret: string;
}

/** The table, and what this phone is at it: `/table/12`, `/table/12/board`. */
export function tableOf(path: string): { table: number; duty: Duty } | null {
  const found = /^\/table\/(\d{1,6})(\/board)?\/?$/.exec(path);
  if (found?.[1] === undefined) return null;
  return { table: Number(found[1]), duty: found[2] === undefined ? "clock" : "board" };
}

export function parseCode(hash: string): Login | null {
  const found = /^#([a-z0-9-]{1,32}):([^:\s]+)$/.exec(hash);
  if (found?.[1] === undefined || found[2] === undefined) return null;
  return { device: found[1], secret: decodeURIComponent(found[2]) };
}

/** From the address, or as kept; null where this phone was never told. */
export function login(duty: Duty): Login | null {
  const key = KEYS[duty];
  const given = parseCode(location.hash);
  if (location.hash !== "") history.replaceState(null, "", location.pathname);
  if (given !== null) {
    localStorage.setItem(key, JSON.stringify(given));
    return given;
  }
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(key) ?? "null");
    if (typeof kept !== "object" || kept === null) return null;
    const { device, secret } = kept as Partial<Record<keyof Login, unknown>>;
    return typeof device === "string" && typeof secret === "string" ? { device, secret } : null;
  } catch {
    return null;
  }
}

