//! Calls with register parameters, pointers and guards; printing and assertions.

use ptx_emulator::{Arg, Control, Fault, FaultKind, Launch, Memory, Module, Options, Run, run};

const HEADER: &str = ".version 8.0\n.target sm_90\n.address_size 64\n";

/// Runs the kernel `k(.param .u64 out)` of `text` with `threads` threads, each with four words of `out`.
fn launch(text: &str, threads: u32) -> Result<(Vec<u32>, Run), Fault> {
    let kernel = Module::parse(&format!("{HEADER}{text}"))?.kernel("k")?;
    let mut memory = Memory::new();
    let out = memory.add("out", &vec![0; 16 * threads as usize]);
    let launch = Launch { grid: [2, 1, 1], block: [threads, 1, 1], args: vec![Arg::Buffer(out)], ..Launch::default() };
    let run = run(&kernel, &launch, &mut memory, &Options::default(), &Control::default())?;
    let words = memory.read(out).chunks(4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]]));
    Ok((words.collect(), run))
}

/// Creates a kernel that holds its thread's index in %r1 and the address of the thread's words in %rd1.
fn kernel(body: &str) -> String {
    format!(
        ".visible .entry k(.param .u64 out)\n{{\n.reg .b64 %rd<9>; .reg .b32 %r<9>; .reg .f64 %fd<3>; .reg .pred %p<3>;\n\
        mov.u32 %r1, %tid.x; ld.param.u64 %rd1, [out]; mad.wide.u32 %rd1, %r1, 16, %rd1;\n{body}\nret;\n}}\n"
    )
}

#[test]
fn functions_take_and_give_registers() {
    let text = format!(
        ".func (.reg .u32 sum, .reg .u64 product) both(.reg .u32 a, .reg .u32 b)\n\
        {{ add.u32 sum, a, b; mul.wide.u32 product, a, b; ret; }}\n{}",
        kernel("call (%r2, %rd2), both, (%r1, 7); st.global.u32 [%rd1], %r2; st.global.u64 [%rd1+8], %rd2;")
    );
    let (words, _) = launch(&text, 4).unwrap();
    assert_eq!(words, [7, 0, 0, 0, 8, 0, 7, 0, 9, 0, 14, 0, 10, 0, 21, 0]);
}

#[test]
fn a_guarded_call_is_made_by_the_threads_whose_guard_holds() {
    let text = format!(
        ".func add_ten(.reg .u64 at) {{ .reg .u32 %a; ld.global.u32 %a, [at]; add.u32 %a, %a, 10; st.global.u32 [at], %a; ret; }}\n{}",
        kernel(
            // Each block has its own word, because blocks may run at the same time.
            "mov.u32 %r2, %ctaid.x; mad.wide.u32 %rd1, %r2, 4, %rd1;\n\
            st.global.u32 [%rd1], %r1; setp.gt.u32 %p1, %r1, 1; @!%p1 call add_ten, (%rd1);"
        )
    );
    let (words, _) = launch(&text, 4).unwrap();
    assert_eq!(words, [10, 10, 0, 0, 11, 11, 0, 0, 2, 2, 0, 0, 3, 3, 0, 0]);
}

#[test]
fn calls_through_a_table_of_pointers_reach_the_function_that_each_thread_means() {
    let text = format!(
        ".func (.param .b32 r) twice(.param .b32 a);\n\
        .global .align 8 .u64 table[3] = {{twice, square, generic(extra)}};\n.global .u32 extra = 5;\n\
        .func (.param .b32 r) twice(.param .b32 a) {{ .reg .u32 %a; ld.param.u32 %a, [a]; add.u32 %a, %a, %a; st.param.b32 [r], %a; ret; }}\n\
        .func (.param .b32 r) square(.param .b32 a) {{ .reg .u32 %a; ld.param.u32 %a, [a]; mul.lo.u32 %a, %a, %a; st.param.b32 [r], %a; ret; }}\n{}",
        kernel(
            "and.b32 %r2, %r1, 1; mul.wide.u32 %rd2, %r2, 8; mov.u64 %rd3, table; add.u64 %rd2, %rd2, %rd3;\n\
            ld.global.u64 %rd4, [%rd2]; ld.global.u64 %rd5, [table+16]; ld.u32 %r6, [%rd5];\n\
            {.param .b32 x; st.param.b32 [x], %r1; .param .b32 y;\n\
            proto: .callprototype (.param .b32 _) _ (.param .b32 _);\ncall (y), %rd4, (x), proto;\n\
            ld.param.b32 %r5, [y]; } st.global.u32 [%rd1], %r5; st.global.u32 [%rd1+4], %r6;"
        )
    );
    let (words, _) = launch(&text, 4).unwrap();
    assert_eq!(words, [0, 5, 0, 0, 1, 5, 0, 0, 4, 5, 0, 0, 9, 5, 0, 0]);
}

#[test]
fn printed_lines_are_collected_in_order() {
    let text = format!(
        ".extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 v);\n\
        .global .align 1 .b8 line[18] = {{116, 104, 114, 101, 97, 100, 32, 37, 100, 58, 32, 37, 46, 50, 102, 10}};\n{}",
        kernel(
            ".local .align 8 .b8 values[16]; .reg .b64 %v; mov.u64 %v, values; cvta.local.u64 %v, %v;\n\
            mov.u32 %r2, %ctaid.x; mad.lo.u32 %r2, %r2, 10, %r1; st.local.u32 [values], %r2;\n\
            cvt.rn.f64.u32 %fd1, %r1; mul.f64 %fd1, %fd1, 0d3FE0000000000000; st.local.f64 [values+8], %fd1;\n\
            mov.u64 %rd2, line; cvta.global.u64 %rd2, %rd2;\n\
            { .param .b64 p0; st.param.b64 [p0], %rd2; .param .b64 p1; st.param.b64 [p1], %v; .param .b32 r0;\n\
            call.uni (r0), vprintf, (p0, p1); ld.param.b32 %r3, [r0]; } st.global.u32 [%rd1], %r3;"
        )
    );
    let (words, run) = launch(&text, 2).unwrap();
    assert_eq!(run.output, "thread 0: 0.00\nthread 1: 0.50\nthread 10: 0.00\nthread 11: 0.50\n");
    assert_eq!((words[0], words[4]), (2, 2));
}

#[test]
fn a_failed_assertion_reports_its_text_and_line() {
    let text = format!(
        ".extern .func __assertfail(.param .b64 m, .param .b64 f, .param .b32 l, .param .b64 n, .param .b64 c);\n\
        .global .b8 what[6] = {{120, 32, 62, 32, 48}};\n.global .b8 file[5] = {{97, 46, 99, 117}};\n{}",
        kernel(
            "setp.ne.u32 %p1, %r1, 1; @%p1 bra OUT; mov.u64 %rd2, what; mov.u64 %rd3, file;\n\
            { .param .b64 a; st.param.b64 [a], %rd2; .param .b64 b; st.param.b64 [b], %rd3; .param .b32 c; st.param.b32 [c], 12;\n\
            .param .b64 d; st.param.b64 [d], %rd2; .param .b64 e; st.param.b64 [e], 1; call.uni __assertfail, (a, b, c, d, e); }\nOUT:"
        )
    );
    let fault = launch(&text, 4).unwrap_err();
    assert_eq!((fault.kind, fault.thread), (FaultKind::Assertion, Some([1, 0, 0])));
    assert!(
        fault.message.contains("a.cu:12: x > 0: block: [0,0,0], thread: [1,0,0] Assertion `x > 0` failed"),
        "{fault}"
    );
}
