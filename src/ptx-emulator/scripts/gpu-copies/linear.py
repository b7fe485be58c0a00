"""Reductions in bulk and of single values: every operation and type."""
HEAD = ".version 8.6\n.target sm_90a\n.address_size 64\n"
BULK_GLOBAL = ([("add", t) for t in ("u32", "s32", "u64", "f32", "f64")] + [("add.noftz", t) for t in ("f16", "bf16")]
               + [(op, t) for op in ("min", "max") for t in ("f16", "bf16", "u32", "s32", "u64", "s64")]
               + [("inc", "u32"), ("dec", "u32")] + [(op, t) for op in ("and", "or", "xor") for t in ("b32", "b64")])
CLUSTER = ([("add", t) for t in ("u32", "s32", "u64")] + [(op, t) for op in ("min", "max") for t in ("u32", "s32")]
           + [("inc", "u32"), ("dec", "u32")] + [(op, "b32") for op in ("and", "or", "xor")])
SINGLE = CLUSTER + [("add", "s64")]
BYTES = 4096
# Each of two blocks reduces into the other's shared memory: outside of a cluster, reaching the own one is illegal.
CLUSTERS = ".reqnctapercluster 2, 1, 1\n"
PEER = """mov.u32 %r12, %cluster_ctarank; xor.b32 %r12, %r12, 1; mapa.shared::cluster.u32 %r13, %r2, %r12; mapa.shared::cluster.u32 %r14, %r3, %r12;
barrier.cluster.arrive; barrier.cluster.wait; add.u32 %r15, %r13, %r4;
"""
START = """{ .reg .b64 %rd<9>; .reg .b32 %r<20>; .reg .pred %p<4>;
.shared .align 128 .b8 from[4096]; .shared .align 128 .b8 to[4096]; .shared .align 8 .b64 bar;
mov.u32 %r0, %tid.x; mov.u32 %r1, from; mov.u32 %r2, to; mov.u32 %r3, bar; setp.eq.u32 %p0, %r0, 0; shl.b32 %r4, %r0, 2;
ld.param.u64 %rd0, [data]; ld.param.u64 %rd1, [target]; cvt.u64.u32 %rd2, %r4; add.u64 %rd3, %rd0, %rd2; add.u64 %rd4, %rd1, %rd2;
add.u32 %r5, %r1, %r4; add.u32 %r6, %r2, %r4; ld.global.b32 %r7, [%rd3]; st.shared.b32 [%r5], %r7; ld.global.b32 %r8, [%rd4]; st.shared.b32 [%r6], %r8;
@%p0 mbarrier.init.shared::cta.b64 [%r3], 1; fence.mbarrier_init.release.cluster; fence.proxy.async; bar.sync 0;
"""
WAIT = """L: mbarrier.try_wait.parity.shared::cta.b64 %p2, [%r3], 0; @!%p2 bra L;
bar.sync 0; ld.shared.b32 %r8, [%r6]; st.global.b32 [%rd4], %r8; barrier.cluster.arrive; barrier.cluster.wait; ret; }
"""
PARAMS = "(.param .u64 data, .param .u64 target)"


def name(kind, op, ty):
    return f"{kind}_{op}_{ty}".replace(".", "_")


def bulk_global(op, ty):
    return (f".visible .entry {name('global', op, ty)}{PARAMS} {START}"
            f"@%p0 cp.reduce.async.bulk.global.shared::cta.bulk_group.{op}.{ty} [%rd1], [%r1], {BYTES}; cp.async.bulk.commit_group;\n"
            "cp.async.bulk.wait_group 0; ret; }\n")


def bulk_cluster(op, ty):
    return (f".visible .entry {name('cluster', op, ty)}{PARAMS} {CLUSTERS}{START}{PEER}"
            f"@%p0 mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r3], {BYTES};\n"
            f"@%p0 cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.{op}.{ty} [%r13], [%r1], {BYTES}, [%r14];\n{WAIT}")


def single(op, ty):
    """Each thread reduces its word, or its half of the threads their double words, into the target."""
    wide = ty.endswith("64")
    body = ("setp.lt.u32 %p1, %r0, 512; shl.b32 %r9, %r0, 3; add.u32 %r10, %r1, %r9; add.u32 %r11, %r13, %r9; @%p1 ld.shared.b64 %rd5, [%r10];\n"
            f"@%p1 red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.{op}.{ty} [%r11], %rd5, [%r14];\n" if wide else
            f"red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.{op}.{ty} [%r15], %r7, [%r14];\n")
    return (f".visible .entry {name('single', op, ty)}{PARAMS} {CLUSTERS}{START}{PEER}"
            f"@%p0 mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r3], {BYTES};\n{body}{WAIT}")


def text():
    return HEAD + "".join([bulk_global(*f) for f in BULK_GLOBAL] + [bulk_cluster(*f) for f in CLUSTER] + [single(*f) for f in SINGLE])
