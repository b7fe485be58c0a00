//! Texture fetches, and loads and stores of surfaces.

use super::setup::View;
use super::state::Machine;
use crate::arith::Registers;
use crate::memory::texture::sample::Source;
use crate::memory::texture::{Object, Texels, find};
use crate::program::NONE;
use crate::program::texture::{Edge, Instruction, ObjectAccess, Query};
use crate::{Fault, FaultKind};
use std::sync::atomic::Ordering::Relaxed;

/// Reads a word of `bytes` bytes at an offset of a buffer. The flag is false if one of them was never written.
fn read(view: &View, offset: u64, bytes: u32) -> (u32, bool) {
    let (mut word, mut known) = (0, true);
    for at in 0..u64::from(bytes) {
        let Some(offset) = offset.checked_add(at) else { return (word, known) };
        let Some(byte) = view.byte(offset) else { return (word, known) };
        word |= u32::from(byte.load(Relaxed)) << (8 * at);
        known &= view.flag(offset).is_none_or(|flag| flag.load(Relaxed) != 0);
    }
    (word, known)
}

fn write(view: &View, offset: u64, byte: u8) {
    view.byte(offset).iter().for_each(|to| to.store(byte, Relaxed));
    view.flag(offset).iter().for_each(|flag| flag.store(1, Relaxed));
}

impl<P> Machine<'_, P> {
    /// Runs [`crate::program::Op::Texture`] for the active lanes, lowest first.
    pub(super) fn texture(
        &mut self,
        at: usize,
        w: usize,
        index: u32,
        active: u32,
        file: Registers,
    ) -> Result<(), Box<Fault>> {
        let setup = self.setup;
        let Some(inst) = setup.program.textures.get(index as usize) else { return Ok(()) };
        for lane in (0..32u32).filter(|lane| active >> lane & 1 == 1) {
            let number = file.lane(inst.object, true, lane as usize);
            let word = |slot: u32| if slot == NONE { 0 } else { file.lane(slot, false, lane as usize) as u32 };
            let words = inst.coordinates.map(word);
            let fails = |kind, what: &str| Err(self.fault(kind, at, w, lane, what));
            let Some(object) = find(&setup.objects, number) else {
                let what = format!("uses {number:#x}, which is not a texture or surface object");
                return fails(FaultKind::OutOfBounds, &what);
            };
            let Some(view) = setup.views.get(object.texels.buffer_index()) else {
                return fails(FaultKind::OutOfBounds, "uses a texture of another memory");
            };
            let values = match inst.what {
                ObjectAccess::Query(query) => Ok([queried(query, &object.texels), 0, 0, 0]),
                ObjectAccess::Fetch { .. } | ObjectAccess::Gather { .. } => fetched(inst, object, view, words),
                ObjectAccess::Load { bytes, edge } => match placed(inst, object, words, bytes, edge) {
                    Ok(None) => Ok([0; 4]),
                    Ok(Some(offset)) => loaded(view, offset, inst.values.len(), bytes),
                    Err(what) => Err(what),
                },
                ObjectAccess::Store { bytes, edge } => match placed(inst, object, words, bytes, edge) {
                    Ok(None) => continue,
                    Ok(Some(_)) if view.constant => Err((FaultKind::OutOfBounds, "stores to a constant".to_owned())),
                    Ok(Some(offset)) => {
                        for (element, (slot, bits)) in inst.values.iter().enumerate() {
                            let value = file.lane(*slot, *bits == 64, lane as usize);
                            for byte in 0..u64::from(bytes) {
                                write(
                                    view,
                                    offset + element as u64 * u64::from(bytes) + byte,
                                    (value >> (8 * byte)) as u8,
                                );
                            }
                        }
                        continue;
                    }
                    Err(what) => Err(what),
                },
            };
            let values = match values {
                Ok(values) => values,
                Err((kind, what)) => return fails(kind, &what),
            };
            for ((slot, bits), value) in inst.values.iter().zip(values) {
                file.set_lane(*slot, *bits == 64, lane as usize, value);
            }
        }
        Ok(())
    }
}

type Refused = (FaultKind, String);

fn queried(query: Query, texels: &Texels) -> u64 {
    match query {
        Query::Extent(axis) => texels.queried_extent(axis).into(),
        Query::Layers => texels.queried_layers().into(),
    }
}

fn fetched(inst: &Instruction, object: &Object, view: &View, words: [u32; 4]) -> Result<[u64; 4], Refused> {
    let Some(sampler) = object.sampler.as_ref() else {
        return Err((FaultKind::OutOfBounds, "fetches from a surface".to_owned()));
    };
    if !object.texels.fits(inst.geometry) {
        let what = format!("fetches from a texture of another kind: {}", object.texels.kind());
        return Err((FaultKind::OutOfBounds, what));
    }
    let floats =
        matches!(inst.what, ObjectAccess::Fetch { floats: true, .. } | ObjectAccess::Gather { floats: true, .. });
    if floats == object.texels.gives_whole(sampler) {
        let (asked, has) =
            if floats { ("numbers with a fraction", "whole ones") } else { ("whole numbers", "ones with a fraction") };
        return Err((FaultKind::OutOfBounds, format!("asks a texture for {asked}, which gives {has}")));
    }
    let mut known = true;
    let read = |offset, bytes| {
        let (word, written) = read(view, offset, bytes);
        known &= written;
        word
    };
    let mut source = Source { texels: &object.texels, sampler, read };
    let layer = object.texels.layer(words[3]);
    let [x, y, z, _] = words;
    let found = match inst.what {
        ObjectAccess::Gather { component, .. } => source.gather([x, y, z].map(f32::from_bits), component),
        ObjectAccess::Fetch { whole: true, .. } => source.fetch_whole([x, y, z].map(|word| word as i32), layer),
        _ => source.fetch([x, y, z].map(f32::from_bits), layer),
    };
    if known {
        Ok(found.map(u64::from))
    } else {
        Err((FaultKind::Uninitialised, "fetches texels that have not been written".to_owned()))
    }
}

/// Returns the offset of an element in the buffer; `None` beyond the edges of a surface that is surrounded by zeros.
fn placed(
    inst: &Instruction,
    object: &Object,
    words: [u32; 4],
    bytes: u32,
    edge: Edge,
) -> Result<Option<u64>, Refused> {
    let texels = &object.texels;
    if !texels.fits(inst.geometry) {
        return Err((FaultKind::OutOfBounds, format!("accesses a surface of another kind: {}", texels.kind())));
    }
    let whole = u64::from(bytes) * inst.values.len() as u64;
    let width = texels.row_bytes();
    if !u64::from(words[0]).is_multiple_of(whole) {
        let what = format!(
            "accesses {whole} bytes at byte {} of a surface's row; that is not a multiple of {whole}",
            words[0] as i32
        );
        return Err((FaultKind::Misaligned, what));
    }
    // x counts bytes, y and z count texels. A negative value is also beyond the edge.
    let last = [(width / whole * whole).saturating_sub(whole), texels.queried_last(1), texels.queried_last(2)];
    let given = [words[0], words[1], words[2]].map(|word| i64::from(word as i32));
    let mut at = [0; 3];
    for axis in 0..inst.geometry.dimensions as usize {
        let inside = given[axis].clamp(0, last[axis] as i64);
        if inside != given[axis] {
            match edge {
                Edge::Clamp => {}
                Edge::Zero => return Ok(None),
                Edge::Trap => {
                    let what =
                        format!("accesses a surface beyond its edges, at ({}, {}, {})", given[0], given[1], given[2]);
                    return Err((FaultKind::OutOfBounds, what));
                }
            }
        }
        at[axis] = inside as u64;
    }
    let layer = texels.layer(words[3]);
    if inst.geometry.layered && layer != words[3] && edge != Edge::Clamp {
        return match edge {
            Edge::Zero => Ok(None),
            _ => Err((FaultKind::OutOfBounds, format!("accesses layer {} of a surface, which has none", words[3]))),
        };
    }
    Ok(Some(at[0] + texels.offset([0, at[1] as u32, at[2] as u32], layer)))
}

fn loaded(view: &View, offset: u64, count: usize, bytes: u32) -> Result<[u64; 4], Refused> {
    let mut all = [0; 4];
    for (element, value) in all.iter_mut().enumerate().take(count) {
        let at = offset + element as u64 * u64::from(bytes);
        let (low, known) = read(view, at, bytes.min(4));
        let (high, also) = if bytes == 8 { read(view, at + 4, 4) } else { (0, true) };
        if !(known && also) {
            return Err((FaultKind::Uninitialised, "loads surface elements that have not been written".to_owned()));
        }
        *value = u64::from(high) << 32 | u64::from(low);
    }
    Ok(all)
}
