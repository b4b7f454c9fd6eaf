# Words that sentences are made of.

white = White
    .gen = White's
black = Black
    .gen = Black's

king = king
queen = queen
rook = rook
bishop = bishop
knight = knight
pawn = pawn

hours = { $n ->
    [one] { $n } hour
   *[other] { $n } hours
}
minutes = { $n ->
    [one] { $n } minute
   *[other] { $n } minutes
}
seconds = { $n ->
    [one] { $n } second
   *[other] { $n } seconds
}
seconds-and-parts = { $n } seconds
decimal-point = .

list-and = { $first } and { $last }

date = { $day } { $month } { $year }
month-1 = January
month-2 = February
month-3 = March
month-4 = April
month-5 = May
month-6 = June
month-7 = July
month-8 = August
month-9 = September
month-10 = October
month-11 = November
month-12 = December

# The kinds of items, as titles.
guidelines = Guidelines
title-of = { $kind } ({ $by })
kind-illegal-move = illegal move
kind-flag = flag fall
kind-default = not at the board in time
kind-claim-threefold = draw claimed: threefold repetition
kind-claim-fifty-moves = draw claimed: fifty moves
kind-claim-flag = flag fall claimed
kind-claim-illegal-move = illegal move claimed
kind-claim-quickplay = draw claimed: quickplay finish
kind-call = arbiter called
kind-board-disagrees = board and record disagree
kind-promotion = promoted piece not seen
kind-illegal-position = illegal position
kind-colours-reversed = colours reversed
kind-wrong-setup = wrong initial position
kind-wrong-clock = wrong clock setting
kind-device = electronic device
kind-result-signal = result shown at the table
kind-late-news = late report
kind-adjusted-at-table = clock changed at the table
kind-reports-lost = reports lost
kind-clock-time = clock does not go right
kind-silent-device = device silent
kind-clock-renewed = clock renewed in mid-game
kind-order-unknown = order of press and move not known
kind-moves-missing = moves missing
kind-by-hand = table goes on by hand

# How games end.
ending-checkmate = checkmate
ending-stalemate = stalemate
ending-dead-position = dead position
ending-flag = time forfeit
ending-flag-no-mate = flag fall, but the opponent cannot mate by any series of legal moves
ending-illegal-moves = second illegal move
ending-illegal-moves-no-mate = second illegal move, but the opponent cannot mate by any series of legal moves
ending-threefold = threefold repetition
ending-fivefold = fivefold repetition
ending-fifty-moves = fifty-move rule
ending-seventy-five-moves = seventy-five-move rule
ending-agreement = agreement
ending-resignation = resignation
ending-resignation-no-mate = resignation, but the opponent cannot mate by any series of legal moves
ending-default = default
ending-impossible-position = the illegal position was not put right
ending-device = electronic device
ending-penalty = penalty
ending-arbiter = arbiter's decision

category-standard = standard chess
category-rapid = rapid chess
category-blitz = blitz
