"""Boxes of tensors: random questions, and the kernels that ask them."""
import random

from device import ELEMENTS, SIZES

HEAD = ".version 8.6\n.target sm_90a\n.address_size 64\n"
OPS = ["add", "min", "max", "inc", "dec", "and", "or", "xor"]
# Bytes of the source (and of shared memory's contents), of the target, and of shared memory.
SOURCE, TARGET, SHARED = 1 << 18, 1 << 16, 40960
SPAN = [None, 32, 64, 128]
BODY = """
.reg .b64 %rd<9>; .reg .b32 %r<20>; .reg .pred %p<4>;
.shared .align 1024 .b8 tile[40960]; .shared .align 8 .b64 bar;
mov.u32 %r0, %tid.x; mov.u32 %r1, tile; mov.u32 %r2, bar; setp.eq.u32 %p0, %r0, 0;
ld.param.u64 %rd0, [data]; mov.b64 %rd1, map; cvta.param.u64 %rd1, %rd1; ld.param.u32 %r3, [place]; add.u32 %r3, %r3, %r1;
ld.param.u32 %r10, [c0]; ld.param.u32 %r11, [c1]; ld.param.u32 %r12, [c2]; ld.param.u32 %r13, [c3]; ld.param.u32 %r14, [c4];
"""
PARAMS = ("(.param .align 64 .b8 map[128], .param .u64 data, .param .u32 place, .param .u32 c0, .param .u32 c1, .param .u32 c2, "
          ".param .u32 c3, .param .u32 c4, .param .u32 expect)")


def corner(rank):
    return "{" + ", ".join(f"%r{10 + i}" for i in range(rank)) + "}"


def load_kernel(rank):
    """Shared memory full of 0xee; the box; shared memory to `data`, and the barrier's word after it."""
    return f""".visible .entry load{rank}{PARAMS} {{{BODY}
ld.param.u32 %r9, [expect];
mov.u32 %r4, %r0; mov.b32 %r5, 0xeeeeeeee;
F: mad.lo.u32 %r6, %r4, 4, %r1; st.shared.b32 [%r6], %r5; add.u32 %r4, %r4, 128; setp.lt.u32 %p1, %r4, {SHARED // 4}; @%p1 bra F;
@%p0 mbarrier.init.shared::cta.b64 [%r2], 1;
fence.mbarrier_init.release.cluster; fence.proxy.async; bar.sync 0;
@!%p0 bra W;
mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r2], %r9;
cp.async.bulk.tensor.{rank}d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%r3], [%rd1, {corner(rank)}], [%r2];
W: mov.u32 %r7, 0;
L: mbarrier.try_wait.parity.shared::cta.b64 %p2, [%r2], 0; @%p2 bra D; add.u32 %r7, %r7, 1; nanosleep.u32 200; setp.lt.u32 %p3, %r7, 500; @%p3 bra L;
D: bar.sync 0; mov.u32 %r4, %r0;
O: mad.lo.u32 %r6, %r4, 4, %r1; ld.shared.b32 %r5, [%r6]; mul.wide.u32 %rd2, %r4, 4; add.u64 %rd2, %rd2, %rd0; st.global.b32 [%rd2], %r5;
add.u32 %r4, %r4, 128; setp.lt.u32 %p1, %r4, {SHARED // 4}; @%p1 bra O;
@%p0 ld.shared.b64 %rd3, [%r2]; @%p0 st.global.b64 [%rd0+{SHARED}], %rd3; selp.u32 %r8, 1, 0, %p2; @%p0 st.global.b32 [%rd0+{SHARED + 8}], %r8;
ret; }}
"""


def store_kernel(rank, op):
    """Shared memory from `data`; then the box to its tensor."""
    name, which = (f"{op}{rank}", f"cp.reduce.async.bulk.tensor.{rank}d.global.shared::cta.{op}.tile.bulk_group") if op else \
        (f"store{rank}", f"cp.async.bulk.tensor.{rank}d.global.shared::cta.tile.bulk_group")
    return f""".visible .entry {name}{PARAMS} {{{BODY}
mov.u32 %r4, %r0;
F: mad.lo.u32 %r6, %r4, 4, %r1; mul.wide.u32 %rd2, %r4, 4; add.u64 %rd2, %rd2, %rd0; ld.global.b32 %r5, [%rd2]; st.shared.b32 [%r6], %r5;
add.u32 %r4, %r4, 128; setp.lt.u32 %p1, %r4, {SHARED // 4}; @%p1 bra F;
fence.proxy.async; bar.sync 0;
@!%p0 bra D;
{which} [%rd1, {corner(rank)}], [%r3];
cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;
D: ret; }}
"""


def text():
    kernels = [load_kernel(rank) for rank in range(1, 6)] + [store_kernel(rank, None) for rank in range(1, 6)]
    return HEAD + "".join(kernels + [store_kernel(rank, op) for rank in range(1, 4) for op in OPS])


def box_bytes(q):
    """Bytes that come, and bytes that the box takes in shared memory."""
    inner = q["box"][0] * SIZES[q["element"]]
    rows = 1
    for extent, step in zip(q["box"][1:], q["steps"][1:]):
        rows *= -(-extent // step)
    return rows * inner, rows * (SPAN[q["swizzle"]] or inner)


def question(rng, do):
    """A map that fits, and coordinates."""
    room = SOURCE if do == "load" else TARGET - 1024
    while True:
        element = rng.choice(ELEMENTS)
        size, swizzle = SIZES[element], rng.randrange(4)
        span = SPAN[swizzle] or rng.choice([16, 48, 64, 80, 160, 256, 512])
        inner = span if rng.random() < 0.4 else 16 * rng.randint(1, span // 16)
        most = {1: 1, 2: 16, 3: 6, 4: 4, 5: 3}
        rank = rng.randint(1, 5 if do in ("load", "store") else 3)
        box = [inner // size] + [rng.randint(1, most[rank]) for _ in range(rank - 1)]
        steps = [1] * rank
        if rng.random() < 0.3:
            steps = [rng.choice([1, 1, 1, 2, 3, 8]) for _ in range(rank)]
            box = box[:1] + [min(16, extent * step) for extent, step in zip(box[1:], steps[1:])]
        dims = [rng.randint(1, 3 * extent) for extent in box]
        if rng.random() < 0.2:
            dims[0] = max(1, dims[0] * size // 16 * 16 // size)
        strides, pitch = [], dims[0] * size
        for d in range(rank - 1):
            pitch = (pitch + 15) // 16 * 16 + rng.choice([0, 0, 0, 16, 48])
            strides.append(pitch)
            pitch *= dims[d + 1]
        base = 16 * rng.randint(0, 20)
        fill = int(element[0] in "fbt" and rng.random() < 0.4)
        place = rng.choice([0, 0, 128, 256, 512, 896, 1024])
        q = dict(do=do, element=element, dims=dims, strides=strides, box=box, steps=steps, swizzle=swizzle, fill=fill, base=base, place=place)
        if box[0] <= 256 and base + pitch + 64 <= room and place + box_bytes(q)[1] <= SHARED:
            break
    at = []
    outside = rng.random() < 0.6
    # Nothing can be stored to the left of a tensor, or above it: the instruction is illegal.
    least = -1 << 20 if do == "load" or rng.random() < 0.03 else 0
    for d, (extent, dim) in enumerate(zip(box, dims)):
        kind = rng.random()
        if not outside or kind < 0.25:
            place = rng.randint(0, max(0, dim - extent))
        elif kind < 0.5:
            place = -rng.randint(0, extent - 1)
        elif kind < 0.9:
            place = dim - rng.randint(1, extent)
        else:
            place = rng.choice([dim, dim + 3, -extent, -extent - 2])
        # Nor does a box begin elsewhere than at a multiple of 16 bytes of a row.
        if d == 0 and rng.random() < 0.99:
            place = place * size // 16 * 16 // size
        at.append(max(place, least))
    return dict(q, at=at)


# What an operation can be done on.
REDUCES = dict(add=["u32", "s32", "u64", "f32", "f32.ftz", "tf32", "tf32.ftz", "f64", "f16", "bf16"], min=["u32", "s32", "u64", "s64", "f16", "bf16"],
               inc=["u32"], dec=["u32"])
REDUCES["max"] = REDUCES["min"]
REDUCES["and"] = REDUCES["or"] = REDUCES["xor"] = ["u32", "s32", "u64"]


def questions(seed, loads, stores, reduces):
    rng = random.Random(seed)
    out = [question(rng, "load") for _ in range(loads)] + [question(rng, "store") for _ in range(stores)]
    while reduces:
        op = rng.choice(OPS + ["add", "add"])
        q = question(rng, op)
        if q["element"] in REDUCES[op]:
            out.append(q)
            reduces -= 1
    return out


def impossible(seed):
    """Each operation on each type that has none, as far as the table above knows: illegal instructions."""
    rng = random.Random(seed)
    out = []
    for op in OPS:
        for element in ELEMENTS:
            while element not in REDUCES[op]:
                q = question(rng, op)
                if q["element"] == element and min(q["at"]) >= 0 and q["at"][0] * SIZES[element] % 16 == 0:
                    out.append(q)
                    break
    return out


def encodings(seed, count):
    """Maps at the edge of what the driver takes."""
    rng = random.Random(seed)
    out = []
    for _ in range(count):
        q = question(rng, "load")
        q = dict(q, do="encode", interleave=0, l2=rng.randrange(4))
        del q["at"], q["place"]
        for _ in range(rng.choice([1, 1, 1, 2, 3])):
            d = rng.randrange(len(q["dims"]))
            what = rng.randrange(14)
            if what == 0:
                q["dims"][d] = rng.choice([0, 1, (1 << 32) - 1, 1 << 32, (1 << 32) + 1, 1 << 40])
            elif what == 1 and q["strides"]:
                at = rng.randrange(len(q["strides"]))
                q["strides"][at] = rng.choice([0, 8, 16, 24, 32, q["strides"][at] + 4, q["strides"][at] - 16, (1 << 40) - 16, 1 << 40, (1 << 40) + 16])
            elif what == 2:
                q["box"][d] = rng.choice([0, 1, 2, 4, 8, 255, 256, 257, 512])
            elif what == 3:
                q["steps"][d] = rng.choice([0, 1, 2, 7, 8, 9, 16])
            elif what == 4:
                q["swizzle"] = rng.randrange(4)
            elif what == 5:
                q["fill"] = rng.randrange(2)
            elif what == 6:
                q["base"] = rng.choice([0, 1, 2, 4, 8, 16, 32])
            elif what == 7:
                q["interleave"] = rng.randrange(3)
            elif what == 8:
                q["element"] = rng.choice(ELEMENTS)
            elif what == 9:
                q["box"] = [rng.choice([b, 64, 128, 256]) for b in q["box"]]
            elif what == 10:
                q["box"][0] = q["box"][0] + rng.choice([1, 2, 3, 4])
            elif what == 11:
                q["dims"] = [rng.choice([x, x, x * 7, 4096]) for x in q["dims"]]
            elif what == 12:
                # As large as can be, or about.
                q["box"] = [256 // SIZES[q["element"]], *(rng.choice([15, 16, 17, 24, 32, 33, 64, 224, 255, 256]) for _ in q["box"][1:])]
                q["swizzle"] = 0
            else:
                q["rank"] = rng.choice([0, 1, 2, 3, 4, 5, 6]) if rng.random() < 0.1 else len(q["dims"])
                if q["rank"] > len(q["dims"]):
                    q["rank"] = len(q["dims"])
        out.append(q)
    for rows in range(96, 257, 4):
        out.append(dict(do="encode", element="u8", dims=[1 << 10] * 3, strides=[1 << 10, 1 << 20], box=[16, 128, rows], steps=[1, 1, 1], swizzle=0,
                        fill=0, base=0, interleave=0, l2=0))
        out.append(dict(out[-1], swizzle=3))
        out.append(dict(out[-1], swizzle=0, steps=[1, 2, 1]))
    for q in out:
        if "rank" in q and q["rank"] == len(q["dims"]):
            del q["rank"]
    return out
