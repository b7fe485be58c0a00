//! Compares instructions on edge values with results worked out by hand from the PTX ISA.

use ptx_emulator::{Arg, Control, Fault, Launch, Memory, Module, Options, run};

const HEADER: &str = ".version 8.0\n.target sm_75\n.address_size 64\n";

/// Runs `body` in one thread with up to three 64-bit inputs in %rd1…%rd3. Their low halves are in %r1…%r3, their bits
/// in %f1…%f3 and %fd1…%fd3. Returns what it leaves in %rd9, or in %r9 if `wide` is false.
fn compute(body: &str, inputs: [u64; 3], wide: bool) -> Result<u64, Fault> {
    let text = format!(
        "{HEADER}.visible .entry k(.param .u64 out, .param .u64 a, .param .u64 b, .param .u64 c)\n{{\n\
        .reg .b64 %rd<20>; .reg .b32 %r<20>; .reg .f32 %f<20>; .reg .f64 %fd<20>; .reg .b16 %rs<20>; .reg .pred %p<9>;\n\
        ld.param.u64 %rd10, [out];\n\
        ld.param.u64 %rd1, [a]; ld.param.u64 %rd2, [b]; ld.param.u64 %rd3, [c];\n\
        cvt.u32.u64 %r1, %rd1; cvt.u32.u64 %r2, %rd2; cvt.u32.u64 %r3, %rd3;\n\
        cvt.u16.u64 %rs1, %rd1; cvt.u16.u64 %rs2, %rd2; cvt.u16.u64 %rs3, %rd3;\n\
        mov.b32 %f1, %r1; mov.b32 %f2, %r2; mov.b32 %f3, %r3;\n\
        mov.b64 %fd1, %rd1; mov.b64 %fd2, %rd2; mov.b64 %fd3, %rd3;\n\
        mov.u64 %rd9, 0; mov.u32 %r9, 0;\n\
        {body}\n\
        {}\nret;\n}}\n",
        if wide { "st.global.u64 [%rd10], %rd9;" } else { "cvt.u64.u32 %rd9, %r9; st.global.u64 [%rd10], %rd9;" }
    );
    let kernel = Module::parse(&text)?.kernel("k")?;
    let mut memory = Memory::new();
    let out = memory.add("out", &[0; 8]);
    let mut args = vec![Arg::Buffer(out)];
    args.extend(inputs.map(Arg::U64));
    let launch = Launch { grid: [1; 3], block: [1, 1, 1], args, ..Launch::default() };
    run(&kernel, &launch, &mut memory, &Options::default(), &Control::default())?;
    let mut bytes = [0; 8];
    bytes.copy_from_slice(memory.read(out));
    Ok(u64::from_le_bytes(bytes))
}

fn f(value: f32) -> u64 {
    value.to_bits().into()
}

fn d(value: f64) -> u64 {
    value.to_bits()
}

const NAN: u64 = 0x7fff_ffff;
const M1: u64 = 0xffff_ffff;
const MIN: u64 = 0x8000_0000;
const MAX: u64 = 0x7fff_ffff;
const TINY: u64 = 1;
const INF: u64 = 0x7f80_0000;

#[test]
fn instructions_follow_the_isa_on_edge_values() {
    #[rustfmt::skip]
    let narrow: &[(&str, [u64; 3], u64)] = &[
        ("add.s32 %r9, %r1, %r2;", [MAX, 1, 0], MIN),
        ("add.sat.s32 %r9, %r1, %r2;", [MAX, 1, 0], MAX),
        ("sub.sat.s32 %r9, %r1, %r2;", [MIN, 1, 0], MIN),
        ("sub.u32 %r9, %r1, %r2;", [0, 1, 0], M1),
        ("mul.lo.s32 %r9, %r1, %r2;", [0x10001, 0x10001, 0], 0x20001),
        ("mul.hi.s32 %r9, %r1, %r2;", [M1, M1, 0], 0),
        ("mul.hi.u32 %r9, %r1, %r2;", [M1, M1, 0], 0xffff_fffe),
        ("mad.lo.s32 %r9, %r1, %r2, %r3;", [3, 5, 7], 22),
        ("mad.hi.u32 %r9, %r1, %r2, %r3;", [M1, M1, 1], M1),
        ("mul24.lo.u32 %r9, %r1, %r2;", [0x0100_0003, 5, 0], 15),
        ("mul24.hi.s32 %r9, %r1, %r2;", [0x0080_0000, 0x0080_0000, 0], 0x4000_0000),
        ("mad24.lo.s32 %r9, %r1, %r2, %r3;", [0x00ff_ffff, 5, 7], 2),
        ("sad.s32 %r9, %r1, %r2, %r3;", [M1, 1, 10], 12),
        ("sad.u32 %r9, %r1, %r2, %r3;", [5, 9, 1], 5),
        ("div.s32 %r9, %r1, %r2;", [(-7i32) as u32 as u64, 2, 0], (-3i32) as u32 as u64),
        ("div.u32 %r9, %r1, %r2;", [7, 0, 0], M1),
        ("rem.s32 %r9, %r1, %r2;", [(-7i32) as u32 as u64, 2, 0], M1),
        ("abs.s32 %r9, %r1;", [MIN, 0, 0], MIN),
        ("neg.s32 %r9, %r1;", [1, 0, 0], M1),
        ("min.s32 %r9, %r1, %r2;", [M1, 1, 0], M1),
        ("min.u32 %r9, %r1, %r2;", [M1, 1, 0], 1),
        ("max.s32 %r9, %r1, %r2;", [M1, 1, 0], 1),
        ("shl.b32 %r9, %r1, %r2;", [1, 32, 0], 0),
        ("shl.b32 %r9, %r1, %r2;", [1, 31, 0], MIN),
        ("shr.u32 %r9, %r1, %r2;", [M1, 32, 0], 0),
        ("shr.s32 %r9, %r1, %r2;", [MIN, 99, 0], M1),
        ("shf.l.wrap.b32 %r9, %r1, %r2, %r3;", [0x8000_0000, 1, 33], 3),
        ("shf.r.wrap.b32 %r9, %r1, %r2, %r3;", [2, 1, 1], 0x8000_0001),
        ("shf.l.clamp.b32 %r9, %r1, %r2, %r3;", [7, 9, 40], 7),
        ("shf.r.clamp.b32 %r9, %r1, %r2, %r3;", [7, 9, 40], 9),
        ("not.b32 %r9, %r1;", [0, 0, 0], M1),
        ("cnot.b32 %r9, %r1;", [0, 0, 0], 1),
        ("cnot.b32 %r9, %r1;", [5, 0, 0], 0),
        ("lop3.b32 %r9, %r1, %r2, %r3, 0x96;", [0b1010, 0b1100, 0b1111], 0b1001),
        ("lop3.b32 %r9, %r1, %r2, %r3, 0xE8;", [0b1010, 0b1100, 0b1111], 0b1110),
        ("popc.b32 %r9, %r1;", [0xf0f0, 0, 0], 8),
        ("popc.b64 %r9, %rd1;", [u64::MAX, 0, 0], 64),
        ("clz.b32 %r9, %r1;", [0, 0, 0], 32),
        ("clz.b32 %r9, %r1;", [1, 0, 0], 31),
        ("clz.b64 %r9, %rd1;", [1, 0, 0], 63),
        ("brev.b32 %r9, %r1;", [1, 0, 0], MIN),
        ("bfind.u32 %r9, %r1;", [0, 0, 0], M1),
        ("bfind.u32 %r9, %r1;", [0x100, 0, 0], 8),
        ("bfind.s32 %r9, %r1;", [M1, 0, 0], M1),
        ("bfind.s32 %r9, %r1;", [0xffff_fffe, 0, 0], 0),
        ("bfind.shiftamt.u32 %r9, %r1;", [0x100, 0, 0], 23),
        ("bfe.u32 %r9, %r1, %r2, %r3;", [0xabcd_1234, 8, 8], 0x12),
        ("bfe.s32 %r9, %r1, %r2, %r3;", [0x0000_8000, 8, 8], 0xffff_ff80),
        ("bfe.s32 %r9, %r1, %r2, %r3;", [MIN, 40, 8], M1),
        ("bfe.u32 %r9, %r1, %r2, %r3;", [M1, 0, 0], 0),
        ("bfe.u32 %r9, %r1, %r2, %r3;", [M1, 28, 99], 15),
        ("bfi.b32 %r9, %r1, %r2, 8, 4;", [0xff, 0, 0], 0xf00),
        ("bfi.b32 %r9, %r1, %r2, 8, 0;", [0xff, 7, 0], 7),
        ("bfi.b32 %r9, %r1, %r2, 40, 4;", [0xff, 7, 0], 7),
        ("prmt.b32 %r9, %r1, %r2, %r3;", [0x3322_1100, 0x7766_5544, 0x7531], 0x7755_3311),
        ("prmt.b32 %r9, %r1, %r2, %r3;", [0x0000_0080, 0, 0x8], 0x0000_00ff | 0x8080_8000),
        ("fns.b32 %r9, %r1, %r2, %r3;", [0b1010_1000, 0, 2], 5),
        ("dp4a.s32.s32 %r9, %r1, %r2, %r3;", [0xff02_0304, 0x0101_0101, 10], 18),
        ("dp4a.u32.u32 %r9, %r1, %r2, %r3;", [0xff02_0304, 0x0101_0101, 10], 274),
        ("slct.b32.s32 %r9, %r1, %r2, %r3;", [1, 2, M1], 2),
        ("slct.b32.s32 %r9, %r1, %r2, %r3;", [1, 2, 0], 1),
        ("set.lt.u32.s32 %r9, %r1, %r2;", [M1, 0, 0], M1),
        ("setp.lt.s32 %p1, %r1, %r2; selp.b32 %r9, 1, 2, %p1;", [M1, 0, 0], 1),
        ("setp.lo.u32 %p1, %r1, %r2; selp.b32 %r9, 1, 2, %p1;", [M1, 0, 0], 2),
        ("setp.eq.and.s32 %p1|%p2, %r1, %r2, %p3; selp.b32 %r9, 1, 2, %p2;", [1, 1, 0], 2),
        ("setp.ne.s32 %p3, %r1, 9; setp.eq.and.s32 %p3|%p2, %r1, %r2, !%p3; selp.b32 %r9, 1, 2, %p3;", [1, 1, 0], 2),
        ("setp.equ.f32 %p1, %f1, %f2; selp.b32 %r9, 1, 2, %p1;", [NAN, 0, 0], 1),
        ("setp.eq.f32 %p1, %f1, %f2; selp.b32 %r9, 1, 2, %p1;", [NAN, NAN, 0], 2),
        ("setp.ne.f32 %p1, %f1, %f2; selp.b32 %r9, 1, 2, %p1;", [NAN, 0, 0], 2),
        ("setp.neu.f32 %p1, %f1, %f2; selp.b32 %r9, 1, 2, %p1;", [NAN, 0, 0], 1),
        ("setp.geu.f32 %p1, %f1, %f2; selp.b32 %r9, 1, 2, %p1;", [NAN, 0, 0], 1),
        ("setp.eq.ftz.f32 %p1, %f1, %f2; selp.b32 %r9, 1, 2, %p1;", [TINY, 0, 0], 1),
        ("testp.subnormal.f32 %p1, %f1; selp.b32 %r9, 1, 2, %p1;", [TINY, 0, 0], 1),
        ("add.u16 %rs9, %rs1, %rs2; cvt.u32.u16 %r9, %rs9;", [0xffff, 2, 0], 1),
        ("mul.wide.s16 %r9, %rs1, %rs2;", [0xffff, 2, 0], 0xffff_fffe),
        ("shr.s16 %rs9, %rs1, %r2; cvt.u32.u16 %r9, %rs9;", [0x8000, 3, 0], 0xf000),
        ("not.b16 %rs9, %rs1; cvt.u32.u16 %r9, %rs9;", [0, 0, 0], 0xffff),
        ("setp.lt.s16 %p1, %rs1, %rs2; selp.b32 %r9, 1, 2, %p1;", [0xffff, 0, 0], 1),
        ("mov.b32 %r9, {%rs1, %rs2};", [0x1234, 0x5678, 0], 0x5678_1234),
        ("mov.b64 {%r9, %r8}, %rd1;", [0x1_0000_0002, 0, 0], 2),
        ("fma.rn.f32 %f9, %f1, %f2, %f3; mov.b32 %r9, %f9;", [f(1.0 + f32::EPSILON), f(1.0 - f32::EPSILON / 2.0), f(-1.0)], f((1.0f64 + f64::from(f32::EPSILON)).mul_add(1.0 - f64::from(f32::EPSILON) / 2.0, -1.0) as f32)),
        ("fma.rn.f32 %f9, %f1, %f2, %f3; mov.b32 %r9, %f9;", [0xffc1_2345, 0, 0], NAN),
        ("fma.rn.f32 %f9, %f1, %f2, %f3; mov.b32 %r9, %f9;", [INF, 0, 0], NAN),
        ("add.f32 %f9, %f1, %f2; mov.b32 %r9, %f9;", [INF, INF | MIN, 0], NAN),
        ("add.f32 %f9, %f1, %f2; mov.b32 %r9, %f9;", [MIN, MIN, 0], MIN),
        ("add.f32 %f9, %f1, %f2; mov.b32 %r9, %f9;", [TINY, TINY, 0], 2),
        ("add.ftz.f32 %f9, %f1, %f2; mov.b32 %r9, %f9;", [TINY, TINY | MIN, 0], 0),
        ("mul.f32 %f9, %f1, %f2; mov.b32 %r9, %f9;", [0x0080_0000, f(0.5), 0], 0x0040_0000),
        ("mul.ftz.f32 %f9, %f1, %f2; mov.b32 %r9, %f9;", [0x0080_0000, f(0.5), 0], 0),
        ("mul.sat.f32 %f9, %f1, %f2; mov.b32 %r9, %f9;", [f(3.0), f(2.0), 0], f(1.0)),
        ("add.sat.f32 %f9, %f1, %f2; mov.b32 %r9, %f9;", [NAN, f(2.0), 0], 0),
        ("min.f32 %f9, %f1, %f2; mov.b32 %r9, %f9;", [NAN, f(2.0), 0], f(2.0)),
        ("max.f32 %f9, %f1, %f2; mov.b32 %r9, %f9;", [NAN, NAN | MIN, 0], NAN),
        ("max.f32 %f9, %f1, %f2; mov.b32 %r9, %f9;", [MIN, 0, 0], 0),
        ("min.f32 %f9, %f1, %f2; mov.b32 %r9, %f9;", [0, MIN, 0], MIN),
        ("div.rn.f32 %f9, %f1, %f2; mov.b32 %r9, %f9;", [f(1.0), f(3.0), 0], 0x3eaa_aaab),
        ("rcp.rn.f32 %f9, %f1; mov.b32 %r9, %f9;", [0, 0, 0], INF),
        ("sqrt.rn.f32 %f9, %f1; mov.b32 %r9, %f9;", [f(2.0), 0, 0], 0x3fb5_04f3),
        ("sqrt.rn.f32 %f9, %f1; mov.b32 %r9, %f9;", [f(-1.0), 0, 0], NAN),
        ("copysign.f32 %f9, %f1, %f2; mov.b32 %r9, %f9;", [f(-1.0), f(2.0), 0], f(-2.0)),
        ("cvt.rzi.s32.f32 %r9, %f1;", [f(-1.9), 0, 0], M1),
        ("cvt.rni.s32.f32 %r9, %f1;", [f(2.5), 0, 0], 2),
        ("cvt.rpi.s32.f32 %r9, %f1;", [f(2.1), 0, 0], 3),
        ("cvt.rmi.s32.f32 %r9, %f1;", [f(-2.1), 0, 0], (-3i32) as u32 as u64),
        ("cvt.rzi.s32.f32 %r9, %f1;", [f(3e9), 0, 0], MAX),
        ("cvt.rzi.u32.f32 %r9, %f1;", [f(-5.0), 0, 0], 0),
        ("cvt.rzi.s32.f32 %r9, %f1;", [NAN, 0, 0], 0),
        ("cvt.rn.f32.s32 %f9, %r1; mov.b32 %r9, %f9;", [16_777_217, 0, 0], f(16_777_216.0)),
        ("cvt.rp.f32.s32 %f9, %r1; mov.b32 %r9, %f9;", [16_777_217, 0, 0], f(16_777_218.0)),
        ("cvt.rz.f32.s32 %f9, %r1; mov.b32 %r9, %f9;", [(-16_777_217i32) as u32 as u64, 0, 0], f(-16_777_216.0)),
        ("cvt.rm.f32.u32 %f9, %r1; mov.b32 %r9, %f9;", [M1, 0, 0], f(4_294_967_040.0)),
        ("cvt.rn.f32.f64 %f9, %fd1; mov.b32 %r9, %f9;", [d(1e300), 0, 0], INF),
        ("cvt.rz.f32.f64 %f9, %fd1; mov.b32 %r9, %f9;", [d(1e300), 0, 0], 0x7f7f_ffff),
        ("cvt.rni.f32.f32 %f9, %f1; mov.b32 %r9, %f9;", [f(-0.3), 0, 0], MIN),
        ("cvt.sat.f32.f32 %f9, %f1; mov.b32 %r9, %f9;", [f(7.0), 0, 0], f(1.0)),
        ("cvt.s8.s32 %r9, %r1;", [0x180, 0, 0], 0xffff_ff80),
        ("cvt.u8.u32 %r9, %r1;", [0x180, 0, 0], 0x80),
        ("cvt.sat.s8.s32 %r9, %r1;", [0x180, 0, 0], 127),
        ("cvt.sat.u8.s32 %r9, %r1;", [M1, 0, 0], 0),
        ("vote.sync.ballot.b32 %r9, %p1, 0xffffffff;", [0, 0, 0], 0),
        ("activemask.b32 %r9;", [0, 0, 0], 1),
        ("mov.u32 %r9, %ntid.x;", [0, 0, 0], 1),
        ("neg.f32 %f9, %f1; mov.b32 %r9, %f9;", [0, 0, 0], MIN),
    ];
    #[rustfmt::skip]
    let wide: &[(&str, [u64; 3], u64)] = &[
        ("add.s64 %rd9, %rd1, %rd2;", [u64::MAX, 1, 0], 0),
        ("mul.wide.s32 %rd9, %r1, %r2;", [M1, 2, 0], (-2i64) as u64),
        ("mul.wide.u32 %rd9, %r1, %r2;", [M1, 2, 0], 0x1_ffff_fffe),
        ("mad.wide.s32 %rd9, %r1, %r2, %rd3;", [M1, 2, 5], 3),
        ("mul.hi.u64 %rd9, %rd1, %rd2;", [u64::MAX, u64::MAX, 0], u64::MAX - 1),
        ("mul.hi.s64 %rd9, %rd1, %rd2;", [u64::MAX, u64::MAX, 0], 0),
        ("div.s64 %rd9, %rd1, %rd2;", [(-7i64) as u64, 2, 0], (-3i64) as u64),
        ("shl.b64 %rd9, %rd1, %r2;", [1, 64, 0], 0),
        ("shr.s64 %rd9, %rd1, %r2;", [1 << 63, 99, 0], u64::MAX),
        ("bfi.b64 %rd9, %rd1, %rd2, 32, 31;", [1, 5, 0], 0x1_0000_0005),
        ("bfe.u64 %rd9, %rd1, %r2, %r3;", [0xabcd_0000_0000, 32, 16], 0xabcd),
        ("cvt.s64.s32 %rd9, %r1;", [M1, 0, 0], u64::MAX),
        ("cvt.u64.u32 %rd9, %r1;", [M1, 0, 0], M1),
        ("cvt.s64.s16 %rd9, %rs1;", [0x8000, 0, 0], 0xffff_ffff_ffff_8000),
        ("cvt.rzi.s64.f32 %rd9, %f1;", [NAN, 0, 0], 1 << 63),
        ("cvt.rzi.u64.f64 %rd9, %fd1;", [d(1e30), 0, 0], u64::MAX),
        ("cvt.f64.f32 %fd9, %f1; mov.b64 %rd9, %fd9;", [f(1.5), 0, 0], d(1.5)),
        ("cvt.rn.f64.s64 %fd9, %rd1; mov.b64 %rd9, %fd9;", [u64::MAX, 0, 0], d(-1.0)),
        ("fma.rn.f64 %fd9, %fd1, %fd2, %fd3; mov.b64 %rd9, %fd9;", [d(0.1), d(10.0), d(-1.0)], d(0.1f64.mul_add(10.0, -1.0))),
        ("div.rn.f64 %fd9, %fd1, %fd2; mov.b64 %rd9, %fd9;", [d(1.0), d(3.0), 0], d(1.0 / 3.0)),
        ("sqrt.rn.f64 %fd9, %fd1; mov.b64 %rd9, %fd9;", [d(2.0), 0, 0], d(std::f64::consts::SQRT_2)),
        ("abs.f64 %fd9, %fd1; mov.b64 %rd9, %fd9;", [d(-2.0), 0, 0], d(2.0)),
        ("mov.b64 %rd9, {%r1, %r2};", [1, 2, 0], 0x2_0000_0001),
        ("{ .reg .b64 %t; mov.u64 %t, 4; add.u64 %rd9, %t, %rd1; }", [1, 0, 0], 5),
        ("setp.gt.u64 %p1, %rd1, %rd2; @%p1 mov.u64 %rd9, 7; @!%p1 mov.u64 %rd9, 8;", [u64::MAX, 1, 0], 7),
    ];
    for (body, inputs, wanted) in narrow {
        assert_eq!(compute(body, *inputs, false), Ok(*wanted), "{body} {inputs:x?}");
    }
    for (body, inputs, wanted) in wide {
        assert_eq!(compute(body, *inputs, true), Ok(*wanted), "{body} {inputs:x?}");
    }
}

#[test]
fn unsupported_code_is_refused_at_load_with_its_line() {
    for body in [
        "tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;",
        "frobnicate.b32 %r9, %r1;",
        "tex.level.1d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd10, {%f5}], %f6;",
        "add.cc.u16 %rs9, %rs1, %rs2;",
        "cvt.rn.relu.e2m1x2.f32 %rs9, %f1, %f2;",
        "bra.uni OUT; OUT: call (%r9), missing, ();",
    ] {
        let fault = compute(body, [0; 3], false).unwrap_err();
        assert_eq!(fault.kind, ptx_emulator::FaultKind::Unsupported, "{body}: {fault}");
        assert!(fault.line > 4 && fault.column > 0 && fault.message.ends_with('.'), "{fault:?}");
    }
}

#[test]
fn an_unknown_instruction_is_called_that_and_the_nearest_known_one_is_named() {
    for (body, says) in [
        ("fmaa.rn.f32 %f9, %f1, %f2, %f3;", "unknown instruction `fmaa`; the nearest known one is `fma`."),
        ("bfnid.u32 %r9, %r1;", "unknown instruction `bfnid`; the nearest known one is `bfind`."),
        ("frobnicate.b32 %r9, %r1;", "unknown instruction `frobnicate`."),
        ("fma.rn.f31 %f9, %f1, %f2, %f3;", "the emulator does not support `fma.rn.f31`."),
    ] {
        let fault = compute(body, [0; 3], false).unwrap_err();
        assert_eq!(fault.kind, ptx_emulator::FaultKind::Unsupported, "{body}: {fault}");
        assert!(fault.message.ends_with(&format!(": {says}")), "{body}: {fault}");
    }
}

#[test]
fn a_modifier_that_does_not_belong_is_refused() {
    #[rustfmt::skip]
    let wrong = [
        "add.cc.f32 %f9, %f1, %f2;", "add.sat.u32 %r9, %r1, %r2;", "add.ftz.f64 %fd9, %fd1, %fd2;", "add.b32 %r9, %r1, %r2;",
        "mul.rn.ftz.relu.f32 %f9, %f1, %f2;", "min.sat.f32 %f9, %f1, %f2;", "div.sat.rn.f32 %f9, %f1, %f2;",
        "min.abs.f32 %f9, %f1, %f2;", "min.xorsign.abs.f32 %f9, %f1, %f2, %f3;", "abs.u32 %r9, %r1;", "neg.sat.f32 %f9, %f1;",
        "fma.rn.sat.relu.f16 %rs9, %rs1, %rs2, %rs3;", "fma.rn.ftz.bf16 %rs9, %rs1, %rs2, %rs3;", "add.sat.bf16 %rs9, %rs1, %rs2;",
        "min.abs.f16 %rs9, %rs1, %rs2;", "ex2.approx.bf16 %rs9, %rs1;", "tanh.approx.ftz.f32 %f9, %f1;",
        "shl.u32 %r9, %r1, %r2;", "and.u32 %r9, %r1, %r2;", "popc.u32 %r9, %r1;", "bfi.s32 %r9, %r1, %r2, 0, 1;", "bfe.b32 %r9, %r1, 0, 1;",
        "selp.pred %p1, %p2, %p3, %p1;", "slct.ftz.b32.s32 %r9, %r1, %r2, %r3;", "mov.f16 %rs9, %rs1;", "mov.u32 %r9, {%rs1, %rs2};",
        "setp.lt.b32 %p1, %r1, %r2;", "setp.lo.s32 %p1, %r1, %r2;", "setp.eq.ftz.f64 %p1, %fd1, %fd2;", "set.eq.u16.s32 %rs9, %r1, %r2;",
        "cvt.relu.u8.u32 %r9, %r1;", "cvt.sat.u32.u8 %r9, %rs1;", "cvt.u32.f32 %r9, %f1;", "cvt.rn.s32.f32 %r9, %f1;",
        "cvt.f16.f32 %rs9, %f1;", "cvt.rn.f64.f32 %fd9, %f1;", "cvt.rz.ftz.relu.bf16.f32 %rs9, %f1;", "cvt.rm.satfinite.f16.f32 %rs9, %f1;",
        "cvt.rn.e4m3x2.f32 %rs9, %f1, %f2;", "cvt.rz.f16x2.e4m3x2 %r9, %rs1;",
        "ld.global.wt.u32 %r9, [%rd10];", "ld.relaxed.global.u32 %r9, [%rd10];", "ld.volatile.gpu.global.u32 %r9, [%rd10];",
        "ld.shared.nc.u32 %r9, [%r1];", "ld.global.L2::evict_last.u32 %r9, [%rd10];", "ld.const.volatile.u32 %r9, [%rd10];",
        "st.global.nc.u32 [%rd10], %r1;", "st.global.acquire.gpu.u32 [%rd10], %r1;", "st.global.ca.u32 [%rd10], %r1;",
        "atom.global.exch.u32 %r9, [%rd10], %r1;", "atom.global.add.s64 %rd9, [%rd10], %rd1;", "red.global.exch.b32 [%rd10], %r1;",
        "atom.global.add.f16 %rs9, [%rd10], %rs1;", "atom.global.add.noftz.f32 %f9, [%rd10], %f1;", "atom.global.min.noftz.f16 %rs9, [%rd10], %rs1;",
        "atom.global.add.v2.u32 {%r8, %r9}, [%rd10], {%r1, %r2};",
        "redux.sync.add.f32 %f9, %f1, -1;", "redux.sync.min.NaN.s32 %r9, %r1, -1;", "vote.sync.all.b32 %p1, %p2, -1;", "shfl.up.b32 %r9, %r1, 1, 0;",
        "bar.sync.aligned 0;", "bar.red.popc.aligned.u32 %r9, 0, %p1;", "fence.gl;", "fence.sc;", "membar.gpu;", "activemask.u32 %r9;",
        "griddepcontrol.start;", "prefetch.shared.L1 [%r1];", "prefetchu.L2 [%rd10];", "nanosleep.u64 %rd1;", "exit.uni;",
        "createpolicy.fractional.L2::evict_last.L2::evict_normal.b64 %rd9, 0.5;",
        "vadd2.u32.u32.u32.sat.add %r9, %r1, %r2, %r3;", "vshl.u32.u32.s32.clamp %r9, %r1, %r2;", "vset.u32.u32.lt.sat %r9, %r1, %r2;",
        "vmad.s32.s32.s32.po %r9, -%r1, %r2, %r3;", "vadd4.u32.u32.u32 %r9.b01, %r1, %r2, %r3;", "vavrg.u32.u32.u32 %r9, %r1, %r2;",
        "add.rn.sat.f32x2 %rd9, %rd1, %rd2;", "fma.f32x2 %rd9, %rd1, %rd2, %rd3;", "mul.f32.f16 %f9, %rs1, %f2;",
    ];
    for body in wrong {
        let fault = compute(body, [0; 3], false).unwrap_err();
        assert_eq!(fault.kind, ptx_emulator::FaultKind::Unsupported, "{body}: {fault}");
        assert!(fault.line > 4 && fault.message.contains('`'), "{fault:?}");
    }
    for body in [
        "vadd.u32.u32.u32.add %r9.b0, %r1, %r2, %r3;",
        "vadd4.u32.u32.u32 %r9, %r1, %r2;",
        "pmevent 16;",
        "discard.global.L2 [%rd10], 64;",
        "bar.sync 1, 33;",
        "mov.b64 {%r1, %r2, %r3}, %rd1;",
    ] {
        let fault = compute(body, [0; 3], false).unwrap_err();
        assert_eq!(fault.kind, ptx_emulator::FaultKind::Parse, "{body}: {fault}");
    }
}

/// Without a mask, as compilers before CUDA 9 wrote them, they involve the lanes that execute them together: here one
/// side of a branch.
#[test]
fn shuffles_and_votes_without_sync_are_between_the_lanes_that_come_together() -> Result<(), Fault> {
    let text = |version: &str, target: &str| {
        format!(
            ".version {version}\n.target {target}\n.address_size 64\n.visible .entry k(.param .u64 out)\n{{\n\
            .reg .b64 %rd<4>; .reg .b32 %r<9>; .reg .pred %p<4>;\n\
            ld.param.u64 %rd1, [out]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd2, %r1, 8; add.u64 %rd1, %rd1, %rd2;\n\
            setp.lt.u32 %p1, %r1, 12; setp.eq.u32 %p2, %r1, 3;\n\
            @%p1 bra LOW;\n\
            shfl.idx.b32 %r2, %r1, 20, 31; vote.ballot.b32 %r3, %p2; bra DONE;\n\
            LOW: shfl.bfly.b32 %r2|%p3, %r1, 1, 31; vote.any.pred %p2, %p2; selp.u32 %r3, 7, 9, %p2;\n\
            DONE: st.global.v2.u32 [%rd1], {{%r2, %r3}}; ret;\n}}\n"
        )
    };
    for (version, target) in [("6.0", "sm_60"), ("8.0", "sm_61"), ("6.3", "sm_70")] {
        let kernel = Module::parse(&text(version, target))?.kernel("k")?;
        let mut memory = Memory::new();
        let out = memory.add("out", &[0; 256]);
        let launch = Launch { grid: [1; 3], block: [32, 1, 1], args: vec![Arg::Buffer(out)], ..Launch::default() };
        run(&kernel, &launch, &mut memory, &Options::default(), &Control::default())?;
        let wanted: Vec<u8> = (0..32u32)
            .flat_map(|lane| if lane < 12 { [lane ^ 1, 7] } else { [20, 0] })
            .flat_map(u32::to_le_bytes)
            .collect();
        assert_eq!(memory.read(out), wanted, "{version}, {target}");
    }
    let fault = Module::parse(&text("8.0", "sm_90a")).and_then(|module| module.kernel("k")).unwrap_err();
    assert_eq!((fault.line, fault.message.contains("shfl.idx.b32` without `.sync`")), (10, true), "{fault}");
    Ok(())
}

#[test]
fn instructions_without_effect_are_accepted() {
    for body in [
        "prefetch.global.L2::evict_last [%rd10]; prefetch.local.L1 [%rd10]; prefetchu.L1 [%rd10]; applypriority.global.L2::evict_normal [%rd10], 128;",
        "discard.L2 [%rd10], 128; pmevent 3; pmevent.mask 0x21; nanosleep.u32 100; griddepcontrol.wait; griddepcontrol.launch_dependents;",
        "createpolicy.fractional.L2::evict_last.L2::evict_unchanged.b64 %rd4, 0.25; ld.global.L2::cache_hint.u32 %r8, [%rd10], %rd4;",
        "createpolicy.range.global.L2::evict_first.b64 %rd4, [%rd10], 64, %r1; st.global.L1::no_allocate.L2::cache_hint.u32 [%rd10], %r1, %rd4;",
        "ld.global.L1::evict_last.L2::128B.v2.u32 {%r7, %r8}, [%rd10]; ld.mmio.relaxed.sys.global.u32 %r8, [%rd10].unified;",
        "fence.cluster; fence.acquire.gpu; fence.cta.sc; membar.cta; .pragma \"nounroll\";",
    ] {
        assert_eq!(compute(&format!("{body} add.u32 %r9, %r1, 1;"), [6, 0, 0], false), Ok(7), "{body}");
    }
}

#[test]
fn the_name_of_an_array_with_an_index_is_the_address_of_that_element() {
    let body = ".shared .align 8 .u64 wide[4]; .shared .u16 narrow[4]; mov.u64 %rd4, wide[3]; mov.u64 %rd5, wide;\n\
        sub.u64 %rd4, %rd4, %rd5; cvt.u32.u64 %r7, %rd4; st.shared.u16 narrow[2], 9; ld.shared.u16 %r8, [narrow+4];\n\
        shl.b32 %r7, %r7, 8; add.u32 %r9, %r7, %r8;";
    assert_eq!(compute(body, [0; 3], false), Ok(24 << 8 | 9));
    assert_eq!(compute("selp.b32 %r9, %r1, %r2, 1;", [6, 7, 0], false), Ok(6));
    assert_eq!(compute("selp.b32 %r9, %r1, %r2, 0;", [6, 7, 0], false), Ok(7));
}

/// ptxas refuses these too.
#[test]
fn a_version_is_a_number_an_array_has_an_extent_and_a_parameter_is_no_vector() {
    for (text, says) in [
        (".version WORD\n.target sm_90\n.address_size 64\n", "`WORD` is not a version"),
        (".version 8.0\n.target sm_90\n.address_size 64\n.global .u32 a[];\n", "`a` has no extent"),
        (".version 8.0\n.target sm_90\n.address_size 64\n.entry k(.param .v2 .f32 p) { ret; }", "cannot be a vector"),
    ] {
        let fault = Module::parse(text).unwrap_err();
        assert!(fault.kind == ptx_emulator::LoadErrorKind::Parse && fault.message.contains(says), "{fault:?}");
    }
    let text = ".version 8.0\n.target sm_90\n.address_size 64\n.extern .shared .u32 a[];\n.global .u32 b[] = {1, 2};\n";
    assert!(Module::parse(text).is_ok());
}

#[test]
fn syntax_errors_have_line_and_column() {
    for body in [
        "add.s32 %r9, %r1",
        "add.s32 %r9, %r1, %nope;",
        "add.s32 %r9, %rd1, %r2;",
        "bra NOWHERE;",
        "ld.global.u32 %r9, %r1;",
        "@%r1 mov.u32 %r9, 1;",
        "mov.u32 %r9, 0xzz;",
        "}",
    ] {
        let fault = compute(body, [0; 3], false).unwrap_err();
        assert_eq!(fault.kind, ptx_emulator::FaultKind::Parse, "{body}: {fault}");
        assert!(fault.line > 4 && fault.column > 0, "{fault:?}");
    }
}
