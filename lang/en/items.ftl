# Items: what happened, what to do, and what to know beside it. Sentences without their full stop: articles may follow.

# -- What happened

item-illegal-move = { $by } completed an illegal move, { $move }
item-illegal-move-seen = an arbiter has seen an illegal move by { $by }, { $move }
item-illegal-move-seen-no-board = an arbiter has seen an illegal move by { $by }
item-two-hands = { $by } used two hands for one move and pressed the clock
item-two-hands-as-well = two hands were used as well; together it counts as one illegal move
item-press-without-move = { $by } pressed the clock without having made a move
item-offence-stands = { $foe } has made the next move since, so the illegal move stands

item-flag = { $by-gen } flag has fallen: the clock shows 0:00
item-flag-missing = { $by-gen } flag has fallen with { $n ->
    [one] { $n } move
   *[other] { $n } moves
} still to be completed in period { $period }
item-flag-unordered-before = the board shows a position that ends the game, seen { $time } before the flag; the times of board and clock may be off by { $apart } against each other, so the order is not known
item-flag-unordered-after = the board shows a position that ends the game, seen { $time } after the flag; the times of board and clock may be off by { $apart } against each other, so the order is not known
item-flag-other-first = { $foe-gen } flag has fallen too, and it fell first
item-flag-other-later = { $foe-gen } flag has fallen too, after { $by-gen }
item-flags-unknown = both flags have fallen, and nobody can say which was first
item-flag-passed = { $by-gen } time for period { $period } ran out with { $n ->
    [one] { $n } move
   *[other] { $n } moves
} still to be completed; the clock has added the next period and runs on

item-absent = { $by } was not at the board when the default time of { $time } was over
item-absent-at-start = { $by } was not at the board when the round began; the default time is zero
item-absent-both = neither player was at the board when the default time of { $time } was over
item-absent-both-at-start = neither player was at the board when the round began; the default time is zero

item-claim-threefold = { $by } claims a draw: the position on the board has occurred for at least the third time
item-claim-threefold-intends = { $by } claims a draw: after the intended move { $move } the position would occur for at least the third time
item-claim-fifty-moves = { $by } claims a draw: fifty moves by each player without a capture or a pawn move
item-claim-fifty-moves-intends = { $by } claims a draw: with the intended move { $move }, fifty moves by each player without a capture or a pawn move
item-claim-quickplay = { $by } claims a draw because the opponent cannot win by normal means, or makes no effort to
item-ask-increment = { $by } has less than two minutes left and asks for an increment for both players
item-claim-flag = { $by } claims that the opponent's flag has fallen; by the count there is time left on that clock
item-claim-illegal-move = { $by } claims an illegal move by the opponent; the record has none that can still be dealt with

first-position = the initial position
claim-right-threefold = the claim is correct by the record: { $n } times, { $moves }
claim-wrong-threefold = the claim is not correct by the record: { $n ->
    [one] the position has occurred only once
   *[other] the position has occurred only { $n } times
}, { $moves }
claim-right-fifty-moves = the claim is correct by the record: { $n } moves by each player since { $move }
claim-right-fifty-moves-all = the claim is correct by the record: { $n } moves by each player since the beginning of the record
claim-wrong-fifty-moves = the claim is not correct by the record: only { $n ->
    [one] { $n } move
   *[other] { $n } moves
} by each player since { $move }
claim-wrong-fifty-moves-all = the claim is not correct by the record: only { $n ->
    [one] { $n } move
   *[other] { $n } moves
} by each player since the beginning of the record
claim-not-on-move = the claim is not correct: { $by } does not have the move
claim-touched = the claim is not correct: { $by } has already touched a piece on this move
claim-intended-illegal = the claim is not correct: the intended move is illegal
claim-intended-starts-anew = the claim is not correct: the intended move is a capture or a pawn move
claim-no-record = there is no record to check the claim with

quickplay-for-the-arbiter = the claim can be made; whether { $foe } can win by normal means and tries to, is for the arbiter to judge
quickplay-increment-asked = the request can be made: { $by } has the move, and nothing is added for moves
quickplay-cannot-be-won = { $foe } cannot mate by any series of legal moves
quickplay-not-announced = the Guidelines were not announced for this event
quickplay-no-finish = this is no quickplay finish: time is added with the moves, another period follows, or it is blitz
quickplay-not-on-move = { $by } does not have the move
quickplay-time-left = { $by } has two minutes or more left
quickplay-too-late = { $by-gen } flag had fallen before

item-call = { $by } has stopped the clocks to call the arbiter
item-call-by-somebody = the clocks were stopped to call the arbiter
item-board-disagrees = no move explains what stood on the board at the press; board and record differ on { $squares }
square-seen = { $square }: by the record { $record }, on the board { $board }
square-empty = nothing
square-taken = a piece
piece-of = { $side-gen } { $piece }
item-promotion = a pawn was promoted, { $move }, and the board cannot tell the new piece; the record says { $piece } for the time being
item-illegal-position = the position on the board cannot have come about by legal moves
item-colours-reversed = the game was begun with colours reversed; Black has made { $n ->
    [one] { $n } move
   *[other] { $n } moves
}
item-wrong-setup = the initial position was wrong; each player has completed { $n ->
    [one] { $n } move
   *[other] { $n } moves
}
item-wrong-clock = the clock is set wrongly
item-sides-exchanged = the first presses came from the side whose clock does not run: left and right of the clock are taken for each other, or the players sit the wrong way round
item-device = { $by } was found with an electronic device in the playing venue
item-device-somebody = an electronic device was found in the playing venue
item-result-signal = the players show a result at the table: { $result }
item-result-entered = { $by } has entered the result { $result } at the clock, and the opponent nothing yet
item-result-entered-both = at the clock White has entered { $white }, Black { $black }
item-late-news = a report that came late bears on the ruling already made on item { $number } ({ $kind }): with it another ruling would have been proposed
item-adjusted-at-table = the clock on the table shows White { $white-shown }, Black { $black-shown }; counted were White { $white-count }, Black { $black-count }
item-adjusted-running = on the clock { $shown }, by the count { $counted }
clock-runs = { $side-gen } time runs
clocks-stand = both clocks stand
item-order-unknown = the board showed a legal move at the press, and within { $time } of it something else; the times of board and clock do not tell which of them was pressed
item-moves-missing = the clock was pressed, and a minute later the recorder has entered no move for it; that shows nothing against the player
item-reports-lost = { $n ->
    [one] { $n } report
   *[other] { $n } reports
} of a device of this table are gone for good: moves or presses may be missing from the record
item-silent-device = device { $device } has not been heard for some time
item-clock-renewed = the clock { $device } was put in its place, or had lost everything, and was given White { $white }, Black { $black }
item-clock-not-renewed = the clock { $device } was put in its place, or has lost everything, and does not take White { $white }, Black { $black }
item-clock-fast = the clock { $device } runs { $percent } % fast: { $time } ahead over { $over }
item-clock-slow = the clock { $device } runs { $percent } % slow: { $time } behind over { $over }
item-clock-leapt-ahead = the time of the clock { $device } has leapt ahead by { $time }
item-clock-leapt-back = the time of the clock { $device } has leapt back by { $time }
item-by-hand = the hub can no longer follow this game: { $reason }

# -- What to do

step-stop = stop both clocks
step-taken-back = these moves are taken back: { $moves }
step-put-back = put the pieces back: { $pieces }
step-put-back-no-board = restore the position before the illegal move; the table has no board, so the hub does not know it
piece-moves-back = { $piece } { $from } → { $to }
piece-comes-back = { $piece } back on { $to }
piece-goes-off = { $piece } on { $from } off the board
piece-stays = { $piece }
step-queen = put a queen on { $square } in place of the pawn; the move stands, the choice of piece is lost
step-penalty = { $foe } gets { $time } more
step-increment = { $by } loses the { $time } that the press had added
step-times = clocks: { $times }
time-set = { $side } { $before } → { $after }
time-change = { $side } { $change }
step-must-move = { $by } must move the touched { $piece } on { $square }: { $moves }
step-must-capture = { $by } must capture the touched { $piece } on { $square }: { $moves }
step-must-play = { $by } must play { $moves }
step-any-move = { $by } may play any legal move: nothing that was touched can be moved or captured
step-has-the-move = { $by } has the move
step-run = start { $by-gen } clock
step-end = the game ends { $result }: { $ending }
step-wait = wait until the next move is completed; if the position is still illegal then, the game is drawn
step-claim-refused = the claim is refused; { $foe } gets { $time } more, and the game goes on
step-new-game = cancel this game and start a new one from the correct initial position, with full times
step-new-game-colours = stop this game and start a new one with the right colours, with full times
step-stop-clocks = stop the clocks, note both times, and set the clock right by your best judgement
step-promoted = tell the hub which piece it really is; if it is a { $piece }, just confirm
step-take-reading = the times of the clock stand: White { $white }, Black { $black }; add how they came about
step-offence-stands = nothing is done: only both players together may still correct it
step-claim-flag = look at the clock: if the flag has fallen, enter it as seen; otherwise the claim is refused and nothing changes
step-claim-illegal-move = look at the position: if there was an illegal move, enter it as seen; otherwise the claim is refused and nothing changes
step-claim-by-scoresheets = check the claim on the scoresheets with both players; if it is correct, set the result 1/2-1/2, otherwise penalise
step-call = go to the table, ask for the reason, and let the clock run again
step-board-disagrees = look at the board: enter the move that was made, or have the pieces put where they belong
step-colours-stay = the game goes on as it is; tell the chief arbiter
step-setup-stays = the game goes on as it is
step-clock-stays = the setting stays as it is, unless the schedule would suffer
step-sides-exchanged = look at which side of the clock White sits; if left and right are taken for each other, exchange them at the table, otherwise dismiss this
step-late-news = the ruling stands; change it if you find otherwise
step-reports-lost = compare board and record, and enter what is missing
step-silent-device = look at the device; without it, rule by the clock on the table
step-clock-renewed = see that the clock shows these times, less what has run since, and the time control
step-clock-not-renewed = set the time control and the times at the clock by hand
step-device = establish whose it is, and decide
step-illegal-position = find out how it came about, and restore the last correct position
step-nothing = nothing changes
step-flag-order = find out which came first, the flag or the move that ended the game, and set the result
step-clock-time = what the clock shows stands; exchange the clock, and adjust the times by your best judgement
step-quickplay = declare the game drawn, or postpone the decision, or refuse the claim and give { $foe } { $time } more
step-introduce-increment = if { $foe } refuses the draw and you agree to the request: set the clock so that every move of both players adds { $time }
step-claim-void = the claim is refused; nothing changes
step-out-of-turn = clear up position and clocks, and penalise if you find it right; it is not counted as an illegal move
step-wait-for-irregularity = rule first on the irregularity that was found before the flag
step-flags-unknown = decide how the game goes on: nobody can say which flag was first
step-flag-other-first = rule on the other flag, which fell first
step-order-unknown = ask the players, and enter the move that was made
step-moves-missing = have the recorder catch up, or enter the missing moves from a scoresheet
step-reading-stands = the times of the clock stand; add the reason, or adjust them if the clock is defective or was set wrongly
step-by-hand = go on by hand: write down moves and times, and enter the result when there is one

# -- What to know beside it

note-count = illegal moves by { $by }, this one included: { $n }
note-window = it can be claimed, or acted on, only until { $foe } has made the next move
note-not-certain = not certain yet: not everything up to that moment has been reported
note-certain = certain: everything up to that moment has been reported
note-observed = claimed by a player, or seen by an arbiter
note-suspected = suspected only: not everything up to that moment has been reported, and a press may still be on its way
note-suspected-unheard = suspected only: the devices of the table have not been heard
note-suspected-heard = suspected only: everything is known only up to { $time } before it, and a press may still be on its way
note-suspected-not-shown = suspected only: the clock itself has not shown the flag
note-clock-bridged = the move being played then was counted by the hall's time, everything after it by the clock's
note-clock-counted = it was counted as the clock counts it
note-flag-seen-only = an arbiter has seen it; no count says when it fell
note-flag-by-clock = the clock on the table has shown the flag itself
note-flag-no-board = the table has no board: look whether { $foe } can mate by any series of legal moves; if not, the game is drawn
note-flag-scoresheets = have the scoresheets brought up to date first: they decide how many moves were completed
note-absent = an arbiter may decide otherwise
note-claim-is-offer = the claim is also a draw offer: if { $foe } accepts it, it need not be checked
note-claimed-right = as the claimant says, after the moves { $moves }: the record has the position after each of them
note-claimed-wrong = as the claimant says, after the moves { $moves }; the record does not have the position after { $wrong }
note-increment-is-offer = the request is also a draw offer: if { $foe } accepts it, the game is drawn
note-result-signal = ask both players before you confirm
note-by-material = whether a mate is possible was not decided in time; this is by the material alone, and yours to judge

mate-on-board = { $foe } has already mated
mate-possible = { $foe } can still mate, for instance in { $n ->
    [one] { $n } move
   *[other] { $n } moves
}: { $moves }
mate-impossible = { $foe } cannot mate by any series of legal moves: { $proof }
mate-searched-possible = { $foe } can still mate, as a fuller search has found: { $evidence }
mate-searched-impossible = { $foe } cannot mate by any series of legal moves, as a fuller search has found: { $evidence }
mate-undecided-enough = whether { $foe } can still mate was not decided in time; the material would be enough, and the judgement is yours
mate-undecided-not-enough = whether { $foe } can still mate was not decided in time; the material would not be enough, and the judgement is yours
proof-over = the game is over on the board
proof-material = the pieces left cannot mate in any position
proof-walled-in = the pieces on { $squares } can never move or be captured, and there is no mate behind them
proof-forced = every move is forced, and { $n ->
    [one] the one position that follows is no mate
   *[other] none of the { $n } positions is mate
}
proof-exhausted = { $n ->
    [one] the one position that can still arise is no mate
   *[other] none of the { $n } positions that can still arise is mate
}
proof-second-opinion = a complete search by a second solver found no mate
