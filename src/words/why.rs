//! Why a move is illegal.

use super::lexicon::Lexicon;
use crate::chess::{Illegality, Piece, Square};
use crate::game::account::{OffenceFacts, RightLost};
use crate::game::item::Offence;

/// One sentence. Exhaustive, so that a new reason has to be given words.
pub(super) fn sentence(lexicon: &Lexicon, offence: &Offence, why: &Illegality, facts: &OffenceFacts) -> String {
    let words = || {
        let mut words = lexicon.words().sides(offence.of);
        if let Some(mv) = offence.mv {
            words = words.square("from", mv.from).square("to", mv.to);
        }
        words
    };
    let attacked = |square: Square, by: Piece, attacker: Square| {
        words()
            .square("square", square)
            .piece("attacker", by.role)
            .square("at", attacker)
    };
    // What attacks is always on the record; a king stands for what is not.
    let attacker = facts.attacker.unwrap_or(Piece {
        color: offence.of.other(),
        role: crate::chess::Role::King,
    });
    match *why {
        Illegality::NoPiece { square } => words().square("square", square).say("why-no-piece"),
        Illegality::NotHisPiece { piece, square } => words()
            .piece("piece", piece.role)
            .square("square", square)
            .say("why-not-his-piece"),
        Illegality::NotHisTurn { .. } if facts.twice => words().say("why-twice"),
        Illegality::NotHisTurn { .. } => words().say("why-not-his-turn"),
        Illegality::OwnPieceThere { piece, square } => words()
            .piece("piece", piece.role)
            .square("square", square)
            .say("why-own-piece-there"),
        Illegality::CapturesKing { square } => words().square("square", square).say("why-captures-king"),
        Illegality::DoesNotGoThere { piece, .. } => words().piece("piece", piece.role).say("why-does-not-go-there"),
        Illegality::Blocked { piece, by, square } => words()
            .piece("piece", piece.role)
            .piece("blocker", by.role)
            .square("square", square)
            .say("why-blocked"),
        Illegality::NothingToCapture { square } => words().square("square", square).say("why-nothing-to-capture"),
        Illegality::NotPromoted { square } => words().square("square", square).say("why-not-promoted"),
        Illegality::NothingToPromote { square } => words().square("square", square).say("why-nothing-to-promote"),
        Illegality::PromotedTo { role, square } => words()
            .piece("piece", role)
            .square("square", square)
            .say("why-promoted-to"),
        Illegality::KingIntoCheck { to, by, attacker } => attacked(to, by, attacker).say("why-king-into-check"),
        Illegality::KingLeftInCheck { king, by, attacker } => {
            attacked(king, by, attacker).say("why-king-left-in-check")
        }
        Illegality::Pinned {
            piece,
            square,
            by,
            attacker,
        } => {
            let words = attacked(square, by, attacker).piece("piece", piece.role);
            let king = facts.king.map_or(String::new(), |king| king.to_string());
            words.text("king", king).say("why-pinned")
        }
        Illegality::NoCastlingRight { .. } => match facts.right.as_ref() {
            Some(RightLost::KingMoved(mv)) => words().text("move", mv).say("why-castling-king-moved"),
            Some(RightLost::RookMoved(mv)) => words().text("move", mv).say("why-castling-rook-moved"),
            Some(RightLost::RookCaptured(mv)) => words().text("move", mv).say("why-castling-rook-captured"),
            Some(RightLost::NotInRecord) | None => words().say("why-castling-no-right"),
        },
        Illegality::RookNotMoved { rook } => words().square("square", rook).say("why-rook-not-moved"),
        Illegality::CapturedPawnStays { square } => words().square("square", square).say("why-captured-pawn-stays"),
        Illegality::TookOff { piece, square } => words()
            .piece("piece", piece.role)
            .square("square", square)
            .say("why-took-off"),
        Illegality::CastlingBlocked { square } => match facts.blocker {
            Some(blocker) => words()
                .piece("blocker", blocker.role)
                .square("square", square)
                .say("why-castling-blocked"),
            None => words().say("why-castling-no-right"),
        },
        Illegality::CastlingOutOfCheck { attacker: at } => {
            let king = facts.king.or(offence.mv.map(|mv| mv.from)).unwrap_or(at);
            attacked(king, attacker, at).say("why-castling-out-of-check")
        }
        Illegality::CastlingThroughCheck { square, attacker: at } => {
            attacked(square, attacker, at).say("why-castling-through-check")
        }
        Illegality::CastlingIntoCheck { square, attacker: at } => {
            attacked(square, attacker, at).say("why-castling-into-check")
        }
    }
}
