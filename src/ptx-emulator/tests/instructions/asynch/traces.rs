//! Traces of asynchronous copies.

use ptx_emulator::{Arg, Control, EventKind, Launch, Memory, Module, Schedule, Watch, trace};

#[test]
fn a_trace_records_each_use_of_an_mbarrier() {
    // Warp 1 waits for the copy that thread 0 requests, and tests often.
    let text = ".version 8.6\n.target sm_90a\n.address_size 64\n.visible .entry k(.param .u64 out) {
        .reg .b64 %rd<2>; .reg .b32 %r<10>; .reg .pred %p<10>; .shared .align 128 .b8 data[4096]; .shared .align 8 .b64 bar;
        ld.param.u64 %rd0, [out]; mov.u32 %r0, %tid.x; mov.u32 %r1, bar; setp.eq.u32 %p0, %r0, 0;
        @%p0 mbarrier.init.shared::cta.b64 [%r1], 1; bar.sync 0;
        shr.u32 %r2, %r0, 5; setp.eq.u32 %p1, %r2, 1; mov.u32 %r9, 0; @%p1 bra WAIT; @!%p0 bra END;
        mov.u32 %r4, data; mov.u32 %r5, 64;
        mbarrier.arrive.expect_tx.shared::cta.b64 %rd1, [%r1], 64;
        cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r4], [%rd0], %r5, [%r1]; bra END;
        WAIT: mbarrier.test_wait.parity.shared::cta.b64 %p9, [%r1], %r9; @!%p9 bra WAIT; END: ret;
    }";
    let kernel = Module::parse(text).unwrap().kernel("k").unwrap();
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
