"""The forms of forms.txt: their PTX, their inputs, and what wmma.load is asked for them.

A line of the table is an instruction and, for A, B, C and D, the format and the words a lane; for operands in shared
memory, the words of their image and the descriptor, if it is not the usual one, without the start. The last column is how
the metadata of a sparse A is drawn. In the instruction, D, A, B, C stand for the registers (or descriptors), E for the
metadata, P and N for predicates: D is added to or not.
"""
import functools
import os
import re

import numpy as np

import forms

HEAD = ".version 8.7\n.target sm_90a\n.address_size 64\n"
# Leading byte offset 128, stride byte offset 256, no swizzle.
DESCRIPTOR = "0x1000080000"
# Shared memory, and where B begins in it.
TILE, B = 16384, 8192
KINDS = forms.CLASSES
# The pairs of the four elements of a chunk that may be there, and which of two.
PAIRS = (0x4, 0x8, 0xC, 0x9, 0xD, 0xE)
ONES = (0x4, 0xE)


class Operand:
    def __init__(self, text):
        self.format, count, *rest = text.split()
        self.count, self.shared = int(count), rest[:1] == ["shared"]
        self.descriptor = rest[1] if len(rest) == 2 else DESCRIPTOR
        self.size = 8 if self.format == "f64" else 4

    def words(self, tiles, warps):
        return tiles * (self.count if self.shared else warps * self.count * 32)


class Form:
    def __init__(self, line):
        self.line = line
        instruction, *operands = line.split(" | ")
        self.instruction = instruction
        self.metadata = operands.pop() if len(operands) == 5 else None
        self.a, self.b, self.c, self.d = map(Operand, operands)
        self.warps = 4 if instruction.startswith("wgmma") else 1

    def ptx(self):
        p = [HEAD, ".visible .entry k(.param .u64 a, .param .u64 b, .param .u64 c, .param .u64 d, .param .u64 e)\n{\n",
             f".reg .b32 %r<12>; .reg .b64 %rd<12>; .reg .pred %p<3>;\n.shared .align 1024 .b8 tile[{TILE}];\n",
             "mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; shr.u32 %r4, %r1, 5; and.b32 %r5, %r1, 31;\n",
             f"mad.lo.u32 %r4, %r2, {self.warps}, %r4; mov.u32 %r6, tile;\n"]
        replaced = {}
        for name in "abcde":
            operand = Operand("x 1") if name == "e" else getattr(self, name)
            if name == "e" and self.metadata is None:
                continue
            kind = f"b{8 * operand.size}"
            p.append(f"ld.param.u64 %rd1, [{name}];\n")
            if operand.shared:
                start = B if name == "b" else 0
                p += [f"mov.u32 %r3, %r1;\nL{name}: setp.ge.u32 %p1, %r3, {operand.count}; @%p1 bra E{name};\n",
                      f"mad.lo.u32 %r7, %r2, {operand.count}, %r3; mul.wide.u32 %rd2, %r7, 4; add.u64 %rd2, %rd2, %rd1;\n",
                      f"ld.global.b32 %r8, [%rd2]; mad.lo.u32 %r7, %r3, 4, %r6; st.shared.b32 [%r7+{start}], %r8;\n",
                      f"add.u32 %r3, %r3, {32 * self.warps}; bra L{name};\nE{name}:\n",
                      f".reg .b64 %{name};\nadd.u32 %r3, %r6, {start}; shr.u32 %r3, %r3, 4; cvt.u64.u32 %{name}, %r3;\n",
                      f"or.b64 %{name}, %{name}, {operand.descriptor};\n"]
                replaced[name] = f"%{name}"
                continue
            p.append(f".reg .{kind} %{name}<{operand.count}>;\n")
            p.append(f"mad.lo.u32 %r3, %r4, {32 * operand.count}, %r5; mul.wide.u32 %rd2, %r3, {operand.size}; add.u64 %rd1, %rd1, %rd2;\n")
            if name == "d":
                p.append("mov.u64 %rd9, %rd1;\n")
            else:
                p += [f"ld.global.{kind} %{name}{i}, [%rd1+{32 * operand.size * i}];\n" for i in range(operand.count)]
            replaced[name] = "{" + ", ".join(f"%{name}{i}" for i in range(operand.count)) + "}"
        op, rest = self.instruction.split(" ", 1)
        if self.metadata:
            replaced["e"] = "%e0"
        group, result = self.warps == 4, "d"
        if group:
            replaced["d"], replaced["p"], replaced["n"], result = replaced["c"], "%p2", "%p0", "c"
            p.append("fence.proxy.async;\nbar.sync 0;\nsetp.eq.u32 %p2, 0, 0;\nsetp.ne.u32 %p0, 0, 0;\nwgmma.fence.sync.aligned;\n")
        p.append(f"{op} {re.sub('[A-ENP]', lambda m: replaced[m[0].lower()], rest)};\n")
        if group:
            p.append("wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;\n")
        p += [f"st.global.b{8 * self.d.size} [%rd9+{32 * self.d.size * i}], %{result}{i};\n" for i in range(self.d.count)]
        return "".join(p) + "ret;\n}\n"

    def inputs(self, kind, tiles):
        operands = [(o.format, o.words(tiles, self.warps)) for o in (self.a, self.b, self.c)]
        operands.append((self.metadata, tiles * self.warps * 32 if self.metadata else 1))
        return [words(format, kind, seed(kind, at), count) for at, (format, count) in enumerate(operands)]


def seed(kind, operand):
    return 4096 + kind * 8 + operand


@functools.cache
def pool(format, kind, seed_, count):
    with np.errstate(over="ignore"):
        u = np.uint64
        h = forms.splitmix(np.arange(count, dtype=u) + u(seed_) * u(1 << 32))
        if format in ("pairs", "ones"):
            legal = np.array(PAIRS if format == "pairs" else ONES, dtype=u)
            out = np.zeros(count, u)
            for i in range(8):
                out |= legal[(h >> u(8 * i) & u(255)) % u(len(legal))] << u(4 * i)
            return out.astype(np.uint32)
        if format == "edge":
            return (u(0x7FFFF000) + (h & u(0x1FFF))).astype(np.uint32)
        if format in ("s4", "u4", "b1", "any", None):
            return h.astype(np.uint32)
    return forms.words(format, kind, seed_, count)


def words(format, kind, seed_, count):
    """The first words of a pool: an element does not depend on how many there are."""
    return pool(format, kind, seed_, -(-count // 65536) * 65536)[:count]


def all_forms(path=os.path.join(os.path.dirname(__file__), "forms.txt")):
    with open(path) as file:
        return [Form(line) for line in file.read().splitlines()]


# Shape, types of A and B, registers of a and b, elements from line to line; for C, all in `layouts`.
SMALL = [("m16n16k16", "s8", 2, 2, 48), ("m32n8k16", "s8", 4, 1, 48), ("m8n32k16", "s8", 1, 4, 48), ("m16n16k16", "u8", 2, 2, 48),
         ("m8n8k32", "s4", 1, 1, 64), ("m8n8k32", "u4", 1, 1, 64), ("m8n8k128", "b1", 1, 1, 256)]


def small_fragments():
    """What wmma.load is asked for elements of eight bits and fewer: shape, operand, type, layout, space, registers, pitch."""
    for shape, ty, a, b, pitch in SMALL:
        for space in ("global", "shared"):
            for which, count in (("a", a), ("b", b)):
                for layout in ("row", "col"):
                    if ty.endswith("8") or (which == "a") == (layout == "row"):
                        yield shape, which, ty, layout, space, count, pitch
            if not ty.endswith("8"):
                for layout in ("row", "col"):
                    yield shape, "c", "s32", layout, space, 2, 40


# What moves matrices between registers and shared memory.
MOVES = [f"{op}matrix.sync.aligned.m8n8.x{count}{trans}.shared.b16" for op in ("ld", "st") for count in (1, 2, 4)
         for trans in ("", ".trans")] + ["movmatrix.sync.aligned.m8n8.trans.b16"]


def move_ptx(op):
    """Row addresses are 16 * ((37 * lane + 5) % 256); registers come from the input's second 4 KiB."""
    count = int(op.split(".x")[1][0]) if ".x" in op else 1
    r = "{" + ", ".join(f"%a{i}" for i in range(count)) + "}"
    p = [HEAD, ".visible .entry k(.param .u64 in, .param .u64 out)\n{\n.reg .b32 %r<9>; .reg .b32 %a<4>; .reg .b64 %rd<9>;\n",
         ".reg .pred %p<2>;\n.shared .align 128 .b8 tile[4096];\nld.param.u64 %rd1, [in]; ld.param.u64 %rd2, [out];\n",
         "mov.u32 %r1, %tid.x; mov.u32 %r2, tile; mul.wide.u32 %rd3, %r1, 4; add.u64 %rd1, %rd1, %rd3; add.u64 %rd2, %rd2, %rd3;\n",
         "mad.lo.u32 %r3, %r1, 4, %r2; mov.u32 %r4, 0; mov.u64 %rd4, %rd1;\n",
         "L: ld.global.b32 %r5, [%rd4]; st.shared.b32 [%r3], %r5; add.u64 %rd4, %rd4, 128; add.u32 %r3, %r3, 128;\n",
         "add.u32 %r4, %r4, 1; setp.lt.u32 %p1, %r4, 32; @%p1 bra L;\nbar.sync 0;\n",
         "mad.lo.u32 %r6, %r1, 37, 5; and.b32 %r6, %r6, 255; mad.lo.u32 %r6, %r6, 16, %r2;\n"]
    if not op.startswith("ld"):
        p += [f"ld.global.b32 %a{i}, [%rd1+{4096 + 128 * i}];\n" for i in range(count)]
    if op.startswith("st"):
        p += [f"{op} [%r6], {r};\nbar.sync 0;\nmad.lo.u32 %r3, %r1, 4, %r2;\n"]
        p += [f"ld.shared.b32 %r5, [%r3+{128 * i}]; st.global.b32 [%rd2+{128 * i}], %r5;\n" for i in range(32)]
    else:
        p += [f"{op} {r}, [%r6];\n" if op.startswith("ld") else f"{op} %a0, %a0;\n"]
        p += [f"st.global.b32 [%rd2+{128 * i}], %a{i};\n" for i in range(count)]
    return "".join(p) + "ret;\n}\n"
