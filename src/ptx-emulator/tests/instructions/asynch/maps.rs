//! Tensor maps that a kernel changes.

use super::words;
use ptx_emulator::{Arg, Control, Element, Launch, Memory, Module, Options, Swizzle, TensorMap, run};

/// Applies `changes` to a map, where `{map}` is replaced by its address, and stores a box of 8×4 with it.
fn replaced(changes: &str, shared: bool, map: TensorMap, memory: &mut Memory) -> Result<(), ptx_emulator::Fault> {
    let room = memory.add("room", &[0; 256]);
    let (place, bring, take) = if shared {
        (
            "%r9",
            "mov.u32 %r9, local; mad.lo.u32 %r10, %r0, 8, %r9; @%p1 st.shared.b64 [%r10], %rd3; bar.sync 0;",
            "bar.sync 0; setp.lt.u32 %p2, %r0, 32; @%p2 tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [%rd4], [%r9], 128;
             fence.proxy.tensormap::generic.acquire.gpu [%rd4], 128;",
        )
    } else {
        (
            "%rd4",
            "mad.lo.u32 %r10, %r0, 8, 0; cvt.u64.u32 %rd5, %r10; add.u64 %rd5, %rd5, %rd4; @%p1 st.global.b64 [%rd5], %rd3; bar.sync 0;",
            "",
        )
    };
    let text = format!(
        ".version 8.6\n.target sm_90a\n.address_size 64\n.visible .entry k(.param .align 64 .b8 map[128], .param .u64 room) {{
        .reg .b64 %rd<9>; .reg .b32 %r<20>; .reg .pred %p<4>; .shared .align 1024 .b8 data[1024]; .shared .align 128 .b8 local[128];
        mov.u32 %r0, %tid.x; mov.u32 %r1, data; shl.b32 %r2, %r0, 2; add.u32 %r2, %r2, %r1; add.u32 %r3, %r0, 1; st.shared.u32 [%r2], %r3;
        setp.lt.u32 %p1, %r0, 16; setp.eq.u32 %p0, %r0, 0; mov.b64 %rd1, map; cvta.param.u64 %rd1, %rd1; ld.param.u64 %rd4, [room];
        mul.wide.u32 %rd2, %r0, 8; add.u64 %rd2, %rd2, %rd1; @%p1 ld.b64 %rd3, [%rd2];
        {bring} {} {take}
        fence.proxy.async; bar.sync 0; mov.u32 %r11, 0;
        @%p0 cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%rd4, {{%r11, %r11}}], [%r1]; cp.async.bulk.commit_group; cp.async.bulk.wait_group 0; ret; }}",
        changes.replace("{map}", place)
    );
    let kernel = Module::parse(&text)?.kernel("k")?;
    let args = vec![Arg::TensorMap(map), Arg::Buffer(room)];
    let launch = Launch { grid: [1; 3], block: [64, 1, 1], args, ..Launch::default() };
    run(&kernel, &launch, memory, &Options::default(), &Control::default()).map(drop)
}

#[test]
fn a_kernel_changes_its_tensor_map() {
    for shared in [true, false] {
        let space = if shared { "shared::cta" } else { "global" };
        let mut memory = Memory::new();
        let (wrong, right) = (memory.add("wrong", &[0; 4096]), memory.add("right", &[0; 4096]));
        let map = TensorMap::tiled(memory.address(wrong), Element::U8, &[16, 9, 9], &[48, 96], &[16, 1, 1]).unwrap();
        let address = memory.address(right);
        let change = |field: &str, ordinal: &str, value: u64, bits: u32| {
            let (register, ty) = if bits == 64 { ("%rd6", "b64") } else { ("%r12", "b32") };
            format!(
                "mov.{ty} {register}, {value}; @%p0 tensormap.replace.tile.{field}.{space}.b1024.{ty} [{{map}}], {ordinal}{register};\n"
            )
        };
        let constant = |field: &str, value: u64| {
            format!("@%p0 tensormap.replace.tile.{field}.{space}.b1024.b32 [{{map}}], {value};\n")
        };
        let changes = [
            change("global_address", "", address, 64),
            change("rank", "", 1, 32),
            change("global_dim", "0, ", 7, 32),
            change("global_dim", "1, ", 3, 32),
            change("global_stride", "0, ", 64, 64),
            change("box_dim", "0, ", 8, 32),
            change("box_dim", "1, ", 4, 32),
            change("element_stride", "1, ", 1, 32),
            constant("elemtype", 2),
            constant("swizzle_mode", 1),
            constant("interleave_layout", 0),
            constant("fill_mode", 0),
        ]
        .concat();
        replaced(&changes, shared, map, &mut memory).unwrap_or_else(|fault| panic!("{space}: {fault}"));
        assert_eq!(memory.read(wrong), [0; 4096]);
        // Rows of 32 bytes. The swizzle exchanges the halves in every second group of four rows. The third row is the
        // last one. One element of the last 16-byte chunk is outside the tensor. The engine writes it anyway.
        let found = words(memory.read(right));
        for row in 0..4 {
            let expected = |x: usize| if row < 3 { (8 * row + x + 1) as u32 } else { 0 };
            assert_eq!(found[16 * row..][..8], std::array::from_fn::<u32, 8, _>(expected), "{space} {row}");
        }
    }
}

#[test]
fn a_map_that_was_changed_to_what_cannot_be_is_a_fault() {
    let mut memory = Memory::new();
    let out = memory.add("out", &[0; 4096]);
    let map = TensorMap::tiled(memory.address(out), Element::U32, &[16, 9], &[64], &[8, 4]).unwrap();
    let change = "mov.b32 %r12, 300; @%p0 tensormap.replace.tile.box_dim.global.b1024.b32 [{map}], 0, %r12;";
    let fault = replaced(change, false, TensorMap { swizzle: Swizzle::None, ..map }, &mut memory).unwrap_err();
    assert!(fault.message.contains("an invalid tensor map"), "{fault}");
}
