//! Puts a running hall together and takes it apart again.
