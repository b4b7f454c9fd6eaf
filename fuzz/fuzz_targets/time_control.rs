//! A time control is read or refused; what was read is written so that it reads the same.
#![no_main]

use flagfall::laws::{TimeControl, span};
use libfuzzer_sys::{Corpus, fuzz_target};

fuzz_target!(|bytes: &[u8]| -> Corpus {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return Corpus::Reject;
    };
    if let Ok(read) = span::parse(text) {
        assert_eq!(span::parse(&span::print(read)).ok(), Some(read), "{text:?}");
    }
    if let Ok(control) = text.parse::<TimeControl>() {
        let written = control.to_string();
        assert_eq!(written.parse::<TimeControl>().ok().as_ref(), Some(&control), "{text:?} {written:?}");
        for number in 0..control.periods().len() as u32 + 2 {
            let period = control.period(number);
            assert!(period.time.0 >= 0 && period.bonus.span().0 >= 0);
            let _may_be_none = control.moves_required(number);
        }
        assert!(control.start(true) >= control.start(false));
    }
    Corpus::Keep
});
