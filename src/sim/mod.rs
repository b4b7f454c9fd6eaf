//! Simulated tables that play real games through the public contract only.
