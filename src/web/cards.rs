//! Each table's newest state as JSON, written once however many screens ask for it.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use crate::hall::{TableCard, TableNo};

/// A card, and how it is written.
type Written = (Arc<TableCard>, Arc<str>);

/// What has been written last of each table. Cheap to clone.
#[derive(Clone, Default)]
pub(super) struct Cards {
    written: Arc<Mutex<HashMap<TableNo, Written>>>,
}

impl Cards {
    /// The card as JSON.
    pub(super) fn json(&self, card: &Arc<TableCard>) -> Arc<str> {
        // A whole entry is put in at once, so a poisoned lock guards nothing broken.
        if let Some((of, text)) = self
            .written
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .get(&card.table)
            && Arc::ptr_eq(of, card)
        {
            return Arc::clone(text);
        }
        // Outside the lock: two watchers may do the same work once, but nobody waits for it.
        let text: Arc<str> = serde_json::to_string(&**card)
            .expect("a card has only names for keys")
            .into();
        let mut written = self.written.lock().unwrap_or_else(PoisonError::into_inner);
        written.insert(card.table, (Arc::clone(card), Arc::clone(&text)));
        text
    }
}
