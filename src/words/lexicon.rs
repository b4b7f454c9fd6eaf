//! The sentences of one language, and what is put into them.

use std::sync::LazyLock;

use fluent_bundle::concurrent::FluentBundle;
use fluent_bundle::{FluentArgs, FluentResource, FluentValue};
use unic_langid::LanguageIdentifier;

use crate::chess::{Color, Role, Square};
use crate::config::Language;
use crate::time::Millis;

/// A file of each language's folder: its name, and its text in the order of [`Language::ALL`].
pub(super) type File = (&'static str, [&'static str; 4]);

macro_rules! files {
    ($($name:literal),* $(,)?) => {
        &[$((
            $name,
            [
                include_str!(concat!("../../lang/en/", $name)),
                include_str!(concat!("../../lang/sr-Latn/", $name)),
                include_str!(concat!("../../lang/ru/", $name)),
                include_str!(concat!("../../lang/pl/", $name)),
            ],
        )),*]
    };
}

/// All that is said.
pub(super) const FILES: &[File] = files![
    "terms.ftl",
    "why.ftl",
    "items.ftl",
    "rulings.ftl",
    "regulations.ftl",
    "record.ftl",
    "journal.ftl"
];

/// The forms of a noun that sentences ask for beside the first: `$piece-gen`.
pub(super) const FORMS: [&str; 6] = ["gen", "dat", "acc", "ins", "loc", "gender"];

/// The sentences of one language.
pub struct Lexicon {
    language: Language,
    bundle: FluentBundle<FluentResource>,
}

static LEXICONS: LazyLock<[Lexicon; 4]> = LazyLock::new(|| Language::ALL.map(Lexicon::read));

impl Lexicon {
    /// Those of this language.
    pub fn of(language: Language) -> &'static Lexicon {
        &LEXICONS[language as usize]
    }

    fn read(language: Language) -> Lexicon {
        let tag = match language {
            Language::English => "en",
            Language::Serbian => "sr",
            Language::Russian => "ru",
            Language::Polish => "pl",
        };
        // Plurals are known by the language alone.
        let tag: LanguageIdentifier = tag.parse().unwrap_or_default();
        let mut bundle = FluentBundle::new_concurrent(vec![tag]);
        // All four languages are written from left to right; only what comes from outside is set apart, by `foreign`.
        bundle.set_use_isolating(false);
        for (name, texts) in FILES {
            let text = texts[language as usize];
            let resource = FluentResource::try_new(text.to_owned()).unwrap_or_else(|(resource, errors)| {
                debug_assert!(errors.is_empty(), "lang/{language}/{name}: {errors:?}");
                resource
            });
            let added = bundle.add_resource(resource);
            debug_assert!(added.is_ok(), "lang/{language}/{name}: {:?}", added.err());
        }
        Lexicon { language, bundle }
    }

    /// Which language it is.
    pub fn language(&self) -> Language {
        self.language
    }

    /// A sentence with nothing to be put into it.
    pub fn say(&self, key: &str) -> String {
        self.words().say(key)
    }

    /// What is to be put into a sentence.
    pub fn words(&self) -> Words<'_> {
        Words {
            lexicon: self,
            args: FluentArgs::new(),
        }
    }

    /// A noun's form; its first form where the language has no other.
    pub(super) fn form(&self, noun: &str, form: &str, args: Option<&FluentArgs<'_>>) -> String {
        let message = self.bundle.get_message(noun);
        let pattern = message.as_ref().and_then(|message| match message.get_attribute(form) {
            Some(attribute) => Some(attribute.value()),
            None => message.value(),
        });
        let Some(pattern) = pattern else {
            debug_assert!(false, "{}: no message `{noun}`", self.language);
            return noun.to_owned();
        };
        let mut errors = Vec::new();
        let text = self.bundle.format_pattern(pattern, args, &mut errors).into_owned();
        debug_assert!(errors.is_empty(), "{}: `{noun}`: {errors:?}", self.language);
        text
    }

    /// `a, b and c`.
    pub fn list(&self, parts: &[String]) -> String {
        match parts {
            [] => String::new(),
            [one] => one.clone(),
            [first @ .., last] => self
                .words()
                .text("first", first.join(", "))
                .text("last", last.clone())
                .part("list-and"),
        }
    }
}

/// What is put into a sentence, piece by piece; [`Words::say`] ends it.
pub struct Words<'a> {
    lexicon: &'a Lexicon,
    args: FluentArgs<'static>,
}

impl Words<'_> {
    /// Text of our own, or of figures and letters only.
    #[must_use]
    pub fn text(mut self, name: &str, text: impl Into<String>) -> Self {
        self.args.set(name.to_owned(), FluentValue::from(text.into()));
        self
    }

    /// A number, with the plural that it asks for.
    #[must_use]
    pub fn count(mut self, name: &str, count: impl Into<i64>) -> Self {
        self.args.set(name.to_owned(), FluentValue::from(count.into()));
        self
    }

    /// A word from outside: a name, somebody's own words.
    #[must_use]
    pub fn foreign(self, name: &str, text: &str) -> Self {
        self.text(name, foreign(text))
    }

    /// A square.
    #[must_use]
    pub fn square(self, name: &str, square: Square) -> Self {
        self.text(name, square.to_string())
    }

    /// A noun of the lexicon in all its forms: `$name`, `$name-gen`, …
    #[must_use]
    pub fn noun(mut self, name: &str, noun: &str) -> Self {
        self.args
            .set(name.to_owned(), FluentValue::from(self.lexicon.form(noun, "", None)));
        for form in FORMS {
            self.args.set(
                format!("{name}-{form}"),
                FluentValue::from(self.lexicon.form(noun, form, None)),
            );
        }
        self
    }

    /// A side in all its forms.
    #[must_use]
    pub fn side(self, name: &str, side: Color) -> Self {
        self.noun(name, side.name())
    }

    /// A side, `$by`, and its opponent, `$foe`.
    #[must_use]
    pub fn sides(self, by: Color) -> Self {
        self.side("by", by).side("foe", by.other())
    }

    /// A piece in all its forms.
    #[must_use]
    pub fn piece(self, name: &str, piece: Role) -> Self {
        self.noun(name, piece.name())
    }

    /// A time as a clock shows it.
    #[must_use]
    pub fn clock(self, name: &str, time: Millis) -> Self {
        self.text(name, time.to_string())
    }

    /// A span in words, in all its forms: `2 minutes`.
    #[must_use]
    pub fn span(mut self, name: &str, span: Millis) -> Self {
        let lexicon = self.lexicon;
        self = self.text(name, super::clocks::span(lexicon, span, ""));
        for form in FORMS {
            self = self.text(&format!("{name}-{form}"), super::clocks::span(lexicon, span, form));
        }
        self
    }

    /// The sentence.
    #[must_use]
    pub fn say(&self, key: &str) -> String {
        capital(&self.lexicon.form(key, "", Some(&self.args)))
    }

    /// The same with its first letter as it is.
    #[must_use]
    pub fn part(&self, key: &str) -> String {
        self.lexicon.form(key, "", Some(&self.args))
    }

    /// A form of a noun that counts something.
    pub(super) fn form(&self, noun: &str, form: &str) -> String {
        self.lexicon.form(noun, form, Some(&self.args))
    }
}

/// A sentence begins with a capital.
fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters
        .next()
        .map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

/// Longer words from outside are cut.
const LONGEST: usize = 200;

/// Words from outside, harmless and set apart: nothing that steers a terminal, breaks a line or turns the direction of writing, and
/// first-strong isolation around what is written from right to left.
pub fn foreign(text: &str) -> String {
    let clean: String = harmless(text).chars().take(LONGEST).collect();
    format!("\u{2068}{}\u{2069}", clean.trim())
}

/// Text from outside on one line, without what steers a terminal or the direction of writing.
pub(super) fn harmless(text: &str) -> String {
    let turns =
        |c: char| matches!(c, '\u{200e}' | '\u{200f}' | '\u{061c}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let steers = |c: char| c.is_control() || matches!(c, '\u{2028}' | '\u{2029}');
    let clean: String = text
        .chars()
        .filter(|&c| !turns(c))
        .map(|c| if steers(c) { ' ' } else { c })
        .collect();
    clean.trim().to_owned()
}
