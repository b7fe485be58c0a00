//! Regions of instructions that run as one give what single instructions give.

use crate::support::options;
use ptx_emulator::{Arg, Control, Launch, Measure, Memory, Module, Options, run};

/// A loop of products with moving addresses, then consecutive words.
const TEXT: &str = ".version 8.0\n.target sm_75\n.address_size 64\n.visible .entry k(.param .u64 out)\n{
    .reg .b64 %rd<5>; .reg .b32 %r<8>; .reg .f32 %f<5>; .reg .pred %p<2>; .shared .align 16 .b8 tile[4096];
    ld.param.u64 %rd1, [out]; mov.u32 %r1, %tid.x; mov.u32 %r3, tile; mad.lo.u32 %r3, %r1, 4, %r3;
    cvt.rn.f32.u32 %f1, %r1; st.shared.f32 [%r3], %f1; mov.f32 %f4, 0f00000000; mov.u32 %r2, 0; bar.sync 0;
    L: ld.shared.f32 %f2, [%r3]; ld.shared.f32 %f3, [%r3+4]; fma.rn.f32 %f4, %f2, %f3, %f4;
    ld.shared.f32 %f2, [%r3+8]; ld.shared.f32 %f3, [%r3+12]; fma.rn.f32 %f4, %f2, %f3, %f4;
    add.u32 %r3, %r3, 4; add.u32 %r2, %r2, 1; setp.lt.u32 %p1, %r2, 5; @%p1 bra L;
    mul.wide.u32 %rd4, %r1, 16; add.u64 %rd4, %rd1, %rd4;
    ld.global.u32 %r5, [%rd4]; ld.global.u32 %r6, [%rd4+4]; ld.global.u32 %r7, [%rd4+8];
    add.u32 %r5, %r5, %r6; add.u32 %r5, %r5, %r7; cvt.rn.f32.u32 %f1, %r5; add.f32 %f4, %f4, %f1;
    cvt.rzi.u32.f32 %r5, %f4; st.global.u32 [%rd4+12], %r5; ret;\n}\n";

#[test]
fn fused_regions_give_what_single_instructions_give() {
    let kernel = Module::parse(TEXT).unwrap().kernel("k").unwrap();
    let listing = kernel.listing().to_string();
    assert!(listing.contains("Region("), "{listing}");
    let run = |unfused| {
        let mut memory = Memory::new();
        let out = memory.add("out", &[0; 1024]);
        let launch = Launch { block: [64, 1, 1], args: vec![Arg::Buffer(out)], ..Launch::default() };
        let options = Options { unfused, ..options(Measure::All) };
        let counts = run(&kernel, &launch, &mut memory, &options, &Control::default()).unwrap().counts;
        (memory.read(out).to_vec(), counts)
    };
    let fused = run(false);
    assert_eq!(fused, run(true));
    assert_eq!(fused.0[12..16], (0..5).map(|i| i * (i + 1) + (i + 2) * (i + 3)).sum::<u32>().to_le_bytes());
}
