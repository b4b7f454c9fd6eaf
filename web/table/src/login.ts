// Which device this phone is, and at which table: from the code that the technician scans, `/table/12#clock-12:secret`. The secret
// stands behind the `#`, which browsers send to nobody, and is taken out of the address at once.

const KEY = "flagfall-table-device";

export interface Login {
  device: string;
  secret: string;
}

export function tableOf(path: string): number | null {
  const found = /^\/table\/(\d{1,6})\/?$/.exec(path)?.[1];
  return found === undefined ? null : Number(found);
}

export function parseCode(hash: string): Login | null {
  const found = /^#([a-z0-9-]{1,32}):([^:\s]+)$/.exec(hash);
  if (found?.[1] === undefined || found[2] === undefined) return null;
  return { device: found[1], secret: decodeURIComponent(found[2]) };
}

/** From the address, or as kept; null where this phone was never told. */
export function login(): Login | null {
  const given = parseCode(location.hash);
  if (location.hash !== "") history.replaceState(null, "", location.pathname);
  if (given !== null) {
    localStorage.setItem(KEY, JSON.stringify(given));
    return given;
  }
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? "null");
    if (typeof kept !== "object" || kept === null) return null;
    const { device, secret } = kept as Partial<Record<keyof Login, unknown>>;
    return typeof device === "string" && typeof secret === "string" ? { device, secret } : null;
  } catch {
    return null;
  }
}

export function forget(): void {
  localStorage.removeItem(KEY);
}
