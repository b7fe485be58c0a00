#!/usr/bin/env python3
"""Launches copies once each, for Nsight Compute: tests/fixtures/h200-copies.jsonl is made of what it counts.

`scripts/gpu-copies/counts.py --list` writes the questions; without it they are launched, under

  ncu --clock-control none --csv --page raw --metrics METRICS python3 scripts/gpu-copies/counts.py
"""
import ctypes as C
import json
import random
import struct
import sys

import device
import images
import tiles

HEAD = ".version 8.6\n.target sm_90a\n.address_size 64\n"
START = """{ .reg .b64 %rd<9>; .reg .b32 %r<12>; .reg .pred %p<4>;
.shared .align 1024 .b8 tile[32768]; .shared .align 8 .b64 bar;
mov.u32 %r0, %tid.x; mov.u32 %r1, tile; mov.u32 %r2, bar; setp.eq.u32 %p0, %r0, 0; ld.param.u64 %rd0, [data]; ld.param.u64 %rd1, [table];
"""


def copy_kernel(cache, size):
    """Each lane copies by its line of the table: global offset, shared offset, bytes to read, whether it copies at all."""
    return (f".visible .entry {cache}{size}(.param .u64 data, .param .u64 table) {START}"
            "mul.wide.u32 %rd2, %r0, 16; add.u64 %rd2, %rd2, %rd1; ld.global.v4.b32 {%r3, %r4, %r5, %r6}, [%rd2]; setp.ne.u32 %p1, %r6, 0;\n"
            "cvt.u64.u32 %rd3, %r3; add.u64 %rd3, %rd3, %rd0; add.u32 %r4, %r4, %r1;\n"
            f"@%p1 cp.async.{cache}.shared.global [%r4], [%rd3], {size}, %r5; cp.async.wait_all; ret; }}\n")


def bulk_kernel(do):
    load = do == "load"
    what = ("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r4], [%rd3], %r5, [%r2]" if load else
            f"cp.{'reduce.' if do == 'add' else ''}async.bulk.global.shared::cta.bulk_group{'.add.u32' if do == 'add' else ''} [%rd3], [%r4], %r5")
    return (f".visible .entry bulk_{do}(.param .u64 data, .param .u64 table) {START}"
            "ld.global.v4.b32 {%r3, %r4, %r5, %r6}, [%rd1]; cvt.u64.u32 %rd3, %r3; add.u64 %rd3, %rd3, %rd0; add.u32 %r4, %r4, %r1;\n"
            "@%p0 mbarrier.init.shared::cta.b64 [%r2], 1; @%p0 fence.mbarrier_init.release.cluster; bar.sync 0;\n"
            f"@!%p0 bra W; mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r2], {'%r5' if load else '0'}; {what};\n"
            "W: cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;\n"
            "L: mbarrier.try_wait.parity.shared::cta.b64 %p2, [%r2], 0; @!%p2 bra L; ret; }\n")


def text():
    return HEAD + "".join([copy_kernel("ca", size) for size in (4, 8, 16)] + [copy_kernel("cg", 16)]
                          + [bulk_kernel(do) for do in ("load", "store", "add")])


def copies(rng, count):
    """Lines of the table for 32 lanes."""
    for _ in range(count):
        cache, size = rng.choice([("ca", 4), ("ca", 8), ("ca", 16), ("cg", 16)])
        units = rng.choice([32, 48, 64, 128, 512])
        source = rng.choice(["random", "near", "unit", "pitch", "same"])
        pitch = rng.choice([1, 2, 3, 4, 5, 8, 16, 33])
        target = rng.choice(["random", "unit", "pitch", "xor"])
        step = rng.choice([1, 2, 3, 4, 5, 8, 9, 16])
        places = rng.sample(range(2048 // size * 8), 32)
        masked = rng.random() < 0.25
        short = rng.choice([0, 0, 0, 1, 2])
        lanes = []
        for lane in range(32):
            where = {"random": rng.randrange(units), "near": (lane // 4 * 8 + rng.randrange(8)), "unit": lane + 7, "pitch": lane * pitch,
                     "same": lane // 8}[source]
            to = {"random": places[lane], "unit": lane, "pitch": lane * step, "xor": lane ^ rng.choice([5, 5])}[target]
            read = size if short == 0 else rng.choice([0, size]) if short == 1 else rng.randrange(size + 1)
            lanes.append([where * size, to * size, read, int(not masked or rng.random() < 0.6)])
        yield dict(do="cp.async", cache=cache, bytes=size, lanes=lanes)


def bulks(rng, count):
    for _ in range(count):
        size = 16 * rng.choice([1, 2, 3, 5, 7, 8, 9, 12, 16, 33, 64, 100, 256])
        yield dict(do=f"bulk_{rng.choice(['load', 'store', 'add'])}", lanes=[[16 * rng.randrange(32), 16 * rng.randrange(32), size, 1]])


def questions():
    rng = random.Random(11)
    boxes = tiles.questions(11, 90, 50, 20) + images.questions(11, 25, 15)
    boxes = [q for q in boxes if (q["do"] in ("load", "column") or min(q["at"]) >= 0)
             and q["at"][0] * device.SIZES[q["element"]] % 16 == 0 and (q["do"] != "image" or (min(q["lower"]) >= 0 and max(q["upper"]) <= 0))]
    return boxes + list(bulks(rng, 60)) + list(copies(rng, 110))


def main():
    if "--list" in sys.argv:
        for q in questions():
            print(json.dumps(q))
        return
    device.start()
    modules = [device.load(t) for t in (tiles.text(), images.text(), text())]
    data, out, table = device.allocate(tiles.SOURCE), device.allocate(tiles.SHARED + 64), device.allocate(512)
    device.put(data, bytes(tiles.SOURCE))
    for q in questions():
        if "lanes" in q:
            rows = q["lanes"] + [[0, 0, 0, 0]] * (32 - len(q["lanes"]))
            device.put(table, struct.pack("<128I", *(word for row in rows for word in row)))
            name = f"{q['cache']}{q['bytes']}" if q["do"] == "cp.async" else q["do"]
            device.launch(device.function(modules[2], name), 1, 32, data, table)
            continue
        columns = "pixels" in q
        code, map_ = (device.encode_columns if columns else device.encode)(q, data + 512 + q["base"])
        assert code == 0, q
        bytes_ = (images.column_bytes if columns else tiles.box_bytes)(q)[0]
        at = [(C.c_int32, c) for c in q["at"] + [0] * (5 - len(q["at"]))]
        offsets = sum(offset << 8 * d for d, offset in enumerate(q.get("offsets", [])))
        loads = q["do"] in ("load", "column")
        f = device.function(modules[columns], f"{q['do']}{len(q['dims'])}")
        device.launch(f, 1, 128, map_.argument(), out if loads else data, (C.c_uint32, q["place"]), *at, (C.c_uint32, bytes_),
                      (C.c_uint32, offsets))


if __name__ == "__main__":
    main()
