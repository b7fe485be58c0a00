//! Stores A, B and C in the emulator's memory, and makes launches on them.

use super::epilogue_buffers::EpilogueBuffers;
use super::footprint::Footprint;
use super::matrix::encode;
use super::resolve::{Companion, copies};
use crate::prelude::*;
use ptx_emulator::{Arg, BufferId, Kernel, Launch, Memory};
use std::iter;
use tutor_kernels::{Epilogue, Geometry, Ozaki, Swizzle};

/// The leading dimensions of A, B and C: the number of elements between the beginnings of consecutive rows.
pub(super) type Strides = [u32; 3];

/// Returns the leading dimensions of matrices without gaps.
fn packed(Shape { m, n, k, .. }: Shape, elements: Elements) -> Strides {
    elements.stored(m, n, k).map(|[_, columns]| columns)
}

/// Adds a buffer of zeros.
fn zeros(memory: &mut Memory, name: &str, bytes: u64) -> BufferId {
    memory.add_zeros(name, bytes as usize).unwrap_or_else(|| memory.add(name, &vec![0; bytes as usize]))
}

/// Bytes that `copy_rows` reads at once.
pub(super) const WORD: usize = 4;

/// A, B and C in the emulator's memory.
pub(super) struct Matrices {
    pub(super) memory: Memory,
    /// Buffers of A, B and C.
    pub(super) buffers: [BufferId; 3],
    /// Buffers of the kernel's further parameters.
    pub(super) further: Vec<BufferId>,
    elements: Elements,
    shape: Shape,
    strides: Strides,
    /// The matrices as they are given, while `buffers` are padded copies.
    given: Option<([BufferId; 3], Shape)>,
}

impl Matrices {
    /// Makes matrices without gaps between rows.
    pub(super) fn new(inputs: &Inputs, shape: Shape, elements: Elements) -> Self {
        Self::of_bytes(&inputs.encoded(elements, shape), shape, packed(shape, elements), elements)
    }

    /// Adds the further parameters of a kernel. `c` is the old C, if its type is another one than that of such products.
    pub(super) fn with(mut self, extra: &EpilogueBuffers, c: &[f64]) -> Self {
        for (name, values) in extra.further.names().iter().zip(&extra.buffers) {
            self.further.push(self.memory.add(name, &encode(Elements::F32, values)));
        }
        if let Some(moduli) = extra.further.moduli {
            let Shape { m, n, k, .. } = self.shape;
            for (name, bytes) in Ozaki::NAMES.iter().zip(Ozaki { moduli, m, n, k }.scratch()) {
                self.further.push(zeros(&mut self.memory, name, bytes));
            }
        }
        let result = extra.further.result(self.elements);
        if result != self.elements.result() && !c.is_empty() {
            self.buffers[2] = self.memory.add("C", &encode(result, c));
        }
        self
    }

    /// Makes matrices of zeros without gaps.
    pub(super) fn zeros(shape: Shape, elements: Elements) -> Self {
        let Footprint { a, b, c } = Footprint::of(shape, elements);
        let mut memory = Memory::new();
        let buffers = [("A", a), ("B", b), ("C", c)].map(|(name, bytes)| zeros(&mut memory, name, bytes));
        Self::of_memory(memory, buffers, shape, packed(shape, elements), elements)
    }

    /// Makes matrices from their bytes in memory.
    pub(super) fn of_bytes(contents: &[Vec<u8>; 3], shape: Shape, strides: Strides, elements: Elements) -> Self {
        let mut memory = Memory::new();
        let [a, b, c] = contents;
        let buffers = [memory.add("A", a), memory.add("B", b), memory.add("C", c)];
        Self::of_memory(memory, buffers, shape, strides, elements)
    }

    /// Makes matrices from buffers that already exist in a memory.
    pub(super) fn of_memory(
        memory: Memory,
        buffers: [BufferId; 3],
        shape: Shape,
        strides: Strides,
        elements: Elements,
    ) -> Self {
        Self { memory, buffers, further: Vec::new(), elements, shape, strides, given: None }
    }

    /// Replaces the matrices by empty padded copies, until the second call puts the given ones back.
    pub(super) fn swap(&mut self, padded: Shape) {
        if let Some((buffers, shape)) = self.given.take() {
            (self.buffers, self.shape) = (buffers, shape);
        } else {
            // The copy reads whole words, the last one of 8-bit elements, too.
            for (at, name) in ["A", "B"].into_iter().enumerate() {
                let mut bytes = self.memory.read(self.buffers[at]).to_vec();
                if !bytes.len().is_multiple_of(WORD) {
                    bytes.resize(bytes.len().next_multiple_of(WORD), 0);
                    self.buffers[at] = self.memory.add(name, &bytes);
                }
            }
            self.given = Some((self.buffers, self.shape));
            let Footprint { a, b, c } = Footprint::of(padded, self.elements);
            self.buffers = [a, b, c].map(|bytes| self.memory.add("padded", &vec![0; bytes as usize]));
            self.shape = padded;
        }
        self.strides = packed(self.shape, self.elements);
    }

    /// Makes the launch that copies up to two of A, B and C (0, 1, 2) to the padded copies, or back.
    pub(super) fn copy(&self, which: &[usize], back: bool) -> Launch {
        let mut sides = [self.given.unwrap_or((self.buffers, self.shape)), (self.buffers, self.shape)];
        if back {
            sides.reverse();
        }
        let [(from, old), (to, new)] = sides;
        let (geometry, extents) = copies(self.elements, old, new, which);
        let buffers = which.iter().chain([&0, &0]).map(|at| [from[*at], to[*at]].map(Arg::Buffer));
        let args = buffers.zip(extents).flat_map(|(buffers, extents)| buffers.into_iter().chain(extents.map(Arg::S32)));
        Launch { grid: geometry.grid, block: geometry.block, args: args.collect(), ..Launch::default() }
    }

    /// Makes the launches of a program in order: of `kernel`, and of its companion's kernels if they are given. The number is
    /// the index of the launch of `kernel`.
    pub(super) fn launches<'k>(
        &self,
        program: &Resolved,
        kernel: &'k Kernel,
        companions: &'k [(Resolved, Kernel)],
        factors: [f64; 2],
    ) -> (Vec<(&'k Kernel, Launch)>, usize) {
        let mut launches = vec![(kernel, self.launch(program, factors))];
        match program.companion.zip(companions.first()) {
            None => (launches, 0),
            Some((Companion::Integers(_), _)) => {
                let others = companions.iter().map(|(other, kernel)| (kernel, self.launch(other, factors)));
                launches.extend(others);
                // Only the last of them runs afterwards.
                launches[..3].rotate_left(1);
                (launches, 2)
            }
            Some((Companion::SecondKernel, (_, second))) => {
                let Geometry { grid, block } = Epilogue::second(self.shape.m, self.shape.n);
                let [m, n, ldc] = [self.shape.m, self.shape.n, self.strides[2]].map(|extent| Arg::S32(extent as i32));
                let args = vec![Arg::Buffer(self.buffers[2]), m, n, ldc, Arg::Buffer(self.further[1])];
                launches.push((second, Launch { grid, block, args, ..Launch::default() }));
                (launches, 0)
            }
            Some((Companion::PaddedCopies(_), (_, copier))) => {
                launches.push((copier, self.copy(&[2], true)));
                let old = (factors[1] != 0.0).then(|| self.copy(&[2], false));
                let before = iter::once(self.copy(&[0, 1], false)).chain(old);
                launches.splice(0..0, before.map(|launch| (copier, launch)));
                let own = launches.len() - 2;
                (launches, own)
            }
        }
    }

    /// Replaces the matrices by others at the same addresses. Variables of modules keep their values.
    pub(super) fn replace(&mut self, contents: &[Vec<u8>; 3], shape: Shape, strides: Strides) {
        for (id, contents) in self.buffers.into_iter().zip(contents) {
            self.memory.replace(id, contents);
        }
        (self.shape, self.strides) = (shape, strides);
    }

    /// Returns the bytes of C.
    pub(super) fn c(&self) -> &[u8] {
        self.memory.read(self.buffers[2])
    }

    /// Makes the launch of a kernel on these matrices.
    pub(super) fn launch(&self, program: &Resolved, factors: [f64; 2]) -> Launch {
        let int = |extent: u32| Arg::S32(extent as i32);
        let (Shape { m, n, k, .. }, [a, b, c]) = (self.shape, self.strides);
        let mut args: Vec<Arg> = self.maps(program).collect();
        args.extend(self.buffers.map(Arg::Buffer));
        args.extend([m, n, k, a, b, c].map(int));
        args.extend(factors.map(|factor| match self.elements {
            Elements::F64 => Arg::F64(factor),
            _ => Arg::F32(factor as f32),
        }));
        args.extend(self.further.iter().copied().map(Arg::Buffer));
        args.extend(program.further.batched.then(|| int(self.shape.batch)));
        let Geometry { grid, block } = program.geometry;
        Launch { grid, block, dynamic_shared: u64::from(program.shared_bytes), args, ..Launch::default() }
    }

    /// Makes the tensor maps that a kernel takes as its first parameters. The launch checks whether they are valid.
    fn maps(&self, program: &Resolved) -> impl Iterator<Item = Arg> {
        program.maps(self.elements, self.shape).into_iter().map(|(place, [rows, columns], elements, map)| {
            let matrix = self.buffers.iter().chain(&self.further).nth(place).copied().unwrap_or(self.buffers[0]);
            // Only A, B and C may have gaps between rows.
            let stride = self.strides.get(place).copied().unwrap_or(columns);
            let element = match elements {
                Elements::F64 => ptx_emulator::Element::F64,
                Elements::F32 => ptx_emulator::Element::F32,
                Elements::Tf32 => ptx_emulator::Element::Tf32,
                Elements::F16 => ptx_emulator::Element::F16,
                Elements::Bf16 => ptx_emulator::Element::Bf16,
                Elements::E4m3 | Elements::S8 => ptx_emulator::Element::U8,
                Elements::S32 => ptx_emulator::Element::S32,
            };
            let [width, height] = map.extent;
            let row = u64::from(stride) * u64::from(elements.bytes());
            Arg::TensorMap(ptx_emulator::TensorMap {
                address: self.memory.address(matrix),
                element,
                rank: if program.further.batched { 3 } else { 2 },
                dims: [columns.into(), rows.into(), self.shape.batch.into(), 1, 1],
                strides: [row, u64::from(rows) * row, 0, 0],
                extent: [width, height, 1, 1, 1],
                element_strides: [1; 5],
                swizzle: match map.swizzle {
                    Swizzle::None => ptx_emulator::Swizzle::None,
                    Swizzle::B32 => ptx_emulator::Swizzle::B32,
                    Swizzle::B64 => ptx_emulator::Swizzle::B64,
                    Swizzle::B128 => ptx_emulator::Swizzle::B128,
                },
                fill: ptx_emulator::Fill::Zeros,
                columns: None,
            })
        })
    }
}
