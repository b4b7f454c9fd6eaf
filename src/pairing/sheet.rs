//! A CSV file with named columns, as programs and people write them: columns in any order, more of them than are wanted.

use super::guard::meant;
use super::remark::{Remark, shown};

/// A file's rows.
#[derive(Clone, Debug, Default)]
pub struct Sheet {
    columns: Vec<Option<&'static str>>,
    rows: Vec<Row>,
    /// What is odd.
    pub warnings: Vec<Remark>,
}

/// A line of it.
#[derive(Clone, Debug)]
pub struct Row {
    /// From 1.
    pub line: u64,
    fields: Vec<String>,
}

/// A column, and what else it may be called. Blanks, dots, dashes and capitals in a name do not matter.
pub type Known = (&'static str, &'static [&'static str]);

impl Sheet {
    /// Reads a file's text. Columns that are not known are left out, with a warning.
    ///
    /// # Errors
    /// Everything that is wrong with the file.
    pub fn read(text: &str, known: &[Known]) -> Result<Sheet, Vec<Remark>> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let mut reader = ::csv::ReaderBuilder::new()
            .delimiter(delimiter(text))
            .trim(::csv::Trim::All)
            .has_headers(false)
            .from_reader(text.as_bytes());
        let mut sheet = Sheet::default();
        let mut errors = Vec::new();
        for record in reader.records() {
            let record = match record {
                Ok(record) => record,
                Err(error) => {
                    errors.push(broken(&error));
                    continue;
                }
            };
            let line = record.position().map_or(0, ::csv::Position::line);
            if sheet.columns.is_empty() {
                sheet.name_columns(&record, line, known, &mut errors);
            } else if record.iter().any(|field| !field.is_empty()) {
                let fields = record.iter().map(|field| meant(field).to_owned()).collect();
                sheet.rows.push(Row { line, fields });
            }
        }
        if sheet.columns.is_empty() && errors.is_empty() {
            errors.push(Remark::file("the file is empty: begin it with the columns' names"));
        }
        if errors.is_empty() { Ok(sheet) } else { Err(errors) }
    }

    fn name_columns(&mut self, record: &::csv::StringRecord, line: u64, known: &[Known], errors: &mut Vec<Remark>) {
        for (index, given) in record.iter().enumerate() {
            let plain = plain(given);
            let name = known
                .iter()
                .find(|(name, others)| *name == plain || others.contains(&plain.as_str()))
                .map(|(name, _)| *name);
            match name {
                Some(name) if self.columns.contains(&Some(name)) => errors.push(Remark::at(
                    line,
                    index + 1,
                    &shown(given),
                    "this column is there twice: take one out",
                )),
                None if !given.is_empty() => self.warnings.push(Remark::at(
                    line,
                    index + 1,
                    &shown(given),
                    "no column that is known: it is left out",
                )),
                _ => {}
            }
            self.columns.push(name);
        }
    }

    /// Where a column stands, from 1; 0: nowhere.
    pub fn column(&self, name: &str) -> usize {
        self.columns
            .iter()
            .position(|column| *column == Some(name))
            .map_or(0, |at| at + 1)
    }

    /// Whether there is such a column.
    pub fn has(&self, name: &str) -> bool {
        self.column(name) > 0
    }

    /// The lines after the first.
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// A field; empty where there is none.
    pub fn field<'a>(&self, row: &'a Row, name: &str) -> &'a str {
        let at = self.column(name);
        at.checked_sub(1)
            .and_then(|at| row.fields.get(at))
            .map_or("", String::as_str)
    }

    /// Something about a field.
    pub fn remark(&self, row: &Row, name: &str, message: impl Into<String>) -> Remark {
        Remark::at(row.line, self.column(name), name, message)
    }

    /// A field as a number; 0 is none.
    pub fn number<N: std::str::FromStr + PartialEq + Default>(
        &self,
        row: &Row,
        name: &str,
        errors: &mut Vec<Remark>,
    ) -> Option<N> {
        self.number_of(row, name, "a whole number, or nothing", errors)
    }

    /// The same, of what is wanted there.
    pub fn number_of<N: std::str::FromStr + PartialEq + Default>(
        &self,
        row: &Row,
        name: &str,
        wanted: &str,
        errors: &mut Vec<Remark>,
    ) -> Option<N> {
        let given = self.field(row, name);
        if given.is_empty() {
            return None;
        }
        match given.parse::<N>() {
            Ok(number) => Some(number).filter(|number| *number != N::default()),
            Err(_) => {
                let message = format!("`{}` is no number: give {wanted}", shown(given));
                errors.push(self.remark(row, name, message));
                None
            }
        }
    }
}

/// What stands between the fields of the first line, most often.
fn delimiter(text: &str) -> u8 {
    let first = text.lines().next().unwrap_or_default();
    let count = |byte: u8| first.bytes().filter(|b| *b == byte).count();
    [b',', b';', b'\t']
        .into_iter()
        .rev()
        .max_by_key(|byte| count(*byte))
        .unwrap_or(b',')
}

fn broken(error: &::csv::Error) -> Remark {
    let line = error.position().map_or(0, ::csv::Position::line);
    let message = match error.kind() {
        ::csv::ErrorKind::UnequalLengths { expected_len, len, .. } => format!(
            "{len} fields where the first line names {expected_len} columns: put a text that has the separator in it \
             (`Hou, Yifan`) between double quotes, and leave no field out"
        ),
        _ => error.to_string(),
    };
    Remark::line(line, message)
}

fn plain(given: &str) -> String {
    let lower = given.trim().trim_end_matches('.').to_lowercase();
    lower.replace([' ', '-', '.'], "_")
}
