//! Moves in short algebraic notation (Appendix C).

use shakmaty::san::San;

use super::Position;
use super::legal::Action;
use crate::chess::{Move, Piece, Role, Square};

/// A text that names no legal move of the position.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BadSan {
    /// Not notation at all.
    #[error("`{0}` is not written as a move")]
    NoNotation(String),
    /// No legal move is written so.
    #[error("`{0}` is not legal here")]
    NotLegal(String),
    /// More than one is.
    #[error("`{0}` may mean more than one move: add the file or rank it comes from")]
    Ambiguous(String),
}

impl Position {
    /// A move as the record writes it: SAN with `+` and `#` for a legal one, from-to (`e1-e3`) for any other.
    pub fn san(&self, mv: &Move) -> String {
        let Ok(action) = self.judge(mv, self.turn) else {
            return mv.from_to();
        };
        let Some(piece) = self.piece_at(mv.from) else {
            return mv.from_to();
        };
        let mut san = match action {
            Action::Castle(castling) if castling.rook > castling.king => "O-O".to_owned(),
            Action::Castle(_) => "O-O-O".to_owned(),
            Action::Plain | Action::EnPassant(_) => self.plain_san(mv, piece),
        };
        let next = self.play_unchecked(mv, self.turn);
        if next.is_check(next.turn) {
            san.push(if next.has_legal_move() { '+' } else { '#' });
        }
        san
    }

    fn plain_san(&self, mv: &Move, piece: Piece) -> String {
        let file = |square: Square| char::from(b'a' + square.file());
        let captures = self.captured_by(mv).is_some();
        let mut san = String::new();
        if piece.role == Role::Pawn {
            if captures {
                san.push(file(mv.from));
            }
        } else {
            san.push(piece.role.letter().to_ascii_uppercase());
            san.push_str(&self.distinguishing(mv, piece));
        }
        if captures {
            san.push('x');
        }
        san.push_str(&mv.to.to_string());
        if let Some(role) = mv.promotion {
            san.push('=');
            san.push(role.letter().to_ascii_uppercase());
        }
        san
    }

    /// The file, else the rank, else both, where another piece of the kind may go to the same square (C.10).
    fn distinguishing(&self, mv: &Move, piece: Piece) -> String {
        let others: Vec<Square> = self
            .pieces(piece.color, piece.role)
            .into_iter()
            .map(Square::from)
            .filter(|&from| from != mv.from && self.is_legal(&Move { from, ..*mv }))
            .collect();
        let name = mv.from.to_string();
        if others.is_empty() {
            String::new()
        } else if others.iter().all(|other| other.file() != mv.from.file()) {
            name[..1].to_owned()
        } else if others.iter().all(|other| other.rank() != mv.from.rank()) {
            name[1..].to_owned()
        } else {
            name
        }
    }

    /// The legal move that a notation names: SAN, also with more or less detail than needed, or from-to as [`Move`] reads it.
    pub fn parse_san(&self, text: &str) -> Result<Move, BadSan> {
        let text = text.trim();
        if let Ok(mv) = text.parse::<Move>() {
            return self.canonical(&mv).ok_or_else(|| BadSan::NotLegal(text.to_owned()));
        }
        let san = text.trim_end_matches(['!', '?', '+', '#']).parse::<San>();
        let san = san.map_err(|_| BadSan::NoNotation(text.chars().take(40).collect()))?;
        let mut found = self.legal_moves().into_iter().filter(|mv| self.fits(&san, mv));
        let mv = found.next().ok_or_else(|| BadSan::NotLegal(text.to_owned()))?;
        if found.next().is_some() {
            Err(BadSan::Ambiguous(text.to_owned()))
        } else {
            Ok(mv)
        }
    }

    fn fits(&self, san: &San, mv: &Move) -> bool {
        let castling = match self.judge(mv, self.turn) {
            Ok(Action::Castle(castling)) => Some(castling),
            _ => None,
        };
        match san {
            San::Castle(side) => {
                castling.is_some_and(|castling| (castling.rook > castling.king) == side.is_king_side())
            }
            San::Normal {
                role,
                file,
                rank,
                to,
                promotion,
                ..
            } => {
                let from = shakmaty::Square::from(mv.from);
                castling.is_none()
                    && self
                        .piece_at(mv.from)
                        .is_some_and(|piece| piece.role == Role::from(*role))
                    && Square::from(*to) == mv.to
                    && file.is_none_or(|file| file == from.file())
                    && rank.is_none_or(|rank| rank == from.rank())
                    && promotion.map(Role::from) == mv.promotion
            }
            _ => false,
        }
    }
}
