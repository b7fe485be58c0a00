//! Directives: some have an effect, which is checked; the others are ignored.

use ptx_emulator::{Arg, Control, Fault, FaultKind, Launch, Memory, Module, Options, run};

const HEADER: &str = ".version 8.3\n.target sm_90\n.address_size 64\n";

/// Returns the first eight bytes that the kernel `k` leaves in its only parameter.
fn give(text: &str, block: [u32; 3], cluster: Option<[u32; 3]>) -> Result<u64, Fault> {
    let kernel = Module::parse(&format!("{HEADER}{text}"))?.kernel("k")?;
    let mut memory = Memory::new();
    let out = memory.add("out", &[0; 8]);
    let launch = Launch { grid: [4, 1, 1], block, args: vec![Arg::Buffer(out)], ..Launch::default() };
    run(&kernel, &launch, &mut memory, &Options { cluster, ..Options::default() }, &Control::default())?;
    let mut bytes = [0; 8];
    bytes.copy_from_slice(memory.read(out));
    Ok(u64::from_le_bytes(bytes))
}

const STORE: &str = "{ .reg .b64 %x<9>; .reg .b32 %r<9>; ld.param.u64 %x1, [out];";

#[test]
fn directives_that_change_no_value_are_read_over() {
    let text = format!(
        ".file 1 \"a.cu\", 12, 34\n.section .debug_abbrev {{ .b8 1,2,3\n.b32 4 }}\n.pragma \"nounroll\";\n\
        .common .global .u32 zero;\n.global .attribute(.managed) .align 4 .u32 seven = 7;\n\
        .attribute(.unified(19,95)) .global .u32 three = 3;\n\
        .weak .func .attribute(.unified(1, 2)) (.reg .b32 %d) f (.reg .b32 %a) .abi_preserve 8 .abi_preserve_control 2\n\
        {{ add.u32 %d, %a, 1; ret; }}\n\
        .weak .entry k(.param .u64 .ptr .global .align 8 out) .maxntid 128 .minnctapersm 2 .maxnreg 64\n\
        {STORE} .pragma \"nounroll\"; .loc 1 2 3\n ld.global.u32 %r1, [seven]; ld.global.u32 %r2, [three]; ld.global.u32 %r3, [zero];\n\
        call (%r4), f, (%r1); mad.lo.u32 %r5, %r4, %r2, %r3; st.global.u32 [%x1], %r5; ret; }}"
    );
    assert_eq!(give(&text, [32, 1, 1], None), Ok(24));
}

#[test]
fn an_alias_is_the_function_that_it_names() {
    let text = format!(
        ".func (.reg .b32 %d) g (.reg .b32 %a);\n.func (.reg .b32 %d) f (.reg .b32 %a) {{ mul.lo.u32 %d, %a, 3; ret; }}\n\
        .alias g, f;\n.visible .entry k(.param .u64 out)\n{STORE} mov.u32 %r1, 5; call (%r2), g, (%r1); st.global.u32 [%x1], %r2; ret; }}"
    );
    assert_eq!(give(&text, [1; 3], None), Ok(15));
    let fault = give(".alias g, f;\n.visible .entry k(.param .u64 out) { ret; }", [1; 3], None).unwrap_err();
    assert_eq!((fault.kind, fault.line), (FaultKind::Parse, 4));
}

#[test]
fn an_address_may_be_spread_over_bytes() {
    // NVRTC writes a packed structure like this: a character, a pointer, a number.
    let bytes: Vec<String> = (0..8).map(|at| format!("0X{:X}(generic(target)+8)", 0xffu64 << (8 * at))).collect();
    let text = format!(
        ".global .align 4 .b8 target[16] = {{1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 4}};\n\
        .global .align 1 .u8 one[11] = {{120, {}, 253, 255}};\n.visible .entry k(.param .u64 out)\n\
        {STORE} .reg .b16 %h<3>; mov.u64 %x2, one; mov.u64 %x3, 0; mov.u32 %r1, 8;\n\
        L: ld.global.u8 %x4, [%x2+8]; shl.b64 %x3, %x3, 8; or.b64 %x3, %x3, %x4; sub.u64 %x2, %x2, 1; sub.u32 %r1, %r1, 1;\n\
        .reg .pred %p; setp.ne.u32 %p, %r1, 0; @%p bra L;\n\
        ld.u32 %r2, [%x3]; ld.global.u8 %r3, [one]; ld.global.s8 %r4, [one+9]; add.u32 %r2, %r2, %r3; add.u32 %r2, %r2, %r4;\n\
        st.global.u32 [%x1], %r2; ret; }}",
        bytes.join(", ")
    );
    assert_eq!(give(&text, [1; 3], None), Ok(3 + 120 - 3));
    let wrong = ".global .u32 a;\n.global .u8 b[2] = { 0xff0(a), 1 };\n.visible .entry k(.param .u64 out) { ret; }";
    assert_eq!(give(wrong, [1; 3], None).unwrap_err().kind, FaultKind::Unsupported);
}

#[test]
fn a_launch_has_the_extents_that_the_kernel_asks_for() {
    let kernel = |directives: &str| {
        format!(
            ".visible .entry k(.param .u64 out) {directives}\n{STORE} mov.u32 %r1, 9; st.global.u32 [%x1], %r1; ret; }}"
        )
    };
    let cases = [
        (".reqntid 16, 2", [16, 2, 1], None, true),
        (".reqntid 16, 2", [32, 1, 1], None, false),
        (".maxntid 16, 2", [32, 1, 1], None, true),
        (".maxntid 16, 2", [33, 1, 1], None, false),
        (".reqnctapercluster 2", [32, 1, 1], None, true),
        (".reqnctapercluster 2 .explicitcluster", [32, 1, 1], Some([2, 1, 1]), true),
        (".reqnctapercluster 2", [32, 1, 1], Some([4, 1, 1]), false),
        (".maxclusterrank 2", [32, 1, 1], Some([2, 1, 1]), true),
        (".maxclusterrank 2", [32, 1, 1], Some([4, 1, 1]), false),
    ];
    for (directives, block, cluster, fits) in cases {
        let found = give(&kernel(directives), block, cluster);
        match found {
            Ok(value) => assert!(fits && value == 9, "{directives} {block:?} {cluster:?}"),
            Err(fault) => assert!(!fits && fault.kind == FaultKind::Launch, "{directives} {block:?}: {fault}"),
        }
    }
}

#[test]
fn directives_that_are_not_known_are_refused() {
    for text in [
        ".visible .entry k(.param .u64 out) .reqntid 32 .reqnctapercluster 2 .blocksareclusters { ret; }",
        ".visible .entry k(.param .u64 out) { .reg .b32 %f<7>; tex.2d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [t, {%f5, %f6}]; ret; }\n\
        .global .texref t;",
        ".global .attribute(.frozen) .u32 x;\n.visible .entry k(.param .u64 out) { ret; }",
    ] {
        let fault = give(text, [32, 1, 1], None).unwrap_err();
        assert_eq!((fault.kind, fault.line), (FaultKind::Unsupported, 4), "{text}: {fault}");
    }
}
