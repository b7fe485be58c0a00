//! The pattern of a warp's addresses, kept from one access to the next.
//!
//! Kernels use one address register for many accesses that differ only in a constant offset. So the pattern is computed
//! once after each change of the register: relative addresses, bounds, alignment, and the layout of each group of eight
//! lanes. Wavefronts do not change if all addresses move by whole words, and sectors depend only on the address modulo
//! 32. So the costs are kept with the pattern.

use crate::cost;
use crate::cost::Direction;

/// Layout of a group of eight lanes in memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Group {
    /// All lanes at one address.
    Same,
    /// Addresses four bytes apart.
    Unit,
    Other,
}

/// Layout of the four groups.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Spacing {
    /// Each group at one address.
    Same,
    /// Addresses in each group four bytes apart.
    Unit,
    Mixed,
}

/// The pattern of the addresses in one row.
#[derive(Debug, Clone)]
pub(crate) struct AddressPattern {
    pub(crate) valid: bool,
    pub(crate) spacing: Spacing,
    /// Lanes for which the pattern was computed.
    pub(crate) mask: u32,
    /// Address of the first active lane.
    pub(crate) base: u64,
    /// Lowest address, and in `lowest_max` its maximum at which four bytes of every lane are inside shared memory. Without such
    /// a maximum, `lowest` is `u64::MAX`.
    pub(crate) lowest: u64,
    pub(crate) lowest_max: u64,
    /// Lowest and highest address relative to `base`.
    pub(crate) low: i32,
    pub(crate) high: i32,
    /// Bits set in any relative address.
    pub(crate) bits: u32,
    /// Some lane is more than 2 GiB from the others, so that only `base` is valid.
    pub(crate) wide: bool,
    pub(crate) groups: [Group; 4],
    /// Relative addresses; zero for inactive lanes.
    pub(crate) relative: [i32; 32],
    /// Wavefronts and ideal wavefronts by direction and width; 0 if not computed yet.
    shared: [[u16; 2]; 6],
    /// Sectors and ideal sectors by address modulo 32, for one width.
    global: [[u16; 2]; 32],
    global_bytes: u32,
    /// 128-byte lines by address modulo 128, for one width; 0 if not computed yet.
    lines: [u8; 128],
    lines_bytes: u32,
}

impl Default for AddressPattern {
    fn default() -> Self {
        Self {
            valid: false,
            spacing: Spacing::Mixed,
            lowest: u64::MAX,
            lowest_max: 0,
            mask: 0,
            base: 0,
            low: 0,
            high: 0,
            bits: 0,
            wide: false,
            groups: [Group::Other; 4],
            relative: [0; 32],
            shared: [[0; 2]; 6],
            global: [[0; 2]; 32],
            global_bytes: 0,
            lines: [0; 128],
            lines_bytes: 0,
        }
    }
}

impl AddressPattern {
    /// Adopts a warp's addresses if all of them have moved by the same distance since the pattern was computed, as in a
    /// loop. Returns false otherwise.
    ///
    /// # Safety
    /// `row` is a row of 64-bit addresses if `wide`, otherwise of 32-bit ones, which are sign-extended.
    #[inline(always)]
    pub(crate) unsafe fn translated(&mut self, row: *const u32, wide: bool) -> bool {
        if self.mask != u32::MAX || self.wide {
            return false;
        }
        // SAFETY: the caller guarantees the row.
        let base = unsafe {
            if wide {
                let addresses = &*row.cast::<[u64; 32]>();
                let mut changed = 0;
                for (address, relative) in addresses.iter().zip(&self.relative) {
                    changed |= address.wrapping_sub(addresses[0]) ^ i64::from(*relative) as u64;
                }
                if changed != 0 {
                    return false;
                }
                addresses[0]
            } else {
                let addresses = &*row.cast::<[i32; 32]>();
                // In 32 bits, the distance of two addresses may wrap around. In 64 bits it does not.
                let (low, high) = (addresses[0].checked_add(self.low), addresses[0].checked_add(self.high));
                if low.is_none() || high.is_none() {
                    return false;
                }
                let mut changed = 0;
                for (address, relative) in addresses.iter().zip(&self.relative) {
                    changed |= address.wrapping_sub(addresses[0]) ^ relative;
                }
                if changed != 0 {
                    return false;
                }
                i64::from(addresses[0]) as u64
            }
        };
        self.base = base;
        self.valid = true;
        if self.lowest != u64::MAX {
            self.lowest = base.wrapping_add(self.low as u64);
        }
        true
    }

    /// Adds a constant to the addresses of a whole warp, in 64 bits if `wide`.
    #[inline(always)]
    pub(crate) fn advance(&mut self, by: i64, wide: bool) {
        let base = self.base.wrapping_add(by as u64);
        // In 32 bits, the sum may wrap around.
        let reaches = |relative: i32| i32::try_from((base as i64).wrapping_add(relative.into())).is_ok();
        self.valid &= self.mask == u32::MAX && !self.wide && (wide || reaches(self.low) && reaches(self.high));
        self.base = base;
        if self.lowest != u64::MAX {
            self.lowest = base.wrapping_add(self.low as u64);
        }
    }

    /// Computes the pattern of the addresses in the active lanes; `mask` is not zero.
    #[inline(never)]
    pub(crate) fn rescan(&mut self, address: &[u64; 32], mask: u32, near_bytes: u64) {
        let base = address[(mask.trailing_zeros() & 31) as usize];
        let mut relative = [0i32; 32];
        let mut far = 0u64;
        for i in 0..32 {
            let delta = if mask & (1 << i) != 0 { address[i].wrapping_sub(base) } else { 0 };
            far |= delta.wrapping_add(1 << 31) >> 32;
            relative[i] = delta as i32;
        }
        self.base = base;
        self.valid = true;
        self.wide = far != 0;
        let (mut low, mut high, mut bits, mut changed) = (0i32, 0i32, 0i32, self.mask ^ mask);
        for (new, old) in relative.iter().zip(&self.relative) {
            low = low.min(*new);
            high = high.max(*new);
            bits |= *new;
            changed |= (*new ^ *old) as u32;
        }
        let span = (high as u32).wrapping_sub(low as u32);
        let lowest_max = near_bytes.checked_sub(u64::from(span) + 4).filter(|_| far == 0);
        self.lowest = if lowest_max.is_some() { base.wrapping_add(low as u64) } else { u64::MAX };
        self.lowest_max = lowest_max.unwrap_or(0);
        if changed == 0 {
            return;
        }
        self.mask = mask;
        self.relative = relative;
        (self.low, self.high, self.bits) = (low, high, bits as u32);
        for g in 0..4 {
            let (mut same, mut unit) = (0, 0);
            for i in 0..8 {
                same |= relative[8 * g + i] ^ relative[8 * g];
                unit |= relative[8 * g + i] ^ relative[8 * g].wrapping_add(4 * i as i32);
            }
            self.groups[g] = if same == 0 {
                Group::Same
            } else if unit == 0 {
                Group::Unit
            } else {
                Group::Other
            };
        }
        self.spacing = match self.groups {
            [Group::Same, Group::Same, Group::Same, Group::Same] => Spacing::Same,
            [Group::Unit, Group::Unit, Group::Unit, Group::Unit] => Spacing::Unit,
            _ => Spacing::Mixed,
        };
        self.shared = [[0; 2]; 6];
        self.global_bytes = 0;
        self.lines_bytes = 0;
    }

    /// Returns wavefronts and ideal wavefronts of a shared access; `start` is the first active lane's address.
    pub(crate) fn shared_cost(&mut self, direction: Direction, bytes: u32, start: u32) -> (u32, u32) {
        let find = |pattern: &Self| {
            let addresses = pattern.relative.map(|r| start.wrapping_add(r as u32));
            cost::shared(direction, bytes, pattern.mask, &addresses)
        };
        let width = match bytes {
            4 => 0,
            8 => 1,
            16 => 2,
            _ => return find(self),
        };
        let known = &self.shared[width + if direction == Direction::Store { 3 } else { 0 }];
        if known[0] != 0 {
            return (known[0].into(), known[1].into());
        }
        let (wavefronts, ideal) = find(self);
        self.shared[width + if direction == Direction::Store { 3 } else { 0 }] = [wavefronts as u16, ideal as u16];
        (wavefronts, ideal)
    }

    /// Returns the number of 128-byte lines that a global access touches.
    pub(crate) fn lines(&mut self, bytes: u32, start: u64) -> u32 {
        if self.lines_bytes != bytes {
            self.lines_bytes = bytes;
            self.lines = [0; 128];
        }
        let key = (start % cost::LINE) as usize;
        if self.lines[key] == 0 {
            let addresses = self.relative.map(|r| start.wrapping_add(r as u64));
            // At most two lines for each of 32 lanes.
            self.lines[key] = cost::global_lines(bytes, self.mask, &addresses) as u8;
        }
        self.lines[key].into()
    }

    /// Returns the sectors and ideal sectors of a global access.
    pub(crate) fn global_cost(&mut self, bytes: u32, start: u64) -> (u32, u32) {
        if self.global_bytes != bytes {
            self.global_bytes = bytes;
            self.global = [[0; 2]; 32];
        }
        let key = (start & 31) as usize;
        let known = self.global[key];
        if known[0] != 0 {
            return (known[0].into(), known[1].into());
        }
        let addresses = self.relative.map(|r| start.wrapping_add(r as u64));
        let (sectors, ideal) = cost::global(bytes, self.mask, &addresses);
        self.global[key] = [sectors as u16, ideal as u16];
        (sectors, ideal)
    }
}
