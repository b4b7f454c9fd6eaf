// Positions out of a record. No rules in here: what the record says was moved is moved, legal or not.

export type Squares = (string | undefined)[];

export interface Step {
  uci: string;
}

export interface StartAt {
  plies: number;
  fen: string;
}

export const INITIAL = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/** `a1` is 0, `h8` is 63; `null` is no square. */
export function indexOf(square: string): number | null {
  if (!/^[a-h][1-8]$/.test(square)) return null;
  return square.charCodeAt(0) - 97 + (square.charCodeAt(1) - 49) * 8;
}

export function nameOf(index: number): string {
  return String.fromCharCode(97 + (index % 8)) + String(Math.floor(index / 8) + 1);
}

/** Reads a placement; letters that are no pieces (`x` of a board that cannot tell) stay letters. */
export function squaresOf(fen: string): Squares {
  const squares: Squares = new Array<string | undefined>(64).fill(undefined);
  const ranks = (fen.split(" ")[0] ?? "").split("/");
  ranks.slice(0, 8).forEach((rank, row) => {
    let file = 0;
    for (const letter of rank) {
      if (/[1-8]/.test(letter)) file += Number(letter);
      else if (file < 8) squares[(7 - row) * 8 + file++] = letter;
    }
  });
  return squares;
}

export function placementOf(squares: Squares): string {
  const ranks: string[] = [];
  for (let row = 7; row >= 0; row--) {
    let rank = "";
    let empty = 0;
    for (let file = 0; file < 8; file++) {
      const piece = squares[row * 8 + file];
      if (piece === undefined) empty++;
      else {
        rank += (empty > 0 ? String(empty) : "") + piece;
        empty = 0;
      }
    }
    ranks.push(rank + (empty > 0 ? String(empty) : ""));
  }
  return ranks.join("/");
}

const isWhite = (piece: string): boolean => piece === piece.toUpperCase();

/** The squares after a move: `e2e4`, `e7e8q`; castling as king's two steps or as king takes rook. */
export function moved(before: Squares, uci: string): Squares {
  const from = indexOf(uci.slice(0, 2));
  const to = indexOf(uci.slice(2, 4));
  const squares = [...before];
  if (from === null || to === null) return squares;
  const piece = squares[from];
  if (piece === undefined) return squares;
  const target = squares[to];
  const row = Math.floor(from / 8) * 8;
  if (piece.toLowerCase() === "k") {
    const rook = isWhite(piece) ? "R" : "r";
    const takesOwnRook = target === rook && row === Math.floor(to / 8) * 8;
    const twoSteps = row === Math.floor(to / 8) * 8 && Math.abs(to - from) === 2 && from % 8 === 4;
    if (takesOwnRook || twoSteps) {
      const short = to > from;
      const corner = takesOwnRook ? to : short ? row + 7 : row;
      if (squares[corner] === rook || takesOwnRook) {
        squares[from] = undefined;
        squares[corner] = undefined;
        squares[row + (short ? 6 : 2)] = piece;
        squares[row + (short ? 5 : 3)] = rook;
        return squares;
      }
    }
  }
  squares[from] = undefined;
  // En passant: a pawn goes aside to an empty square, and the one beside it goes off.
  if (piece.toLowerCase() === "p" && from % 8 !== to % 8 && target === undefined) squares[row + (to % 8)] = undefined;
  const promoted = uci[4];
  squares[to] = promoted === undefined ? piece : isWhite(piece) ? promoted.toUpperCase() : promoted.toLowerCase();
  return squares;
}

/** The placement after so many half-moves of the record. */
export function placementAfter(starts: readonly StartAt[], moves: readonly Step[], plies: number): string {
  const start = [...starts].reverse().find((start) => start.plies <= plies) ?? { plies: 0, fen: INITIAL };
  let squares = squaresOf(start.fen);
  for (const { uci } of moves.slice(start.plies, plies)) squares = moved(squares, uci);
  return placementOf(squares);
}

/** `12.`, `12…`: the number of the half-move at this index, from 0. */
export function numberOf(starts: readonly StartAt[], index: number): { number: number; white: boolean } {
  const start = [...starts].reverse().find((start) => start.plies <= index) ?? { plies: 0, fen: INITIAL };
  const fields = start.fen.split(" ");
  const blackFirst = fields[1] === "b";
  const first = Number(fields[5] ?? 1) || 1;
  const half = index - start.plies + (blackFirst ? 1 : 0);
  return { number: first + Math.floor(half / 2), white: half % 2 === 0 };
}

/** Where two placements differ. */
export function differences(a: string, b: string): string[] {
  const [one, two] = [squaresOf(a), squaresOf(b)];
  return one.flatMap((piece, index) => (piece === two[index] ? [] : [nameOf(index)]));
}
