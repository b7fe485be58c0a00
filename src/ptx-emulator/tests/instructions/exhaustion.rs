//! Tests that PTX and launches are refused with a message if they would exhaust memory, time or the stack.

use ptx_emulator::{Control, Fault, FaultKind, Launch, LoadErrorKind, Memory, Module, Options, run};
use std::fmt::Write;

const HEADER: &str = ".version 8.0\n.target sm_90\n.address_size 64\n";

/// Returns the fault of loading the kernel `k`.
fn refused(text: &str) -> Fault {
    Module::parse(&format!("{HEADER}{text}")).and_then(|module| module.kernel("k")).map(|_| ()).unwrap_err().into()
}

fn launch(text: &str, grid: u32, block: u32, threads: usize) -> Result<(), Fault> {
    let kernel = Module::parse(&format!("{HEADER}{text}"))?.kernel("k")?;
    let launch = Launch { grid: [grid, 1, 1], block: [block, 1, 1], args: Vec::new(), ..Launch::default() };
    let options = Options { threads: Some(threads), ..Options::default() };
    run(&kernel, &launch, &mut Memory::new(), &options, &Control::default()).map(|_| ())
}

/// Returns `levels` functions, each of which calls the next one twice; the last one is empty.
fn doubling(levels: usize) -> String {
    let mut text = format!(".func f{levels}() {{ }}\n");
    for level in (0..levels).rev() {
        writeln!(text, ".func f{level}() {{ call f{0}, (); call f{0}, (); }}", level + 1).unwrap();
    }
    text
}

#[test]
fn calls_that_double_at_each_level_are_not_copied_at_each_level() {
    for levels in [9, 18] {
        let text = format!("{}.visible .entry k() {{ call f0, (); ret; }}\n", doubling(levels));
        launch(&text, 1, 32, 1).unwrap();
    }
    let text = format!("{HEADER}{}.visible .entry k() {{ call f0, (); ret; }}\n", doubling(30));
    let kernel = Module::parse(&text).unwrap().kernel("k").unwrap();
    assert!(kernel.instructions() < 10_000, "{}", kernel.instructions());
    // It would make 2³⁰ calls.
    let launch = Launch { grid: [1; 3], block: [32, 1, 1], args: Vec::new(), ..Launch::default() };
    let options = Options { step_budget: Some(1000), ..Options::default() };
    let fault = run(&kernel, &launch, &mut Memory::new(), &options, &Control::default()).unwrap_err();
    assert_eq!(fault.kind, FaultKind::StepBudget);
}

#[test]
fn many_kernels_share_what_their_calls_may_become() {
    let kernels = |functions: &str, call: &str, count: usize| {
        let mut text = functions.to_owned();
        for kernel in 0..count {
            writeln!(text, ".visible .entry k{kernel}() {{ {call} ret; }}").unwrap();
        }
        Module::parse(&format!("{HEADER}{text}")).unwrap()
    };
    // When copies would become too many, functions are called instead.
    let adds = format!(".func f() {{ .reg .b32 %r<2>; {} }}\n", "add.u32 %r1, %r1, 1; ".repeat(2000));
    let module = kernels(&adds, &"call f, (); ".repeat(8), 200);
    assert!(module.kernel("k0").unwrap().instructions() >= 16_000);
    assert!(module.kernel("k199").unwrap().instructions() < 2100);
    // Recursive functions are lowered once per kernel, so their total is limited.
    let body = "add.u32 %r1, %r1, 1; ".repeat(5000);
    let long = format!(".func f() {{ .reg .b32 %r<2>; {body} call f, (); }}\n");
    let module = kernels(&long, "call f, ();", 500);
    assert!(module.kernel("k0").is_ok());
    let fault = module.kernel("k499").unwrap_err();
    assert_eq!(fault.kind, LoadErrorKind::Unsupported);
    assert!(fault.message.contains("functions of more than 2097152 statements"), "{fault}");
}

#[test]
fn module_variables_are_bounded_together() {
    let text = ".global .align 8 .b8 a[805306368];\n.global .align 8 .b8 b[805306368];\n";
    let uses = |names: &[&str]| -> String {
        names.iter().map(|name| format!("mov.u64 %rd1, {name}; st.global.u32 [%rd1], 1; ")).collect()
    };
    let entry = |name, body| format!(".visible .entry {name}() {{ .reg .b64 %rd<2>; {body}ret; }}\n");
    let fault = refused(&format!("{text}{}", entry("k", uses(&["a", "b"]))));
    assert!(fault.message.contains("more than 1 GiB of module variables in a kernel; `b` is too much"), "{fault}");
    launch(&format!("{text}{}", entry("k", uses(&["a"]))), 1, 1, 1).unwrap();

    // Kernels in one memory share its limit.
    let mut memory = Memory::new();
    let mut outcomes = Vec::new();
    for _ in 0..4 {
        let module = Module::parse(&format!("{HEADER}{text}{}", entry("k", uses(&["a"])))).unwrap();
        let launch = Launch { grid: [1; 3], block: [1; 3], args: Vec::new(), ..Launch::default() };
        let kernel = module.kernel("k").unwrap();
        outcomes.push(run(&kernel, &launch, &mut memory, &Options::default(), &Control::default()).map(|_| ()));
    }
    assert!(outcomes[0].is_ok() && outcomes[1].is_ok());
    let fault = outcomes[3].clone().unwrap_err();
    assert_eq!(fault.kind, FaultKind::Launch);
    assert!(fault.message.contains("the maximum is 2 GiB"), "{fault}");
}

#[test]
fn variables_that_point_to_each_other_in_a_long_chain_do_not_take_the_stack() {
    let length = 3000;
    let mut text = String::new();
    for index in 0..length {
        writeln!(text, ".global .u64 a{index} = a{};", (index + 1) % length).unwrap();
    }
    let text = format!(
        "{text}.visible .entry k() {{ .reg .b64 %rd<3>; .reg .pred %p; mov.u64 %rd2, a0;\n\
        ld.global.u64 %rd1, [a{}]; setp.eq.u64 %p, %rd1, %rd2; @!%p trap; ret; }}\n",
        length - 1
    );
    // Some threads have a stack as small as this.
    let small = std::thread::Builder::new().stack_size(1 << 20).spawn(move || launch(&text, 1, 1, 1)).unwrap();
    small.join().unwrap().unwrap();
}

#[test]
fn local_memory_is_bounded_over_the_blocks_that_run_at_once() {
    let kernel = |attributes: &str| {
        format!(
            ".visible .entry k(){attributes} {{ .local .align 8 .b8 room[524288]; .reg .b64 %rd<2>;\n\
            mov.u64 %rd1, room; st.local.u32 [%rd1], 1; ret; }}\n"
        )
    };
    // The needs of one cluster do not depend on the number of workers.
    let fault = launch(&kernel(" .explicitcluster .reqnctapercluster 4, 1, 1"), 4, 1024, 1).unwrap_err();
    assert_eq!(fault.kind, FaultKind::Launch);
    assert!(fault.message.contains("registers, local and shared memory of a cluster of 4 blocks"), "{fault}");
    // Many small blocks on many workers run.
    launch(&kernel(""), 8, 4, 64).unwrap();
}

#[test]
fn scopes_within_scopes_have_an_end() {
    let fault = refused(&format!(".visible .entry k() {{ {} {} }}", "{".repeat(5000), "}".repeat(5000)));
    assert!(fault.message.contains("nested too deeply"), "{fault}");
}
