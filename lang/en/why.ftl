# Why a move is illegal. Each a sentence without its full stop; the article follows it.

why-no-piece = there was no piece on { $square } to move
why-not-his-piece = the { $piece } on { $square } is { $foe-gen }
why-not-his-turn = { $foe } had the move, but { $by } moved
why-twice = { $by } made two moves in a row; { $foe } had the move
why-own-piece-there = the square { $square } was occupied by the player's own { $piece }
why-captures-king = the king on { $square } was captured; a king is never captured
why-does-not-go-there = a { $piece } does not go from { $from } to { $to }
why-blocked = the { $blocker } on { $square } is in the way of the { $piece } going from { $from } to { $to }
why-nothing-to-capture = the pawn went diagonally to { $square }, where there was nothing to capture, en passant either
why-not-promoted = the pawn reached { $square }, and the clock was pressed before it was exchanged for a piece
why-nothing-to-promote = what moved to { $square } was exchanged for another piece; only a pawn on its last rank is
why-promoted-to = the pawn on { $square } cannot become a { $piece }
why-king-into-check = the king went to { $square }, into check from the { $attacker } on { $at }
why-king-left-in-check = the king on { $square } stays in check from the { $attacker } on { $at }
why-pinned = the { $piece } on { $square } is pinned: without it the king on { $king } is in check from the { $attacker } on { $at }
why-castling-king-moved = castling to { $to } was no longer possible: the king had moved, { $move }
why-castling-rook-moved = castling to { $to } was no longer possible: the rook had moved, { $move }
why-castling-rook-captured = castling to { $to } was no longer possible: the rook had been captured, { $move }
why-castling-no-right = castling to { $to } was not possible: there is no right to it in this position
why-rook-not-moved = the king moved two squares, as in castling, but the rook is still on { $square }; find out whether castling was left unfinished
why-captured-pawn-stays = the pawn captured en passant is still on { $square }
why-took-off = the { $piece } on { $square } was taken off the board, but the move does not capture it
why-castling-blocked = castling is prevented by the { $blocker } on { $square }
why-castling-out-of-check = castling out of check: the king on { $square } was in check from the { $attacker } on { $at }
why-castling-through-check = castling through check: the king passed { $square }, attacked by the { $attacker } on { $at }
why-castling-into-check = castling into check: { $square } is attacked by the { $attacker } on { $at }
