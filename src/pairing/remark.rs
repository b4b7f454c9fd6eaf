//! What is wrong, or only odd, in a file: where it stands, and what to do.

use std::fmt;

/// Something in a file.
#[derive(Clone, Debug, Default, PartialEq, Eq, thiserror::Error)]
pub struct Remark {
    /// The file's name; empty where there is only one.
    pub file: String,
    /// The line, from 1; 0: the file as a whole.
    pub line: u64,
    /// The column, from 1; 0: the line as a whole.
    pub column: usize,
    /// The field's name; empty for the line as a whole.
    pub field: String,
    /// What is wrong, and what to do.
    pub message: String,
}

impl Remark {
    /// On a whole file.
    pub fn file(message: impl Into<String>) -> Remark {
        Remark {
            message: message.into(),
            ..Remark::default()
        }
    }

    /// On a line.
    pub fn line(line: u64, message: impl Into<String>) -> Remark {
        Remark {
            line,
            message: message.into(),
            ..Remark::default()
        }
    }

    /// On a field of a line.
    pub fn at(line: u64, column: usize, field: &str, message: impl Into<String>) -> Remark {
        Remark {
            line,
            column,
            field: field.to_owned(),
            message: message.into(),
            ..Remark::default()
        }
    }

    /// The same, in this file.
    #[must_use]
    pub fn in_file(mut self, file: &str) -> Remark {
        if self.file.is_empty() {
            file.clone_into(&mut self.file);
        }
        self
    }
}

impl fmt::Display for Remark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut place = Vec::new();
        if !self.file.is_empty() {
            place.push(shown(&self.file));
        }
        if self.line > 0 {
            place.push(format!("line {}", self.line));
        }
        if self.column > 0 {
            place.push(format!("column {}", self.column));
        }
        f.write_str(&place.join(", "))?;
        if !self.field.is_empty() {
            write!(f, " ({})", self.field)?;
        }
        if !place.is_empty() {
            f.write_str(": ")?;
        }
        f.write_str(&self.message)
    }
}

/// What somebody wrote, fit for a terminal and a log.
pub fn shown(given: &str) -> String {
    given
        .chars()
        .take(60)
        .flat_map(|c| {
            if c.is_control() {
                c.escape_default().collect()
            } else {
                vec![c]
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_remark_names_file_line_and_column() {
        let remark = Remark::at(12, 97, "colour", "two rows differ").in_file("round5.trf");
        assert_eq!(
            remark.to_string(),
            "round5.trf, line 12, column 97 (colour): two rows differ"
        );
        assert_eq!(Remark::file("it is empty").to_string(), "it is empty");
    }
}
