//! The names of what can be found, ended and seen.

use super::Language;
use super::lexicon::Lexicon;
use crate::game::item::Kind;
use crate::laws::{Category, Termination};

/// The message of a kind of item. Exhaustive, so that a new kind has to be given words.
pub(super) fn kind(kind: Kind) -> &'static str {
    match kind {
        Kind::IllegalMove => "kind-illegal-move",
        Kind::Flag => "kind-flag",
        Kind::Default => "kind-default",
        Kind::ClaimThreefold => "kind-claim-threefold",
        Kind::ClaimFiftyMoves => "kind-claim-fifty-moves",
        Kind::ClaimFlag => "kind-claim-flag",
        Kind::ClaimIllegalMove => "kind-claim-illegal-move",
        Kind::ClaimQuickplay => "kind-claim-quickplay",
        Kind::Call => "kind-call",
        Kind::BoardDisagrees => "kind-board-disagrees",
        Kind::Promotion => "kind-promotion",
        Kind::IllegalPosition => "kind-illegal-position",
        Kind::ColoursReversed => "kind-colours-reversed",
        Kind::WrongSetup => "kind-wrong-setup",
        Kind::WrongClock => "kind-wrong-clock",
        Kind::Device => "kind-device",
        Kind::ResultSignal => "kind-result-signal",
        Kind::LateNews => "kind-late-news",
        Kind::AdjustedAtTable => "kind-adjusted-at-table",
        Kind::ReportsLost => "kind-reports-lost",
        Kind::SilentDevice => "kind-silent-device",
        Kind::ClockRenewed => "kind-clock-renewed",
        Kind::ClockTime => "kind-clock-time",
        Kind::OrderUnknown => "kind-order-unknown",
        Kind::MovesMissing => "kind-moves-missing",
    }
}

/// The message of an ending.
pub(super) fn ending(termination: Termination) -> &'static str {
    match termination {
        Termination::Checkmate => "ending-checkmate",
        Termination::Stalemate => "ending-stalemate",
        Termination::DeadPosition => "ending-dead-position",
        Termination::Flag => "ending-flag",
        Termination::FlagNoMate => "ending-flag-no-mate",
        Termination::IllegalMoves => "ending-illegal-moves",
        Termination::IllegalMovesNoMate => "ending-illegal-moves-no-mate",
        Termination::Threefold => "ending-threefold",
        Termination::Fivefold => "ending-fivefold",
        Termination::FiftyMoves => "ending-fifty-moves",
        Termination::SeventyFiveMoves => "ending-seventy-five-moves",
        Termination::Agreement => "ending-agreement",
        Termination::Resignation => "ending-resignation",
        Termination::ResignationNoMate => "ending-resignation-no-mate",
        Termination::Default => "ending-default",
        Termination::ImpossiblePosition => "ending-impossible-position",
        Termination::Device => "ending-device",
        Termination::Penalty => "ending-penalty",
        Termination::Arbiter => "ending-arbiter",
    }
}

/// How a game ended, in a few words with the article.
pub fn termination(language: Language, termination: Termination) -> String {
    Lexicon::of(language).words().part(ending(termination))
}

/// The message of a category.
pub(super) fn category(category: Category) -> &'static str {
    match category {
        Category::Standard => "category-standard",
        Category::Rapid => "category-rapid",
        Category::Blitz => "category-blitz",
    }
}
