//! The shadow of global memory for happens-before: the marks of each granule, and what clusters have released.

use super::clock::{Agent, Clock, lanes};
use super::global::{ByteBudget, PAGE};
use super::shadow::AccessKind;
use super::sync::Released;
use crate::arch::{Role, Scope};
use crate::memory::SLOT_BITS;
use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::Arc;

/// One access to a granule: which cluster, which access of it, and how. Lanes of a warp that did the same share a mark.
#[derive(Debug, Clone, Copy)]
pub(super) struct Mark {
    pub(super) cluster: u32,
    pub(super) moment: u32,
    pub(super) access: u32,
    pub(super) lanes: u32,
    pub(super) agent: Agent,
    pub(super) kind: AccessKind,
    pub(super) strength: Strength,
}

/// Scope, size and role of a strong access. Accesses of different sizes are not morally strong. From the lowest bit on: two
/// bits for the scope, three for the size, two for the role, and [`SEVERAL`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Strength(u8);

const ROLES: [Role; 4] = [Role::Other, Role::Data, Role::Signal, Role::Wait];

/// The bit of [`Strength`] for a mark that stands for several accesses.
const SEVERAL: u8 = 1 << 7;

impl Strength {
    /// `bytes` is 0 if the size does not matter, and 64 at most.
    pub(super) fn new(scope: Scope, bytes: u32, role: Role) -> Self {
        Self(scope as u8 | (bytes.checked_ilog2().map_or(0, |log| log as u8 + 1) & 7) << 2 | (role as u8) << 5)
    }

    pub(super) fn role(self) -> Role {
        ROLES[usize::from(self.0 >> 5 & 3)]
    }

    pub(super) fn reaches(self, scope: Scope) -> bool {
        self.0 & 3 >= scope as u8
    }

    pub(super) fn same_size(self, other: Self) -> bool {
        let [a, b] = [self, other].map(|strength| strength.0 >> 2 & 7);
        a == b || a == 0 || b == 0
    }
}

/// The last accesses of a granule. One mark is stored here, which is usually enough, the others in [`Ordered::more`].
#[derive(Debug, Clone, Copy)]
pub(super) struct Granule {
    pub(super) one: Option<Mark>,
    /// Index of the other marks in [`Ordered::more`], plus 1; 0 if there are none.
    pub(super) more: u32,
}

/// The marks of a granule before its last one. Usually there is only one.
#[derive(Debug)]
pub(super) struct More {
    last: Mark,
    rest: Vec<Mark>,
}

const EMPTY: Granule = Granule { one: None, more: 0 };

const _: () = assert!(size_of::<Granule>() == 24);

/// Hashes numbers by multiplication (Knuth, *The Art of Computer Programming*, 6.4). Addresses that collide on purpose
/// only make a run slower, and its limits of time and steps still end it.
#[derive(Debug, Default)]
pub(super) struct Multiplied(u64);

impl Hasher for Multiplied {
    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.write_u64(u64::from(*byte)));
    }

    fn write_u32(&mut self, number: u32) {
        self.write_u64(number.into());
    }

    fn write_u64(&mut self, number: u64) {
        self.0 = (self.0 ^ number).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(32);
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

pub(super) type Quick = BuildHasherDefault<Multiplied>;
pub(super) type QuickMap<K, V> = HashMap<K, V, Quick>;

type Page = Option<Box<[Granule]>>;

/// The shadow of global memory; see the module.
#[derive(Debug)]
pub(crate) struct Ordered {
    pub(super) shift: u32,
    /// True if only the running cluster counts.
    pub(super) alone: bool,
    pub(super) budget: Arc<ByteBudget>,
    pub(super) buffers: Vec<Vec<Page>>,
    /// Buffer and number of each page that exists, if only the running cluster counts.
    pub(super) pages: Vec<(usize, usize)>,
    more: Vec<More>,
    pub(super) free: Vec<u32>,
    /// Number of marks in `more`.
    pub(super) count: usize,
    /// The marks of the granule in work.
    pub(super) marks: Vec<Mark>,
    /// What was released at each address, with [`NO_RANK`] as the rank.
    pub(super) released_at: QuickMap<(u32, u64), Released>,
    /// What each cluster has released to the whole device.
    pub(super) released: QuickMap<u64, Clock>,
    /// Clusters that have started and not ended. All before `oldest` have ended.
    alive: HashSet<u64, Quick>,
    oldest: u64,
    /// The addresses at which each of these clusters has released something.
    pub(super) release_addresses: QuickMap<u64, Vec<u64>>,
}

/// The rank for addresses of global memory in [`Ordered::released_at`].
pub(super) const NO_RANK: u32 = u32::MAX;

/// Maximum number of addresses with releases, about 1 KiB each.
pub(super) const MAX_RELEASE_ADDRESSES: usize = 2 << 20;
/// Length from which on lists of marks are cleaned only when it is a power of two, so that cleaning takes little time.
pub(super) const LONG: usize = 16;
/// Bytes of a page.
const PAGE_BYTES: u64 = PAGE * size_of::<Granule>() as u64;
/// Bytes of a mark outside the pages, whose vectors may be half full, and of an address with releases.
const MARK_BYTES: u64 = 2 * size_of::<Mark>() as u64;
const ADDRESS_BYTES: u64 = 1 << 10;
/// Maximum number of pages that the shadow of a single cluster keeps for the next one: 24 MiB.
const MAX_KEPT: usize = 256;

impl Ordered {
    /// Creates a shadow for buffers of these lengths. Without buffers, it only tracks what orders accesses. If `alone`,
    /// only accesses of the running cluster count.
    pub(super) fn new(shift: u32, lengths: &[u64], alone: bool, budget: Arc<ByteBudget>) -> Self {
        let pages = |bytes: &u64| vec![None; ((bytes >> shift) + 1).div_ceil(PAGE) as usize];
        Self {
            shift,
            alone,
            budget,
            buffers: lengths.iter().map(pages).collect(),
            pages: Vec::new(),
            more: Vec::new(),
            free: Vec::new(),
            count: 0,
            marks: Vec::new(),
            released_at: HashMap::default(),
            released: HashMap::default(),
            alive: HashSet::default(),
            oldest: 0,
            release_addresses: HashMap::default(),
        }
    }

    pub(super) fn begin(&mut self, cluster: u64) {
        self.alive.insert(cluster);
        self.oldest = self.oldest.min(cluster);
    }

    pub(super) fn end(&mut self, cluster: u64) {
        self.alive.remove(&cluster);
        self.oldest = self.alive.iter().copied().min().unwrap_or(cluster + 1);
        for address in self.release_addresses.remove(&cluster).into_iter().flatten() {
            if let Some(released) = self.released_at.get_mut(&(NO_RANK, address)) {
                released.forget(cluster);
            }
        }
        if self.alone {
            self.more.clear();
            self.free.clear();
            self.count = 0;
            self.released_at.clear();
            self.released.clear();
            if self.pages.len() > MAX_KEPT {
                self.budget.give(PAGE_BYTES * self.pages.len() as u64);
                for (buffer, page) in self.pages.drain(..) {
                    self.buffers[buffer][page] = None;
                }
            }
        }
    }

    #[inline(always)]
    pub(super) fn granule(&mut self, buffer: usize, number: u64) -> Option<&mut Granule> {
        let at = (number / PAGE) as usize;
        let page = self.buffers.get_mut(buffer)?.get_mut(at)?;
        let page = match page {
            Some(page) => page,
            None if !self.budget.take(PAGE_BYTES) => return None,
            None => {
                if self.alone {
                    self.pages.push((buffer, at));
                }
                page.insert(vec![EMPTY; PAGE as usize].into_boxed_slice())
            }
        };
        page.get_mut((number % PAGE) as usize)
    }

    /// True if there is no memory for more marks.
    #[inline(always)]
    pub(super) fn is_full(&self) -> bool {
        let full = self.budget.lacks(MARK_BYTES * self.count as u64 + ADDRESS_BYTES * self.released_at.len() as u64);
        if full {
            self.budget.close();
        }
        full
    }

    /// Moves the marks of a granule to `marks`. Returns false if the granule does not exist.
    pub(super) fn take(&mut self, buffer: usize, number: u64) -> bool {
        let Some(granule) = self.granule(buffer, number) else { return false };
        let (one, more) = (granule.one, granule.more as usize);
        self.marks.clear();
        if let Some(More { last, rest }) = more.checked_sub(1).and_then(|at| self.more.get_mut(at)) {
            self.count -= 1 + rest.len();
            if !rest.is_empty() {
                std::mem::swap(&mut self.marks, rest);
            }
            self.marks.push(*last);
        }
        // The latest mark comes last.
        self.marks.extend(one);
        true
    }

    /// Moves the marks back to their granule.
    pub(super) fn give(&mut self, buffer: usize, number: u64) {
        let Some(granule) = self.granule(buffer, number) else { return };
        let (index, one) = (granule.more, self.marks.pop());
        let more = match (self.marks.pop(), index) {
            (None, 0) => 0,
            (None, index) => {
                self.more[index as usize - 1].rest = Vec::new();
                self.free.push(index);
                0
            }
            (Some(last), index) => {
                let index = Some(index).filter(|index| *index != 0).or_else(|| self.free.pop()).unwrap_or_else(|| {
                    self.more.push(More { last, rest: Vec::new() });
                    self.more.len() as u32
                });
                let more = &mut self.more[index as usize - 1];
                more.last = last;
                if more.rest.capacity() == 0 {
                    more.rest.append(&mut self.marks);
                } else {
                    std::mem::swap(&mut more.rest, &mut self.marks);
                }
                self.count += 1 + more.rest.len();
                index
            }
        };
        if let Some(granule) = self.granule(buffer, number) {
            *granule = Granule { one, more };
        }
    }

    /// Forgets earlier accesses to memory that `malloc` returns. Its earlier owner has freed it, which orders them.
    pub(super) fn forget(&mut self, start: u64, bytes: u64) {
        let (buffer, offset) = ((start >> SLOT_BITS) as usize - 1, start & ((1 << SLOT_BITS) - 1));
        for number in offset >> self.shift..(offset + bytes).div_ceil(1 << self.shift) {
            let page = self.buffers.get(buffer).and_then(|pages| pages.get((number / PAGE) as usize));
            if page.is_some_and(Option::is_some) && self.take(buffer, number) {
                self.marks.clear();
                self.give(buffer, number);
            }
        }
    }

    /// True if no thread can learn any more of what a mark stands for.
    #[inline(always)]
    pub(super) fn is_over(&self, mark: &Mark) -> bool {
        let cluster = u64::from(mark.cluster);
        (cluster < self.oldest || !self.alive.contains(&cluster))
            && (self.released.is_empty() || !self.may_be_known(mark))
    }

    fn may_be_known(&self, mark: &Mark) -> bool {
        let known = |clock: &Clock| lanes(mark.lanes).any(|lane| clock.get(mark.agent, lane as u8) >= mark.moment);
        self.released.get(&u64::from(mark.cluster)).is_some_and(known)
    }

    /// True if an old mark, which no thread can learn of any more, can represent the new one, too. The new mark is then
    /// not stored. A write must not move behind the reads that observed it.
    pub(super) fn represents(&mut self, new: &Mark) -> bool {
        let last = self.marks.len().saturating_sub(1);
        let from = if new.kind.writes() || last >= LONG { last } else { 0 };
        let over =
            (from..=last).find(|at| self.marks.get(*at).is_some_and(|old| old.is_like(new) && self.is_over(old)));
        over.inspect(|at| self.marks[*at].add_another()).is_some()
    }

    /// Keeps only the last mark of each kind among those that no thread can learn of any more.
    pub(super) fn drop_unknowable(&mut self) {
        for at in (0..self.marks.len()).rev() {
            let mark = self.marks[at];
            let like = |later: &Mark| later.is_like(&mark) && self.is_over(later);
            if self.is_over(&mark)
                && let Some(later) = self.marks[at + 1..].iter().position(like)
            {
                self.marks[at + 1 + later].add_another();
                self.marks.remove(at);
            }
        }
    }
}

impl Mark {
    /// True if both are by the same execution of an instruction.
    pub(super) fn same_execution(&self, other: &Self) -> bool {
        (self.cluster, self.agent, self.moment, self.access) == (other.cluster, other.agent, other.moment, other.access)
    }

    /// True if both conflict with the same accesses, as long as no thread knows of them.
    pub(super) fn is_like(&self, other: &Self) -> bool {
        self.kind == other.kind && (self.strength.0 | SEVERAL) == (other.strength.0 | SEVERAL)
    }

    /// Lets the mark stand for another access, too. Then no thread knows which one a later access has observed.
    pub(super) fn add_another(&mut self) {
        self.strength.0 |= SEVERAL;
    }

    pub(super) fn is_one(&self) -> bool {
        self.strength.0 & SEVERAL == 0
    }

    pub(super) fn lane(&self) -> u8 {
        (self.lanes.trailing_zeros() & 31) as u8
    }
}
