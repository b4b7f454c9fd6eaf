// Signs that every tablet draws alike; fonts do not have them all.

const PATHS = {
  first: "M5 5v14M19 5l-10 7 10 7z",
  back: "M17 5L7 12l10 7z",
  on: "M7 5l10 7-10 7z",
  last: "M19 5v14M5 5l10 7-10 7z",
  pause: "M8 5v14M16 5v14",
  turn: "M8 20V5m0 0L4 9m4-4l4 4M16 4v15m0 0l-4-4m4 4l4-4",
  hall: "M4 4h7v7H4zM13 4h7v7h-7zM4 13h7v7H4zM13 13h7v7h-7z",
  find: "M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13M15.5 15.5L21 21",
  stop: "M5 5h14v14H5z",
  settings: "M4 7h9M17 7h3M4 17h3M11 17h9M15 4.5v5M9 14.5v5",
  close: "M6 6l12 12M18 6L6 18",
  round: "M4 6h10M4 12h7M4 18h7M15 15l2.5 2.5L21 12",
  left: "M15 5l-7 7 7 7",
  check: "M5 13l5 5L20 6",
} as const;

const FILLED: ReadonlySet<string> = new Set(["first", "back", "on", "last", "stop", "hall"]);

export function Icon({ name }: { name: keyof typeof PATHS }) {
  return (
    <svg class="icon-sign" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} class={FILLED.has(name) ? "filled" : "line"} />
    </svg>
  );
}
