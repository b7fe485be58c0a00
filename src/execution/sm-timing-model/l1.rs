//! The L1 cache of an SM. Its lines have four sectors, and a new line replaces the oldest one.

use std::collections::{HashMap, VecDeque};
use std::hash::{BuildHasherDefault, Hasher};

/// Sectors per line.
const SECTORS: u64 = 4;

/// A multiplicative hash: the keys are line numbers, which nobody chooses to collide.
#[derive(Default)]
pub(crate) struct Multiply(u64);

impl Hasher for Multiply {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.write_u64(u64::from(*byte)));
    }

    fn write_u64(&mut self, value: u64) {
        self.0 = (self.0 ^ value).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
    }
}

/// A map whose keys nobody chooses to collide.
pub(crate) type Map<K, V> = HashMap<K, V, BuildHasherDefault<Multiply>>;

/// The cycle in which each sector arrives, by line.
pub(crate) struct L1 {
    lines: Map<u64, [f64; SECTORS as usize]>,
    order: VecDeque<u64>,
    capacity: usize,
}

impl L1 {
    pub(crate) fn new(bytes: u64) -> Self {
        let capacity = (bytes / (32 * SECTORS)).max(16) as usize;
        Self { lines: HashMap::default(), order: VecDeque::new(), capacity }
    }

    /// Returns when a sector arrives that was requested before.
    pub(crate) fn arrival(&self, sector: u64) -> Option<f64> {
        let arrival = self.lines.get(&(sector / SECTORS))?[(sector % SECTORS) as usize];
        (arrival < f64::MAX).then_some(arrival)
    }

    /// Notes when a sector arrives. A new line takes the place of the oldest.
    pub(crate) fn insert(&mut self, sector: u64, arrival: f64) {
        let (line, part) = (sector / SECTORS, (sector % SECTORS) as usize);
        if !self.lines.contains_key(&line) {
            if self.order.len() >= self.capacity {
                let oldest = self.order.pop_front();
                oldest.map(|line| self.lines.remove(&line));
            }
            self.order.push_back(line);
        }
        self.lines.entry(line).or_insert([f64::MAX; SECTORS as usize])[part] = arrival;
    }
}
