//! `cp.async`: which bytes arrive, and when.

use super::{assemble, fixture, go, words};
use crate::support::{Problem, Product, options};
use ptx_emulator::{Control, FaultKind, Measure, Memory, Options, run};

/// Returns 1024 bytes `0 1 2 …`, then 1024 zeros.
fn ramp() -> Vec<u8> {
    (0..2048).map(|i| if i < 1024 { i as u8 } else { 0 }).collect()
}

/// Copies `data` to the second half of `out`, 16 bytes per thread.
const STORE: &str = "
    shl.b32 %r30, %r0, 4; mov.u32 %r31, data; add.u32 %r31, %r31, %r30; cvt.u64.u32 %rd30, %r30; add.u64 %rd31, %rd0, %rd30;
    bar.sync 0; ld.shared.v4.b32 {%r32, %r33, %r34, %r35}, [%r31]; st.global.v4.b32 [%rd31+1024], {%r32, %r33, %r34, %r35};";

/// Fills `data` with 0xee. `%r1` is the address of the thread's 16 bytes there, `%rd1` of its 16 bytes in `out`.
const START: &str = "
    shl.b32 %r30, %r0, 4; mov.u32 %r1, data; add.u32 %r1, %r1, %r30; cvt.u64.u32 %rd30, %r30; add.u64 %rd1, %rd0, %rd30;
    mov.b32 %r2, 0xeeeeeeee; st.shared.v4.b32 [%r1], {%r2, %r2, %r2, %r2}; bar.sync 0;";

#[test]
fn bytes_beyond_the_source_size_are_zero() {
    // Sizes 0…16, 0…8 and 0…4, and an ignored source. The expected values are from an H200.
    let body = format!(
        "{START} setp.lt.u32 %p1, %r0, 17; setp.lt.u32 %p2, %r0, 26; setp.lt.u32 %p3, %r0, 31; setp.eq.u32 %p4, %r0, 31;
        @%p1 bra A; @%p2 bra B; @%p3 bra C;
        cp.async.ca.shared.global.L2::128B [%r1], [%rd1], 16, %p4; bra END;
        A: cp.async.cg.shared.global [%r1], [%rd1], 16, %r0; bra END;
        B: sub.u32 %r3, %r0, 17; cp.async.ca.shared.global [%r1], [%rd1], 8, %r3; bra END;
        C: sub.u32 %r3, %r0, 26; cp.async.ca.shared.global [%r1], [%rd1], 4, %r3;
        END: cp.async.wait_all; {STORE}"
    );
    let (out, _) = go(&body, 32, &ramp(), &Options::default()).unwrap();
    for thread in 0..32usize {
        let (width, take) = match thread {
            0..17 => (16, thread),
            17..26 => (8, thread - 17),
            26..31 => (4, thread - 26),
            _ => (16, 0),
        };
        let expected: Vec<u8> = (0..16)
            .map(|i| match i {
                i if i < take => (16 * thread + i) as u8,
                i if i < width => 0,
                _ => 0xee,
            })
            .collect();
        assert_eq!(out[1024 + 16 * thread..][..16], expected, "thread {thread}");
    }
}

#[test]
fn a_copy_comes_when_its_group_is_waited_for_and_not_before() {
    // Three groups write to three locations. After `wait_group N`, the others still contain 0xee.
    for (wait, come) in [
        ("", 0),
        ("cp.async.wait_group 3;", 0),
        ("cp.async.wait_group 2;", 1),
        ("cp.async.wait_group 1;", 2),
        ("cp.async.wait_group 0;", 3),
        ("cp.async.wait_all;", 3),
        ("cp.async.wait_group 1; cp.async.wait_group 2;", 2),
    ] {
        let body = format!(
            "{START} setp.ne.u32 %p1, %r0, 0; @%p1 bra END;
            cp.async.cg.shared.global [%r1], [%rd1+16], 16; cp.async.commit_group;
            cp.async.ca.shared.global [%r1+16], [%rd1+16], 8; cp.async.ca.shared.global [%r1+24], [%rd1+16], 8; cp.async.commit_group;
            cp.async.cg.shared.global [%r1+32], [%rd1+16], 16; cp.async.commit_group; {wait}
            END: {STORE}"
        );
        let (out, _) = go(&body, 3, &ramp(), &Options::default()).unwrap();
        let found = (0..3).filter(|i| out[1024 + 16 * i] == 16).count();
        assert_eq!(found, come, "{wait}");
        assert!((come..3).all(|i| out[1024 + 16 * i..][..16] == [0xee; 16]), "{wait}");
    }
}

#[test]
fn groups_are_each_threads_own() {
    // Odd threads commit an additional group in between, so for them the first copy is older.
    let body = format!(
        "{START} and.b32 %r3, %r0, 1; setp.ne.u32 %p1, %r3, 0;
        cp.async.cg.shared.global [%r1], [%rd1], 16; cp.async.commit_group;
        @%p1 cp.async.commit_group;
        cp.async.wait_group 1; {STORE}"
    );
    let (out, _) = go(&body, 32, &ramp(), &Options::default()).unwrap();
    for thread in 0..32 {
        let expected = if thread % 2 == 1 { (16 * thread) as u8 } else { 0xee };
        assert_eq!(out[1024 + 16 * thread], expected, "thread {thread}");
    }
}

#[test]
fn the_source_is_read_when_the_copy_comes() {
    let body = format!(
        "{START} cp.async.cg.shared.global [%r1], [%rd1], 16;
        mov.b32 %r4, 7; st.global.b32 [%rd1], %r4; cp.async.wait_all; {STORE}"
    );
    let (out, _) = go(&body, 32, &ramp(), &Options::default()).unwrap();
    assert!(words(&out[1024..1536]).chunks(4).all(|four| four[0] == 7));
}

#[test]
fn a_copy_is_one_request_with_the_cost_that_an_h200_counts() {
    // Through L1 or bypassing it: consecutive, twice as far apart in global memory, and all from one location.
    for (copy, wavefronts, sectors) in [
        ("cp.async.ca.shared.global [%r1], [%rd1], 16;", 4, 16),
        ("cp.async.cg.shared.global [%r1], [%rd1], 16;", 0, 16),
        ("add.u64 %rd1, %rd1, %rd30; cp.async.ca.shared.global [%r1], [%rd1], 16;", 8, 32),
        ("add.u64 %rd1, %rd1, %rd30; cp.async.cg.shared.global [%r1], [%rd1], 16;", 0, 32),
        ("cp.async.ca.shared.global [%r1], [%rd0], 16;", 32, 1),
        ("cp.async.cg.shared.global [%r1], [%rd0], 16;", 0, 8),
        ("cp.async.ca.shared.global [%r1], [%rd1], 16, 0;", 4, 0),
    ] {
        let (_, run) =
            go(&format!("{START} {copy} cp.async.wait_all;"), 32, &ramp(), &options(Measure::Counts)).unwrap();
        let counts = run.counts.unwrap();
        let line = counts.lines.iter().find(|line| line.op == "cp.async").unwrap();
        assert_eq!((line.requests, line.bytes), (1, 16), "{copy}");
        assert_eq!((line.wavefronts, line.sectors), (wavefronts, sectors), "{copy}");
    }
}

#[test]
fn wrong_copies_are_faults_where_they_are_issued() {
    for (copy, kind) in [
        ("cp.async.cg.shared.global [%r1+8192], [%rd1], 16;", FaultKind::OutOfBounds),
        ("cp.async.cg.shared.global [%r1], [%rd1+2048], 16;", FaultKind::OutOfBounds),
        ("cp.async.cg.shared.global [%r1+8], [%rd1], 16;", FaultKind::Misaligned),
        ("cp.async.ca.shared.global [%r1], [%rd1+4], 8;", FaultKind::Misaligned),
        ("mov.u32 %r3, 5; cp.async.ca.shared.global [%r1], [%rd1], 4, %r3;", FaultKind::OutOfBounds),
    ] {
        let fault = go(&format!("{START} {copy}"), 4, &ramp(), &Options::default()).unwrap_err();
        assert_eq!(fault.kind, kind, "{copy} {fault}");
        assert_eq!(fault.thread, Some([0, 0, 0]), "{fault}");
    }
    for copy in ["cp.async.cg.shared.global [%r1], [%rd1], 8;", "cp.async.ca.shared.global [%r1], [%rd1], 12;"] {
        assert_eq!(assemble(copy).unwrap_err().kind, FaultKind::Parse, "{copy}");
    }
    // An address that is not read may be anything.
    let unread = format!("{START} mov.u32 %r3, 0; cp.async.cg.shared.global [%r1], [0], 16, %r3; cp.async.wait_all;");
    go(&unread, 32, &ramp(), &Options::default()).unwrap();
}

fn product(file: &str, problem: Problem, measure: Measure) -> (Vec<f32>, Vec<f32>, ptx_emulator::Run) {
    let product = Product::new(problem, 7);
    let mut memory = Memory::new();
    let up = |extent: usize| extent.div_ceil(16) as u32;
    let (launch, c) = product.launch(&mut memory, [16, 16, 1], [up(problem.n), up(problem.m), 1]);
    let kernel = fixture(file, "pipeline");
    let run = run(&kernel, &launch, &mut memory, &options(measure), &Control::default()).unwrap();
    (memory.read_f32(c), product.expected(), run)
}

#[test]
fn a_pipeline_of_copies_multiplies() {
    for file in ["pipeline.12.ptx", "pipeline.13.ptx"] {
        for (m, n, k) in [(16, 16, 16), (17, 33, 70), (40, 20, 1), (5, 48, 31)] {
            let problem = Problem { m, n, k, extra: [1, 2, 3], alpha: 0.5, beta: 2.0 };
            let (found, expected, run) = product(file, problem, Measure::All);
            assert_eq!(found, expected, "{file} {m} {n} {k}");
            assert_eq!(run.hazards, [], "{file} {m} {n} {k}");
        }
    }
}

#[test]
fn a_pipeline_that_does_not_wait_is_wrong_every_time() {
    let problem = Problem { m: 16, n: 16, k: 64, extra: [0; 3], alpha: 1.0, beta: 0.0 };
    for file in ["pipeline_no_wait.12.ptx", "pipeline_no_wait.13.ptx"] {
        let (found, expected, _) = product(file, problem, Measure::None);
        assert!(found.iter().zip(&expected).all(|(found, expected)| found != expected), "{file}");
        assert_eq!(found, product(file, problem, Measure::None).0, "{file}");
    }
}
