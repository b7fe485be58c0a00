//! PTX that old compilers wrote: vector registers, registers and local memory outside functions, predicates as
//! results, code for the first devices. The emulator refuses what ptxas 12.9 refuses.

use ptx_emulator::{Arg, Control, Fault, FaultKind, Launch, LoadErrorKind, Memory, Module, Options, run};

const NEW: &str = ".version 8.0\n.target sm_80\n.address_size 64\n";
const OLD: &str = ".version 2.3\n.target sm_20\n.address_size 64\n";
const FIRST: &str = ".version 1.4\n.target sm_10\n";

/// Registers of a kernel, and its parameter in `%x1`.
const BODY: &str = "{ .reg .b32 %r<9>; .reg .b64 %x<9>; .reg .f32 %f<9>; .reg .pred %p<4>; ld.param.u64 %x1, [out];\n";

/// Runs `k` on four words and returns their new values.
fn words(header: &str, before: &str, body: &str, words: [u32; 4]) -> Result<[u32; 4], Fault> {
    let text = format!("{header}{before}\n.visible .entry k(.param .u64 out)\n{BODY}{body}\nret; }}\n");
    let kernel = Module::parse(&text)?.kernel("k")?;
    let mut memory = Memory::new();
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    let out = memory.add("out", &bytes);
    let launch = Launch { grid: [1; 3], block: [1; 3], args: vec![Arg::Buffer(out)], ..Launch::default() };
    run(&kernel, &launch, &mut memory, &Options::default(), &Control::default())?;
    Ok(std::array::from_fn(|at| u32::from_le_bytes(memory.read(out)[4 * at..4 * at + 4].try_into().unwrap())))
}

#[test]
fn registers_may_be_vectors() {
    let all = [10, 20, 30, 40];
    let cases = [
        // Whole vectors in loads, stores and moves; single elements elsewhere.
        (
            ".reg .v4 .u32 %v; ld.global.v4.u32 %v, [%x1]; add.u32 %v.x, %v.y, %v.w; st.global.v4.u32 [%x1], %v;",
            [60, 20, 30, 40],
        ),
        (
            ".reg .v4 .u32 %v; ld.global.v4.u32 %v, [%x1]; sub.u32 %v.b, %v.a, %v.g; st.global.u32 [%x1], %v.z;",
            [20, 20, 30, 40],
        ),
        (".reg .v2 .u32 %v; ld.global.v2.u32 %v, [%x1]; st.global.v2.u32 [%x1+8], {%v.y, %v.x};", [10, 20, 20, 10]),
        (
            ".reg .v2 .u32 %v; ld.global.v2.u32 %v, [%x1]; mov.v2.u32 %v, {%v.y, %v.x}; st.global.v2.u32 [%x1], %v;",
            [20, 10, 30, 40],
        ),
        (
            ".reg .v2 .u32 %v, %w; ld.global.v2.u32 %v, [%x1]; mov.v2.u32 %w, %v; st.global.v2.u32 [%x1+8], %w;",
            [10, 20, 10, 20],
        ),
        (
            ".reg .v2 .b32 %v; ld.global.u64 %x2, [%x1+8]; mov.b64 %v, %x2; st.global.v2.b32 [%x1], %v;",
            [30, 40, 30, 40],
        ),
        (
            ".reg .v2 .b32 %v; ld.global.v2.b32 %v, [%x1+8]; mov.b64 %x2, %v; st.global.u64 [%x1], %x2;",
            [30, 40, 30, 40],
        ),
        (".reg .v2 .u64 %v; ld.global.v2.u64 %v, [%x1]; st.global.u64 [%x1], %v.y;", [30, 40, 30, 40]),
        (
            ".reg .v4 .u8 %v; ld.global.v4.u8 %v, [%x1+12]; cvt.u32.u8 %r1, %v.x; st.global.u32 [%x1], %r1;",
            [40, 20, 30, 40],
        ),
        // Families of vectors; a declaration ends with its scope.
        (".reg .v2 .u32 %v<3>; ld.global.v2.u32 %v2, [%x1]; st.global.u32 [%x1], %v2.y;", [20, 20, 30, 40]),
        (
            ".reg .u32 %v; mov.u32 %v, 7; { .reg .v2 .u32 %v; mov.u32 %v.x, 8; } st.global.u32 [%x1], %v;",
            [7, 20, 30, 40],
        ),
        (".reg .v4 .u32 %v; mov.v4.u32 %v, %ntid; st.global.v4.u32 [%x1], %v;", [1, 1, 1, 0]),
    ];
    for (body, expected) in cases {
        assert_eq!(words(NEW, "", body, all), Ok(expected), "{body}");
    }
    let swap = ".func (.reg .v2 .u32 %q) swap(.reg .v2 .u32 %a) { mov.v2.u32 %q, {%a.y, %a.x}; ret; }";
    let body = ".reg .v2 .u32 %v, %w; ld.global.v2.u32 %v, [%x1]; call (%w), swap, (%v); st.global.v2.u32 [%x1], %w;";
    assert_eq!(words(NEW, swap, body, all), Ok([20, 10, 30, 40]));
    for refused in [
        ".reg .v8 .f32 %v;",
        ".reg .v4 .u64 %v;",
        ".reg .v2 .pred %v;",
        ".reg .v3 .f32 %v;",
        ".reg .v2 .u32 %v; mov.u32 %r1, %v.z;",
        ".reg .v2 .u32 %v; add.u32 %v, %v, %v;",
        ".reg .v4 .u32 %v; ld.global.v2.u32 %v, [%x1];",
        ".reg .v2 .u64 %v; mov.u64 %v.x, %x1; st.global.u64 [%v.x], %v.x;",
        ".reg .f32 %v; mov.f32 %f1, %v.x;",
    ] {
        assert!(words(NEW, "", refused, all).is_err(), "{refused}");
    }
}

#[test]
fn a_function_may_give_and_take_predicates() {
    let function = ".func (.reg .pred %q) odd(.reg .u32 %a, .reg .pred %not)\n\
        { .reg .u32 %b; and.b32 %b, %a, 1; setp.ne.u32 %q, %b, 0; xor.pred %q, %q, %not; ret; }";
    let body = |not: &str| {
        format!(
            "ld.global.u32 %r1, [%x1]; setp.{not}.u32 %p2, %r1, %r1; call (%p1), odd, (%r1, %p2);\n\
            selp.u32 %r2, 5, 6, %p1; st.global.u32 [%x1], %r2;"
        )
    };
    for (word, not, expected) in [(3, "ne", 5), (4, "ne", 6), (3, "eq", 6), (4, "eq", 5)] {
        assert_eq!(words(NEW, function, &body(not), [word, 0, 0, 0]).map(|words| words[0]), Ok(expected));
    }
}

#[test]
fn ptx_before_3_allows_registers_and_local_memory_outside_functions() {
    let before = ".reg .u32 %g;\n.local .u32 a[2];\n\
        .func f { .reg .u32 %q; mov.u32 %g, 7; ld.local.u32 %q, [a+4]; add.u32 %q, %q, 1; st.local.u32 [a], %q; ret; }";
    let body =
        "mov.u32 %r1, 4; st.local.u32 [a+4], %r1; call f; ld.local.u32 %r2, [a]; st.global.v2.u32 [%x1], {%g, %r2};";
    assert_eq!(words(OLD, before, body, [0; 4]), Ok([7, 5, 0, 0]));
    for before in [".reg .u32 %g;", ".local .u32 a;"] {
        let fault = words(NEW, before, "", [0; 4]).unwrap_err();
        assert_eq!((fault.kind, fault.line), (FaultKind::Parse, 4), "{before}");
    }
}

/// They treat the smallest subnormal number as zero, `mad.f32` is `fma.rn.ftz.f32`, and divisions in early PTX are
/// approximate.
#[test]
fn texts_for_the_first_devices_flush_subnormal_numbers() {
    let f = |value: f32| value.to_bits();
    let load = "ld.global.f32 %f1, [%x1]; ld.global.f32 %f2, [%x1+4]; ld.global.f32 %f3, [%x1+8];";
    let one = |header: &str, op: &str, given: [u32; 4]| {
        words(header, "", &format!("{load} {op} st.global.f32 [%x1], %f4;"), given).map(|words| words[0])
    };
    let tiny = [1, 1, 1, 0];
    for (op, kept) in [
        ("add.f32 %f4, %f1, %f2;", 2),
        ("min.f32 %f4, %f1, %f2;", 1),
        ("abs.f32 %f4, %f1;", 1),
        ("cvt.sat.f32.f32 %f4, %f1;", 1),
        ("setp.gt.f32 %p1, %f1, 0f00000000; selp.f32 %f4, 0f3F800000, 0f00000000, %p1;", f(1.0)),
    ] {
        assert_eq!((one(FIRST, op, tiny), one(OLD, op, tiny)), (Ok(0), Ok(kept)), "{op}");
    }
    // (1 + 2⁻¹²)² − 1 differs if the product is rounded.
    let given = [f(1.0 + 1.0 / 4096.0), 0, f(-1.0), 0];
    let fused = f((1.0f32 + 1.0 / 4096.0).mul_add(1.0 + 1.0 / 4096.0, -1.0));
    for header in [FIRST, OLD] {
        assert_eq!(one(header, "mad.f32 %f4, %f1, %f1, %f3;", given), Ok(fused), "{header}");
    }
    assert_eq!(one(FIRST, "mad.sat.f32 %f4, %f1, %f1, %f1;", given), Ok(f(1.0)));
    assert!(one(NEW, "mad.f32 %f4, %f1, %f1, %f3;", given).is_err());
    let (third, eight) = (one(OLD, "div.approx.ftz.f32 %f4, %f1, %f2;", [f(1.0), f(3.0), 0, 0]), [f(8.0), 0, 0, 0]);
    let text = format!(
        ".version 1.3\n.target sm_10\n.entry k {{ .param .u64 out; {} {load} div.f32 %f4, %f1, %f2; st.global.f32 [%x1], %f4; exit; }}",
        &BODY[1..]
    );
    assert!(Module::parse(&text).unwrap().kernel("k").is_ok());
    let older = FIRST.replace("1.4", "1.3");
    assert_eq!(one(&older, "div.f32 %f4, %f1, %f2;", [f(1.0), f(3.0), 0, 0]), third);
    assert_eq!(one(&older, "lg2.f32 %f4, %f1;", eight), Ok(f(3.0)));
    assert!(one(FIRST, "div.f32 %f4, %f1, %f2;", eight).is_err());
}

#[test]
fn missing_extents_and_versions_are_refused_as_by_ptxas() {
    let kernel = |params: &str, body: &str| format!(".visible .entry k({params}) {{ {body} ret; }}\n");
    for (before, params, body) in [
        (".global .u32 a[];", "", ""),
        (".const .u32 a[];", "", ""),
        (".shared .u32 a[];", "", ""),
        (".global .u32 a[0];", "", ""),
        (".shared .u32 a = 4;", "", ""),
        ("", "", ".shared .u32 a[];"),
        ("", "", ".local .u32 a[];"),
        ("", "", ".local .u32 a[0];"),
        ("", "", ".param .b8 a[];"),
        ("", "", ".local .u32 a = 4;"),
        ("", ".param .b8 a[]", ""),
        ("", ".param .b8 a[0]", ""),
        ("", ".param .v2 .u32 a", ""),
        (".func f(.param .v2 .u32 a) { ret; }", "", ""),
        ("", "", ".param .v2 .u32 a;"),
    ] {
        let fault = Module::parse(&format!("{NEW}{before}\n{}", kernel(params, body))).unwrap_err();
        let line = if before.is_empty() { 5 } else { 4 };
        assert_eq!((fault.kind, fault.line), (LoadErrorKind::Parse, line), "{before}{params}{body}: {fault}");
    }
    for version in ["WORD", "8", "8.x", ".8", ""] {
        let text = format!(".version {version}\n.target sm_80\n{}", kernel("", ""));
        assert_eq!(Module::parse(&text).unwrap_err().kind, LoadErrorKind::Parse, "{version}");
    }
    // An external array has no size here; only kernels that use it are refused.
    let external = format!("{NEW}.extern .global .u32 a[];\n{}", kernel("", ""));
    assert!(Module::parse(&external).unwrap().kernel("k").is_ok());
    let rows = ".global .u32 a[][2] = {{1, 2}, {3, 4}};";
    assert_eq!(words(NEW, rows, "ld.global.u32 %r1, [a+12]; st.global.u32 [%x1], %r1;", [0; 4]), Ok([4, 0, 0, 0]));
}
