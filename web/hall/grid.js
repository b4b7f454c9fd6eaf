// How many tables fit on a page, and how big they are then.

// A clock has to be read from the back of the hall: these shares of the screen's shorter side are the least.
const LEAST_CLOCK = 0.026;
const LEAST_BOARD = 0.1;
// Widths and heights in multiples of the clock's letters: "1:23:45" with its frame; a name beside it worth reading.
const CLOCK_WIDTH = 4.3;
const NAME_SHARE = 0.57;
const SIDE_LINES = 4.65;
// A name's letters are half as wide as they are high: so many are to fit beside a board.
const NAME_LETTERS = 9;

/** Board beside players and clocks. */
function wide(width, height, pad) {
  let best = null;
  const inner = { width: width - 2 * pad, height: height - 2 * pad };
  for (let share = 0.34; share <= 0.64; share += 0.02) {
    const board = Math.floor(Math.min(inner.height, inner.width * share));
    const beside = inner.width - board - 10;
    const clock = Math.min(inner.height / SIDE_LINES, beside / CLOCK_WIDTH, board * 0.28);
    const name = Math.min(clock * NAME_SHARE, beside / NAME_LETTERS);
    if (best === null || board * clock > best.board * best.clock) best = { look: "wide", board, clock, name };
  }
  return best;
}

/** Board between the players. */
function tall(width, height, pad) {
  let best = null;
  const inner = { width: width - 2 * pad, height: height - 2 * pad };
  for (let share = 0.04; share <= 0.14; share += 0.005) {
    const clock = Math.min(inner.height * share, inner.width / (CLOCK_WIDTH + 5));
    const board = Math.floor(Math.min(inner.width, inner.height - clock * 3.6));
    if (board > 0 && (best === null || board * clock > best.board * best.clock)) {
      best = { look: "tall", board, clock, name: clock * NAME_SHARE };
    }
  }
  return best;
}

function arranged(count, width, height) {
  let best = null;
  for (let columns = 1; columns <= count; columns++) {
    const rows = Math.ceil(count / columns);
    if ((rows - 1) * columns >= count) continue;
    const gap = count > 12 ? 6 : 10;
    const pad = count > 12 ? 5 : 9;
    const cell = { width: (width - gap) / columns - gap, height: (height - gap) / rows - gap };
    if (cell.width < 60 || cell.height < 40) continue;
    for (const look of [wide(cell.width, cell.height, pad), tall(cell.width, cell.height, pad)]) {
      // Empty places at the end are worth something too: a full grid is quieter to the eye.
      const worth = look ? look.board * look.clock * (count / (columns * rows)) : 0;
      if (worth > (best?.worth ?? 0)) best = { ...look, worth, columns, rows, gap, pad };
    }
  }
  return best;
}

/**
 * The arrangement for `count` tables on so many pixels: `{perPage, pages, columns, rows, look, board, clock, name, gap, pad,
 * scroll}`. A narrow screen scrolls; any other turns pages when the tables would get too small to read.
 */
export function arrangement(count, width, height) {
  if (width < 640) {
    const pad = 6;
    const board = Math.floor(Math.min(200, (width - 2 * pad) * 0.44));
    const clock = Math.min(board / SIDE_LINES, (width - board - 50) / CLOCK_WIDTH);
    const found = { look: "wide", board, clock, columns: 1, rows: count, gap: 6, pad };
    return { ...found, name: clock * NAME_SHARE, perPage: Math.max(1, count), pages: 1, scroll: true };
  }
  const shorter = Math.min(width, height);
  for (let pages = 1; ; pages++) {
    const perPage = Math.max(1, Math.ceil(count / pages));
    const found = arranged(perPage, width, height);
    const readable = found && found.clock >= LEAST_CLOCK * shorter && found.board >= LEAST_BOARD * shorter;
    if (!readable && perPage > 1) continue;
    const shown = found ?? { look: "wide", board: 100, clock: 20, name: 12, columns: 1, rows: 1, gap: 6, pad: 5 };
    const full = shown.columns * shown.rows;
    return { ...shown, perPage: full, pages: Math.max(1, Math.ceil(count / full)), scroll: false };
  }
}
