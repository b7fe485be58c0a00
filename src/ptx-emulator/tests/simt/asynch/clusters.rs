//! Blocks of a cluster: their barrier, their shared memory, and copies to several blocks.

use super::{assemble, fixture, go, words};
use crate::support::options;
use ptx_emulator::{Arg, Control, Dim3, Fault, FaultKind, Launch, Measure, Memory, Options, Schedule, run};

/// Runs a body in a grid of clusters and returns `out`.
fn clusters(
    body: &str,
    grid: Dim3,
    cluster: Dim3,
    threads: u32,
    out: usize,
    options: &Options,
) -> Result<Vec<u32>, Fault> {
    let kernel = assemble(body)?;
    let mut memory = Memory::new();
    let id = memory.add("out", &vec![0; out * 4]);
    let launch = Launch { grid, block: [threads, 1, 1], args: vec![Arg::Buffer(id)], ..Launch::default() };
    let options = Options { cluster: Some(cluster), ..options.clone() };
    run(&kernel, &launch, &mut memory, &options, &Control::default())?;
    Ok(words(memory.read(id)))
}

const SYNC: &str = "barrier.cluster.arrive.release.aligned; barrier.cluster.wait.acquire.aligned;";

#[test]
fn blocks_exchange_through_each_others_shared_memory() {
    for file in ["cluster.12.ptx", "cluster.13.ptx"] {
        for schedule in [Schedule::InOrder, Schedule::RoundRobin] {
            for measure in [Measure::None, Measure::Counts, Measure::All] {
                let mut memory = Memory::new();
                let input: Vec<u8> = (0..7u32 * 32).flat_map(|i| (i * i + 3).to_le_bytes()).collect();
                let (from, to) = (memory.add("in", &input), memory.add("out", &[0; 6 * 128]));
                let args = vec![Arg::Buffer(from), Arg::Buffer(to)];
                let launch = Launch { grid: [6, 1, 1], block: [32, 1, 1], args, ..Launch::default() };
                let options = Options { schedule: schedule.clone(), ..options(measure) };
                let kernel = fixture(file, "exchange");
                let run = run(&kernel, &launch, &mut memory, &options, &Control::default()).unwrap();
                assert_eq!(run.hazards, [], "{file}");
                let found = words(memory.read(to));
                for (index, value) in found.into_iter().enumerate() {
                    let (block, lane) = (index / 32, index % 32);
                    let at = |i: usize| (i * i + 3) as u32;
                    assert_eq!(value, at((block ^ 1) * 32 + lane) + at(6 * 32 + lane), "{file} {block} {lane}");
                }
            }
        }
    }
}

#[test]
fn special_registers_give_a_blocks_position() {
    let registers = [
        "%cluster_ctaid.x",
        "%cluster_ctaid.y",
        "%cluster_ctaid.z",
        "%cluster_nctaid.x",
        "%cluster_nctaid.y",
        "%cluster_nctaid.z",
        "%clusterid.x",
        "%clusterid.y",
        "%clusterid.z",
        "%nclusterid.x",
        "%nclusterid.y",
        "%nclusterid.z",
        "%cluster_ctarank",
        "%cluster_nctarank",
    ];
    let stores: String = registers
        .iter()
        .enumerate()
        .map(|(i, register)| format!("mov.u32 %r5, {register}; st.global.u32 [%rd1+{}], %r5;\n", 4 * i))
        .collect();
    let body = format!(
        "mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ctaid.y; mov.u32 %r3, %ctaid.z; mad.lo.u32 %r4, %r3, 4, %r2; mad.lo.u32 %r4, %r4, 6, %r1;
        mul.wide.u32 %rd1, %r4, 64; add.u64 %rd1, %rd1, %rd0; {stores}
        mov.pred %p1, %is_explicit_cluster; selp.u32 %r5, 1, 0, %p1; st.global.u32 [%rd1+56], %r5;"
    );
    let found = clusters(&body, [6, 4, 2], [3, 2, 1], 1, 48 * 16, &Options::default()).unwrap();
    for (block, found) in found.chunks(16).enumerate() {
        let (x, y, z) = (block as u32 % 6, block as u32 / 6 % 4, block as u32 / 24);
        let expected = [x % 3, y % 2, 0, 3, 2, 1, x / 3, y / 2, z, 2, 2, 2, x % 3 + 3 * (y % 2), 6, 1];
        assert_eq!(found[..15], expected, "block {block}");
    }
    // Without clusters, each block counts as a cluster.
    let kernel = assemble(&body).unwrap();
    let mut memory = Memory::new();
    let id = memory.add("out", &[0; 48 * 64]);
    let launch = Launch { grid: [6, 4, 2], block: [1, 1, 1], args: vec![Arg::Buffer(id)], ..Launch::default() };
    run(&kernel, &launch, &mut memory, &Options::default(), &Control::default()).unwrap();
    let found = words(memory.read(id));
    assert_eq!(found[47 * 16..][..15], [0, 0, 0, 1, 1, 1, 5, 3, 1, 6, 4, 2, 0, 1, 0]);
}

#[test]
fn loads_stores_and_atomics_reach_any_block_of_the_cluster() {
    // Every thread adds its number to a counter in block 2, by a shared and by a generic address. All threads read it
    // back.
    let body = format!(
        "mov.u32 %r1, data; mapa.shared::cluster.u32 %r2, %r1, 2; mov.u32 %r3, %ctaid.x;
        cvt.u64.u32 %rd1, %r1; cvta.shared.u64 %rd1, %rd1; mapa.u64 %rd2, %rd1, 2;
        {SYNC}
        atom.shared::cluster.add.u32 %r4, [%r2], %r0; red.shared::cluster.add.u32 [%r2+4], 1; atom.add.u32 %r4, [%rd2+8], %r3;
        {SYNC}
        ld.shared::cluster.u32 %r5, [%r2]; ld.shared::cluster.u32 %r6, [%r2+4]; ld.u32 %r7, [%rd2+8];
        isspacep.shared::cluster %p1, %rd2; isspacep.shared::cta %p2, %rd2; selp.u32 %r8, 1, 0, %p1; selp.u32 %r9, 1, 0, %p2;
        getctarank.shared::cluster.u32 %r10, %r2; getctarank.shared::cluster.u32 %r11, %r1; getctarank.u64 %r12, %rd2;
        mad.lo.u32 %r13, %r3, 64, %r0; mul.wide.u32 %rd3, %r13, 32; add.u64 %rd3, %rd3, %rd0;
        st.global.v4.u32 [%rd3], {{%r5, %r6, %r7, %r8}}; st.global.v4.u32 [%rd3+16], {{%r9, %r10, %r11, %r12}};
        {SYNC}"
    );
    for schedule in [Schedule::InOrder, Schedule::RoundRobin] {
        let options = Options { schedule, ..Options::default() };
        let found = clusters(&body, [4, 1, 1], [4, 1, 1], 64, 4 * 64 * 8, &options).unwrap();
        for (thread, found) in found.chunks(8).enumerate() {
            let block = thread as u32 / 64;
            let expected = [4 * (63 * 64 / 2), 256, 64 * 6, 1, u32::from(block == 2), 2, block, 2];
            assert_eq!(found, expected, "thread {thread}");
        }
    }
}

#[test]
fn addresses_carry_the_rank_of_their_block() {
    // As on an H200, the address of a variable has the block's rank from bit 24 up. `mapa` with the block's own rank
    // returns the same address, and masks on addresses select blocks.
    let body = format!(
        "mov.u32 %r1, data; mov.u32 %r2, %cluster_ctarank; add.u32 %r3, %r2, 1000; st.shared.u32 [data], %r3; {SYNC}
        mapa.shared::cluster.u32 %r4, %r1, 2; mapa.shared::cluster.u32 %r5, %r4, 1; mapa.shared::cluster.u32 %r6, %r1, %r2;
        cvt.u64.u32 %rd1, %r1; cvta.shared.u64 %rd1, %rd1; mapa.u64 %rd2, %rd1, 3; cvta.to.shared.u64 %rd3, %rd2;
        sub.u64 %rd4, %rd2, %rd1; cvt.u32.u64 %r7, %rd3; cvt.u32.u64 %r8, %rd4; and.b32 %r9, %r1, 0xfeffffff;
        ld.shared::cluster.u32 %r10, [%r9]; ld.shared::cluster.u32 %r11, [%r1]; ld.shared.u32 %r12, [%r6]; ld.u32 %r13, [%rd2];
        and.b32 %r14, %r1, 0xffffff; or.b32 %r14, %r14, 0x1000000; ld.shared::cluster.u32 %r15, [%r14];
        mov.u32 %r16, dynamic; shr.u32 %r16, %r16, 24; isspacep.shared %p1, %rd2; selp.u32 %r17, 1, 0, %p1;
        getctarank.shared::cluster.u32 %r18, %r1; getctarank.u64 %r19, %rd2;
        mul.wide.u32 %rd5, %r2, 64; add.u64 %rd5, %rd5, %rd0;
        st.global.v4.u32 [%rd5], {{%r1, %r4, %r5, %r6}}; st.global.v4.u32 [%rd5+16], {{%r7, %r8, %r10, %r11}};
        st.global.v4.u32 [%rd5+32], {{%r12, %r13, %r15, %r16}}; st.global.v4.u32 [%rd5+48], {{%r17, %r18, %r19, %r2}};
        {SYNC}"
    );
    let found = clusters(&body, [4, 1, 1], [4, 1, 1], 1, 64, &options(Measure::All)).unwrap();
    let data = found[0];
    for (rank, found) in found.chunks(16).enumerate() {
        let rank = rank as u32;
        let at = |rank: u32| rank << 24 | data;
        let expected = [
            at(rank),
            at(2),
            at(1),
            at(rank),
            at(3),
            (3u32 << 24).wrapping_sub(rank << 24),
            1000 + (rank & !1),
            1000 + rank,
            1000 + rank,
            1003,
            1001,
            rank,
            u32::from(rank == 3),
            rank,
            3,
            rank,
        ];
        assert_eq!(found, expected, "block {rank}");
    }
    // Another block's memory is not `shared::cta`.
    let body = "mov.u32 %r1, data; and.b32 %r1, %r1, 0xffffff; ld.shared.u32 %r2, [%r1];";
    let fault = clusters(body, [2, 1, 1], [2, 1, 1], 1, 4, &Options::default()).unwrap_err();
    assert_eq!(fault.kind, FaultKind::OutOfBounds, "{fault}");
}

#[test]
fn a_window_of_global_memory_leaves_a_blocks_shared_memory_where_it_is() {
    // Byte 0 of shared memory belongs to block 0. In block 1, whose memory begins elsewhere, a small address is
    // therefore out of bounds. The same register has just accessed global memory through a large offset, which must
    // not change this.
    let body = |block: u32| {
        format!(
            "mov.u32 %r1, %ctaid.x; setp.ne.u32 %p1, %r1, {block}; @%p1 bra END; mul.wide.u32 %rd1, %r0, 32;
            ld.global.f32 %f1, [%rd1+OUT]; ld.global.f32 %f2, [%rd1+OUT+4]; ld.global.f32 %f3, [%rd1+OUT+8];
            ld.shared.f32 %f4, [%rd1]; st.global.f32 [%rd0], %f4; END:"
        )
        .replace("OUT+", &format!("{}+", 1u64 << 40))
        .replace("OUT", &(1u64 << 40).to_string())
    };
    let run = |block| clusters(&body(block), [2, 1, 1], [2, 1, 1], 32, 512, &Options::default());
    assert!(run(0).is_ok());
    assert_eq!(run(1).unwrap_err().kind, FaultKind::OutOfBounds);
}

#[test]
fn blocks_signal_each_other_through_mbarriers() {
    // Block 0 stores to block 1 asynchronously and arrives there. Block 1 waits, reads, and arrives back.
    let body = format!(
        "mov.u32 %r1, bar; mov.u32 %r2, data; mov.u32 %r3, %cluster_ctarank; setp.eq.u32 %p1, %r3, 0;
        mbarrier.init.shared::cta.b64 [%r1], 1; fence.mbarrier_init.release.cluster; {SYNC}
        xor.b32 %r4, %r3, 1; mapa.shared::cluster.u32 %r5, %r1, %r4; mapa.shared::cluster.u32 %r6, %r2, %r4;
        @!%p1 bra SECOND;
        mbarrier.arrive.expect_tx.release.cluster.shared::cluster.b64 _, [%r5], 16; mov.b32 %r7, 40; mov.b32 %r8, 41;
        st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v4.b32 [%r6], {{%r7, %r8, %r7, %r8}}, [%r5];
        A: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 %p2, [%r1], 0; @!%p2 bra A;
        ld.shared.u32 %r9, [%r2]; st.global.u32 [%rd0], %r9; bra END;
        SECOND:
        B: mbarrier.try_wait.parity.shared::cta.b64 %p2, [%r1], 0; @!%p2 bra B;
        ld.shared.v2.u32 {{%r9, %r10}}, [%r2]; add.u32 %r9, %r9, %r10; st.shared::cluster.u32 [%r6], %r9;
        mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r5];
        END: {SYNC}"
    );
    for schedule in [Schedule::InOrder, Schedule::RoundRobin, Schedule::Priority(vec![0])] {
        let options = Options { schedule, ..options(Measure::All) };
        assert_eq!(clusters(&body, [2, 1, 1], [2, 1, 1], 1, 1, &options).unwrap(), [81]);
    }
}

#[test]
fn bulk_copies_go_between_blocks_and_to_global_memory() {
    let body = format!(
        "mov.u32 %r1, bar; mov.u32 %r2, data; mov.u32 %r3, %cluster_ctarank; setp.eq.u32 %p1, %r3, 1; shl.b32 %r4, %r0, 2; add.u32 %r5, %r2, %r4;
        setp.eq.u32 %p3, %r0, 0; setp.eq.and.u32 %p4, %r3, 0, %p3; mad.lo.u32 %r6, %r3, 100, %r0; st.shared.u32 [%r5], %r6;
        @%p3 mbarrier.init.shared::cta.b64 [%r1], 1; fence.mbarrier_init.release.cluster; fence.proxy.async; {SYNC}
        mapa.shared::cluster.u32 %r7, %r2, 1; mapa.shared::cluster.u32 %r8, %r1, 1;
        @%p4 cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%r7+128], [%r2], 128, [%r8];
        @!%p1 bra END;
        @%p3 mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r1], 128;
        A: mbarrier.try_wait.parity.shared::cta.b64 %p2, [%r1], 0; @!%p2 bra A;
        @%p3 cp.async.bulk.global.shared::cta.bulk_group [%rd0], [%r2], 256; @%p3 cp.async.bulk.commit_group; @%p3 cp.async.bulk.wait_group 0;
        END: {SYNC}"
    );
    let found = clusters(&body, [2, 1, 1], [2, 1, 1], 32, 64, &options(Measure::All)).unwrap();
    let expected: Vec<u32> = (100..132).chain(0..32).collect();
    assert_eq!(found, expected);
}

#[test]
fn a_store_reads_its_source_when_it_is_waited_for() {
    for (wait, expected) in [("cp.async.bulk.wait_group.read 0;", 1), ("", 2)] {
        let body = format!(
            "mov.u32 %r1, data; mov.u32 %r2, 1; st.shared.u32 [%r1], %r2; fence.proxy.async;
            cp.async.bulk.global.shared::cta.bulk_group [%rd0], [%r1], 16; cp.async.bulk.commit_group; {wait}
            mov.u32 %r2, 2; st.shared.u32 [%r1], %r2;"
        );
        let found = clusters(&body, [1; 3], [1; 3], 1, 4, &Options::default()).unwrap();
        assert_eq!(found[0], expected, "{wait}");
    }
}

#[test]
fn single_values_are_reduced_into_another_threads_word() {
    // All threads add to one word, which they then read.
    let body = "mov.u32 %r1, data; mov.u32 %r2, bar; setp.eq.u32 %p0, %r0, 0; mov.u32 %r3, 7; st.shared.u32 [%r1], %r3;
        @%p0 mbarrier.init.shared::cta.b64 [%r2], 1; @%p0 fence.mbarrier_init.release.cluster; bar.sync 0;
        @%p0 mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r2], 256;
        red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32 [%r1], %r0, [%r2];
        A: mbarrier.try_wait.parity.shared::cta.b64 %p2, [%r2], 0; @!%p2 bra A; ld.shared.u32 %r4, [%r1];
        shl.b32 %r5, %r0, 2; cvt.u64.u32 %rd1, %r5; add.u64 %rd1, %rd1, %rd0; st.global.u32 [%rd1], %r4;";
    let found = clusters(body, [1; 3], [1; 3], 64, 64, &Options::default()).unwrap();
    assert_eq!(found, [7 + 63 * 32; 64]);
    // On an H200, it is an illegal instruction in a launch without clusters.
    let fault = go(body, 64, &[0; 256], &Options::default()).unwrap_err();
    assert!(fault.message.contains("in a launch without clusters"), "{fault}");
}

#[test]
fn cluster_errors_are_faults() {
    for (body, says) in [
        ("mov.u32 %r1, data; mapa.shared::cluster.u32 %r2, %r1, 5; st.shared::cluster.u32 [%r2], %r1;", "which has 2 blocks"),
        ("mov.u32 %r1, data; mapa.shared::cluster.u32 %r2, %r1, 1; st.shared::cluster.u32 [%r2+65536], %r1;", "of shared memory, which has"),
        ("barrier.cluster.wait;", "without having arrived"),
        ("barrier.cluster.arrive; barrier.cluster.arrive;", "a second time"),
        (
            "mov.u32 %r3, %cluster_ctarank; setp.eq.u32 %p1, %r3, 0; @%p1 ret; mov.u32 %r1, data; mapa.shared::cluster.u32 %r2, %r1, 0; ld.shared::cluster.u32 %r4, [%r2];",
            "which has left the kernel",
        ),
        (
            "mov.u32 %r1, bar; mov.u32 %r3, %cluster_ctarank; setp.eq.u32 %p1, %r3, 0; @!%p1 mbarrier.init.shared::cta.b64 [%r1], 1; barrier.cluster.arrive; barrier.cluster.wait; @%p1 ret;
             A: mbarrier.try_wait.parity.shared::cta.b64 %p2, [%r1], 0; @!%p2 bra A;",
            "lacks 1 of 1 arrivals",
        ),
    ] {
        let fault = clusters(body, [2, 1, 1], [2, 1, 1], 1, 4, &Options::default()).unwrap_err();
        assert!(fault.message.contains(says), "{body}: {fault}");
    }
    for (grid, cluster) in [([3, 1, 1], [2, 1, 1]), ([32, 1, 1], [32, 1, 1]), ([2, 1, 1], [0, 1, 1])] {
        let fault = clusters("", grid, cluster, 1, 1, &Options::default()).unwrap_err();
        assert_eq!(fault.kind, FaultKind::Launch, "{fault}");
    }
}

#[test]
fn one_lane_of_the_members_is_elected() {
    let body =
        "elect.sync %r1|%p1, 0xfffffff0; selp.u32 %r2, 1, 0, %p1; mul.wide.u32 %rd1, %r0, 8; add.u64 %rd1, %rd1, %rd0;
        griddepcontrol.wait; st.global.v2.u32 [%rd1], {%r1, %r2};";
    let body = format!("setp.lt.u32 %p2, %r0, 4; @%p2 ret; {body}");
    let found = clusters(&body, [1; 3], [1; 3], 32, 64, &Options::default()).unwrap();
    for lane in 4..32 {
        assert_eq!(found[2 * lane..2 * lane + 2], [4, u32::from(lane == 4)], "lane {lane}");
    }
}

#[test]
fn a_whole_warp_changes_its_registers() {
    let body = "setmaxnreg.dec.sync.aligned.u32 40; st.global.u32 [%rd0], %r0;";
    assert!(clusters(body, [1; 3], [1; 3], 128, 1, &Options::default()).is_ok());
    let some = format!("setp.eq.u32 %p1, %r0, 7; @%p1 bra END; {body} END:");
    let fault = clusters(&some, [1; 3], [1; 3], 128, 1, &Options::default()).unwrap_err();
    assert!(fault.message.contains("while 1 threads of its warp do something else"), "{fault}");
    for count in [20, 264, 42] {
        assert!(assemble(&format!("setmaxnreg.inc.sync.aligned.u32 {count};")).is_err());
    }
}
