//! Global memory: buffers with guard gaps between them.
//!
//! Each buffer has a slot of 2⁴⁰ bytes of the 64-bit address space. So an address that misses a buffer, on either side,
//! still identifies that buffer.

mod addresses32;
pub(crate) mod heap;

use crate::Fault;
use crate::program::{ModuleVariable, Target};
pub(crate) use addresses32::Addresses32;
pub(crate) use heap::Heap;
use std::collections::HashMap;

/// Number of address bits within a buffer's slot.
pub(crate) const SLOT_BITS: u32 = 40;

/// Maximum number of bytes of module variables in a memory: as many as two kernels with the largest allowed variables
/// have.
const MAX_VARIABLES: u64 = 1 << 31;

/// A buffer in a [`Memory`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BufferId(pub(crate) usize);

#[derive(Debug)]
pub(crate) struct Buffer {
    pub(crate) name: String,
    /// The data starts at `start`, where it is aligned to 16 bytes.
    bytes: Vec<u8>,
    start: usize,
    len: usize,
    /// One flag per byte, if reads of unwritten bytes are faults.
    pub(crate) written: Option<Vec<u8>>,
    pub(crate) constant: bool,
    /// True for the device heap, whose flags have more values.
    pub(crate) heap: bool,
}

impl Buffer {
    fn new(name: String, contents: &[u8], len: usize) -> Self {
        let mut buffer = Self::zeros(name, vec![0u8; len + 16], len);
        buffer.data_mut()[..contents.len()].copy_from_slice(contents);
        buffer
    }

    /// Makes a buffer of `len` bytes; `bytes` must have 16 more.
    fn zeros(name: String, bytes: Vec<u8>, len: usize) -> Self {
        let start = bytes.as_ptr().align_offset(16).min(16);
        Self { name, bytes, start, len, written: None, constant: false, heap: false }
    }

    pub(crate) fn data(&self) -> &[u8] {
        &self.bytes[self.start..self.start + self.len]
    }

    pub(crate) fn data_mut(&mut self) -> &mut [u8] {
        &mut self.bytes[self.start..self.start + self.len]
    }
}

impl Clone for Buffer {
    fn clone(&self) -> Self {
        let copy = Self::new(self.name.clone(), self.data(), self.len);
        Self { written: self.written.clone(), constant: self.constant, heap: self.heap, ..copy }
    }
}

/// Allocates zeros that the system provides without writing them. `None` if that fails or if `len` is 0.
fn zeros(len: usize) -> Option<Vec<u8>> {
    let layout = std::alloc::Layout::array::<u8>(len).ok().filter(|layout| layout.size() > 0)?;
    // SAFETY: the layout has a size greater than zero.
    let start = unsafe { std::alloc::alloc_zeroed(layout) };
    // SAFETY: `start` was just allocated for `len` bytes by the allocator that a vector uses, and all of them are zero.
    (!start.is_null()).then(|| unsafe { Vec::from_raw_parts(start, len, len) })
}

/// The buffers that a launch may reach.
#[derive(Debug, Clone, Default)]
pub struct Memory {
    pub(crate) buffers: Vec<Buffer>,
    pub(crate) variables: HashMap<(u64, String), usize>,
    /// Bytes of all variables.
    variable_bytes: u64,
    /// Allocations of `malloc`. A launch takes them while it runs.
    pub(crate) heap: Option<Heap>,
}

impl Memory {
    /// Makes a memory without buffers.
    pub fn new() -> Self {
        Self::default()
    }

    fn push(&mut self, buffer: Buffer) -> BufferId {
        self.buffers.push(buffer);
        BufferId(self.buffers.len() - 1)
    }

    /// Adds a buffer with these contents. Messages call it `name`.
    pub fn add(&mut self, name: &str, contents: &[u8]) -> BufferId {
        self.push(Buffer::new(name.to_owned(), contents, contents.len()))
    }

    /// Replaces a buffer by one with these contents at the same address. Module variables keep their values.
    pub fn replace(&mut self, id: BufferId, contents: &[u8]) {
        if let Some(buffer) = self.buffers.get_mut(id.0) {
            *buffer = Buffer::new(std::mem::take(&mut buffer.name), contents, contents.len());
        }
    }

    /// Adds a buffer of `len` zeros, for [`Memory::write`] to fill in place. Returns `None` if there is not enough
    /// memory. On most systems only written pages take memory, so a buffer may be larger than the physical memory.
    pub fn add_zeros(&mut self, name: &str, len: usize) -> Option<BufferId> {
        let bytes = zeros(len.checked_add(16)?)?;
        Some(self.push(Buffer::zeros(name.to_owned(), bytes, len)))
    }

    /// Adds a buffer of single-precision numbers.
    pub fn add_f32(&mut self, name: &str, contents: &[f32]) -> BufferId {
        let id = self.push(Buffer::new(name.to_owned(), &[], 4 * contents.len()));
        for (bytes, value) in self.write(id).chunks_exact_mut(4).zip(contents) {
            bytes.copy_from_slice(&value.to_le_bytes());
        }
        id
    }

    /// Adds a buffer of `len` bytes. Reading a byte before it is written is a fault.
    pub fn add_uninitialised(&mut self, name: &str, len: usize) -> BufferId {
        let mut buffer = Buffer::new(name.to_owned(), &[], len);
        buffer.written = Some(vec![0; len]);
        self.push(buffer)
    }

    /// Returns the contents of a buffer; empty if the buffer belongs to another memory.
    pub fn read(&self, id: BufferId) -> &[u8] {
        self.buffers.get(id.0).map_or(&[], Buffer::data)
    }

    /// Returns the contents of a buffer as single-precision numbers.
    pub fn read_f32(&self, id: BufferId) -> Vec<f32> {
        self.read(id).chunks_exact(4).map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect()
    }

    /// Returns the contents of a buffer for writing.
    ///
    /// Afterwards, all bytes of a buffer that was added as uninitialised count as written.
    pub fn write(&mut self, id: BufferId) -> &mut [u8] {
        match self.buffers.get_mut(id.0) {
            Some(buffer) => {
                if let Some(written) = &mut buffer.written {
                    written.fill(1);
                }
                buffer.data_mut()
            }
            None => &mut [],
        }
    }

    /// Returns up to eight bytes of the buffer of this name, as a number. Returns zero if there are none.
    pub(crate) fn peek(&self, name: &str, at: u64, bytes: u32) -> u64 {
        let buffer = self.buffers.iter().find(|buffer| buffer.name == name);
        let bytes = buffer.and_then(|b| b.data().get(at as usize..at as usize + bytes.min(8) as usize)).unwrap_or(&[]);
        bytes.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte))
    }

    /// Returns the address of a buffer's first byte, as a kernel sees it.
    pub fn address(&self, id: BufferId) -> u64 {
        (id.0 as u64 + 1) << SLOT_BITS
    }

    /// Makes the device heap, unless it exists.
    ///
    /// # Errors
    /// If it would take more than [`MAX_VARIABLES`].
    pub(crate) fn make_heap(&mut self, bytes: u64) -> Result<(), Fault> {
        if self.heap.is_some() {
            return Ok(());
        }
        if bytes > MAX_VARIABLES {
            return Err(Fault::launch(format!("A heap of {bytes} bytes is too large; the maximum is 2 GiB.")));
        }
        let id = self.add_uninitialised("device heap", bytes as usize);
        self.buffers[id.0].heap = true;
        self.heap = Some(Heap::new(id.0, bytes));
        Ok(())
    }

    /// Returns the addresses of a module's variables, and makes and initialises them at their first use. If `short`,
    /// pointers among their values have 32 bits.
    ///
    /// # Errors
    /// If the variables of all modules that have used this memory would take more than [`MAX_VARIABLES`].
    pub(crate) fn variables(&mut self, module: u64, all: &[ModuleVariable], short: bool) -> Result<Vec<u64>, Fault> {
        let new = all.iter().filter(|variable| !self.variables.contains_key(&(module, variable.name.clone())));
        let bytes = new.fold(self.variable_bytes, |sum, variable| sum.saturating_add(variable.bytes));
        if bytes > MAX_VARIABLES {
            return Err(Fault::launch(format!(
                "The variables of the modules launched on this memory take {bytes} bytes together; the maximum is 2 GiB."
            )));
        }
        self.variable_bytes = bytes;
        let mut made = Vec::new();
        let mut addresses = Vec::with_capacity(all.len());
        for variable in all {
            let known = self.buffers.len();
            let id = self.variable(module, variable);
            if id.0 == known {
                made.push((id, variable));
            }
            addresses.push(self.address(id));
        }
        let lengths = self.buffers.iter().map(|buffer| buffer.len as u64);
        let short = if short { Some(short_addresses(lengths)?) } else { None };
        for (id, variable) in made {
            for patch in &variable.relocations {
                let address = match patch.target {
                    Target::Variable(index) => {
                        let address = addresses[index as usize];
                        short.as_ref().map_or(address, |short| short.short(address).into())
                    }
                    Target::Function(address) => address,
                };
                let bytes = (address.wrapping_add(patch.plus as u64) >> (8 * patch.from)).to_le_bytes();
                let (at, count) = (patch.at as usize, patch.bytes as usize);
                if let Some(place) = self.buffers[id.0].data_mut().get_mut(at..at + count) {
                    place.copy_from_slice(&bytes[..count]);
                }
            }
        }
        Ok(addresses)
    }

    /// Returns the buffer of a module variable, and makes and initialises it at its first use.
    fn variable(&mut self, module: u64, variable: &ModuleVariable) -> BufferId {
        let key = (module, variable.name.clone());
        if let Some(known) = self.variables.get(&key) {
            return BufferId(*known);
        }
        let mut buffer = Buffer::new(variable.name.clone(), &[], variable.bytes as usize);
        let init = &variable.init[..variable.init.len().min(variable.bytes as usize)];
        buffer.data_mut()[..init.len()].copy_from_slice(init);
        buffer.constant = variable.constant;
        let id = self.push(buffer);
        self.variables.insert(key, id.0);
        id
    }
}

/// Places buffers of these lengths among 32-bit addresses.
pub(crate) fn short_addresses(lengths: impl Iterator<Item = u64>) -> Result<Addresses32, Fault> {
    Addresses32::new(lengths)
        .ok_or_else(|| Fault::launch("The buffers are too large to have addresses of 32 bits, as the PTX asks for."))
}
