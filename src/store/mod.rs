//! The journal (the truth) and the state folded from it (sled).
