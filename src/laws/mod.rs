//! The FIDE Laws of 2023 as far as a hub can see or administer them: time controls, clocks, penalties, irregularities,
//! claims, outcomes, article by article. Pure.
