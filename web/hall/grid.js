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
// Without a board: two lines with what lies between them, and the table's number, a name and a clock side by side.
const BARE_LINES = 2.5;
const BARE_WIDTH = 12;
const BARE_NAME = 0.72;

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

/** Players and clocks alone, a line each. */
function bare(width, height, pad) {
  const inner = { width: width - 2 * pad, height: height - 2 * pad };
  const clock = Math.min(inner.height / BARE_LINES, inner.width / BARE_WIDTH);
  return { look: "bare", board: 0, clock, name: clock * BARE_NAME };
}

function looks(width, height, pad, withBoards) {
  return withBoards ? [wide(width, height, pad), tall(width, height, pad)] : [bare(width, height, pad)];
}

/** The best of all grids for so many, however small they get. */
function arranged(count, width, height, withBoards) {
  let best = null;
  for (let columns = 1; columns <= count; columns++) {
    const rows = Math.ceil(count / columns);
    if ((rows - 1) * columns >= count) continue;
    const gap = count > 12 ? 6 : 10;
    const pad = count > 12 ? 5 : 9;
    const cell = { width: (width - gap) / columns - gap, height: (height - gap) / rows - gap };
    if (cell.width < 60 || cell.height < 30) continue;
    for (const look of looks(cell.width, cell.height, pad, withBoards)) {
      // Empty places at the end are worth something too: a full grid is quieter to the eye.
      const worth = look ? (withBoards ? look.board : 1) * look.clock * (count / (columns * rows)) : 0;
      if (worth > (best?.worth ?? 0)) best = { ...look, worth, columns, rows, gap, pad };
    }
  }
  return best;
}

/**
 * The arrangement for `count` tables on so many pixels: `{perPage, pages, columns, rows, look, board, clock, name, gap, pad,
 * scroll}`. A narrow screen scrolls; any other turns pages when the tables would get too small to read, unless all are to be on
 * one (`onePage`).
 */
export function arrangement(count, width, height, { withBoards = true, onePage = false, narrow = width < 640 } = {}) {
  if (narrow && !onePage) {
    const pad = 6;
    const board = withBoards ? Math.floor(Math.min(200, (width - 2 * pad) * 0.44)) : 0;
    const clock = withBoards ? Math.min(board / SIDE_LINES, (width - board - 50) / CLOCK_WIDTH) : width / BARE_WIDTH;
    const look = withBoards ? "wide" : "bare";
    const found = { look, board, clock, columns: 1, rows: count, gap: 6, pad, name: clock * (withBoards ? NAME_SHARE : BARE_NAME) };
    return { ...found, perPage: Math.max(1, count), pages: 1, scroll: true };
  }
  const shorter = Math.min(innerWidth, innerHeight);
  for (let pages = 1; ; pages++) {
    const perPage = Math.max(1, Math.ceil(count / pages));
    const found = arranged(perPage, width, height, withBoards);
    const board = !withBoards || (found && found.board >= LEAST_BOARD * shorter);
    const readable = found && found.clock >= LEAST_CLOCK * shorter && board;
    if (!readable && perPage > 1 && !onePage) continue;
    const shown = found ?? { look: withBoards ? "wide" : "bare", board: 100, clock: 20, name: 12, columns: 1, rows: 1, gap: 6, pad: 5 };
    const full = onePage ? Math.max(1, count) : shown.columns * shown.rows;
    return { ...shown, perPage: full, pages: Math.max(1, Math.ceil(count / full)), scroll: false };
  }
}
