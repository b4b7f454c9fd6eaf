//! PGN, LiveChess layout, Lichess, the public delay.
