//! The journal, which is the truth, and the state folded from it, which makes a start quick.
//!
//! [`Store::open`] reads both; the hall folds [`Opened::tail`] over the values of [`Store::state`]. From then on everything
//! that happens goes through [`CommitHandle::commit`], which answers once it is durable, and the values that change go to
//! [`StateWriter::put`], which writes them behind.

mod ahead;
mod backup;
mod checkpoint;
mod committer;
mod disk;
mod entry;
mod error;
mod frame;
mod journal;
mod lock;
mod mend;
mod opening;
mod pack;
mod private;
mod pump;
mod reader;
mod record;
mod requests;
mod segment;
mod show;
mod state;
mod verify;

pub use backup::{BackedUp, Restored, backup, restore};
pub use checkpoint::{Checkpoint, FoldGuard};
pub use committer::{Committed, Committer, Ticket};
pub use disk::{CrashStyle, Disk, DiskFile, RealDisk, SimDisk, SimFault};
pub use entry::{ChainHash, Entry, EntryKind, NewEntry, RequestKey, SessionMark};
pub use error::{Damage, JournalError, StateError};
pub use journal::{FileJournal, Head, Journal, JournalOptions, Known, OpenedJournal};
pub use mend::{Accepted, accept_loss};
pub use opening::{Opened, Store, StoreError, StoreOptions, Tail};
pub use pack::pack_closed;
pub use pump::{Commit, CommitError, CommitHandle, CommitterThread};
pub use reader::{Entries, Follow, JournalReader};
pub use record::GameChain;
pub use requests::{KnownRequest, Requests};
pub use show::{ShowFilter, show, show_told};
pub use state::{StateReader, StateValue, StateWriter, Tree};
pub use verify::{Report, journal_bytes, verify};
