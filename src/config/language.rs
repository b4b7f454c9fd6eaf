//! The languages that arbiters can be spoken to in.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// A language that Flagfall speaks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Language {
    /// English.
    #[default]
    English,
    /// Serbian, in Latin script.
    Serbian,
    /// Russian.
    Russian,
    /// Polish.
    Polish,
}

/// A language that Flagfall does not speak.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is none of the languages there are: en, sr, ru and pl")]
pub struct NoLanguage(String);

impl Language {
    /// All of them.
    pub const ALL: [Language; 4] = [
        Language::English,
        Language::Serbian,
        Language::Russian,
        Language::Polish,
    ];

    /// As BCP 47 has it.
    pub fn code(self) -> &'static str {
        match self {
            Language::English => "en",
            Language::Serbian => "sr-Latn",
            Language::Russian => "ru",
            Language::Polish => "pl",
        }
    }

    /// The one that suits best what a client would like, as the header `Accept-Language` says it (`sr-RS, en;q=0.7`); `None`
    /// where it names none of ours.
    pub fn best_of(accepted: &str) -> Option<Language> {
        let mut best: Option<(Language, f32)> = None;
        for range in accepted.split(',') {
            let mut parts = range.split(';').map(str::trim);
            let Some(language) = parts.next().and_then(|tag| tag.parse().ok()) else {
                continue;
            };
            let weight = parts
                .find_map(|part| part.strip_prefix("q="))
                .map_or(Ok(1.0), str::parse);
            let weight: f32 = weight.unwrap_or(0.0);
            if weight > 0.0 && best.is_none_or(|(_, better)| weight > better) {
                best = Some((language, weight));
            }
        }
        best.map(|(language, _)| language)
    }
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

/// A tag, of which the language alone is looked at: `sr`, `sr-Latn`, `pl-PL`, `ru_RU.UTF-8`.
impl FromStr for Language {
    type Err = NoLanguage;

    fn from_str(tag: &str) -> Result<Language, NoLanguage> {
        let first = tag.split(['-', '_', '.']).next().unwrap_or_default();
        match first.to_ascii_lowercase().as_str() {
            "en" => Ok(Language::English),
            "sr" => Ok(Language::Serbian),
            "ru" => Ok(Language::Russian),
            "pl" => Ok(Language::Polish),
            _ => Err(NoLanguage(tag.to_owned())),
        }
    }
}

impl TryFrom<String> for Language {
    type Error = NoLanguage;

    fn try_from(tag: String) -> Result<Language, NoLanguage> {
        tag.parse()
    }
}

impl From<Language> for String {
    fn from(language: Language) -> String {
        language.code().to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_language_is_known_by_its_tag_whatever_the_country() {
        for (tag, language) in [
            ("en", Language::English),
            ("sr", Language::Serbian),
            ("sr-Latn-RS", Language::Serbian),
            ("ru_RU.UTF-8", Language::Russian),
            ("PL-pl", Language::Polish),
        ] {
            assert_eq!(tag.parse(), Ok(language), "{tag}");
        }
        assert!("de".parse::<Language>().is_err() && "".parse::<Language>().is_err());
        for language in Language::ALL {
            assert_eq!(language.code().parse(), Ok(language));
        }
    }

    #[test]
    fn what_a_client_likes_best_of_ours_is_taken() {
        assert_eq!(Language::best_of("de, ru;q=0.5, pl;q=0.8"), Some(Language::Polish));
        assert_eq!(Language::best_of("sr-RS,sr;q=0.9,en;q=0.7"), Some(Language::Serbian));
        assert_eq!(Language::best_of("en;q=0, de"), None);
        assert_eq!(Language::best_of("*"), None);
        assert_eq!(Language::best_of("ru;q=x"), None);
    }
}
