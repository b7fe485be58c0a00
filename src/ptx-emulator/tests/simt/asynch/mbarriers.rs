//! `mbarrier` objects: phases, bytes, waiting, and errors.

use super::{assemble, go, words};
use ptx_emulator::{Arg, Control, EventKind, FaultKind, Launch, Measure, Memory, Options, Schedule, Watch, trace};

fn schedules() -> [Options; 4] {
    [
        Options::default(),
        Options { schedule: Schedule::RoundRobin, ..Options::default() },
        Options { schedule: Schedule::Priority(vec![3, 1]), ..Options::default() },
        Options { measure: Measure::All, ..Options::default() },
    ]
}

const INIT: &str = "mov.u32 %r1, bar; setp.eq.u32 %p0, %r0, 0;";

fn wait(kind: &str, label: &str) -> String {
    format!("{label}: mbarrier.{kind}.parity.shared::cta.b64 %p9, [%r1], %r9; @!%p9 bra {label};")
}

#[test]
fn waiting_threads_go_on_when_the_last_one_has_arrived() {
    // In each phase, one warp adds its number to what the warp before it wrote.
    for kind in ["try_wait", "test_wait"] {
        let body = format!(
            "{INIT} @%p0 mbarrier.init.shared::cta.b64 [%r1], 128; bar.sync 0;
            shr.u32 %r2, %r0, 5; mov.u32 %r4, 1;
            LOOP: and.b32 %r5, %r4, 3; setp.eq.u32 %p1, %r5, %r2; add.u32 %r9, %r4, 1; and.b32 %r9, %r9, 1;
            @!%p1 bra ARRIVE;
            and.b32 %r6, %r0, 31; setp.eq.u32 %p2, %r6, 0; cvt.u64.u32 %rd1, %r4; shl.b64 %rd1, %rd1, 2; add.u64 %rd1, %rd1, %rd0;
            @%p2 ld.global.u32 %r7, [%rd1+-4]; @%p2 add.u32 %r7, %r7, %r2; @%p2 st.global.u32 [%rd1], %r7;
            ARRIVE: mbarrier.arrive.shared::cta.b64 %rd2, [%r1];
            {}
            add.u32 %r4, %r4, 1; setp.lt.u32 %p3, %r4, 33; @%p3 bra LOOP;",
            wait(kind, "WAIT")
        );
        let mut expected = vec![0u32];
        (1..33).for_each(|i| expected.push(expected[i - 1] + i as u32 % 4));
        for options in schedules() {
            let (out, run) = go(&body, 128, &[0; 33 * 4], &options).unwrap();
            assert_eq!(words(&out), expected, "{kind} {options:?}");
            assert_eq!(run.hazards, [], "{kind}");
        }
    }
}

#[test]
fn states_and_pending_counts_are_those_of_an_h200() {
    let dump = |register: &str, at: u32| format!("st.global.b64 [%rd0+{at}], {register};");
    let body = format!(
        "{INIT} mbarrier.init.shared::cta.b64 [%r1], 5;
        mbarrier.arrive.noComplete.shared::cta.b64 %rd1, [%r1], 1; {}
        mbarrier.arrive.shared::cta.b64 %rd1, [%r1], 3; {}
        mbarrier.arrive.expect_tx.shared::cta.b64 %rd1, [%r1], 64; {} mbarrier.pending_count.b64 %r2, %rd1; cvt.u64.u32 %rd2, %r2; {}
        mbarrier.test_wait.shared::cta.b64 %p1, [%r1], %rd1; selp.u64 %rd2, 1, 0, %p1; {}
        mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%r1], 64;
        mbarrier.test_wait.shared::cta.b64 %p1, [%r1], %rd1; selp.u64 %rd2, 1, 0, %p1; {}
        mbarrier.arrive.shared::cta.b64 %rd1, [%r1], 5; {}
        mbarrier.arrive_drop.shared::cta.b64 %rd1, [%r1]; {}
        mbarrier.arrive.shared::cta.b64 %rd1, [%r1], 4; {}
        mbarrier.arrive.shared::cta.b64 %rd1, [%r1], 4; {}",
        dump("%rd1", 0),
        dump("%rd1", 8),
        dump("%rd1", 16),
        dump("%rd2", 24),
        dump("%rd2", 32),
        dump("%rd2", 40),
        dump("%rd1", 48),
        dump("%rd1", 56),
        dump("%rd1", 64),
        dump("%rd1", 72),
    );
    let (out, _) = go(&body, 1, &[0; 80], &Options::default()).unwrap();
    let found: Vec<u64> = out.chunks(8).map(|b| u64::from_le_bytes(b.try_into().unwrap())).collect();
    // The H200 also sets a few of a state's low bits.
    let upper = |state: u64| state << 8;
    let expected = [
        upper(0x7f_ffd8_0000_0000),
        upper(0x7f_ffe0_0000_0000),
        upper(0x7f_fff8_0000_0000),
        1,
        0,
        1,
        upper(0xff_ffd8_0000_0000),
        upper(0x7f_ffd8_0000_0000),
        upper(0x7f_ffe0_0000_0000),
        upper(0xff_ffe0_0000_0000),
    ];
    assert_eq!(found, expected, "{found:x?}");
}

#[test]
fn copies_arrive_at_an_mbarrier_when_they_have_come() {
    // Warp 0 copies and continues. Warp 1 waits for the barrier and reads what warp 0 copied.
    for (noinc, count) in [("", 1), (".noinc", 33)] {
        let body = format!(
            "{INIT} @%p0 mbarrier.init.shared::cta.b64 [%r1], {count}; bar.sync 0;
            and.b32 %r2, %r0, 31; shl.b32 %r2, %r2, 2; mov.u32 %r3, data; add.u32 %r3, %r3, %r2; cvt.u64.u32 %rd1, %r2; add.u64 %rd1, %rd1, %rd0;
            setp.ge.u32 %p1, %r0, 32; @%p1 bra CONSUME;
            cp.async.ca.shared.global [%r3], [%rd1], 4; cp.async.mbarrier.arrive{noinc}.shared::cta.b64 [%r1];
            @%p0 mbarrier.arrive.shared::cta.b64 %rd2, [%r1]; bra END;
            CONSUME: mov.u32 %r9, 0; {} ld.shared.u32 %r4, [%r3]; st.global.u32 [%rd1+128], %r4;
            END:",
            wait("try_wait", "WAIT")
        );
        for options in schedules() {
            let start: Vec<u8> = (0..32u32).chain([0; 32]).flat_map(u32::to_le_bytes).collect();
            let (out, run) = go(&body, 64, &start, &options).unwrap();
            assert_eq!(words(&out)[32..], (0..32).collect::<Vec<_>>(), "{noinc} {options:?}");
            assert_eq!(run.hazards, [], "{noinc}");
        }
    }
}

#[test]
fn a_lane_can_wait_for_another_of_its_warp() {
    // Lane 0 waits in a loop. Lane 1 arrives after the point where both would meet.
    let body = format!(
        "{INIT} @%p0 mbarrier.init.shared::cta.b64 [%r1], 1; bar.sync 0; mov.u32 %r9, 0;
        @!%p0 bra OTHER; {} st.global.u32 [%rd0], %r1; bra END;
        OTHER: mbarrier.arrive.shared::cta.b64 %rd1, [%r1];
        END:",
        wait("try_wait", "WAIT")
    );
    for options in schedules() {
        let (out, _) = go(&body, 2, &[0; 4], &options).unwrap();
        assert_ne!(out, [0; 4]);
    }
}

#[test]
fn waiting_forever_is_a_fault_that_names_the_missing_arrivals() {
    for kind in ["try_wait", "test_wait"] {
        let body = format!(
            "{INIT} @%p0 mbarrier.init.shared::cta.b64 [%r1], 3; bar.sync 0; mov.u32 %r9, 0;
            @%p0 mbarrier.arrive.expect_tx.shared::cta.b64 %rd1, [%r1], 512;
            {}",
            wait(kind, "WAIT")
        );
        for options in schedules() {
            let fault = go(&body, 64, &[0; 4], &options).unwrap_err();
            assert_eq!(fault.kind, FaultKind::Mbarrier, "{fault}");
            assert!(fault.message.contains("phase 0 lacks 2 of 3 arrivals and 512 bytes"), "{fault}");
        }
    }
}

#[test]
fn a_wait_with_a_limit_comes_to_its_end() {
    // It gives up after 100 attempts, like kernels that guard against hanging.
    let body = format!(
        "{INIT} mbarrier.init.shared::cta.b64 [%r1], 1; mov.u32 %r2, 0; mov.u32 %r9, 0;
        LOOP: mbarrier.try_wait.parity.shared::cta.b64 %p1, [%r1], %r9, 1000; @%p1 bra END;
        add.u32 %r2, %r2, 1; setp.lt.u32 %p2, %r2, 100; @%p2 bra LOOP;
        END: st.global.u32 [%rd0], %r2;"
    );
    let (out, _) = go(&body, 1, &[0; 4], &Options::default()).unwrap();
    assert_eq!(words(&out), [100]);
}

#[test]
fn misuse_is_a_fault() {
    for (body, kind) in [
        ("mbarrier.arrive.shared::cta.b64 %rd1, [%r1];", FaultKind::Uninitialised),
        ("mbarrier.init.shared::cta.b64 [%r1], 0;", FaultKind::OutOfBounds),
        ("mbarrier.init.shared::cta.b64 [%r1+4], 1;", FaultKind::Misaligned),
        ("mbarrier.init.shared::cta.b64 [%r1+65536], 1;", FaultKind::OutOfBounds),
        (
            "mbarrier.init.shared::cta.b64 [%r1], 2; mbarrier.arrive.shared::cta.b64 %rd1, [%r1], 3;",
            FaultKind::Mbarrier,
        ),
        (
            "mbarrier.init.shared::cta.b64 [%r1], 2; mbarrier.arrive.noComplete.shared::cta.b64 %rd1, [%r1], 2;",
            FaultKind::Mbarrier,
        ),
        (
            "mbarrier.init.shared::cta.b64 [%r1], 1; mbarrier.inval.shared::cta.b64 [%r1]; mbarrier.arrive.shared::cta.b64 %rd1, [%r1];",
            FaultKind::Uninitialised,
        ),
        (
            "mbarrier.init.shared::cta.b64 [%r1], 1; mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%r1], 1048576;",
            FaultKind::OutOfBounds,
        ),
    ] {
        let fault = go(&format!("{INIT} {body}"), 1, &[0; 4], &Options::default()).unwrap_err();
        assert_eq!(fault.kind, kind, "{body} {fault}");
    }
    for unknown in ["mbarrier.arrive.sideways.b64 %rd1, [%r1];", "mbarrier.test_wait.b64 %p1, [%r1];"] {
        assert!(assemble(unknown).is_err(), "{unknown}");
    }
}

#[test]
fn generic_addresses_reach_the_same_object() {
    let body = format!(
        "{INIT} cvt.u64.u32 %rd3, %r1; cvta.shared.u64 %rd3, %rd3; mbarrier.init.b64 [%rd3], 2; mbarrier.arrive.b64 %rd1, [%rd3];
        mbarrier.arrive.release.cta.shared::cta.b64 _, [%r1]; mov.u32 %r9, 0;
        mbarrier.test_wait.parity.b64 %p1, [%rd3], %r9; selp.u32 %r2, 1, 0, %p1; st.global.u32 [%rd0], %r2;"
    );
    let (out, _) = go(&body, 1, &[0; 4], &Options::default()).unwrap();
    assert_eq!(words(&out), [1]);
}

#[test]
fn a_trace_records_each_use_of_an_mbarrier() {
    // Warp 1 waits for the copy that thread 0 requests, and tests often.
    let body = format!(
        "{INIT} @%p0 mbarrier.init.shared::cta.b64 [%r1], 1; bar.sync 0;
        shr.u32 %r2, %r0, 5; setp.eq.u32 %p1, %r2, 1; mov.u32 %r9, 0; @%p1 bra WAIT; @!%p0 bra END;
        mov.u32 %r4, data; mov.u32 %r5, 64;
        mbarrier.arrive.expect_tx.shared::cta.b64 %rd1, [%r1], 64;
        cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r4], [%rd0], %r5, [%r1]; bra END;
        {} END:",
        wait("test_wait", "WAIT")
    );
    let kernel = assemble(&body).unwrap();
    let mut memory = Memory::new();
    let out = memory.add("out", &[0; 64]);
    let launch =
        Launch { grid: [1; 3], block: [64, 1, 1], dynamic_shared: 0, cooperative: false, args: vec![Arg::Buffer(out)] };
    let watch = Watch { lines: false, ..Watch::default() };
    let schedule = Schedule::Priority(vec![1, 0]);
    let traced = trace(&kernel, &launch, &memory, 0, &schedule, &watch, &Control::default()).unwrap();
    let told: Vec<(u32, EventKind)> = (traced.events.into_iter())
        .filter(|event| !matches!(event.kind, EventKind::Arrive | EventKind::Release | EventKind::Exit))
        .map(|event| (event.warp, event.kind))
        .collect();
    let object = 4096;
    let expected = [
        (0, EventKind::Init { object }),
        (1, EventKind::WaitAt { object, parity: false }),
        (0, EventKind::ArriveAt { object }),
        (0, EventKind::Copy { address: 0, bytes: 64, writes: true }),
    ];
    assert_eq!((told, traced.fault), (expected.to_vec(), None));
}
