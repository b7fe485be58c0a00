//! All parts of a request share its limits, and the result states what was left out.

use ptx_emulator::{
    Arg, Control, FaultKind, Kernel, Launch, Limit, Measure, Memory, Module, NoWitness, Options, Outcome, Schedule,
    Watch, attempt, trace, witness,
};
use std::sync::atomic::AtomicBool;
#[cfg(feature = "threads")]
use std::time::Duration;

fn kernel(body: &str) -> Kernel {
    let text = format!(
        ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 out) {{\n\
        .reg .b64 %rd<8>; .reg .b32 %r<16>; .reg .pred %p<4>; .shared .align 4 .b32 flag;\n\
        ld.param.u64 %rd0, [out]; mov.u32 %r0, %tid.x; mov.u32 %r1, %ctaid.x;\n{body}\nret;\n}}"
    );
    Module::parse(&text).unwrap().kernel("k").unwrap()
}

struct Case {
    kernel: Kernel,
    launch: Launch,
    memory: Memory,
}

impl Case {
    fn new(body: &str, grid: u32, threads: u32) -> Self {
        let mut memory = Memory::new();
        let args = vec![Arg::Buffer(memory.add("out", &[0; 64]))];
        let launch = Launch { grid: [grid, 1, 1], block: [threads, 1, 1], args, ..Launch::default() };
        Self { kernel: kernel(body), launch, memory }
    }

    fn attempt(&self, threads: usize, measure: Measure, control: &Control<'_>) -> Outcome {
        let options = Options { measure, threads: Some(threads), ..Options::default() };
        attempt(&self.kernel, &self.launch, &mut self.memory.clone(), &options, control).unwrap()
    }
}

/// One warp writes a flag. The other warp spins on a value that is never written.
const RACY_SPIN: &str = "setp.lt.u32 %p0, %r0, 32; @%p0 bra W;\n\
    L: ld.shared.u32 %r2, [flag]; setp.ne.u32 %p0, %r2, 7; @%p0 bra L;\nret;\nW: st.shared.u32 [flag], %r0;";

#[test]
fn runs_hazards_and_witnesses_share_the_steps() {
    let case = Case::new(RACY_SPIN, 1, 64);
    let control = Control::default().steps(1000);
    let outcome = case.attempt(1, Measure::All, &control);
    let fault = outcome.fault.unwrap();
    assert_eq!(fault.kind, FaultKind::StepBudget);
    assert!(
        fault
            .message
            .contains("was running when the budget of 1000 warp instructions was used up: probably an endless loop"),
        "{fault}"
    );
    assert_eq!((control.used(), control.reached()), (1000, Some(Limit::Steps(1000))));
    assert!(!outcome.run.hazards.is_empty());
    for hazard in &outcome.run.hazards {
        let why = witness(&case.kernel, &case.launch, &case.memory, hazard, &control).unwrap_err();
        assert_eq!(why, NoWitness::Untried(Limit::Steps(1000)));
        assert_eq!(why.to_string(), "no witness was sought, because the budget of 1000 warp instructions was used up");
    }
}

#[test]
fn an_endless_trial_leaves_steps_for_the_next() {
    let case = Case::new(RACY_SPIN, 1, 64);
    let hazards = case.attempt(1, Measure::All, &Control::default().steps(1000)).run.hazards;
    // Each of two trials takes a quarter of what is left, so at most 7/16 is used.
    let control = Control::default().steps(1600);
    let _ = witness(&case.kernel, &case.launch, &case.memory, &hazards[0], &control);
    assert!((1..=1600 * 7 / 8).contains(&control.used()), "{}", control.used());
    // A trial ends early when it has seen enough.
    let control = Control::default().steps(1 << 40);
    let _ = witness(&case.kernel, &case.launch, &case.memory, &hazards[0], &control);
    assert!(control.used() < 2_000_000, "{}", control.used());
}

#[test]
fn traces_take_of_the_same_steps() {
    let case = Case::new("L: bra L;", 1, 32);
    let control = Control::default().steps(1000);
    let traced =
        trace(&case.kernel, &case.launch, &case.memory, 0, &Schedule::InOrder, &Watch::default(), &control).unwrap();
    assert_eq!(traced.fault.map(|fault| fault.kind), Some(FaultKind::StepBudget));
    assert_eq!(control.used(), 1000);
}

/// A loop of a thousand iterations in even blocks, none in odd blocks.
const UNEVEN: &str = "and.b32 %r2, %r1, 1; setp.eq.u32 %p0, %r2, 1; @%p0 bra E; mov.u32 %r3, 0;\n\
    L: add.u32 %r3, %r3, 1; setp.le.u32 %p1, %r3, 1000; @%p1 bra L;\nE:";

#[test]
fn steps_are_those_of_all_blocks_and_what_runs_out_does_not_depend_on_threads() {
    let case = Case::new(UNEVEN, 64, 256);
    let all = case.attempt(1, Measure::None, &Control::default()).run.stats.warp_instructions;
    let odd = case.attempt(1, Measure::None, &Control::default().steps(all)).run.stats.warp_instructions;
    assert_eq!(all, odd, "a launch that takes as much as it may");
    for (steps, block) in [(0, 0), (1, 0), (all / 3, 20), (all / 2, 32), (all - 1, 63)] {
        let mut told = Vec::new();
        for threads in [1, 2, 3, 8] {
            for measure in [Measure::None, Measure::All] {
                let control = Control::default().steps(steps);
                let outcome = case.attempt(threads, measure, &control);
                let fault = outcome.fault.unwrap();
                assert_eq!((fault.kind, control.used()), (FaultKind::StepBudget, steps), "{fault}");
                assert!(fault.message.contains("a loop may be endless, or a grid of 64 blocks too large"), "{fault}");
                told.push(fault.block);
            }
        }
        assert!(told.iter().all(|told| *told == Some([block, 0, 0])), "{steps} of {all}: {told:?}");
    }
    for threads in [1, 2, 3, 8] {
        let control = Control::default().steps(all);
        assert_eq!(case.attempt(threads, Measure::All, &control).fault, None);
        assert_eq!((control.used(), control.reached()), (all, Some(Limit::Steps(all))));
    }
}

#[test]
fn a_fault_is_found_before_steps_run_out_behind_it_and_takes_its_own() {
    let body =
        format!("setp.eq.u32 %p2, %r1, 3; @%p2 trap; setp.lt.u32 %p3, %r1, 40; @%p3 bra E;\nS: bra S;\n{UNEVEN}");
    let case = Case::new(&body, 64, 32);
    let taken: Vec<u64> = (0..20)
        .map(|n| {
            let control = Control::default().steps(10_000);
            let fault = case.attempt(1 + n % 4, Measure::None, &control).fault.unwrap();
            assert_eq!((fault.kind, fault.block), (FaultKind::Trap, Some([3, 0, 0])), "{fault}");
            control.used()
        })
        .collect();
    assert!(taken.iter().all(|used| *used == taken[0] && *used < 200), "{taken:?}");
}

#[test]
fn a_grid_of_billions_of_blocks_ends_with_the_steps() {
    for body in ["", "atom.global.add.u32 %r2, [%rd0], 1;", "st.shared.u32 [flag], %r0;"] {
        for threads in [1, 2] {
            let case = Case::new(body, i32::MAX as u32, 32);
            let control = Control::default().steps(10_000);
            let fault = case.attempt(threads, Measure::All, &control).fault.unwrap();
            assert_eq!((fault.kind, control.used()), (FaultKind::StepBudget, 10_000), "{fault}");
            assert!(fault.message.contains("a grid of 2147483647 blocks too large"), "{fault}");
        }
    }
}

#[cfg(feature = "threads")]
#[test]
fn a_time_that_is_over_and_a_cancelled_request_begin_no_block() {
    for body in ["", "atom.global.add.u32 %r2, [%rd0], 1;"] {
        let case = Case::new(body, i32::MAX as u32, 32);
        let fault = case.attempt(2, Measure::Counts, &Control::default().time(Duration::ZERO)).fault.unwrap();
        assert_eq!(fault.kind, FaultKind::TimeBudget);
        let wanted = "Block (0,0,0) had not begun when the time of 0 s was over: a loop may be endless, or a grid of \
            2147483647 blocks too large.";
        assert_eq!(fault.message, wanted);
        let cancel = AtomicBool::new(true);
        let fault = case.attempt(2, Measure::Counts, &Control::default().cancel(&cancel)).fault.unwrap();
        assert_eq!((fault.kind, fault.message.as_str()), (FaultKind::Cancelled, "The run was cancelled."));
    }
}

#[test]
fn a_cancelled_run_reports_it() {
    let cancel = AtomicBool::new(true);
    let fault = Case::new("L: bra L;", 1, 1).attempt(1, Measure::None, &Control::default().cancel(&cancel)).fault;
    assert_eq!(fault.unwrap().kind, FaultKind::Cancelled);
}

#[cfg(feature = "threads")]
#[test]
fn an_endless_loop_ends_when_the_time_is_over() {
    let waits = "L: ld.volatile.global.u32 %r2, [%rd0]; setp.ne.u32 %p0, %r2, 7; @%p0 bra L;";
    for body in ["L: bra L;", RACY_SPIN, waits, "L: bar.sync 0; bra L;"] {
        let case = Case::new(body, 1000, 64);
        let fault = case.attempt(2, Measure::All, &Control::default().time(Duration::from_millis(20))).fault.unwrap();
        assert!(matches!(fault.kind, FaultKind::TimeBudget | FaultKind::Livelock), "{fault}");
    }
}

#[cfg(feature = "threads")]
#[test]
fn calls_of_printf_end_with_the_time_too() {
    let text = ".version 8.0\n.target sm_80\n.address_size 64\n\
        .extern .func (.param .b32 r) vprintf (.param .b64 a, .param .b64 b);\n\
        .global .align 1 .b8 text[4] = {120, 120, 10, 0};\n\
        .visible .entry k() { .reg .b64 %rd<3>; mov.u64 %rd1, text; mov.u64 %rd2, 0;\n\
        L: { .param .b64 a; st.param.b64 [a], %rd1; .param .b64 b; st.param.b64 [b], %rd2; .param .b32 r;\n\
        call.uni (r), vprintf, (a, b); } bra L; }";
    let kernel = Module::parse(text).unwrap().kernel("k").unwrap();
    let launch = Launch { grid: [4, 1, 1], block: [32, 1, 1], args: vec![], ..Launch::default() };
    let options = Options { threads: Some(2), ..Options::default() };
    let outcome = attempt(&kernel, &launch, &mut Memory::new(), &options, &Control::default().steps(300_000)).unwrap();
    assert_eq!(outcome.fault.map(|fault| fault.kind), Some(FaultKind::StepBudget));
    let (kept, remark) = outcome.run.output.trim_end().rsplit_once('\n').unwrap();
    assert_eq!(kept.len(), (1 << 20) / 3 * 3 - 1);
    assert!(remark.ends_with(" more calls of printf: only 1048576 bytes are kept]"), "{remark}");
    let control = Control::default().time(Duration::from_millis(20));
    let outcome = attempt(&kernel, &launch, &mut Memory::new(), &options, &control).unwrap();
    assert_eq!(outcome.fault.map(|fault| fault.kind), Some(FaultKind::TimeBudget));
}
