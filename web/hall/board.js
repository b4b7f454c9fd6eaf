// A board of 64 squares that changes only what changed.

const ROLES = { p: "P", n: "N", b: "B", r: "R", q: "Q", k: "K" };

/** The pieces of a FEN's first field by square, a8 first: "wK", "bP" or "". */
export function piecesOf(fen) {
  const squares = new Array(64).fill("");
  const ranks = String(fen).split(" ")[0].split("/");
  for (let row = 0; row < Math.min(8, ranks.length); row++) {
    let column = 0;
    for (const letter of ranks[row]) {
      if (column > 7) break;
      if (letter >= "1" && letter <= "8") {
        column += Number(letter);
        continue;
      }
      const role = ROLES[letter.toLowerCase()];
      if (role) squares[row * 8 + column] = (letter === letter.toLowerCase() ? "b" : "w") + role;
      column += 1;
    }
  }
  return squares;
}

/** Index of a square's name, a8 is 0; -1 for none. */
export function squareAt(name) {
  const column = "abcdefgh".indexOf(name[0]);
  const row = "87654321".indexOf(name[1]);
  return name.length === 2 && column >= 0 && row >= 0 ? row * 8 + column : -1;
}

export class Board {
  #squares = [];
  #shown = new Array(64).fill("");

  constructor() {
    this.element = document.createElement("div");
    this.element.className = "board";
    this.element.setAttribute("role", "img");
    for (let index = 0; index < 64; index++) {
      const square = document.createElement("i");
      square.className = Board.#ground(index);
      this.#squares.push(square);
      this.element.append(square);
    }
  }

  /** Shows these pieces (as of `piecesOf`), with these squares marked. */
  show(pieces, marked) {
    for (let index = 0; index < 64; index++) {
      const look = pieces[index] + (marked.includes(index) ? " marked" : "");
      if (look === this.#shown[index]) continue;
      this.#shown[index] = look;
      this.#squares[index].className = `${Board.#ground(index)} ${look}`.trim();
    }
  }

  static #ground(index) {
    return ((index >> 3) + index) % 2 === 0 ? "light" : "dark";
  }
}
