//! Files that others read while they are written: whoever opens one finds the one before or the new one, whole.

use std::io::{self, Write as _};
use std::os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _};
use std::path::Path;

/// Whether a file has to be on the disk before it takes the place of the one before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Durable {
    /// It is what is left if this machine dies.
    Yes,
    /// It can be made again: no disk is held up for it.
    No,
}

/// Writes aside and renames.
pub(super) fn replace(file: &Path, content: &[u8], durable: Durable) -> io::Result<()> {
    let aside = file.with_extension(format!(
        "{}.new",
        file.extension().unwrap_or_default().to_string_lossy()
    ));
    let mut out = std::fs::OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(true)
        .mode(0o644)
        .open(&aside)?;
    // What the hub makes is its owner's alone otherwise; these are for whoever reads them. Not every drive knows of it.
    let _ = out.set_permissions(std::fs::Permissions::from_mode(0o644));
    out.write_all(content)?;
    if durable == Durable::Yes {
        out.sync_all()?;
    }
    drop(out);
    std::fs::rename(&aside, file)
}
