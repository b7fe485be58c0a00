//! Moves the bytes of bulk copies that have been issued and checked.

use crate::machine::atomic;
use crate::machine::setup::word_of;
use crate::machine::state::Machine;
use crate::probes::Probe;
use crate::program::async_copy::Reduce;
use crate::tensor_map::{Corner, TensorMap};

/// Rank of a block, and an offset in its shared memory.
pub(super) type SharedAddr = (u32, u32);

/// A copy that has been issued and checked.
#[derive(Clone)]
pub(super) enum Move {
    Load { from: u64, to: SharedAddr, bytes: u32 },
    Tile { map: Box<TensorMap>, corner: Corner, to: SharedAddr },
    Shared { from: SharedAddr, to: SharedAddr, bytes: u32, reduce: Option<Reduce> },
    Words { data: [u8; 16], to: SharedAddr, bytes: u32, reduce: Option<Reduce> },
    Store { from: Source, to: u64, bytes: u32, mask: u16, reduce: Option<Reduce> },
    StoreTile { map: Box<TensorMap>, corner: Corner, from: Source, reduce: Option<Reduce> },
}

/// Source of a store to global memory.
#[derive(Clone)]
pub(super) enum Source {
    /// Shared memory of the block, starting at this offset.
    Shared(u32),
    /// A copy of the bytes, taken when the thread waited for the read; the offset comes first.
    Held(u32, Box<[u8]>),
}

impl Move {
    /// Returns the number of bytes that an `mbarrier` counts.
    pub(super) fn bytes(&self) -> u32 {
        match self {
            Self::Load { bytes, .. }
            | Self::Shared { bytes, .. }
            | Self::Words { bytes, .. }
            | Self::Store { bytes, .. } => *bytes,
            Self::Tile { map, .. } | Self::StoreTile { map, .. } => map.box_bytes(),
        }
    }

    /// Returns the same copy, to another block of the cluster.
    pub(super) fn towards(&self, rank: u32) -> Self {
        let mut copy = self.clone();
        if let Self::Load { to, .. } | Self::Tile { to, .. } | Self::Shared { to, .. } | Self::Words { to, .. } =
            &mut copy
        {
            to.0 = rank;
        }
        copy
    }

    /// Returns the number of bytes of shared memory that a store reads.
    pub(super) fn source_bytes(&self) -> u32 {
        match self {
            Self::StoreTile { map, .. } => map.span_bytes(),
            copy => copy.bytes(),
        }
    }
}

/// Bytes in one piece of a copy. A swizzle permutes pieces, and each bit of a mask stands for a byte of a piece.
const PIECE: u32 = 16;

impl<P: Probe> Machine<'_, P> {
    /// Copies the source bytes of a store, which no longer reads shared memory afterwards. Returns the number of bytes
    /// kept.
    pub(super) fn hold(&mut self, copy: &mut Move) -> usize {
        let bytes = copy.source_bytes() as usize;
        let (Move::Store { from, .. } | Move::StoreTile { from, .. }) = copy else { return 0 };
        let Source::Shared(start) = *from else { return 0 };
        let held = self.memory_of(self.rank)[start as usize..][..bytes].into();
        *from = Source::Held(start, held);
        bytes
    }

    /// Moves the bytes. All ranges were checked when the copy was issued.
    pub(super) fn perform(&mut self, copy: &Move) {
        let setup = self.setup;
        match copy {
            Move::Load { from, to, bytes } => {
                setup.read(*from, self.range_at(*to, *bytes));
                self.note_landed(to.0, to.1 as usize, *bytes as usize);
            }
            Move::Shared { from, to, bytes, reduce } => {
                // The ranges may overlap.
                let data = self.range_at(*from, *bytes).to_vec();
                self.put(&data, *to, *reduce);
            }
            Move::Words { data, to, bytes, reduce } => self.put(&data[..*bytes as usize], *to, *reduce),
            Move::Store { from, to, bytes, mask, reduce } => {
                let source = self.source(from);
                if *mask == u16::MAX {
                    return setup.write(&source[..*bytes as usize], *to, *reduce);
                }
                for start in (0..*bytes).filter(|start| mask >> (start % PIECE) & 1 == 1) {
                    setup.write(&source[start as usize..][..1], *to + u64::from(start), None);
                }
            }
            Move::Tile { map, corner, to: (rank, to) } => {
                let (memory, inner, outside) = (self.memory_of(*rank), map.inner_bytes(), map.outside());
                map.rows(*corner, |row| {
                    for piece in (0..inner).step_by(PIECE as usize) {
                        let place = map.swizzle.apply(to + row.start + piece) as usize;
                        let mut data = outside;
                        let (begin, end) = (piece.max(row.skip), (piece + PIECE).min(row.skip + row.bytes));
                        if begin < end {
                            let data = &mut data[(begin - piece) as usize..(end - piece) as usize];
                            setup.read(row.address + u64::from(begin - row.skip), data);
                            map.element.convert(data);
                        }
                        memory[place..][..PIECE as usize].copy_from_slice(&data);
                    }
                });
                self.note_landed(*rank, *to as usize, map.span_bytes() as usize);
            }
            Move::StoreTile { map, corner, from, reduce } => {
                let (Source::Shared(start) | Source::Held(start, _)) = from;
                let source = self.source(from);
                map.rows(*corner, |row| {
                    for piece in (0..map.inner_bytes()).step_by(PIECE as usize) {
                        let place = map.swizzle.apply(start + row.start + piece) - start;
                        let (begin, end) = (piece.max(row.skip), (piece + PIECE).min(row.skip + row.bytes));
                        if begin < end {
                            let to = row.address + u64::from(begin - row.skip);
                            let source = &source[(place + begin - piece) as usize..][..(end - begin) as usize];
                            setup.write(source, to, *reduce);
                        }
                    }
                });
            }
        }
    }

    /// Returns a range of a block's shared memory.
    pub(super) fn range_at(&mut self, (rank, start): SharedAddr, bytes: u32) -> &mut [u8] {
        &mut self.memory_of(rank)[start as usize..][..bytes as usize]
    }

    /// Writes bytes to a block's shared memory, or combines them with the elements there.
    pub(super) fn put(&mut self, data: &[u8], to: SharedAddr, reduce: Option<Reduce>) {
        let run = self.range_at(to, data.len() as u32);
        match reduce {
            None => run.copy_from_slice(data),
            Some(Reduce { size, kind }) => {
                for (from, to) in data.chunks_exact(size.into()).zip(run.chunks_exact_mut(size.into())) {
                    let sum = atomic::compute(kind, word_of(to), word_of(from), 0, size.into(), false);
                    to.copy_from_slice(&sum.to_le_bytes()[..size.into()]);
                }
            }
        }
        self.note_landed(to.0, to.1 as usize, data.len());
    }

    /// Returns the bytes of a store. More bytes may follow them.
    fn source<'b>(&'b mut self, from: &'b Source) -> &'b [u8] {
        match from {
            Source::Shared(start) => &self.memory_of(self.rank)[*start as usize..],
            Source::Held(_, held) => held,
        }
    }
}
