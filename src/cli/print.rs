//! What commands print: aligned tables, times as clocks show them.

use std::io::{self, Write as _};

use super::refused::shown;

/// Rows under headings, each column as wide as its widest field.
pub struct Table {
    rows: Vec<Vec<String>>,
}

impl Table {
    /// With these headings.
    pub fn new(headings: &[&str]) -> Table {
        Table {
            rows: vec![headings.iter().map(|heading| (*heading).to_owned()).collect()],
        }
    }

    /// One row more.
    pub fn row(&mut self, fields: impl IntoIterator<Item = String>) {
        self.rows.push(
            fields
                .into_iter()
                .map(|field| shown(&field).replace('\n', " "))
                .collect(),
        );
    }

    /// The lines.
    pub fn text(&self) -> String {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or_default();
        let width = |column: usize| {
            self.rows
                .iter()
                .filter_map(|row| row.get(column))
                .map(|field| wide(field))
                .max()
        };
        let widths: Vec<usize> = (0..columns).map(|column| width(column).unwrap_or_default()).collect();
        let mut text = String::new();
        for row in &self.rows {
            let mut line = String::new();
            for (field, width) in row.iter().zip(&widths) {
                line.push_str(field);
                line.extend(std::iter::repeat_n(' ', width - wide(field) + 2));
            }
            text.push_str(line.trim_end());
            text.push('\n');
        }
        text
    }
}

fn wide(field: &str) -> usize {
    field.chars().count()
}

/// Prints, whatever reads it: `| head` has seen enough when it goes.
pub fn out(text: &str) -> anyhow::Result<()> {
    let mut stdout = io::stdout().lock();
    let end = if text.ends_with('\n') || text.is_empty() {
        ""
    } else {
        "\n"
    };
    match write!(stdout, "{text}{end}").and_then(|()| stdout.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error.into()),
        _ => Ok(()),
    }
}

/// As a clock shows it: `1:30:20`, `0:05:00`; below twenty seconds with tenths: `0:00:19.4`.
pub fn clock(ms: i64) -> String {
    let sign = if ms < 0 { "-" } else { "" };
    let ms = ms.unsigned_abs();
    let (hours, minutes, seconds) = (ms / 3_600_000, ms / 60_000 % 60, ms / 1000 % 60);
    let tenths = if ms < 20_000 && !ms.is_multiple_of(1000) {
        format!(".{}", ms / 100 % 10)
    } else {
        String::new()
    };
    format!("{sign}{hours}:{minutes:02}:{seconds:02}{tenths}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_as_wide_as_their_widest_field() {
        let mut table = Table::new(&["TABLE", "WHITE"]);
        table.row(["1".to_owned(), "Hou, Yifan".to_owned()]);
        table.row(["1200".to_owned(), "Nỹ".to_owned()]);
        assert_eq!(table.text(), "TABLE  WHITE\n1      Hou, Yifan\n1200   Nỹ\n");
    }

    #[test]
    fn names_do_not_break_the_table_or_steer_the_terminal() {
        let mut table = Table::new(&["A"]);
        table.row(["x\ny\u{1b}[2J".to_owned()]);
        assert_eq!(table.text(), "A\nx y\\u{1b}[2J\n");
    }

    #[test]
    fn times_are_as_clocks_show_them() {
        assert_eq!(clock(5_420_000), "1:30:20");
        assert_eq!(clock(300_999), "0:05:00");
        assert_eq!(clock(19_450), "0:00:19.4");
        assert_eq!(clock(0), "0:00:00");
        assert_eq!(clock(-1_500), "-0:00:01.5");
    }
}
