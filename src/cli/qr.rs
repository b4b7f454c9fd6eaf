//! A code that a tablet scans from the terminal.

use qrcode::render::unicode::Dense1x2;
use qrcode::{EcLevel, QrCode};

/// The code, as lines of half blocks, dark on light whatever the terminal's colours are; nothing where the text is too long.
pub fn lines(text: &str) -> String {
    let Ok(code) = QrCode::with_error_correction_level(text, EcLevel::L) else {
        return String::new();
    };
    let drawn = code
        .render::<Dense1x2>()
        .dark_color(Dense1x2::Dark)
        .light_color(Dense1x2::Light)
        .build();
    // Black on white by name: a scanner does not read every terminal's own colours, nor an inverted code.
    let lines = drawn.lines().map(|line| format!("\u{1b}[30;107m{line}\u{1b}[0m"));
    lines.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_with_a_token_fits_a_terminal() {
        let drawn = lines(&format!(
            "https://hub.example:7878/arbiter#token={}",
            "0123456789abcdef".repeat(4)
        ));
        let rows = drawn.lines().count();
        assert!((20..=30).contains(&rows), "{rows}");
        assert!(drawn.lines().all(|line| line.starts_with("\u{1b}[30;107m")));
    }
}
