//! Calls that are not inlined: recursion, pointers, the device heap. The kernels of `tests/fixtures/calls` must give
//! the results of an H200.

use crate::divergence::measured;
use crate::racecheck::{launch, names};
use ptx_emulator::{self, Arg, Control, Fault, FaultKind, Launch, Measure, Memory, Module, Options, Run, Schedule};

/// Kernels that end in a fault: its kind, line and thread, and part of its message. On the H200, `compute-sanitizer`
/// reports the same lines and threads.
const FAULTS: [(&str, FaultKind, u32, u32, &str); 5] = [
    ("assertion", FaultKind::Assertion, 5, 13, "Assertion `depth < 100 || x == 1` failed"),
    ("heap_double_free", FaultKind::InvalidFree, 9, 9, "freed at heap_double_free.cu:8"),
    ("heap_past_the_end", FaultKind::OutOfBounds, 6, 5, "writes 4 bytes of the device heap: byte 40 of 40"),
    (
        "heap_use_after_free",
        FaultKind::OutOfBounds,
        8,
        7,
        "byte 28 of 40 that `malloc` gave at heap_use_after_free.cu:5",
    ),
    ("stack_overflow", FaultKind::StackOverflow, 5, 33, "calls `sink`, 10"),
];

fn options(schedule: Schedule, measure: Measure) -> Options {
    Options { schedule, measure, step_budget: Some(1 << 22), threads: Some(1), ..Options::default() }
}

#[test]
fn kernels_that_call_give_what_the_gpu_gives_in_every_schedule() {
    let mut compared = 0;
    for name in names("calls") {
        let kernel = name.split('.').next().unwrap();
        if FAULTS.iter().any(|(fault, ..)| *fault == kernel) {
            continue;
        }
        let expected = measured("calls", kernel);
        let backwards = Schedule::Priority(vec![1, 0]);
        for (schedule, measure) in [
            (Schedule::InOrder, Measure::None),
            (Schedule::InOrder, Measure::All),
            (Schedule::RoundRobin, Measure::None),
            (backwards, Measure::Counts),
        ] {
            let (found, run) = launch("calls", &name, &options(schedule.clone(), measure))
                .unwrap_or_else(|fault| panic!("{name}, {schedule:?}: {fault}"));
            assert_eq!(found[..expected.len()], expected, "{name}, {schedule:?}");
            assert!(run.hazards.is_empty(), "{name}: {:?}", run.hazards);
        }
        compared += 1;
    }
    assert!(compared >= 50, "{compared}");
}

#[test]
fn errors_in_calls_are_reported_at_their_line() {
    for (kernel, kind, line, thread, words) in FAULTS {
        for name in [kernel.to_owned(), format!("{kernel}.nvrtc13")] {
            let fault = launch("calls", &name, &options(Schedule::InOrder, Measure::None)).unwrap_err();
            assert_eq!((fault.kind, fault.line), (kind, line), "{name}: {fault}");
            assert_eq!(fault.thread, Some([thread, 0, 0]), "{name}: {fault}");
            assert!(fault.file.ends_with(&format!("{kernel}.cu")), "{name}: {}", fault.file);
            assert!(fault.message.contains(words), "{name}: {fault}");
        }
    }
}

/// Compares with the lines that the H200 printed, in any order of the lanes.
#[test]
fn lanes_at_different_depths_print_what_the_gpu_prints() {
    let path = format!("{}/fixtures/calls/printing_recursion.printed", env!("CARGO_MANIFEST_DIR"));
    let printed = std::fs::read_to_string(path).unwrap();
    let mut expected: Vec<&str> = printed.lines().collect();
    expected.sort_unstable();
    for name in ["printing_recursion", "printing_recursion.nvrtc13"] {
        let (_, run) = launch("calls", name, &options(Schedule::InOrder, Measure::None)).unwrap();
        let mut found: Vec<&str> = run.output.lines().collect();
        found.sort_unstable();
        assert_eq!(found, expected, "{name}");
    }
}

const HEADER: &str = ".version 8.0\n.target sm_90\n.address_size 64\n\
    .extern .func (.param .b64 r) malloc(.param .b64 n);\n.extern .func free(.param .b64 p);\n";

/// Runs `k(.param .u64 out)` with eight words of `out`, several times on one memory.
fn runs(text: &str, threads: u32, options: &Options, times: usize) -> Result<(Vec<u64>, Run), Fault> {
    let kernel = Module::parse(&format!("{HEADER}{text}"))?.kernel("k")?;
    let mut memory = Memory::new();
    let out = memory.add("out", &[0; 64]);
    let launch = Launch { grid: [1, 1, 1], block: [threads, 1, 1], args: vec![Arg::Buffer(out)], ..Launch::default() };
    let mut last = Run::default();
    for _ in 0..times {
        last = ptx_emulator::run(&kernel, &launch, &mut memory, options, &Control::default())?;
    }
    let words = memory.read(out).chunks_exact(8).map(|b| u64::from_le_bytes(b.try_into().unwrap()));
    Ok((words.collect(), last))
}

fn kernel(body: &str) -> String {
    format!(
        ".visible .entry k(.param .u64 out)\n{{\n.reg .b64 %rd<9>; .reg .b32 %r<9>; .reg .pred %p<3>;\n\
        ld.param.u64 %rd1, [out]; mov.u32 %r1, %tid.x;\n{body}\nret;\n}}\n"
    )
}

/// Returns PTX for `%rd2 = malloc(bytes)`.
fn malloc(bytes: u64) -> String {
    format!(
        "{{ .param .b64 n; st.param.b64 [n], {bytes}; .param .b64 r; call.uni (r), malloc, (n); ld.param.b64 %rd2, [r]; }}"
    )
}

const FREE: &str = "{ .param .b64 p; st.param.b64 [p], %rd2; call.uni free, (p); }";

#[test]
fn a_full_heap_gives_null() {
    // 32 threads each request 300 KiB of 8 MiB; 27 succeed.
    let text = kernel(&format!(
        "{} setp.ne.u64 %p1, %rd2, 0; selp.u64 %rd3, 1, 0, %p1; atom.global.add.u64 %rd4, [%rd1], %rd3;",
        malloc(300 << 10)
    ));
    assert_eq!(runs(&text, 32, &Options::default(), 1).unwrap().0[0], 27);
    // Memory that is not freed stays allocated in the next launch.
    assert_eq!(runs(&text, 32, &Options::default(), 2).unwrap().0[0], 27);
    let large = Options { heap_bytes: Some(64 << 20), ..Options::default() };
    assert_eq!(runs(&text, 32, &large, 1).unwrap().0[0], 32);
    // Freed memory is available again.
    let text = text.replace("ret;", &format!("{FREE}\nret;"));
    assert_eq!(runs(&text, 8, &Options::default(), 10).unwrap().0[0], 80);
}

#[test]
fn threads_race_on_the_heap_but_not_with_earlier_owners_of_their_memory() {
    let options =
        Options { measure: Measure::All, global_hazards: true, heap_bytes: Some(1 << 10), ..Options::default() };
    // Each thread has 16 of 32 bytes. In the second round, half of the threads get the memory that others had.
    let round = format!("{} st.u32 [%rd2], %r1; ld.u32 %r2, [%rd2]; {FREE}", malloc(16));
    let text = kernel(&format!("{round} and.b32 %r3, %r1, 1; setp.eq.u32 %p1, %r3, 0; @%p1 ret;\n{round}"));
    assert_eq!(runs(&text, 32, &options, 2).unwrap().1.hazards, []);
    // All threads share the memory of the first one.
    let text = kernel(&format!(
        "setp.ne.u32 %p1, %r1, 0; @%p1 bra L;\n{} st.u64 [%rd1], %rd2;\nL: bar.sync 0; ld.u64 %rd2, [%rd1]; st.u32 [%rd2], %r1;",
        malloc(16)
    ));
    let hazards = runs(&text, 64, &options, 1).unwrap().1.hazards;
    assert_eq!(hazards.iter().map(|hazard| hazard.buffer.as_deref()).collect::<Vec<_>>(), [Some("device heap")]);
}

#[test]
fn a_launch_finds_what_an_earlier_one_left_on_the_heap() {
    let text = kernel(&format!(
        "ld.global.u64 %rd2, [%rd1]; setp.ne.u64 %p1, %rd2, 0; @%p1 bra AGAIN;\n{}\n\
        st.global.u64 [%rd1], %rd2; st.u32 [%rd2+4], 77; ret;\nAGAIN: ld.u32 %r2, [%rd2+4]; st.global.u32 [%rd1+8], %r2;\n{FREE}",
        malloc(8)
    ));
    assert_eq!(runs(&text, 1, &Options::default(), 2).unwrap().0[1], 77);
    let fault = runs(&text, 1, &Options::default(), 3).unwrap_err();
    assert_eq!(fault.kind, FaultKind::OutOfBounds);
    assert!(fault.message.contains("byte 4 of 8 that `malloc` gave at PTX line 11"), "{fault}");
    assert!(fault.message.contains("that were freed at PTX line 14"), "{fault}");
}

#[test]
fn reading_uninitialised_heap_memory_is_a_fault() {
    let text = kernel(&format!("{} st.u32 [%rd2+8], 1; ld.u64 %rd3, [%rd2+8]; ld.u32 %r2, [%rd2+4];", malloc(16)));
    let fault = runs(&text, 1, &Options::default(), 1).unwrap_err();
    assert_eq!(fault.kind, FaultKind::Uninitialised);
    assert!(fault.message.contains("reads bytes that have not been written: byte 4 of 16"), "{fault}");
    let text = kernel(&format!("mov.u64 %rd2, %rd1;\n{FREE}"));
    let fault = runs(&text, 1, &Options::default(), 1).unwrap_err();
    assert_eq!(fault.kind, FaultKind::InvalidFree);
    assert!(fault.message.contains("that is not from `malloc`, at byte 0 of buffer `out`"), "{fault}");
}

/// A recursive function with a register parameter and result, and with a local variable and a predicate that are live
/// across the call.
const SUM: &str = ".func (.reg .u32 r) sum(.reg .u32 n)\n{ .local .align 4 .b8 v[4]; .reg .u32 %a<4>; .reg .pred %q;\n\
    st.local.u32 [v], n; setp.eq.u32 %q, n, 0; mov.u32 r, 0; @%q bra OUT; sub.u32 %a1, n, 1; setp.gt.u32 %q, n, 3;\n\
    call (%a2), sum, (%a1); ld.local.u32 %a3, [v]; add.u32 r, %a2, %a3; @%q add.u32 r, r, 100;\nOUT: ret; }\n";

#[test]
fn functions_with_register_parameters_recurse() {
    let text = format!(
        "{SUM}{}",
        kernel("mad.wide.u32 %rd1, %r1, 8, %rd1; call (%r2), sum, (%r1); st.global.u32 [%rd1], %r2;")
    );
    let (words, run) = runs(&text, 8, &Options::default(), 1).unwrap();
    let expected: Vec<u64> = (0..8u64).map(|n| n * (n + 1) / 2 + 100 * n.saturating_sub(3)).collect();
    assert_eq!(words, expected);
    // The warp calls once for each depth (0 to 7) that any of its lanes reaches, with the lanes at that depth.
    let counted = Options { measure: Measure::Counts, ..Options::default() };
    let (_, counts) = runs(&text, 8, &counted, 1).unwrap();
    assert_eq!(counts.stats.warp_instructions, run.stats.warp_instructions);
    let lines = counts.counts.unwrap().lines;
    let stores: Vec<u64> =
        lines.iter().filter(|l| l.op == "st.local" && l.place.ptx_line == 8).map(|l| l.requests).collect();
    assert_eq!(stores, [8]);
}

#[test]
fn the_stack_may_be_larger_or_smaller() {
    let deep = |n: u32| format!("{SUM}{}", kernel(&format!("call (%r2), sum, ({n}); st.global.u32 [%rd1], %r2;")));
    let with = |bytes| Options { stack_bytes: Some(bytes), ..Options::default() };
    assert_eq!(runs(&deep(20), 1, &with(1024), 1).unwrap().0[0], 210 + 1700);
    let fault = runs(&deep(60), 1, &with(1024), 1).unwrap_err();
    assert_eq!((fault.kind, fault.line), (FaultKind::StackOverflow, 9));
    assert!(fault.message.contains("calls deep, which takes"), "{fault}");
    assert!(fault.message.contains("its stack of 1024 has no more"), "{fault}");
    assert_eq!(runs(&deep(10_000), 1, &with(1 << 20), 1).unwrap().0[0], 50_005_000 + 999_700);
    let fault = runs(&deep(1), 1, &with(1 << 30), 1).unwrap_err();
    assert_eq!(fault.kind, FaultKind::Launch);
}

#[test]
fn a_variable_ends_with_its_call() {
    let text = format!(
        ".func (.param .b64 r) leak(.param .b32 n)\n{{ .local .align 4 .b8 v[4]; .reg .b64 %a; .reg .b32 %n; .reg .pred %q;\n\
        ld.param.u32 %n, [n]; setp.eq.u32 %q, %n, 9; @%q call (r), leak, (n); mov.u64 %a, v; cvta.local.u64 %a, %a;\n\
        st.u32 [%a], 5; st.param.b64 [r], %a; ret; }}\n{}",
        kernel(
            "{ .param .b32 n; st.param.b32 [n], 1; .param .b64 r; call (r), leak, (n); ld.param.b64 %rd2, [r]; }\n\
            ld.u32 %r2, [%rd2]; st.global.u32 [%rd1], %r2;"
        )
    );
    let fault = runs(&text, 1, &Options::default(), 1).unwrap_err();
    assert_eq!(fault.kind, FaultKind::OutOfBounds);
    assert!(fault.message.contains("of its local memory, which has"), "{fault}");
    assert!(fault.message.contains("for its current calls"), "{fault}");
}

#[test]
fn pointers_that_lead_to_no_fitting_function_are_found() {
    let text = |address: &str| {
        format!(
            ".extern .func pure();\n.func other(.param .b32 a) {{ ret; }}\n.func fits() {{ ret; }}\n\
            .global .u64 table[3] = {{pure, other, fits}};\n{}",
            kernel(&format!("{address}\nproto: .callprototype _ ();\ncall %rd2, (), proto;"))
        )
    };
    runs(&text("ld.global.u64 %rd2, [table+16];"), 1, &Options::default(), 1).unwrap();
    for (address, words) in [
        ("mov.u64 %rd2, 0;", "calls a function through a null pointer"),
        ("mov.u64 %rd2, 4660;", "through an invalid pointer, 0x1234"),
        ("ld.global.u64 %rd2, [table];", "calls `pure` through a pointer: it has no body"),
        (
            "ld.global.u64 %rd2, [table+8];",
            "calls `other` through a pointer: it has no body in this text, or other parameters",
        ),
    ] {
        let fault = runs(&text(address), 1, &Options::default(), 1).unwrap_err();
        assert!(fault.message.contains(words), "{fault}");
        assert_eq!(fault.line, 16, "{fault}");
    }
}

#[test]
fn invalid_calls_are_refused_at_load() {
    for (text, words) in [
        (
            ".extern .func (.param .b32 r) cudaLaunchDeviceV2(.param .b64 a, .param .b64 b);\n",
            "Line 12, column 1: the emulator does not support `cudaLaunchDeviceV2`: kernels that launch kernels",
        ),
        (
            ".func f(.param .b32 n, .param .align 8 .b8 rest[]) { .reg .b32 %n; .param .b32 m; .param .align 8 .b8 q[8];\n\
            call f, (m, q); ret; }\n",
            "variable number of arguments, that is recursive or through a pointer",
        ),
    ] {
        let call = match text.contains("cudaLaunch") {
            true => "{ .param .b64 a; .param .b64 b; .param .b32 r;\ncall (r), cudaLaunchDeviceV2, (a, b); }",
            false => "{ .param .b32 a; .param .align 8 .b8 b[8];\ncall f, (a, b); }",
        };
        let fault = runs(&format!("{text}{}", kernel(call)), 1, &Options::default(), 1).unwrap_err();
        assert_eq!(fault.kind, FaultKind::Unsupported);
        assert!(fault.message.contains(words), "{fault}");
    }
}
