// What stands on a board, and how a move changes it. No laws of chess in here: whatever the player does can be shown, legal or not;
// only the second half of castling and of a capture in passing comes by itself, as the hand of the player does both.

export type Piece = "K" | "Q" | "R" | "B" | "N" | "P" | "k" | "q" | "r" | "b" | "n" | "p";
export type Change = readonly [square: string, now: Piece | ""];

const FILES = "abcdefgh";
const PIECES = "KQRBNPkqrbnp";
export const START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";

export const isWhite = (piece: Piece): boolean => piece === piece.toUpperCase();
const file = (square: string): number => FILES.indexOf(square[0] ?? "");
const rank = (square: string): number => Number(square[1]);
const at = (of: number, on: number): string => `${FILES[of] ?? ""}${on}`;

/** Every square, a8 first. */
export const SQUARES: readonly string[] = [8, 7, 6, 5, 4, 3, 2, 1].flatMap((on) => [...FILES].map((of) => of + on));

export class Position {
  private readonly pieces: Map<string, Piece>;

  constructor(placement: string = START) {
    this.pieces = new Map();
    placement.split("/").forEach((row, down) => {
      let of = 0;
      for (const letter of row) {
        if (PIECES.includes(letter)) this.pieces.set(at(of, 8 - down), letter as Piece);
        of += PIECES.includes(letter) ? 1 : Number(letter);
      }
    });
  }

  on(square: string): Piece | null {
    return this.pieces.get(square) ?? null;
  }

  /** As in a FEN. */
  get placement(): string {
    const rows: string[] = [];
    for (let on = 8; on >= 1; on -= 1) {
      let row = "";
      let empty = 0;
      for (let of = 0; of < 8; of += 1) {
        const piece = this.pieces.get(at(of, on));
        if (piece === undefined) {
          empty += 1;
          continue;
        }
        row += (empty > 0 ? String(empty) : "") + piece;
        empty = 0;
      }
      rows.push(row + (empty > 0 ? String(empty) : ""));
    }
    return rows.join("/");
  }

  with(changes: readonly Change[]): Position {
    const next = new Position(this.placement);
    for (const [square, now] of changes) {
      if (now === "") next.pieces.delete(square);
      else next.pieces.set(square, now);
    }
    return next;
  }

  /** What puts these squares back as they are here. */
  undoing(changes: readonly Change[]): Change[] {
    return [...new Set(changes.map(([square]) => square))].map((square): Change => [square, this.on(square) ?? ""]).reverse();
  }

  /** A pawn that comes to its last rank: what it becomes has to be said. */
  promotes(from: string, to: string): boolean {
    const piece = this.on(from);
    return (piece === "P" && rank(to) === 8) || (piece === "p" && rank(to) === 1);
  }

  /** What a move changes. `last` is the move before it, for a capture in passing; `becomes` what a pawn is promoted to. */
  move(from: string, to: string, last: Move | null, becomes: Piece | null = null): Change[] {
    const piece = this.on(from);
    if (piece === null || from === to) return [];
    const castled = this.castled(piece, from, to);
    if (castled !== null) return castled;
    const changes: Change[] = [[from, ""]];
    if (piece === "P" || piece === "p") {
      const passed = at(file(to), rank(from));
      // The pawn that has just gone by, two squares, beside which this one stood (3.7.3.1).
      if (file(from) !== file(to) && this.on(to) === null && last?.to === passed && last.from === at(file(to), 2 * rank(to) - rank(from))) {
        changes.push([passed, ""]);
      }
    }
    changes.push([to, becomes ?? piece]);
    return changes;
  }

  /** The king two squares towards a rook of his, or onto it (Chess960): both move. */
  private castled(piece: Piece, from: string, to: string): Change[] | null {
    if ((piece !== "K" && piece !== "k") || rank(from) !== rank(to) || rank(from) !== (piece === "K" ? 1 : 8)) return null;
    const rook: Piece = piece === "K" ? "R" : "r";
    const onto = this.on(to) === rook;
    const two = file(from) === 4 && Math.abs(file(to) - file(from)) === 2;
    if (!onto && !two) return null;
    const right = file(to) > file(from);
    const corner = onto ? to : at(right ? 7 : 0, rank(from));
    if (this.on(corner) !== rook) return null;
    const [king, beside] = [at(right ? 6 : 2, rank(from)), at(right ? 5 : 3, rank(from))];
    const emptied = [from, corner].filter((square) => square !== king && square !== beside);
    return [...emptied.map((square): Change => [square, ""]), [king, piece], [beside, rook]];
  }
}

export interface Move {
  from: string;
  to: string;
}
