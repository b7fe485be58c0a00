//! Lanes of a mask.

/// Returns the lanes of a mask, lowest first.
pub(super) fn lanes_of(mask: u32) -> impl Iterator<Item = u32> {
    let mut rest = mask;
    std::iter::from_fn(move || {
        let lane = rest.trailing_zeros();
        rest &= rest.wrapping_sub(1);
        (lane < 32).then_some(lane)
    })
}

/// Returns a mask of those lanes of `mask` for which `takes` returns true.
pub(super) fn lanes_where(mask: u32, takes: impl Fn(u32) -> bool) -> u32 {
    lanes_of(mask).filter(|lane| takes(*lane)).fold(0, |found, lane| found | 1 << lane)
}
