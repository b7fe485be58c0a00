"""Where wgmma reads its operands, and how wmma lays out fragments: PTX of the questions."""
HEAD = ".version 8.4\n.target sm_90a\n.address_size 64\n"
TILE = 49152


def regs(letter, count):
    return "{" + ", ".join(f"%{letter}{i}" for i in range(count)) + "}"


def wgmma(types, cd, n, k, ta, tb, a_shared):
    """D = A B, 128 threads. Image of shared memory at `image`; descriptors lack the tile's address."""
    half = cd == "f16"
    rc = n // 4 if half else n // 2
    kind = {"f32": "f32", "f16": "b32", "s32": "b32"}[cd]
    p = [HEAD, ".visible .entry k(.param .u64 image, .param .u64 a, .param .u64 d, .param .u64 descA, .param .u64 descB)\n{\n",
         f".reg .b32 %a<4>; .reg .{kind} %c<{rc}>; .reg .b32 %r<12>; .reg .b64 %rd<12>; .reg .pred %p<3>;\n",
         f".shared .align 1024 .b8 tile[{TILE}];\n",
         "ld.param.u64 %rd1, [image]; ld.param.u64 %rd2, [a]; ld.param.u64 %rd3, [d];\n",
         "ld.param.u64 %rd4, [descA]; ld.param.u64 %rd5, [descB];\n",
         "mov.u32 %r1, %tid.x; mov.u32 %r2, tile; mov.u32 %r3, %r1;\n",
         f"L: mul.wide.u32 %rd6, %r3, 4; add.u64 %rd7, %rd6, %rd1; ld.global.b32 %r4, [%rd7]; mad.lo.u32 %r5, %r3, 4, %r2; st.shared.b32 [%r5], %r4;\n",
         f"add.u32 %r3, %r3, 128; setp.lt.u32 %p1, %r3, {TILE // 4}; @%p1 bra L;\n",
         "fence.proxy.async;\nbar.sync 0;\n",
         "mul.wide.u32 %rd6, %r1, 4; add.u64 %rd2, %rd2, %rd6;\n"]
    if not a_shared:
        p += [f"ld.global.b32 %a{i}, [%rd2+{512 * i}];\n" for i in range(4)]
    zero = "0f00000000" if kind == "f32" else "0"
    p += [f"mov.{kind} %c{i}, {zero};\n" for i in range(rc)]
    p.append("shr.u32 %r6, %r2, 4; cvt.u64.u32 %rd8, %r6; add.u64 %rd4, %rd4, %rd8; add.u64 %rd5, %rd5, %rd8;\nsetp.eq.u32 %p2, 0, 0;\n")
    ab = types.split(".")[1]
    tail = {"f16": ", 1, 1", "bf16": ", 1, 1", "tf32": ", 1, 1"}.get(ab, "" if ab in ("s8", "u8") else ", 1, 1")
    if ab in ("f16", "bf16"):
        tail += (f", {ta}" if a_shared else "") + f", {tb}"
    a = "%rd4" if a_shared else regs("a", 4)
    p.append("wgmma.fence.sync.aligned;\n")
    p.append(f"wgmma.mma_async.sync.aligned.m64n{n}k{k}.{types} {regs('c', rc)}, {a}, %rd5, %p2{tail};\n")
    p.append("wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;\n")
    p.append("mul.wide.u32 %rd6, %r1, 4; add.u64 %rd3, %rd3, %rd6;\n")
    p += [f"st.global.{kind} [%rd3+{512 * i}], %c{i};\n" for i in range(rc)]
    return "".join(p) + "ret;\n}\n"


def desc(start, lbo, sbo, swizzle, base=0):
    return (start >> 4) | (lbo >> 4) << 16 | (sbo >> 4) << 32 | base << 49 | swizzle << 62


# (name, kernel arguments, which operand is asked, descriptors)
def questions():
    out = []
    none = [(0, 128, 256, 0), (256, 1024, 128, 0), (16, 2048, 144, 0), (0, 4096, 272, 0), (0, 256, 2048, 0)]
    k128 = [(0, 16, 1024, 1), (32, 16, 1024, 1), (96, 512, 1024, 1), (1024, 0, 2048, 1), (1024 + 256, 16, 1024, 1, 2),
            (1024 + 256, 16, 1024, 1, 0), (128, 16, 1024, 1, 1), (0, 16, 1040, 1), (64, 16, 1152, 1), (0, 16, 1024, 1, 3)]
    k64 = [(0, 16, 512, 2), (32, 16, 512, 2), (512, 0, 1024, 2), (128, 16, 512, 2, 1), (256, 16, 512, 2, 0), (0, 16, 640, 2)]
    k32 = [(0, 16, 256, 3), (256, 16, 512, 3), (128, 16, 256, 3, 1), (128, 16, 256, 3, 0), (0, 16, 288, 3)]
    m0 = [(0, 128, 2048, 0), (0, 2048, 128, 0), (256, 4096, 256, 0), (16, 144, 1040, 0)]
    m128 = [(0, 2048, 1024, 1), (0, 1024, 4096, 1), (1024, 4096, 1024, 1), (64, 2048, 1024, 1), (0, 2048, 1040, 1), (128, 2048, 1024, 1, 1), (256, 2048, 1024, 1, 0)]
    m64 = [(0, 1024, 512, 2), (0, 2048, 4096, 2), (32, 1024, 512, 2), (0, 4096, 2048, 2), (0, 2064, 528, 2)]
    m32 = [(0, 512, 256, 3), (0, 1024, 4096, 3), (0, 2048, 1024, 3), (0, 1040, 272, 3)]
    for tb, lists in ((0, (none, k128, k64, k32)), (1, (m0, m128, m64, m32))):
        for c in sum(lists, []):
            out.append(("B f16 n128", ("f32.f16.f16", "f32", 128, 16, 0, tb, False), "B", c))
        for c in sum((l[:2] for l in lists), []):
            out.append(("B f16 n8", ("f32.f16.f16", "f32", 8, 16, 0, tb, False), "B", c))
            if c[1:] != (128, 2048, 0):
                out.append(("B f16acc16 n256", ("f16.f16.f16", "f16", 256, 16, 0, tb, False), "B", c))
        for c in sum(lists, []):
            out.append(("A f16", ("f32.f16.f16", "f32", 16, 16, tb, 0, True), "A", c))
    for c in none + k128 + k64 + k32:
        out.append(("B tf32 n64", ("f32.tf32.tf32", "f32", 64, 8, 0, 0, False), "B", c))
    for c in none[:3] + k128[:3] + k64[:2] + k32[:2]:
        out.append(("B s8 n64", ("s32.s8.s8", "s32", 64, 32, 0, 0, False), "B", c))
        out.append(("A tf32", ("f32.tf32.tf32", "f32", 8, 8, 0, 0, True), "A", c))
        out.append(("A s8", ("s32.s8.s8", "s32", 32, 32, 0, 0, True), "A", c))
    return out


# wmma: (shape, type of A and B, type of C), registers of a, b, c
WMMA = [("m16n16k16", "f16", "f32"), ("m16n16k16", "f16", "f16"), ("m32n8k16", "f16", "f32"), ("m8n32k16", "f16", "f32"),
        ("m32n8k16", "f16", "f16"), ("m8n32k16", "f16", "f16"),
        ("m16n16k16", "bf16", "f32"), ("m32n8k16", "bf16", "f32"), ("m8n32k16", "bf16", "f32"),
        ("m16n16k8", "tf32", "f32"), ("m16n16k16", "s8", "s32"), ("m32n8k16", "s8", "s32"), ("m8n32k16", "s8", "s32"),
        ("m16n16k16", "u8", "s32"), ("m8n8k4", "f64", "f64")]


def wmma_registers(shape, ab, cd):
    m, n, k = (int(x) for x in shape[1:].replace("n", " ").replace("k", " ").split())
    if ab == "f16":
        a = b = 8
    elif ab == "bf16":
        a, b = {16: (4, 4), 32: (8, 2), 8: (2, 8)}[m]
    elif ab == "tf32":
        a = b = 4
    elif ab in ("s8", "u8"):
        a, b = {16: (2, 2), 32: (4, 1), 8: (1, 4)}[m]
    else:
        a = b = 1
    c = {"f32": 8, "s32": 8, "f16": 4, "f64": 2}[cd]
    return a, b, c


def wmma_load(shape, which, ty, layout, space, count):
    wide = ty == "f64"
    kind = "f64" if wide else "b32" if which in "ab" else {"f32": "f32"}.get(ty, "b32")
    size = 8 if wide else 4
    p = [HEAD, ".visible .entry k(.param .u64 m, .param .u64 out, .param .u32 stride)\n{\n",
         f".reg .{kind} %a<{count}>; .reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .pred %p<2>;\n.shared .align 128 .b8 tile[16384];\n",
         "ld.param.u64 %rd1, [m]; ld.param.u64 %rd2, [out]; ld.param.u32 %r8, [stride]; mov.u32 %r1, %tid.x;\n",
         f"mul.wide.u32 %rd3, %r1, {size}; add.u64 %rd2, %rd2, %rd3;\n"]
    at = "%rd1"
    if space == "shared":
        p.append("mov.u32 %r2, tile; mov.u32 %r3, %r1;\nL: mul.wide.u32 %rd4, %r3, 4; add.u64 %rd5, %rd4, %rd1; ld.global.b32 %r4, [%rd5]; mad.lo.u32 %r5, %r3, 4, %r2; st.shared.b32 [%r5], %r4; add.u32 %r3, %r3, 32; setp.lt.u32 %p1, %r3, 4096; @%p1 bra L; bar.sync 0;\n")
        at = "%r2"
    p.append(f"wmma.load.{which}.sync.aligned.{layout}.{shape}.{space}.{ty} {regs('a', count)}, [{at}], %r8;\n")
    p += [f"st.global.{kind} [%rd2+{32 * size * i}], %a{i};\n" for i in range(count)]
    return "".join(p) + "ret;\n}\n"


def wmma_mma(shape, ab, cd, al, bl):
    ra, rb, rc = wmma_registers(shape, ab, cd)
    kind = {"f32": "f32", "f16": "b32", "s32": "b32", "f64": "f64"}[cd]
    abk, size = ("f64", 8) if ab == "f64" else ("b32", 4)
    types = f"{cd}.{cd}" if ab == "f16" else f"{cd}.{ab}.{ab}.{cd}"
    p = [HEAD, ".visible .entry k(.param .u64 a, .param .u64 b, .param .u64 c, .param .u64 d)\n{\n",
         f".reg .{abk} %a<{ra}>; .reg .{abk} %b<{rb}>; .reg .{kind} %c<{rc}>; .reg .{kind} %d<{rc}>; .reg .b32 %r<9>; .reg .b64 %rd<9>;\n",
         "ld.param.u64 %rd1, [a]; ld.param.u64 %rd2, [b]; ld.param.u64 %rd3, [c]; ld.param.u64 %rd4, [d];\nmov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x;\n"]
    for q, nn in ((1, ra), (2, rb), (3, rc), (4, rc)):
        p.append(f"mad.lo.u32 %r3, %r2, {32 * nn}, %r1; mul.wide.u32 %rd5, %r3, {size}; add.u64 %rd{q}, %rd{q}, %rd5;\n")
    for q, (l, nn) in enumerate((("a", ra), ("b", rb), ("c", rc)), 1):
        p += [f"ld.global.{kind if l == 'c' else abk} %{l}{i}, [%rd{q}+{32 * size * i}];\n" for i in range(nn)]
    p.append(f"wmma.mma.sync.aligned.{al}.{bl}.{shape}.{types} {regs('d', rc)}, {regs('a', ra)}, {regs('b', rb)}, {regs('c', rc)};\n")
    p += [f"st.global.{kind} [%rd4+{32 * size * i}], %d{i};\n" for i in range(rc)]
    return "".join(p) + "ret;\n}\n"


def wmma_questions():
    for shape, ab, cd in WMMA:
        ra, rb, rc = wmma_registers(shape, ab, cd)
        for layout in ("row", "col"):
            for space in ("global", "shared"):
                for which, ty, count in (("a", ab, ra), ("b", ab, rb), ("c", cd, rc)):
                    yield f"{which} {shape} {ty} {layout} {space}", (shape, which, ty, layout, space, count)
