//! What is shown of tables.

use super::wire_color;
use crate::api::proto::arbiter::v1 as arbiter;
use crate::api::proto::feed::v1 as feed;
use crate::game::appeal::Appeal;
use crate::game::audience::{
    ArbiterView, ClockCheck, ClockView, Effect, Item, MoveView, Order, OrderKind, OrderStatus, RulingView,
};
use crate::game::input::AppealOutcome;
use crate::hall::model::{ArbiterTable, DeviceHealth, Online, Player, Side, TableCard};
use crate::words::{self, Language};

/// A table as the hall sees it.
pub fn hall_table(card: &TableCard) -> feed::Table {
    feed::Table {
        table: card.table.0,
        event: card.event.to_string(),
        event_name: card.event_name.clone(),
        round: card.round.0,
        board: card.board,
        white: Some(player(&card.white)),
        black: Some(player(&card.black)),
        game: card.game.map(|game| game.to_string()).unwrap_or_default(),
        fen: card.view.fen.clone(),
        moves: card.view.moves.iter().map(half_move).collect(),
        clocks: Some(clocks(&card.view.clocks)),
        result: card.view.result.clone(),
        started: card.view.started,
        paused: card.view.paused,
    }
}

/// A table as arbiters see it.
pub fn arbiter_table(table: &ArbiterTable, language: Language) -> arbiter::ArbiterTable {
    arbiter::ArbiterTable {
        hall: Some(hall_table(&table.card)),
        game: table.card.game.map(|_| game(&table.view, language)),
        clock_device: table.clock_device.as_ref().map(health),
        board_device: table.board_device.as_ref().map(health),
        white_side: side(table.white_side).into(),
        board_turned: table.board_turned,
        sector: table.sector.clone(),
    }
}

/// A player.
pub fn player(player: &Player) -> feed::Player {
    feed::Player {
        name: player.name.clone(),
        title: player.title.clone(),
        fide_id: player.fide_id,
        rating: player.rating,
        federation: player.federation.clone(),
        team: player.team.clone(),
    }
}

/// One half-move.
pub fn half_move(mv: &MoveView) -> feed::Move {
    feed::Move {
        san: mv.san.clone(),
        uci: mv.uci.clone(),
        clock_ms: mv.clock.map(|clock| clock.0),
        at_ms: mv.at.0,
        promotion_unconfirmed: mv.promotion_unconfirmed,
    }
}

/// Both clocks.
pub fn clocks(view: &ClockView) -> feed::Clocks {
    feed::Clocks {
        white_ms: view.white.0,
        black_ms: view.black.0,
        running: wire_color(view.running).into(),
        as_of_ms: view.as_of.0,
        delay_until_ms: view.delay_until.map(|until| until.0),
        no_signal: view.no_signal,
    }
}

fn game(view: &ArbiterView, language: Language) -> arbiter::Game {
    arbiter::Game {
        fen: view.fen.clone(),
        turn: wire_color(Some(view.turn)).into(),
        moves: view.moves.iter().map(half_move).collect(),
        clocks: Some(clocks(&view.clocks)),
        completed_white: view.completed.0,
        completed_black: view.completed.1,
        period_white: view.period.0,
        period_black: view.period.1,
        result: view.result.clone(),
        termination: view.termination.clone().unwrap_or_default(),
        rated: view.rated,
        illegal_white: view.illegal.0,
        illegal_black: view.illegal.1,
        items: view.items.iter().map(|open| item(open, language)).collect(),
        draw_offer: wire_color(view.draw_offer).into(),
        must_play: view.must_play.clone(),
        players_told: view.players_told.clone(),
        revision: view.revision,
        orders: view.orders.iter().map(order).collect(),
        parked: view.parked.clone().unwrap_or_default(),
        started_ms: view.started.map(|started| started.0),
        check: view.check.as_ref().map(check),
        answered_orders: view.answered.iter().map(order).collect(),
        sensed: view.sensed.as_ref().map(|sensed| arbiter::Sensed {
            placement: sensed.placement.clone(),
            differs: sensed.differs.iter().map(ToString::to_string).collect(),
        }),
        appeals: view.appeals.iter().map(appeal).collect(),
        masked: view.masked.iter().map(ToString::to_string).collect(),
        without_board: view.without_board,
        time_control: view.time_control.clone(),
        starts: view
            .starts
            .iter()
            .map(|(plies, fen)| arbiter::Start {
                plies: *plies,
                fen: fen.clone(),
            })
            .collect(),
        plies: u32::try_from(view.moves.len()).unwrap_or(u32::MAX),
        absent_white: view.absent.0,
        absent_black: view.absent.1,
        termination_text: view
            .ended
            .map(|termination| words::termination(language, termination))
            .unwrap_or_default(),
    }
}

/// The same without the record but for its last half-move.
pub fn brief(table: &ArbiterTable, language: Language) -> arbiter::ArbiterTable {
    let mut table = arbiter_table(table, language);
    if let Some(hall) = &mut table.hall {
        hall.moves.clear();
    }
    if let Some(game) = &mut table.game {
        game.moves.drain(..game.moves.len().saturating_sub(1));
    }
    table
}

/// Everything that was ruled, oldest first.
pub fn rulings(table: &ArbiterTable, language: Language) -> Vec<arbiter::Ruling> {
    let ruling = |ruling: &RulingView| arbiter::Ruling {
        at_ms: ruling.at.0,
        author: ruling.author.clone(),
        what: ruling.what.clone(),
        reason: ruling.reason.clone(),
        articles: ruling.articles.clone(),
        item: ruling.item,
        text: words::ruled(language, ruling),
    };
    table.view.rulings.iter().map(ruling).collect()
}

fn item(item: &Item, language: Language) -> arbiter::Item {
    let (taken_by, taken_ms) = match &item.taken {
        Some((name, since)) => (name.clone(), Some(since.0)),
        None => (String::new(), None),
    };
    arbiter::Item {
        number: item.number,
        revision: item.revision,
        kind: item.kind.clone(),
        of: wire_color(item.of).into(),
        certain: item.certain,
        articles: item.articles.clone(),
        what: item.what.clone(),
        proposal: item.proposal.clone(),
        since_ms: item.since.0,
        taken_by,
        taken_ms,
        evidence: item
            .evidence
            .iter()
            .map(|(key, value)| arbiter::Evidence {
                key: key.clone(),
                value: value.clone(),
            })
            .collect(),
        effect: Some(effect(&item.effect)),
        until_answered: item.until_answered,
        explanation: Some(explanation(words::explain(language, item))),
    }
}

fn appeal(appeal: &Appeal) -> arbiter::Appeal {
    let decided = appeal.decided.as_ref();
    let outcome = match decided.map(|decided| decided.outcome) {
        None => arbiter::AppealOutcome::Unspecified,
        Some(AppealOutcome::Upheld) => arbiter::AppealOutcome::Upheld,
        Some(AppealOutcome::Dismissed) => arbiter::AppealOutcome::Dismissed,
        Some(AppealOutcome::Withdrawn) => arbiter::AppealOutcome::Withdrawn,
    };
    arbiter::Appeal {
        number: appeal.number,
        by: wire_color(Some(appeal.by)).into(),
        lodged_ms: appeal.lodged.0,
        taken_by: appeal.taken_by.clone(),
        fee: appeal.fee.clone(),
        deadline_ms: appeal.deadline.map(|deadline| deadline.0),
        statements: appeal
            .statements
            .iter()
            .map(|said| arbiter::AppealStatement {
                by: said.by.clone(),
                at_ms: said.at.0,
                text: said.text.clone(),
            })
            .collect(),
        outcome: outcome.into(),
        closed_ms: decided.map(|decided| decided.at.0),
        closed_by: decided.map(|decided| decided.by.clone()).unwrap_or_default(),
        decision: decided.map(|decided| decided.words.clone()).unwrap_or_default(),
    }
}

fn explanation(explanation: words::Explanation) -> arbiter::Explanation {
    arbiter::Explanation {
        language: explanation.language.to_string(),
        title: explanation.title,
        what: explanation.what,
        steps: explanation.steps,
        notes: explanation.notes,
    }
}

fn effect(effect: &Effect) -> arbiter::Effect {
    arbiter::Effect {
        white_add_ms: effect.add.0.0,
        black_add_ms: effect.add.1.0,
        white_set_ms: effect.set.map(|(white, _)| white.0),
        black_set_ms: effect.set.map(|(_, black)| black.0),
        keep_plies: effect.keep,
        result: effect.result.clone().unwrap_or_default(),
        must_play: effect.must_play.clone().unwrap_or_default(),
        new_game: effect.new_game,
        stops: effect.stops,
    }
}

fn order(order: &Order) -> arbiter::Order {
    use arbiter::order::What;
    let what = match &order.what {
        OrderKind::Control => What::Control(arbiter::ControlOrder {}),
        OrderKind::Add { white, black } => What::Add(arbiter::AddOrder {
            white_ms: white.0,
            black_ms: black.0,
        }),
        OrderKind::Set { white, black, moves } => What::Set(arbiter::SetOrder {
            white_ms: white.0,
            black_ms: black.0,
            moves_white: moves.map(|(white, _)| white),
            moves_black: moves.map(|(_, black)| black),
        }),
        OrderKind::Run(color) => What::Run(arbiter::RunOrder {
            side: wire_color(Some(*color)).into(),
        }),
        OrderKind::Stop => What::Stop(arbiter::StopOrder {}),
    };
    let (status, why) = match &order.status {
        OrderStatus::Sent if order.what == OrderKind::Stop => (arbiter::OrderStatus::Stopping, String::new()),
        OrderStatus::Sent => (arbiter::OrderStatus::Sent, String::new()),
        OrderStatus::Done => (arbiter::OrderStatus::Done, String::new()),
        OrderStatus::MovedOn => (arbiter::OrderStatus::MovedOn, String::new()),
        OrderStatus::Refused(why) => (arbiter::OrderStatus::Refused, why.clone()),
        OrderStatus::ByHand => (arbiter::OrderStatus::ByHand, String::new()),
    };
    arbiter::Order {
        number: order.number,
        since_ms: order.since.0,
        what: Some(what),
        status: status.into(),
        why,
        answered_ms: order.answered.map(|at| at.0),
    }
}

fn check(check: &ClockCheck) -> arbiter::ClockCheck {
    arbiter::ClockCheck {
        as_of_ms: check.as_of.0,
        initial_ms: check.initial.0,
        granted_ms: check.granted.0,
        elapsed_ms: check.elapsed.0,
        shown_ms: check.shown.0,
        deviation_ms: check.deviation().0,
        read: check.read,
    }
}

fn health(health: &DeviceHealth) -> arbiter::DeviceHealth {
    let online = match health.online {
        Online::Unknown => arbiter::Online::Unknown,
        Online::Online => arbiter::Online::Online,
        Online::Silent => arbiter::Online::Silent,
    };
    arbiter::DeviceHealth {
        id: health.id.to_string(),
        online: online.into(),
        battery: health.battery,
        signal: health.signal,
        last_heard_ms: health.last_heard.map(|at| at.0),
        bar_ms: health.bar.map(|bar| bar.0),
        ahead_ms: health.ahead.map(|ahead| ahead.by.0),
        drift_ppm: health.drift_ppm,
    }
}

fn side(side: Side) -> arbiter::Side {
    match side {
        Side::Left => arbiter::Side::Left,
        Side::Right => arbiter::Side::Right,
    }
}
