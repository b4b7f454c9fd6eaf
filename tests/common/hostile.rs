//! Names that mean something to PGN, HTML, JSON, spreadsheets, event streams and lines of text; and two that are only names.

/// As long as a tournament report's column is, and in pairs for boards.
pub const NAMES: [&str; 14] = [
    "Quote \"] Back\\slash",
    "<img src=x onerror=alert(1)>",
    "=HYPERLINK(\"http://x\")",
    "'t Hart, Jan",
    "Đoković, Živa",
    "+1, Plus",
    "{Brace} [%clk 0:00:01]",
    "; DROP TABLE games; --",
    "data: x, event: y",
    "%25 &amp; \\n \\u0000",
    "@SUM(A1)",
    "Last, \\\" One",
    "Carlsen, Magnus",
    "Ивановић, Ана",
];
