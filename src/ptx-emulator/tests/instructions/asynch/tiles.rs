//! Faults, costs and races of copies of tensor boxes. `h200` compares what they copy.

use super::fixture;
use crate::support::options;
use ptx_emulator::{
    Arg, Control, Element, Fault, FaultKind, Hazard, HazardKind, HazardSpace, Launch, Measure, Memory, Options, Run,
    Swizzle, TensorMap, run,
};

/// A matrix of 37 rows and 50 columns, with a pitch of 52.
const DIMS: [u64; 2] = [50, 37];
const PITCH: usize = 52;

fn tile(file: &str, map: impl Fn(TensorMap) -> TensorMap, extent: [u32; 2], at: [i32; 2]) -> Result<Run, Fault> {
    tile_by(1, file, map, extent, at)
}

/// Lets several blocks copy the same box.
fn tile_by(
    blocks: u32,
    file: &str,
    map: impl Fn(TensorMap) -> TensorMap,
    extent: [u32; 2],
    at: [i32; 2],
) -> Result<Run, Fault> {
    let mut memory = Memory::new();
    let source = memory.add_f32("from", &vec![1.0; PITCH * 37]);
    let target = memory.add_f32("to", &vec![-7.0; PITCH * 37]);
    let make = |id| {
        let plain = TensorMap::tiled(memory.address(id), Element::F32, &DIMS, &[4 * PITCH as u64], &extent);
        map(plain.unwrap())
    };
    let (a, b) = (make(source), make(target));
    let bytes = a.box_bytes();
    let raw = memory.add_f32("raw", &vec![0.0; bytes as usize / 4]);
    let args = vec![
        Arg::TensorMap(a),
        Arg::TensorMap(b),
        Arg::Buffer(raw),
        Arg::S32(at[0]),
        Arg::S32(at[1]),
        Arg::S32(bytes as i32),
    ];
    let launch =
        Launch { grid: [blocks, 1, 1], block: [64, 1, 1], dynamic_shared: u64::from(bytes), args, ..Launch::default() };
    let kernel = fixture(file, "tile");
    let options = Options { global_hazards: true, ..options(Measure::All) };
    run(&kernel, &launch, &mut memory, &options, &Control::default())
}

#[test]
fn a_launch_with_an_impossible_map_is_refused() {
    let broken = |map: TensorMap| TensorMap { swizzle: Swizzle::B32, ..map };
    let fault = tile("tile.12.ptx", broken, [16, 4], [0, 0]).unwrap_err();
    assert_eq!(fault.kind, FaultKind::Launch, "{fault}");
    assert!(fault.message.contains("its swizzle takes at most 32"), "{fault}");
}

#[test]
fn a_map_that_reaches_past_its_buffer_is_a_fault() {
    let longer = |map: TensorMap| TensorMap { dims: [50, 38, 1, 1, 1], ..map };
    let fault = tile("tile.12.ptx", longer, [16, 4], [0, 35]).unwrap_err();
    assert_eq!(fault.kind, FaultKind::OutOfBounds, "{fault}");
    assert!(fault.message.contains("buffer `from`"), "{fault}");
}

#[test]
fn a_box_begins_at_a_multiple_of_16_bytes() {
    // On an H200 `cp.async.bulk.tensor` is an illegal instruction otherwise.
    for x in [-3, 1, 2, 45] {
        let fault = tile("tile.12.ptx", |map| map, [16, 4], [x, 0]).unwrap_err();
        assert_eq!(fault.kind, FaultKind::Misaligned, "{fault}");
        assert!(fault.message.contains(&format!("begins {} bytes from the start of a row", 4 * x)), "{fault}");
    }
}

#[test]
fn a_box_is_not_stored_at_a_negative_coordinate() {
    for at in [[-4, 0], [0, -1]] {
        let fault = tile("tile.12.ptx", |map| map, [16, 4], at).unwrap_err();
        assert_eq!(fault.kind, FaultKind::OutOfBounds, "{fault}");
        assert!(fault.message.contains("with a negative one the instruction is illegal"), "{fault}");
    }
}

#[test]
fn the_sectors_of_a_box_are_counted() {
    // Five rows of 64 bytes that start 16 bytes after the start of a sector, and the same for the store.
    let found = tile("tile.12.ptx", |map| map, [16, 5], [4, 0]).unwrap();
    let counts = found.counts.unwrap();
    for (line, shift) in counts.lines.iter().filter(|line| line.op.starts_with("cp.async.bulk.tensor")).zip([4, 4]) {
        let sectors: u64 =
            (0..5u64).map(|row| (row * 208 + 4 * shift + 63) / 32 - (row * 208 + 4 * shift) / 32 + 1).sum();
        assert_eq!((line.requests, line.bytes, line.sectors, line.sectors_ideal), (1, 320, sectors, 10));
    }
    assert_eq!(counts.lines.iter().filter(|line| line.op.starts_with("cp.async.bulk.tensor")).count(), 2);
}

#[test]
fn a_store_by_the_copy_engine_without_a_proxy_fence_is_a_hazard() {
    for file in ["tile.12.ptx", "tile.13.ptx"] {
        assert_eq!(tile(file, |map| map, [16, 5], [4, 0]).unwrap().hazards, [], "{file}");
    }
    for file in ["tile_no_fence.12.ptx", "tile_no_fence.13.ptx"] {
        let found = tile(file, |map| map, [16, 5], [4, 0]).unwrap();
        assert!(!found.hazards.is_empty(), "{file}");
        for hazard in &found.hazards {
            assert_eq!(hazard.kind, ptx_emulator::HazardKind::Raw, "{file} {hazard:?}");
            // `box[i] += 1` and the store of the box.
            assert_eq!(hazard.first.place.line, 24, "{file} {hazard:?}");
            assert!((31..=32).contains(&hazard.second.place.line), "{file} {hazard:?}");
        }
    }
}

#[test]
fn boxes_of_two_blocks_race_in_global_memory() {
    let kinds = |found: Run, buffer: &str| -> Vec<_> {
        let here = |hazard: &&Hazard| hazard.buffer.as_deref() == Some(buffer) && hazard.space == HazardSpace::Global;
        found.hazards.iter().filter(here).map(|hazard| (hazard.kind, hazard.first.place.line)).collect()
    };
    let two = |map: &dyn Fn(TensorMap) -> TensorMap| tile_by(2, "tile.12.ptx", map, [16, 5], [4, 0]).unwrap();
    assert_eq!(kinds(two(&|map| map), "to"), [(HazardKind::Waw, 31)]);
    // The map of the loads leads to the buffer of the stores.
    let same = |map: TensorMap| TensorMap { address: 2 << 40, ..map };
    let found = kinds(two(&same), "to");
    assert!(found.contains(&(HazardKind::Waw, 31)) && found.len() == 2, "{found:?}");
    assert_eq!(kinds(tile("tile.12.ptx", same, [16, 5], [4, 0]).unwrap(), "to"), []);
}
