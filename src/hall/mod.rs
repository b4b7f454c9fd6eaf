//! Rounds, tables, the shards that run games, bulletins and outboxes.
