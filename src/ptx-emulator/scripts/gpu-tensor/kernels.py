#!/usr/bin/env python3
"""Runs the tensor-core kernels of assets/ptx on the GPU and writes digests of C: tests/fixtures/h200-kernels.jsonl.

`scripts/gpu-tensor/kernels.py PTX_FOLDER OUT_FOLDER`; needs NumPy and the driver.
"""
import ctypes as C
import json
import sys

import numpy as np

import forms

cu = C.CDLL("libcuda.so.1")
cu.cuTensorMapEncodeTiled.argtypes = [C.c_void_p, C.c_int, C.c_uint32] + [C.c_void_p] * 5 + [C.c_int] * 4
SMS = 4  # as on the emulator: the results do not depend on it
SHAPES = [(72, 136, 72, 1.0, 0.0), (72, 136, 72, 1.5, -0.5), (264, 392, 200, 1.5, -0.5)]


def up(a, b):
    return -(-a // b)


def tiles(bm, bn):
    return lambda m, n: up(m, bm) * up(n, bn)


def waves(count, slots):
    return up(count, up(count, slots))


# entry, elements, block, grid, dynamic shared memory, tensor maps: as in kernels/catalog.yaml
MAPS = dict(A=(64, 128), B=(64, 64))
KERNELS = {
    "bf16_wmma": ("bf16_wmma", "bf16", 128, lambda m, n: (up(n, 64), up(m, 64)), 0, {}),
    "bf16_mma": ("bf16_mma", "bf16", 256, lambda m, n: (up(n, 128), up(m, 128)), 0, {}),
    "bf16_ldmatrix": ("bf16_ldmatrix", "bf16", 256, lambda m, n: (up(n, 128), up(m, 128)), 0, {}),
    "bf16_swizzle": ("bf16_swizzle", "bf16", 256, lambda m, n: (up(n, 128), up(m, 128)), 0, {}),
    "bf16_cp_async": ("bf16_cp_async", "bf16", 256, lambda m, n: (tiles(128, 128)(m, n), 1), 4 * 256 * 32 * 2, {}),
    "bf16_pipeline": ("bf16_pipeline", "bf16", 256, lambda m, n: (tiles(128, 256)(m, n), 1), 3 * 384 * 64 * 2, {}),
    "f16_wmma": ("bf16_wmma", "f16", 128, lambda m, n: (up(n, 64), up(m, 64)), 0, {}),
    "f16_pipeline": ("bf16_pipeline", "f16", 256, lambda m, n: (tiles(128, 256)(m, n), 1), 3 * 384 * 64 * 2, {}),
    "tf32_wmma": ("tf32_wmma", "tf32", 128, lambda m, n: (up(n, 64), up(m, 64)), 0, {}),
    "tf32_pipeline": ("tf32_pipeline", "tf32", 256, lambda m, n: (tiles(128, 256)(m, n), 1), 3 * 384 * 32 * 4, {}),
    "bf16_wgmma": ("bf16_wgmma", "bf16", 128, lambda m, n: (up(n, 256), up(m, 64)), 40960, dict(A=(64, 64), B=(64, 64))),
    "bf16_warp_specialized": ("bf16_warp_specialized", "bf16", 384, lambda m, n: (up(n, 256), up(m, 128)),
                              4 * 384 * 64 * 2, MAPS),
    "bf16_persistent": ("bf16_persistent", "bf16", 384, lambda m, n: (waves(tiles(128, 256)(m, n), SMS), 1),
                        4 * 384 * 64 * 2, MAPS),
    "bf16_cluster": ("bf16_cluster", "bf16", 384, lambda m, n: (2 * waves(tiles(256, 256)(m, n), SMS // 2), 1),
                     4 * 384 * 64 * 2, MAPS),
    "bf16_tma_store": ("bf16_tma_store", "bf16", 384, lambda m, n: (2 * waves(tiles(256, 256)(m, n), SMS // 2), 1),
                       3 * 384 * 64 * 2 + 2 * 4 * 8192, dict(MAPS, C=(64, 64))),
}
ELEMENTS = {"bf16": (9, np.uint16), "f16": (6, np.uint16), "tf32": (7, np.uint32)}


def check(result, what):
    if result:
        text = C.c_char_p()
        cu.cuGetErrorString(result, C.byref(text))
        raise RuntimeError(f"{what}: {text.value}")


def upload(array):
    pointer = C.c_uint64()
    check(cu.cuMemAlloc_v2(C.byref(pointer), C.c_size_t(array.nbytes)), "alloc")
    check(cu.cuMemcpyHtoD_v2(pointer, array.ctypes.data_as(C.c_void_p), C.c_size_t(array.nbytes)), "copy")
    return pointer


def product(folder, name, index, shape):
    entry, elements, block, grid, shared, maps = KERNELS[name]
    m, n, k, alpha, beta = shape
    kind, dtype = ELEMENTS[elements]
    fmt = "f32" if elements == "tf32" else elements
    sizes = dict(A=(m, k), B=(k, n), C=(m, n))
    host = {which: forms.elements(fmt, 1, 8192 + index * 4 + at, rows * columns).astype(dtype)
            for at, (which, (rows, columns)) in enumerate(sizes.items())}
    device = {which: upload(array) for which, array in host.items()}
    module, function = C.c_void_p(), C.c_void_p()
    with open(f"{folder}/{name}.ptx", "rb") as file:
        check(cu.cuModuleLoadData(C.byref(module), file.read() + b"\0"), "load")
    check(cu.cuModuleGetFunction(C.byref(function), module, entry.encode()), "function")
    if shared:
        check(cu.cuFuncSetAttribute(function, 8, shared), "shared")
    arguments, keep = [], []
    for which, box in maps.items():
        rows, columns = sizes[which]
        room = (C.c_uint64 * 32)()
        at = (C.addressof(room) + 63) // 64 * 64
        extents, pitch = (C.c_uint64 * 2)(columns, rows), (C.c_uint64 * 1)(columns * 2)
        check(cu.cuTensorMapEncodeTiled(at, kind, 2, device[which].value, extents, pitch, (C.c_uint32 * 2)(*box),
                                        (C.c_uint32 * 2)(1, 1), 0, 3, 2, 0), "map")
        keep.append(room)
        arguments.append(C.c_void_p(at))
    values = [device[w] for w in "ABC"] + [C.c_int(i) for i in (m, n, k, k, n, n)] + [C.c_float(alpha), C.c_float(beta)]
    arguments += [C.cast(C.pointer(value), C.c_void_p) for value in values]
    packed = (C.c_void_p * len(arguments))(*arguments)
    x, y = grid(m, n)
    check(cu.cuLaunchKernel(function, x, y, 1, block, 1, 1, shared, None, packed, None), "launch")
    check(cu.cuCtxSynchronize(), "run")
    out = host["C"]
    check(cu.cuMemcpyDtoH_v2(out.ctypes.data_as(C.c_void_p), device["C"], C.c_size_t(out.nbytes)), "copy")
    for pointer in device.values():
        cu.cuMemFree_v2(pointer)
    cu.cuModuleUnload(module)
    return dict(kernel=name, elements=elements, m=m, n=n, k=k, alpha=alpha, beta=beta, seed=8192 + index * 4,
                c=f"{forms.digest(out):016x}")


def main():
    check(cu.cuInit(0), "init")
    context = C.c_void_p()
    check(cu.cuDevicePrimaryCtxRetain(C.byref(context), 0), "context")
    check(cu.cuCtxSetCurrent(context), "context")
    with open(f"{sys.argv[2]}/h200-kernels.jsonl", "w") as file:
        for at, name in enumerate(KERNELS):
            for which, shape in enumerate(SHAPES):
                file.write(json.dumps(product(sys.argv[1], name, at * len(SHAPES) + which, shape)) + "\n")
            print(name, flush=True)


if __name__ == "__main__":
    main()
