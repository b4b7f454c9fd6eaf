//! The configuration file: every key, its default, and where an error in it stands.
