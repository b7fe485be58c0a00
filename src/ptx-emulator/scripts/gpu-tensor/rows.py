"""ldmatrix and stmatrix with many patterns of row addresses, one launch each."""
import json

import cupy as cp
import numpy as np

HEAD = ".version 8.4\n.target sm_90a\n.address_size 64\n"


def ptx(store, count, trans):
    r = ", ".join(f"%r{i}" for i in range(4, 4 + count))
    op = f"stmatrix.sync.aligned.m8n8.x{count}{trans}.shared.b16 [%r1], {{{r}}};" if store else f"ldmatrix.sync.aligned.m8n8.x{count}{trans}.shared.b16 {{{r}}}, [%r1];"
    keep = "".join(f"st.global.b32 [%rd3+{128*i}], %r{4+i};\n" for i in range(count)) if not store else ""
    return (HEAD + ".visible .entry k(.param .u64 t, .param .u64 o) {\n.reg .b32 %r<9>; .reg .b64 %rd<9>;\n.shared .align 128 .b8 tile[32768];\n"
      "ld.param.u64 %rd1, [t]; ld.param.u64 %rd3, [o]; mov.u32 %r2, %tid.x; mul.wide.u32 %rd2, %r2, 4; add.u64 %rd1, %rd1, %rd2; add.u64 %rd3, %rd3, %rd2;\n"
      "ld.global.b32 %r1, [%rd1]; mov.u32 %r3, tile; add.u32 %r1, %r1, %r3; mov.u32 %r4, %r2; mov.u32 %r5, %r2; mov.u32 %r6, %r2; mov.u32 %r7, %r2;\n"
      + op + "\n" + keep + "ret;\n}\n")


def patterns():
    rng = np.random.default_rng(7); l = np.arange(32)
    for pitch in (0, 16, 32, 48, 64, 80, 96, 128, 144, 160, 192, 256, 272, 512, 528): yield f"pitch {pitch}", (l * pitch) % 32768
    for pitch in (64, 128, 144): yield f"pitch in 8 {pitch}", ((l % 8) * pitch + (l // 8) * 16) % 32768
    yield "pairs", (l // 2) * 16
    yield "pairs xor2", ((l & ~2)) * 16
    yield "pairs 128", (l // 2) * 128
    yield "quads", (l // 4) * 128
    yield "same matrices", (l % 8) * 16
    yield "same matrices 128", (l % 8) * 128
    for i in range(8): yield f"random {i}", rng.integers(0, 2048, 32) * 16
    for i in range(4): yield f"few {i}", rng.integers(0, 24, 32) * 16


def launch(load, folder):
    names = []
    for store in (0, 1):
        for count in (1, 2, 4):
            for trans in ("", ".trans"):
                kernel = load(ptx(store, count, trans))
                for name, addresses in patterns():
                    if trans and not name.startswith(("random", "pitch 128")):
                        continue
                    if count == 1 and name.startswith("few"):
                        continue
                    table, out = cp.asarray(addresses.astype(np.uint32)), cp.zeros(128, dtype=cp.uint32)
                    kernel((1,), (32,), (table, out))
                    cp.cuda.Device().synchronize()
                    names.append(dict(op="st" if store else "ld", count=count, trans=bool(trans), name=name,
                                      addr=[int(x) for x in addresses]))
    with open(f"{folder}/rows.json", "w") as file:
        json.dump(names, file)
