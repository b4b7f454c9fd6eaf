# The history of a game's rulings: one sentence each, without its full stop.

ruled-nothing = confirmed; nothing changes
ruled-wait = wait for the next completed move
ruled-offence = illegal move number { $n } by { $by }
ruled-put-back = position put back
ruled-queen = the pawn on { $square } becomes a queen
ruled-bound = { $by } is bound to { $bound }
ruled-end = game ended { $result }: { $ending }
ruled-claim-refused = { $by-gen } claim of a draw was refused
ruled-increment = the request was granted: every move of both players adds { $time } from now on
ruled-new-game = game cancelled, a new one begun
ruled-stop-clocks = clocks stopped, to be set right
ruled-promoted = the piece promoted at half-move { $ply } is a { $piece }
ruled-take-reading = the clock's times stand: White { $white }, Black { $black }

deed-start = the game was started
deed-pause = the clocks were stopped
deed-resume = the clock was started again
deed-adjust = clocks adjusted: { $times }
deed-time-set = { $side } set to { $time }
deed-moves-done = { $n ->
    [one] { $n } move completed
   *[other] { $n } moves completed
}
deed-confirm = confirmed
deed-dismiss = item { $number } was dismissed
deed-dismiss-oldest = the oldest item was dismissed
deed-observe = the arbiter has seen: { $what }
deed-observe-of = the arbiter has seen: { $what } ({ $by })
seen-two-hands = two hands used for one move
deed-restore = the position after { $n ->
    [one] { $n } half-move
   *[other] { $n } half-moves
} was put back
deed-restore-fen = this position was put back: { $fen }
deed-warn = { $by } was warned
deed-give-time = { $foe } was given { $time } more
deed-take-time = { $by } lost { $time }
deed-loss = the game was declared lost for { $by }
deed-result = the result was set to { $result }
deed-reopen = the game was reopened
deed-note = a note was made
deed-periods = periods set: { $periods }
deed-period-of = { $side } in period { $n }
deed-mend = half-move { $ply } of the record was mended: { $move }
deed-claimed-moves = the claimant names the moves { $moves }
deed-mask = what the board shows on { $squares } counts for nothing
deed-mask-none = all squares of the board count again
deed-without-board = the game goes on without the board
deed-with-board = the board is used again
deed-appeal = { $by } appeals: { $statement }
deed-appeal-fee = { $by } appeals, fee { $fee }: { $statement }
deed-appeal-statement = on appeal { $number }, { $who }: { $statement }
deed-appeal-upheld = appeal { $number } was upheld
deed-appeal-dismissed = appeal { $number } was dismissed
deed-appeal-withdrawn = appeal { $number } was withdrawn
deed-enter-move = the move { $move } was entered
deed-take = an arbiter is on item { $number }
deed-present = { $by } is present
deed-absent = { $by } is absent
