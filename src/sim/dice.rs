//! Seeded chance: the same seed gives the same games, hands and fractions of a second, whatever runs in parallel.

/// A stream of chance (SplitMix64). Cheap to fork, so that each game and turn has its own.
#[derive(Clone, Debug)]
pub struct Dice {
    state: u64,
}

impl Dice {
    /// From a seed.
    pub fn new(seed: u64) -> Self {
        Dice { state: seed }
    }

    /// An independent stream for `label` and `number`; does not move this one.
    pub fn fork(&self, label: &str, number: u64) -> Dice {
        let mut state = self.state ^ 0x9e37_79b9_7f4a_7c15;
        for byte in label.bytes() {
            state = mix(state ^ u64::from(byte));
        }
        Dice {
            state: mix(state ^ number),
        }
    }

    /// The next 64 bits.
    pub fn roll(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mix(self.state)
    }

    /// A number from `low` to `high`, both included; `low` where there is no room.
    pub fn between(&mut self, low: i64, high: i64) -> i64 {
        if high <= low {
            return low;
        }
        let room = (high - low) as u64 + 1;
        low + (self.roll() % room) as i64
    }

    /// True once in `n` times.
    pub fn one_in(&mut self, n: u64) -> bool {
        self.roll().is_multiple_of(n.max(1))
    }

    /// One of these.
    pub fn pick<T: Copy>(&mut self, from: &[T]) -> Option<T> {
        let last = from.len().checked_sub(1)?;
        from.get(self.between(0, last as i64) as usize).copied()
    }
}

fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_and_label_give_the_same_stream_and_another_label_another() {
        let root = Dice::new(7);
        let draw = |mut dice: Dice| (0..8).map(|_| dice.roll()).collect::<Vec<_>>();
        assert_eq!(draw(root.fork("game", 3)), draw(root.fork("game", 3)));
        assert_ne!(draw(root.fork("game", 3)), draw(root.fork("game", 4)));
        assert_ne!(draw(root.fork("game", 3)), draw(root.fork("turn", 3)));
    }

    #[test]
    fn a_draw_keeps_to_its_bounds() {
        let mut dice = Dice::new(1);
        for _ in 0..1000 {
            assert!((3..=5).contains(&dice.between(3, 5)));
        }
        assert_eq!(dice.between(5, 5), 5);
        assert_eq!(dice.between(5, 4), 5);
    }
}
