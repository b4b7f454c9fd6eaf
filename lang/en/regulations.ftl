# The announcement before round one: to be read aloud, so in whole sentences.

reg-heading-time = time
reg-heading-illegal = illegal moves
reg-heading-claims = calling the arbiter, claims and draws
reg-heading-phones = phones
reg-heading-hall = boards and screens
reg-heading-house-rules = house rules
reg-heading-open-points = where the Laws leave it open

reg-category = We play { $category } by the FIDE Laws of Chess in force from 1 January 2023.
reg-supervision-adequate = The games are adequately supervised, so the Competition Rules apply in full.
reg-supervision-limited = An arbiter watches several games at once, so you must claim for yourselves.
reg-rated = The games will be rated.
reg-unrated = The games will not be rated.
reg-control = Each player has { $periods }{ $bonus }.
reg-period-only = { $time } for the whole game
reg-period-first = { $time } for the first { $n ->
    [one] move
   *[other] { $n } moves
}
reg-period-next = then { $time } for the next { $n ->
    [one] move
   *[other] { $n } moves
}
reg-period-last = then { $time } for the rest of the game
reg-bonus-none = , and nothing is added for moves
reg-bonus-increment = , with { $time } added for each move
reg-bonus-delay = , and on each move the clock waits { $time } before your time begins to run
reg-bonus-bronstein = , and for each move you get back what you used, up to { $time }
reg-other-control = At tables { $tables } it is different. { $control }
reg-first-increment = The addition for the first move is on the clock from the start, so it begins at { $time }.
reg-no-first-increment = There is no addition before the first move: the clock begins at { $time }.
reg-period-on-zero = The time of the next period is added when the first of the two clocks reaches zero, and not when you have made your moves: count them yourselves.
reg-period-on-moves = The time of the next period is added to your clock at the press that completes the required number of moves; still, your scoresheet counts, not the clock.
reg-default-zero = Whoever is not at the board when the start of the round is announced loses the game, unless the arbiter decides otherwise.
reg-default-time = White's clock runs from the announced start of the round. Whoever arrives more than { $time } after it loses the game, unless the arbiter decides otherwise.
reg-record-always = You must write down every move throughout the game, however little time you have left.
reg-record-five-minutes = You must write down every move until you have less than five minutes left in a period.
reg-record-free = You need not write down the moves.

reg-illegal-always = An illegal move is completed when you have pressed the clock. It is put right whenever it is found during the game, and the touched piece must be played if it can be.
reg-illegal-limited = An illegal move is completed when you have pressed the clock. It is put right only if the opponent claims it, or an arbiter sees it, before the opponent has made his next move; after that it stands. To claim it, stop the clock and call the arbiter.
reg-illegal-penalty = For the first illegal move the opponent gets { $time } more, and what the press added to the offender's clock is taken off again.
reg-illegal-second = The second illegal move by the same player loses the game; it is a draw if the opponent cannot checkmate by any series of legal moves.
reg-illegal-also = Pressing the clock without having made a move, using two hands for one move, and pressing the clock before a pawn on the last rank has been exchanged all count as illegal moves.

reg-call = You may stop the clocks only to call the arbiter, and for a good reason.
reg-claim-draw = To claim a draw by threefold repetition or by the fifty-move rule, you must have the move and must not have touched a piece. If the position comes about only by your next move, write that move down, do not make it, stop the clock and tell the arbiter.
reg-claim-wrong = A claim cannot be withdrawn; if it is wrong, the opponent gets { $time } more.
reg-claim-flag = If your opponent's flag has fallen, stop the clock and call the arbiter.
reg-automatic-draws = When a position has occurred five times, or 75 moves by each player have been made without a capture or a pawn move, the arbiter declares the draw himself.
reg-offer = If you offer a draw, make your move first, then offer, then press the clock.
reg-draw-one-move = A draw can be agreed once both players have made a move.
reg-draw-minimum = No draw may be agreed before both players have made { $n ->
    [one] { $n } move
   *[other] { $n } moves
}; claims by the Laws are not affected.

reg-phones-approved = The phones and tablets that stand on the tables as clocks or boards belong to the organiser and are approved by these regulations: use them for your game and for nothing else.

reg-boards-all = All tables have electronic boards.
reg-boards-none = The tables have no electronic boards.
reg-boards-at = There are electronic boards at tables { $tables }.
reg-screens-prove-nothing = What the screens in the hall show is for the spectators: no claim can rest on it alone.
reg-hub-alerts = The hall's system tells the arbiters, and only them, about fallen flags, completed illegal moves, late players, fivefold repetition and the 75-move rule.
reg-hub-is-silent = It never tells a player that his clock is not pressed, how many moves are left to the time control, or that a draw could be claimed. What you do not claim may go unnoticed.
reg-endings-at-once = Checkmate and stalemate appear on the screens at once.
reg-endings-later = A result that the system has found appears on the screens when an arbiter has acknowledged it.

reg-house-none = There are none: the system decides nothing, and every ruling is made by an arbiter.
reg-house-some = Contrary to what you may be used to, the following is carried out at once, in the name of these regulations and without waiting for an arbiter. You may appeal to an arbiter against each.
house-illegal-move = Completed illegal moves that a board has recorded: the penalty is applied and, at the second, the game is ended.
house-flag = A flag that has fallen in the last period ends the game.
house-default = A player marked absent loses the game when the default time is over.

reg-open-points = On some points the Laws say nothing, or can be read in two ways. In this event:
point-blitz-supervised-penalty-one-minute = An illegal move or a wrong claim of a draw costs one minute.
point-blitz-supervised-penalty-two-minutes = An illegal move or a wrong claim of a draw costs two minutes.
point-en-passant-identity-legal = For repetitions, a capture en passant counts only where it would be legal.
point-en-passant-identity-any-capturer = For repetitions, a capture en passant counts even where the pawn is pinned.
point-imposed-queen-ends-the-game = If a queen placed by the arbiter for an unpromoted pawn gives checkmate or stalemate, the game is over.
point-imposed-queen-arbiter-decides = If a queen placed by the arbiter for an unpromoted pawn gives checkmate or stalemate, the arbiter decides.
point-unpromoted-press-increment-taken-back = Whoever presses the clock with an unpromoted pawn loses the increment of that press.
point-unpromoted-press-increment-kept = Whoever presses the clock with an unpromoted pawn keeps the increment of that press.
point-unpunished-illegal-moves-do-not-count = An illegal move that nobody claimed or saw in time does not count as the first.
point-unpunished-illegal-moves-count = An illegal move that nobody claimed or saw in time still counts as the first.
point-moving-out-of-turn-illegal-move = Moving twice in a row, or out of turn, and pressing the clock is an illegal move.
point-moving-out-of-turn-arbiter-decides = Moving twice in a row, or out of turn, is not counted as an illegal move; the arbiter restores the position and may penalise.
point-alert-when-acknowledged = An alert of the system counts as the arbiter's own observation once he has acknowledged it.
point-alert-own-eyes-only = An alert of the system does not count as the arbiter's own observation.
point-alert-at-once = An alert of the system counts at once as the arbiter's own observation.
point-freeze-both-stand = When a flag falls in the last period, both clocks stand.
point-freeze-runs-on = When a flag falls in the last period, the other clock runs on.
point-flag-during-irregularity-each-by-itself = A flag that falls while an illegal move is being dealt with is ruled on by itself.
point-flag-during-irregularity-irregularity-first = A flag that falls while an illegal move is being dealt with waits until that has been ruled on.
point-fivefold-and-mate-mate = Checkmate comes before a fifth repetition that arises with the same move.
point-fivefold-and-mate-fivefold = A fifth repetition comes before checkmate that arises with the same move.
point-void-claim-penalised = Claiming a draw out of turn, or after touching a piece, costs as much as a wrong claim.
point-void-claim-refused = Claiming a draw out of turn, or after touching a piece, is refused without a penalty.
point-unpressed-move-counts = For the fifty moves, the opponent's last move counts even if he has not pressed the clock.
point-unpressed-move-waits = For the fifty moves, the opponent's last move counts only once he has pressed the clock.
point-device-found-loss = No player may have a phone or any other electronic device on him in the playing venue. If one is found, he loses the game and his opponent wins.
point-device-found-arbiter-decides = No player may have a phone or any other electronic device on him in the playing venue. If one is found, the arbiter decides on the penalty.
point-both-absent-white = If neither player is present at the start, White's time runs.
point-both-absent-nobody = If neither player is present at the start, no clock runs until one of them has come.
point-quickplay-finish-not-announced = The Guidelines for games without increment do not apply: near the end of your time, no draw can be claimed for lack of winning attempts.
point-quickplay-finish-announced = The Guidelines for games without increment apply: with less than two minutes left you may claim a draw because your opponent cannot win by normal means or makes no effort to. If both flags have fallen and nobody can say which was first, the game is drawn.
point-quickplay-increment-claim-at-once = The claim is made at once; an increment cannot be asked for instead.
point-quickplay-increment-asked-first = Instead of claiming, you first ask for five seconds more with every move for both players. The request is a draw offer; if it is refused and the arbiter agrees, your opponent gets extra time and the game goes on with the increment.
point-quickplay-penalty-two-minutes = When such a claim is refused, or such an increment granted, the opponent gets two minutes more.
point-quickplay-penalty-one-minute = When such a claim is refused, or such an increment granted, the opponent gets one minute more.
