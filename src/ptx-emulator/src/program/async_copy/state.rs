/*! The state of an `mbarrier`: 64 bits in shared memory.

The layout is the one that an NVIDIA H200 leaves in memory after `mbarrier.inval`, and returns from an arrival:

| bits | field |
|---|---|
| 63 | parity of the current phase |
| 62–43 | arrivals still missing in the current phase, negated |
| 41–21 | bytes still missing in the current phase, negated |
| 20–1 | arrivals per phase, negated |

A program may rely only on the first two fields of the state that `mbarrier.arrive` returns. The H200 also returns the
upper half of the third field; its lower 32 bits vary. The emulator returns zeros there.
*/

/// Maximum number of arrivals per phase.
pub(crate) const MAX_COUNT: u32 = (1 << 20) - 1;
/// Maximum number of bytes that a phase can expect or receive early.
pub(crate) const MAX_BYTES: i64 = (1 << 20) - 1;

const COUNT: u64 = 0xf_ffff;
const TX: u64 = 0x1f_ffff;

/// The unpacked state; see the module.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct MbarrierState {
    /// Parity of the current phase.
    pub(crate) phase: bool,
    /// Arrivals per phase.
    pub(crate) expected: u32,
    /// Arrivals still missing in the current phase.
    pub(crate) pending: u32,
    /// Bytes still missing in the current phase; negative if they arrived before they were expected.
    pub(crate) bytes: i64,
}

impl MbarrierState {
    pub(crate) fn new(count: u32) -> Self {
        Self { phase: false, expected: count, pending: count, bytes: 0 }
    }

    pub(crate) fn pack(self) -> u64 {
        self.token()
            | (self.bytes.wrapping_neg() as u64 & TX) << 21
            | (u64::from(self.expected).wrapping_neg() & COUNT) << 1
    }

    /// Returns the state that an arrival reports.
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

    /// True if no arrivals and no bytes are missing.
    pub(crate) fn is_complete(self) -> bool {
        self.pending == 0 && self.bytes == 0
    }
}

/// `mbarrier.pending_count` of a state that an arrival returned.
pub(crate) fn pending_count(word: u64, _: u64, _: u64, _: u64) -> u64 {
    MbarrierState::unpack(word).pending.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_are_those_that_an_h200_gave() {
        // Count, state returned to the first arrival, and the word after `init` and `inval`.
        let measured = [
            (1, 0x7fff_f800_0000_0000, 0x7fff_f800_001f_fffe),
            (2, 0x7fff_f000_0000_0000, 0x7fff_f000_001f_fffc),
            (5, 0x7fff_d800_0000_0000, 0x7fff_d800_001f_fff6),
            (255, 0x7ff8_0800_0000_0000, 0x7ff8_0800_001f_fe02),
            (1_048_575, 0x0000_0800_0000_0000, 0x0000_0800_0000_0002),
        ];
        for (count, token, word) in measured {
            let state = MbarrierState::new(count);
            assert_eq!((state.token(), state.pack()), (token, word), "{count}");
            assert_eq!(pending_count(token, 0, 0, 0), u64::from(count));
        }
    }

    #[test]
    fn a_state_survives_its_word() {
        for bytes in [0, 1, -1, MAX_BYTES, -MAX_BYTES] {
            for (pending, expected) in [(0, 1), (1, 1), (MAX_COUNT, MAX_COUNT), (0, MAX_COUNT)] {
                for phase in [false, true] {
                    let state = MbarrierState { phase, expected, pending, bytes };
                    assert_eq!(MbarrierState::unpack(state.pack()), state);
                }
            }
        }
    }
}
