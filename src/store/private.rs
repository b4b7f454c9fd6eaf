//! What a hall keeps is its owner's alone: names, rulings, and hashes of credentials are in it.

use std::fs::{self, Permissions};
use std::io;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use rustix::fs::Mode;

/// Everything that this process makes from now on, and everything that is in the folder, may be read by its owner only.
///
/// For the whole process, because sled makes its files as it likes; who writes for others says so file by file. What belongs to
/// somebody else is left as it is.
pub(super) fn keep(folder: &Path) {
    let ours = Mode::RWXG | Mode::RWXO;
    rustix::process::umask(ours);
    if let Err(error) = tighten(folder) {
        tracing::warn!(folder = %folder.display(), %error, "others may be able to read the data folder");
    }
}

fn tighten(folder: &Path) -> io::Result<()> {
    restrict(folder, 0o700)?;
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let kind = entry.file_type()?;
        if kind.is_dir() {
            tighten(&entry.path())?;
        } else if kind.is_file() {
            restrict(&entry.path(), 0o600)?;
        }
    }
    Ok(())
}

fn restrict(path: &Path, most: u32) -> io::Result<()> {
    let now = fs::metadata(path)?.permissions().mode() & 0o7777;
    let wanted = now & most;
    if wanted == now {
        return Ok(());
    }
    fs::set_permissions(path, Permissions::from_mode(wanted))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_an_older_version_left_open_is_closed() {
        let folder = tempfile::tempdir().expect("a folder");
        let inner = folder.path().join("journal");
        fs::create_dir(&inner).expect("made");
        let file = inner.join("1.seg");
        fs::write(&file, "entries").expect("written");
        for (path, mode) in [(folder.path(), 0o755), (&inner, 0o755), (&file, 0o644)] {
            fs::set_permissions(path, Permissions::from_mode(mode)).expect("set");
        }
        keep(folder.path());
        let mode = |path: &Path| fs::metadata(path).expect("there").permissions().mode() & 0o777;
        assert_eq!((mode(folder.path()), mode(&inner), mode(&file)), (0o700, 0o700, 0o600));
        let later = inner.join("2.seg");
        fs::write(&later, "entries").expect("written");
        assert_eq!(mode(&later), 0o600);
    }
}
