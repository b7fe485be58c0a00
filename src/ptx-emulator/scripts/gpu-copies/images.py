"""Columns of images: random questions on im2col maps, and the kernels that ask them."""
import random

import tiles
from device import ELEMENTS, SIZES
from tiles import HEAD, PARAMS, SHARED, SPAN, corner


def column_bytes(q):
    """Bytes that come, and bytes that the column takes in shared memory."""
    inner = q["channels"] * SIZES[q["element"]]
    return q["pixels"] * inner, q["pixels"] * (SPAN[q["swizzle"]] or inner)


def load_kernel(rank):
    offsets = "{" + ", ".join(f"%h{i}" for i in range(rank - 2)) + "}"
    text = tiles.load_kernel(rank).replace(f"entry load{rank}", f"entry column{rank}")
    old = f"cp.async.bulk.tensor.{rank}d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%r3], [%rd1, {corner(rank)}], [%r2];"
    new = (f".reg .b16 %h<3>; .reg .b32 %o; ld.param.u32 %o, [offsets]; cvt.u16.u32 %h0, %o; shr.u32 %o, %o, 8; cvt.u16.u32 %h1, %o; "
           f"shr.u32 %o, %o, 8; cvt.u16.u32 %h2, %o; and.b16 %h0, %h0, 255; and.b16 %h1, %h1, 255; and.b16 %h2, %h2, 255;\n"
           + old.replace(".tile.", ".im2col.").replace("[%r2];", f"[%r2], {offsets};"))
    assert old in text
    return text.replace(old, "{" + new + "}").replace(".param .u32 expect)", ".param .u32 expect, .param .u32 offsets)")


def store_kernel(rank):
    text = tiles.store_kernel(rank, None).replace(f"entry store{rank}", f"entry image{rank}")
    return text.replace("shared::cta.tile.bulk_group", "shared::cta.im2col_no_offs.bulk_group")


def text():
    return HEAD + "".join(make(rank) for make in (load_kernel, store_kernel) for rank in (3, 4, 5))


def question(rng, do):
    room = tiles.SOURCE if do == "column" else tiles.TARGET - 1024
    while True:
        element = rng.choice(ELEMENTS)
        size, swizzle = SIZES[element], rng.randrange(4)
        span = SPAN[swizzle] or rng.choice([16, 48, 64, 160])
        inner = span if rng.random() < 0.4 else 16 * rng.randint(1, span // 16)
        rank = rng.randint(3, 5)
        channels = inner // size
        space = {3: (1, 20), 4: (1, 8), 5: (1, 5)}[rank]
        dims = [rng.randint(1, 3 * channels)] + [rng.randint(*space) for _ in range(rank - 2)] + [rng.randint(1, 3)]
        limit = {3: 6, 4: 4, 5: 3}[rank]
        lower = [rng.randint(-limit, 2) for _ in range(rank - 2)]
        upper = [rng.randint(-2, limit) for _ in range(rank - 2)]
        if do == "image" and rng.random() < 0.95:
            # A column that reaches beyond the image cannot be stored: the instruction is illegal.
            lower, upper = [abs(low) % 3 for low in lower], [-(abs(high) % 3) for high in upper]
        steps = [1] * rank
        if rng.random() < 0.3:
            steps = [1] + [rng.choice([1, 1, 2, 3]) for _ in range(rank - 2)] + [1]
        pixels = rng.choice([1, 2, 3, 8, 16, 24, 40, 64])
        strides, pitch = [], dims[0] * size
        for d in range(rank - 1):
            pitch = (pitch + 15) // 16 * 16 + rng.choice([0, 0, 16])
            strides.append(pitch)
            pitch *= dims[d + 1]
        q = dict(do=do, element=element, dims=dims, strides=strides, lower=lower, upper=upper, channels=channels, pixels=pixels,
                 steps=steps, swizzle=swizzle, fill=int(element[0] in "fbt" and rng.random() < 0.4), base=16 * rng.randint(0, 20),
                 place=rng.choice([0, 128, 1024]))
        # The bounding box must hold a pixel, and the walk begins inside of it.
        widths = [dim + high - low for dim, low, high in zip(dims[1:-1], lower, upper)]
        if min(widths) < 1 or channels > 256 or q["base"] + pitch + 64 > room or q["place"] + column_bytes(q)[1] > SHARED:
            continue
        first = rng.choice([0, 0, -channels, dims[0] - channels, channels]) * size // 16 * 16 // size
        walk = [low + step * rng.randrange(max(1, -(-width // step))) for low, width, step in zip(lower, widths, steps[1:-1])]
        if do == "image":
            first, walk = max(first, 0), [max(place, 0) for place in walk]
        offsets = [rng.choice([0, 0, 1, 2, 3]) for _ in walk]
        return dict(q, at=[first, *walk, rng.randrange(dims[-1])], offsets=offsets)


def questions(seed, loads, stores):
    rng = random.Random(seed)
    return [question(rng, "column") for _ in range(loads)] + [question(rng, "image") for _ in range(stores)]


def encodings(seed, count):
    """Maps at the edge of what the driver takes."""
    rng = random.Random(seed)
    out = []
    for _ in range(count):
        q = question(rng, "column")
        q = dict(q, do="encode")
        for name in ("at", "place", "offsets"):
            del q[name]
        for _ in range(rng.choice([1, 1, 1, 2, 3])):
            d = rng.randrange(len(q["lower"]))
            what = rng.randrange(11)
            if what < 3:
                edge = {1: 1 << 15, 2: 1 << 7, 3: 1 << 4}[len(q["lower"])]
                which = q["lower"] if rng.random() < 0.5 else q["upper"]
                which[d] = rng.choice([-edge - 1, -edge, -edge + 1, edge - 2, edge - 1, edge])
            elif what == 3:
                q["channels"] = rng.choice([0, 1, 2, 4, 8, 16, 64, 128, 256, 257, 512])
            elif what == 4:
                q["pixels"] = rng.choice([0, 1, 2, 256, 257, 1023, 1024, 1025])
            elif what == 5:
                q["steps"][rng.randrange(len(q["steps"]))] = rng.choice([0, 1, 7, 8, 9])
            elif what == 6:
                q["dims"][rng.randrange(len(q["dims"]))] = rng.choice([0, 1, 1 << 32, (1 << 32) + 1])
            elif what == 7:
                q["swizzle"] = rng.randrange(4)
            elif what == 8:
                q["fill"], q["element"] = rng.randrange(2), rng.choice(ELEMENTS)
            elif what == 9:
                q["base"] = rng.choice([0, 8, 16])
            else:
                q["channels"], q["pixels"], q["swizzle"] = rng.choice([(256, 1024, 0), (128, 1024, 0), (64, 1024, 0), (256, 512, 0), (256, 896, 0)])
        out.append(q)
    return out
