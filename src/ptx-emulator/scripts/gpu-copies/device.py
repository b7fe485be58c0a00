"""The CUDA driver by ctypes: memory, modules, launches, tensor maps."""
import ctypes as C
import shutil
import struct
import subprocess
import tempfile

cu = C.CDLL("libcuda.so.1")
ELEMENTS = ["u8", "u16", "u32", "s32", "u64", "s64", "f16", "f32", "f64", "bf16", "f32.ftz", "tf32", "tf32.ftz"]
SIZES = dict(zip(ELEMENTS, [1, 2, 4, 4, 8, 8, 2, 4, 8, 2, 4, 4, 4]))
M64 = (1 << 64) - 1


class Failed(Exception):
    pass


def check(code, what):
    if code:
        raise Failed(f"{what}: {code}")


def start():
    check(cu.cuInit(0), "init")
    context = C.c_void_p()
    check(cu.cuDevicePrimaryCtxRetain(C.byref(context), 0), "context")
    check(cu.cuCtxSetCurrent(context), "context")


def allocate(size):
    pointer = C.c_uint64()
    check(cu.cuMemAlloc_v2(C.byref(pointer), C.c_size_t(size)), "allocate")
    return pointer.value


def put(address, data):
    check(cu.cuMemcpyHtoD_v2(C.c_uint64(address), C.c_char_p(bytes(data)), C.c_size_t(len(data))), "put")


def get(address, size):
    room = C.create_string_buffer(size)
    check(cu.cuMemcpyDtoH_v2(room, C.c_uint64(address), C.c_size_t(size)), "get")
    return room.raw


def load(text):
    """A module, by the assembler of the toolkit, as that of the driver may be another version."""
    assembler = shutil.which("ptxas") or "/usr/local/cuda/bin/ptxas"
    with tempfile.TemporaryDirectory() as folder:
        with open(f"{folder}/k.ptx", "w") as file:
            file.write(text)
        subprocess.run([assembler, "-arch=sm_90a", f"{folder}/k.ptx", "-o", f"{folder}/k.cubin"], check=True)
        with open(f"{folder}/k.cubin", "rb") as file:
            image = file.read()
    module = C.c_void_p()
    check(cu.cuModuleLoadData(C.byref(module), image), "load")
    return module


def function(module, name):
    f = C.c_void_p()
    check(cu.cuModuleGetFunction(C.byref(f), module, name.encode()), name)
    return f


def launch(f, grid, block, *args):
    """Integers are 64-bit addresses, pairs (ctypes type, value), bytes a parameter of their own."""
    keep = []
    for arg in args:
        if isinstance(arg, int):
            keep.append(C.c_uint64(arg))
        elif isinstance(arg, tuple):
            keep.append(arg[0](arg[1]))
        else:
            keep.append(arg)
    packed = (C.c_void_p * len(keep))(*[k if isinstance(k, C.c_void_p) else C.addressof(k) for k in keep])
    check(cu.cuLaunchKernel(f, grid, 1, 1, block, 1, 1, 0, None, packed, None), "launch")
    check(cu.cuCtxSynchronize(), "run")


class Map:
    """128 bytes at a multiple of 64."""

    def __init__(self):
        self.room = (C.c_uint64 * 32)()
        self.at = (C.addressof(self.room) + 63) // 64 * 64

    def argument(self):
        return C.c_void_p(self.at)

    def bytes(self):
        return C.string_at(self.at, 128)


def encode(q, address):
    """The map of a question, or the driver's refusal."""
    rank, out = len(q["dims"]), Map()
    strides = q["strides"] + [0]
    code = cu.cuTensorMapEncodeTiled(
        C.c_void_p(out.at), C.c_int(ELEMENTS.index(q["element"])), C.c_uint32(q.get("rank", rank)), C.c_void_p(address),
        (C.c_uint64 * rank)(*q["dims"]), (C.c_uint64 * len(strides))(*strides), (C.c_uint32 * rank)(*q["box"]),
        (C.c_uint32 * rank)(*q["steps"]), C.c_int(q.get("interleave", 0)), C.c_int(q["swizzle"]), C.c_int(q.get("l2", 0)),
        C.c_int(q["fill"]))
    return code, out


def encode_columns(q, address):
    """The im2col map of a question, or the driver's refusal."""
    rank, out = len(q["dims"]), Map()
    code = cu.cuTensorMapEncodeIm2col(
        C.c_void_p(out.at), C.c_int(ELEMENTS.index(q["element"])), C.c_uint32(rank), C.c_void_p(address),
        (C.c_uint64 * rank)(*q["dims"]), (C.c_uint64 * (rank - 1))(*q["strides"]), (C.c_int * (rank - 2))(*q["lower"]),
        (C.c_int * (rank - 2))(*q["upper"]), C.c_uint32(q["channels"]), C.c_uint32(q["pixels"]), (C.c_uint32 * rank)(*q["steps"]),
        C.c_int(0), C.c_int(q["swizzle"]), C.c_int(0), C.c_int(q["fill"]))
    return code, out


def splitmix(x):
    x = (x + 0x9E3779B97F4A7C15) & M64
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & M64
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & M64
    return x ^ (x >> 31)


def contents(seed, count):
    """Words of which one in eight is subnormal as a float and one in eight infinite or not a number."""
    words = []
    for i in range(count):
        h = splitmix((seed << 32) + i)
        word, kind = h & 0xFFFFFFFF, h >> 32 & 7
        words.append(word & 0x807FFFFF if kind == 0 else word | 0x7F800000 if kind == 1 else word)
    return struct.pack(f"<{count}I", *words)


WEIGHTS = [splitmix(i) | 1 for i in range(1 << 16)]


def digest(data):
    words = memoryview(data).cast("I")
    weights = WEIGHTS[:len(words)]
    return (sum(a * b for a, b in zip(words, weights)) + sum(weights)) & M64
