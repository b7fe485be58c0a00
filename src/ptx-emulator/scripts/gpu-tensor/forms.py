"""The forms of mma and wgmma that are asked, their inputs, and their PTX."""
import numpy as np

# name, operands, A/B element format, C/D format, registers of A, B, C (32-bit words a lane)
H, B, T, E4, E5 = "f16", "bf16", "tf32", "e4m3", "e5m2"
MMA = [
    ("m16n8k8.f16.f32", "m16n8k8.row.col.f32.f16.f16.f32", H, "f32", 2, 1, 4),
    ("m16n8k16.f16.f32", "m16n8k16.row.col.f32.f16.f16.f32", H, "f32", 4, 2, 4),
    ("m16n8k8.f16.f16", "m16n8k8.row.col.f16.f16.f16.f16", H, "f16", 2, 1, 2),
    ("m16n8k16.f16.f16", "m16n8k16.row.col.f16.f16.f16.f16", H, "f16", 4, 2, 2),
    ("m16n8k8.bf16.f32", "m16n8k8.row.col.f32.bf16.bf16.f32", B, "f32", 2, 1, 4),
    ("m16n8k16.bf16.f32", "m16n8k16.row.col.f32.bf16.bf16.f32", B, "f32", 4, 2, 4),
    ("m16n8k4.tf32.f32", "m16n8k4.row.col.f32.tf32.tf32.f32", T, "f32", 2, 1, 4),
    ("m16n8k8.tf32.f32", "m16n8k8.row.col.f32.tf32.tf32.f32", T, "f32", 4, 2, 4),
    ("m16n8k32.e4m3.f32", "m16n8k32.row.col.f32.e4m3.e4m3.f32", E4, "f32", 4, 2, 4),
    ("m16n8k32.e5m2.f32", "m16n8k32.row.col.f32.e5m2.e5m2.f32", E5, "f32", 4, 2, 4),
    ("m8n8k16.s8.s32", "m8n8k16.row.col.s32.s8.s8.s32", "s8", "s32", 1, 1, 2),
    ("m16n8k16.s8.s32", "m16n8k16.row.col.s32.s8.s8.s32", "s8", "s32", 2, 1, 4),
    ("m16n8k32.s8.s32", "m16n8k32.row.col.s32.s8.s8.s32", "s8", "s32", 4, 2, 4),
    ("m16n8k32.u8.s8.sat", "m16n8k32.row.col.satfinite.s32.u8.s8.s32", "s8", "s32", 4, 2, 4),
    ("m8n8k4.f64", "m8n8k4.row.col.f64.f64.f64.f64", "f64", "f64", 1, 1, 2),
    ("m16n8k4.f64", "m16n8k4.row.col.f64.f64.f64.f64", "f64", "f64", 2, 1, 4),
    ("m16n8k8.f64", "m16n8k8.row.col.f64.f64.f64.f64", "f64", "f64", 4, 2, 4),
    ("m16n8k16.f64", "m16n8k16.row.col.f64.f64.f64.f64", "f64", "f64", 8, 4, 4),
    ("m8n8k4.f16.f32", "m8n8k4.row.col.f32.f16.f16.f32", H, "f32", 2, 2, 8),
    ("m8n8k4.f16.f16", "m8n8k4.row.col.f16.f16.f16.f16", H, "f16", 2, 2, 4),
]
# name, instruction, A/B format, C/D format, registers of A, words of the image of B, registers of C
WGMMA = [
    ("m64n8k16.f16.f32", "m64n8k16.f32.f16.f16", H, "f32", 4, 64, 4),
    ("m64n8k16.f16.f16", "m64n8k16.f16.f16.f16", H, "f16", 4, 64, 2),
    ("m64n8k16.bf16.f32", "m64n8k16.f32.bf16.bf16", B, "f32", 4, 64, 4),
    ("m64n8k8.tf32.f32", "m64n8k8.f32.tf32.tf32", T, "f32", 4, 64, 4),
    ("m64n8k32.e4m3.f32", "m64n8k32.f32.e4m3.e4m3", E4, "f32", 4, 64, 4),
    ("m64n8k32.e5m2.f32", "m64n8k32.f32.e5m2.e5m2", E5, "f32", 4, 64, 4),
    ("m64n8k32.e4m3.f16", "m64n8k32.f16.e4m3.e4m3", E4, "f16", 4, 64, 2),
    ("m64n8k32.s8.s32", "m64n8k32.s32.s8.s8", "s8", "s32", 4, 64, 4),
]
# element bits, exponent bits, fraction bits, fraction bits that the format counts
FORMAT = {"f16": (16, 5, 10), "bf16": (16, 8, 7), "tf32": (32, 8, 23), "f32": (32, 8, 23), "e4m3": (8, 4, 3),
          "e5m2": (8, 5, 2), "f64": (64, 11, 52)}
CLASSES = 10
M64 = (1 << 64) - 1


def splitmix(x):
    x = (x + np.uint64(0x9E3779B97F4A7C15))
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


def elements(fmt, kind, seed, count):
    """`count` elements of a class, as unsigned integers."""
    with np.errstate(over="ignore"):
        h = splitmix(np.arange(count, dtype=np.uint64) + np.uint64(seed) * np.uint64(1 << 32))
        h2 = splitmix(h)
    u = np.uint64
    if fmt in ("s8", "u8"):
        return h & u(255)
    if fmt == "s32":
        big = (h & u(0xFFFFFFFF))
        return np.where(h2 % u(4) == 0, big, big >> u(12)) if kind % 2 else big >> u(9)
    bits, eb, mb = FORMAT[fmt]
    bias = (1 << (eb - 1)) - 1
    top = (1 << eb) - 1
    sign = (h & u(1)) << u(bits - 1)
    mant = (h >> u(1)) & u((1 << mb) - 1)
    r = h2 >> u(8)
    pick = h2 & u(255)
    span = min(bias - 1, 60)

    def exponent(low, high):
        return u(low) + r % u(high - low + 1)
    if kind == 0:      # any bits
        e = r & u(top)
    elif kind == 1:    # near one
        e = exponent(bias - 2, bias + 2)
    elif kind == 2:    # wide
        e = exponent(max(1, bias - span), bias + span)
    elif kind == 3:    # few bits, so that sums cancel
        e = exponent(bias - 1, bias + 1)
        keep = 2 if bits > 8 else 1
        mant = mant & u(((1 << keep) - 1) << (mb - keep))
    elif kind == 4:    # subnormal, and small
        e = np.where(pick < 160, u(0), exponent(1, 4))
    elif kind == 5:    # zeros among wide ones
        e = np.where(pick < 170, u(0), exponent(max(1, bias - span), bias + span))
        mant = np.where(pick < 170, u(0), mant)
    elif kind == 6:    # near one, rarely infinite, not a number or the largest
        e = np.where(pick < 2, u(top), exponent(bias - 3, bias + 3))
        mant = np.where(pick == 0, u(0), mant)
    elif kind == 8:    # so small that products underflow, and zeros
        e = np.where(pick < 128, u(0), exponent(1, max(2, bias // 2 + 2)))
        mant = np.where(pick < 100, u(0), mant)
    elif kind == 9:    # so large that sums overflow
        e = exponent(bias + bias // 2 - 2, top - 1)
    else:              # mid range: differences of exponents about the width of a sum
        e = exponent(bias - min(14, bias - 1), bias + min(14, bias - 1))
    return sign | (e << u(mb)) | mant


def words(fmt, kind, seed, count):
    """32-bit words (64-bit ones for f64), `count` of them."""
    if fmt == "f64":
        return elements(fmt, kind, seed, count)
    bits = 8 if fmt in ("s8", "u8") else 32 if fmt == "s32" else FORMAT[fmt][0]
    per = 32 // bits
    e = elements(fmt, kind, seed, count * per).reshape(count, per)
    out = np.zeros(count, np.uint64)
    for i in range(per):
        out |= e[:, i] << np.uint64(bits * i)
    return out.astype(np.uint32)


def seed_of(index, kind, operand):
    return index * 64 + kind * 4 + operand + 1


def digest(words_):
    w = words_.ravel().astype(np.uint64)
    with np.errstate(over="ignore"):
        return int(((splitmix(np.arange(w.size, dtype=np.uint64)) | np.uint64(1)) * (w + np.uint64(1))).sum(dtype=np.uint64))


HEAD = ".version 8.4\n.target sm_90a\n.address_size 64\n"


def mma_ptx(form):
    name, op, ab, cd, ra, rb, rc = form
    wide = cd == "f64"
    ty, size, reg = ("b64", 8, "%rd") if wide else ("b32", 4, "%r")
    kind = {"f32": "f32", "f16": "b32", "s32": "b32", "f64": "f64"}[cd]
    abk = "f64" if wide else "b32"
    out = [HEAD, f".visible .entry k(.param .u64 a, .param .u64 b, .param .u64 c, .param .u64 d)\n{{\n",
           f".reg .{abk} %a<{ra}>; .reg .{abk} %b<{rb}>; .reg .{kind} %c<{rc}>; .reg .{kind} %d<{rc}>;\n",
           ".reg .b32 %r<9>; .reg .b64 %rd<9>;\n",
           "ld.param.u64 %rd1, [a]; ld.param.u64 %rd2, [b]; ld.param.u64 %rd3, [c]; ld.param.u64 %rd4, [d];\n",
           "mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x;\n"]
    for k, (p, n) in enumerate(((1, ra), (2, rb), (3, rc), (4, rc))):
        out.append(f"mad.lo.u32 %r3, %r2, {32 * n}, %r1; mul.wide.u32 %rd5, %r3, {size}; add.u64 %rd{p}, %rd{p}, %rd5;\n")
    for p, (l, n) in enumerate((("a", ra), ("b", rb), ("c", rc)), 1):
        k = kind if l == "c" else abk
        out += [f"ld.global.{k} %{l}{i}, [%rd{p}+{32 * size * i}];\n" for i in range(n)]
    v = lambda l, n: "{" + ", ".join(f"%{l}{i}" for i in range(n)) + "}"
    out.append(f"mma.sync.aligned.{op} {v('d', rc)}, {v('a', ra)}, {v('b', rb)}, {v('c', rc)};\n")
    out += [f"st.global.{kind} [%rd4+{32 * size * i}], %d{i};\n" for i in range(rc)]
    out.append("ret;\n}\n")
    return "".join(out)


def wgmma_ptx(form, scale_d=1, tail=None):
    name, op, ab, cd, ra, wb, rc = form
    kind = {"f32": "f32", "f16": "b32", "s32": "b32"}[cd]
    out = [HEAD, ".visible .entry k(.param .u64 a, .param .u64 b, .param .u64 c, .param .u64 d)\n{\n",
           f".reg .b32 %a<{ra}>; .reg .{kind} %c<{rc}>; .reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .pred %p<3>;\n",
           ".shared .align 1024 .b8 tile[1024];\n",
           "ld.param.u64 %rd1, [a]; ld.param.u64 %rd2, [b]; ld.param.u64 %rd3, [c]; ld.param.u64 %rd4, [d];\n",
           "mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; shr.u32 %r4, %r1, 5; and.b32 %r5, %r1, 31;\n",
           "mad.lo.u32 %r4, %r2, 4, %r4;\n"]
    for p, n in ((1, ra), (3, rc), (4, rc)):
        out.append(f"mad.lo.u32 %r3, %r4, {32 * n}, %r5; mul.wide.u32 %rd5, %r3, 4; add.u64 %rd{p}, %rd{p}, %rd5;\n")
    out.append(f"setp.ge.u32 %p1, %r1, {wb}; mad.lo.u32 %r3, %r2, {wb}, %r1; mul.wide.u32 %rd5, %r3, 4; add.u64 %rd2, %rd2, %rd5;\n")
    out.append("mov.u32 %r6, tile; mad.lo.u32 %r7, %r1, 4, %r6;\n@%p1 bra L;\nld.global.b32 %r3, [%rd2]; st.shared.b32 [%r7], %r3;\nL:\n")
    out.append("fence.proxy.async;\nbar.sync 0;\n")
    out += [f"ld.global.b32 %a{i}, [%rd1+{128 * i}];\n" for i in range(ra)]
    out += [f"ld.global.{kind} %c{i}, [%rd3+{128 * i}];\n" for i in range(rc)]
    # start address >> 4, leading offset 128 >> 4, stride offset 256 >> 4, no swizzle
    out.append("shr.u32 %r3, %r6, 4; and.b32 %r3, %r3, 0x3fff; cvt.u64.u32 %rd6, %r3; or.b64 %rd6, %rd6, 0x1000080000;\n")
    v = lambda l, n: "{" + ", ".join(f"%{l}{i}" for i in range(n)) + "}"
    usual = {"f16": ", 1, 1, 0", "bf16": ", 1, 1, 0", "tf32": ", 1, 1", "e4m3": ", 1, 1", "e5m2": ", 1, 1", "s8": ""}[ab]
    tail = tail or usual
    out.append("wgmma.fence.sync.aligned;\n")
    out.append(f"setp.eq.u32 %p2, {1 - scale_d}, 0;\n")
    out.append(f"wgmma.mma_async.sync.aligned.{op} {v('c', rc)}, {v('a', ra)}, %rd6, %p2{tail};\n")
    out.append("wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;\n")
    out += [f"st.global.{kind} [%rd4+{128 * i}], %c{i};\n" for i in range(rc)]
    out.append("ret;\n}\n")
    return "".join(out)


def inputs(index, form, kind, tiles, wg):
    name, op, ab, cd, ra, rb, rc = form
    per = 4 if wg else 1
    a = words(ab, kind, seed_of(index, kind, 0), tiles * per * ra * 32)
    b = words(ab, kind, seed_of(index, kind, 1), tiles * (rb if wg else rb * 32))
    c = words(cd, kind, seed_of(index, kind, 2), tiles * per * rc * 32)
    return a, b, c


def all_forms():
    for i, f in enumerate(MMA):
        # In forms.txt; their places here keep the seeds of the others.
        if f[2] in (E4, E5) or f[0].startswith("m8n8k4.f16"):
            continue
        yield i, "mma." + f[0], f, False, mma_ptx(f)
    for i, f in enumerate(WGMMA):
        yield 32 + i, "wgmma." + f[0], f, True, wgmma_ptx(f)
    for i, (f, scale, tail) in enumerate(((WGMMA[0], 0, None), (WGMMA[2], 1, ", -1, 1, 0"), (WGMMA[3], 1, ", 1, -1"),
                                          (WGMMA[1], 0, ", -1, -1, 0"), (WGMMA[7], 0, None))):
        yield 48 + i, f"wgmma.{f[0]}.scaled{scale}{tail or ''}".replace(", ", "_"), f, True, wgmma_ptx(f, scale, tail)
