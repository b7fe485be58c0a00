/*! The state of an `mbarrier`, as it stands in its 64 bits of shared memory.

Laid out as an NVIDIA H200 leaves it there at `mbarrier.inval`, and as it gives it to an arrival:

| bits | field |
|---|---|
| 63 | parity of the phase that is going on |
| 62–43 | arrivals that the phase still waits for, negated |
| 41–21 | bytes that it still waits for, negated |
| 20–1 | arrivals that each phase takes, negated |

Of the state that `mbarrier.arrive` gives, the first two are what a program may rely on; the H200 also gives the upper half of
the third, and leaves the lower 32 bits to chance. Here they are zero.
*/

/// Most arrivals a phase can expect.
pub(crate) const MAX_COUNT: u32 = (1 << 20) - 1;
/// Most bytes that can be expected or owed.
pub(crate) const MAX_BYTES: i64 = (1 << 20) - 1;

const COUNT: u64 = 0xf_ffff;
const TX: u64 = 0x1f_ffff;

/// See the module.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct State {
    /// Parity of the phase that is going on.
    pub(crate) phase: bool,
    /// Arrivals that each phase takes.
    pub(crate) expected: u32,
    /// Arrivals that this phase still waits for.
    pub(crate) pending: u32,
    /// Bytes that this phase still waits for; negative if they came before they were expected.
    pub(crate) bytes: i64,
}

impl State {
    pub(crate) fn new(count: u32) -> Self {
        Self { phase: false, expected: count, pending: count, bytes: 0 }
    }

    pub(crate) fn pack(self) -> u64 {
        self.token()
            | (self.bytes.wrapping_neg() as u64 & TX) << 21
            | (u64::from(self.expected).wrapping_neg() & COUNT) << 1
    }

    /// What an arrival gives.
    pub(crate) fn token(self) -> u64 {
        u64::from(self.phase) << 63 | (u64::from(self.pending).wrapping_neg() & COUNT) << 43
    }

    pub(crate) fn unpack(word: u64) -> Self {
        let negated = |field: u64| (field.wrapping_neg() & COUNT) as u32;
        Self {
            phase: word >> 63 == 1,
            pending: negated(word >> 43),
            expected: negated(word >> 1),
            bytes: -((word << 22) as i64 >> 43),
        }
    }

    /// Nothing is missing any more.
    pub(crate) fn is_complete(self) -> bool {
        self.pending == 0 && self.bytes == 0
    }
}

/// `mbarrier.pending_count` of a state that an arrival gave.
pub(crate) fn pending_count(word: u64, _: u64, _: u64, _: u64) -> u64 {
    State::unpack(word).pending.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_are_those_that_an_h200_gave() {
        // (count, state given to the first arrival, word after an `inval` that followed `init`).
        let measured = [
            (1, 0x7fff_f800_0000_0000, 0x7fff_f800_001f_fffe),
            (2, 0x7fff_f000_0000_0000, 0x7fff_f000_001f_fffc),
            (5, 0x7fff_d800_0000_0000, 0x7fff_d800_001f_fff6),
            (255, 0x7ff8_0800_0000_0000, 0x7ff8_0800_001f_fe02),
            (1_048_575, 0x0000_0800_0000_0000, 0x0000_0800_0000_0002),
        ];
        for (count, token, word) in measured {
            let state = State::new(count);
            assert_eq!((state.token(), state.pack()), (token, word), "{count}");
            assert_eq!(pending_count(token, 0, 0, 0), u64::from(count));
        }
    }

    #[test]
    fn a_state_survives_its_word() {
        for bytes in [0, 1, -1, MAX_BYTES, -MAX_BYTES] {
            for (pending, expected) in [(0, 1), (1, 1), (MAX_COUNT, MAX_COUNT), (0, MAX_COUNT)] {
                for phase in [false, true] {
                    let state = State { phase, expected, pending, bytes };
                    assert_eq!(State::unpack(state.pack()), state);
                }
            }
        }
    }
}
