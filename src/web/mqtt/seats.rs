//! One page to a device. Not every broker says to a page why it ends its connection when another one has logged in with the same name
//! (mosquitto 2.0.11 does not), and a page that is not told comes back, and throws off the other, for ever. So it is told here.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use tokio_util::sync::CancellationToken;

/// Who is connected over WebSocket, by client id. Cheap to clone.
#[derive(Clone, Default)]
pub(super) struct Seats(Arc<Mutex<Taken>>);

#[derive(Default)]
struct Taken {
    /// Counts all that ever sat down.
    count: u64,
    seats: HashMap<String, (u64, CancellationToken)>,
}

/// A page's place; free again when dropped.
pub(super) struct Seat {
    seats: Seats,
    client: String,
    number: u64,
    /// Cancelled when another page takes the place.
    pub(super) taken: CancellationToken,
}

impl Seats {
    /// Takes the place of this device; whoever had it is told.
    pub(super) fn take(&self, client: &str) -> Seat {
        let taken = CancellationToken::new();
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.count += 1;
        let number = all.count;
        if let Some((_, before)) = all.seats.insert(client.to_owned(), (number, taken.clone())) {
            before.cancel();
        }
        drop(all);
        Seat {
            seats: self.clone(),
            client: client.to_owned(),
            number,
            taken,
        }
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        let mut all = self.seats.0.lock().unwrap_or_else(PoisonError::into_inner);
        if all
            .seats
            .get(&self.client)
            .is_some_and(|(number, _)| *number == self.number)
        {
            all.seats.remove(&self.client);
        }
    }
}
