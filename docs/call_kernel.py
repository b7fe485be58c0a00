"""Calls a kernel of the course on PyTorch tensors, checks the result, and times it. The optional page `call-from-pytorch` of level 10 explains it.

    python docs/call_kernel.py [KERNEL] [--size N] [--ptx FILE]

KERNEL is `sgemm_tuned` (FP32), `bf16_cp_async` or `bf16_pipeline` (bf16). Needs PyTorch and a GPU of compute capability 8.0 or more. The CUDA driver
compiles the PTX, so this needs no CUDA toolkit and no network. Exits with 1 if a result is wrong or the driver fails, with 2 if something is missing.
"""

import argparse
import ctypes
import math
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]

# From kernels/catalog.yaml, default variants. `check_catalog` compares block, grid and shared_bytes with it.
KERNELS = {
    "sgemm_tuned": dict(
        elements="float32", rows=1, constants=dict(BM=128, BN=256, BK=8, WM=64, WN=64, TM=16, TN=8, STAGES=3, GROUP=16, RESIDENT=1),
        block="BM / WM * (BN / WN) * 32", grid="ceil_div(N, BN) * ceil_div(M, BM)", shared="4 * STAGES * BK * (BM + 4 + BN)"),
    "bf16_cp_async": dict(
        elements="bfloat16", rows=8, constants=dict(BM=128, BN=128, BK=32, WM=64, WN=32, STAGES=4, GROUP=8, F16=0),
        block="BM / WM * BN / WN * 32", grid="ceil_div(M, BM) * ceil_div(N, BN)", shared="STAGES * (BM + BN) * BK * 2"),
    "bf16_pipeline": dict(
        elements="bfloat16", rows=8, constants=dict(BM=128, BN=256, BK=64, WM=64, WN=64, STAGES=3, GROUP=8, F16=0),
        block="BM / WM * BN / WN * 32", grid="ceil_div(M, BM) * ceil_div(N, BN)", shared="STAGES * (BM + BN) * BK * 2"),
}
PARAMETERS = ["u64"] * 3 + ["u32"] * 6 + ["f32"] * 2  # A, B, C, M, N, K, lda, ldb, ldc, alpha, beta
WORST_ERROR = {"float32": 1e-5, "bfloat16": 3e-3}  # of an element, relative to |A| @ |B|. Rounding C to bf16 alone costs up to 2^-9.
CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES = 8
CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES = 5, 6


class Missing(Exception):
    """Something that this script needs is not here. The message says what to do."""


class Failed(Exception):
    """A call of the driver failed."""


def evaluate(formula, **names):
    """Computes a formula of the catalogue: a whole number."""
    value = eval(formula, {"__builtins__": {}, "ceil_div": lambda a, b: -(-a // b)}, names)
    if value != int(value):
        raise ValueError(f"{formula} is {value}, which is not a whole number")
    return int(value)


def check_catalog(name, kernel):
    """Stops if kernels/catalog.yaml has other formulas or constants. Without that file, there is nothing to compare."""
    path = ROOT / "kernels/catalog.yaml"
    if not path.exists():
        return
    entry = path.read_text(encoding="utf-8").split(f"\n  - id: {name}\n", 1)[-1].split("\n  - id: ", 1)[0].split("\n    variants:", 1)[0]
    constants = ", ".join(f"{key}: {value}" for key, value in kernel["constants"].items())
    for text in (kernel["block"], kernel["grid"], kernel["shared"], f"{{ {constants} }}"):
        if text not in entry:
            raise Missing(f"kernels/catalog.yaml does not have `{text}` for {name}. Copy its entry into KERNELS in {pathlib.Path(__file__).name}.")


class Driver:
    """The functions of the CUDA driver that a launch needs."""

    def __init__(self):
        library = "nvcuda.dll" if sys.platform == "win32" else "libcuda.so.1"
        try:
            self.lib = ctypes.CDLL(library)
        except OSError as error:
            raise Missing(f"The CUDA driver cannot be loaded ({error}). Install NVIDIA's driver, then try `nvidia-smi`.") from None
        pointer, uint = ctypes.c_void_p, ctypes.c_uint
        self.lib.cuModuleLoadDataEx.argtypes = [pointer, ctypes.c_char_p, uint, pointer, pointer]
        self.lib.cuModuleGetFunction.argtypes = [pointer, pointer, ctypes.c_char_p]
        self.lib.cuFuncSetAttribute.argtypes = [pointer, ctypes.c_int, ctypes.c_int]
        self.lib.cuLaunchKernel.argtypes = [pointer] + [uint] * 7 + [pointer] * 3
        self.lib.cuGetErrorString.argtypes = [ctypes.c_int, pointer]

    def check(self, code, what, log=""):
        if code:
            text = ctypes.c_char_p()
            self.lib.cuGetErrorString(code, ctypes.byref(text))
            raise Failed(f"{what}: {(text.value or b'unknown error').decode()} (CUDA error {code}). {log}")

    def load(self, ptx, entry, shared):
        """Compiles PTX in the current context, which is PyTorch's, and returns a kernel."""
        log = ctypes.create_string_buffer(8192)
        options = (ctypes.c_int * 2)(CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES)
        values = (ctypes.c_void_p * 2)(ctypes.addressof(log), len(log))
        module, function = ctypes.c_void_p(), ctypes.c_void_p()
        code = self.lib.cuModuleLoadDataEx(ctypes.byref(module), ptx, 2, options, values)
        self.check(code, "The driver cannot compile the PTX", log.value.decode(errors="replace"))
        self.check(self.lib.cuModuleGetFunction(ctypes.byref(function), module, entry.encode()), f"The PTX has no kernel `{entry}`")
        # Above 48 KiB, a kernel must ask for its dynamic shared memory.
        code = self.lib.cuFuncSetAttribute(function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, shared)
        self.check(code, f"A block cannot have {shared} bytes of shared memory")
        return function

    def launch(self, function, grid, block, shared, stream, values):
        # The driver takes an array of addresses, one for each value, and reads the values before it returns.
        slots = (ctypes.c_void_p * len(values))(*[ctypes.addressof(value) for value in values])
        code = self.lib.cuLaunchKernel(function, grid, 1, 1, block, 1, 1, shared, stream, slots, None)
        self.check(code, "The launch failed")


class Product:
    """C = A @ B by a kernel of the course."""

    def __init__(self, torch, driver, name, ptx):
        self.torch, self.driver, self.kernel = torch, driver, KERNELS[name]
        _, _, text = ptx.decode(errors="replace").partition(f".entry {name}(")
        if not text:
            raise Missing(f"The PTX has no kernel `{name}`.")
        # The tutor's kernels take 8-byte addresses, 4-byte integers and floats, in this order.
        found = [line.split()[1][1:] for line in text.partition(")")[0].splitlines() if ".param" in line]
        if [kind.replace("s32", "u32").replace("b64", "u64") for kind in found] != PARAMETERS:
            raise Missing(f"{name} takes the parameters {found}, not {PARAMETERS}. This script has no tensor maps or scales.")
        self.shared = evaluate(self.kernel["shared"], **self.kernel["constants"])
        self.block = evaluate(self.kernel["block"], **self.kernel["constants"])
        self.function = driver.load(ptx + b"\0", name, self.shared)

    def __call__(self, A, B, out=None):
        torch = self.torch
        dtype = getattr(torch, self.kernel["elements"])
        (M, K), N = A.shape, B.shape[1]
        C = torch.empty((M, N), dtype=dtype, device=A.device) if out is None else out
        if B.shape[0] != K or C.shape != (M, N) or K == 0:
            raise ValueError(f"A is {tuple(A.shape)}, B is {tuple(B.shape)}, C is {tuple(C.shape)}")
        for name, X in (("A", A), ("B", B), ("C", C)):
            if not X.is_cuda or X.device != A.device or X.device.index != torch.cuda.current_device():
                raise ValueError(f"{name} is on {X.device}. All tensors must be on the current GPU.")
            if X.dtype != dtype or X.stride(1) != 1:
                raise ValueError(f"{name} is {X.dtype} with strides {X.stride()}. It must be {dtype}, with neighbouring elements in a row.")
            if X.stride(0) % self.kernel["rows"] or X.data_ptr() % 16:
                raise ValueError(f"{name} must begin at a multiple of 16 bytes, with rows of a multiple of {self.kernel['rows']} elements.")
        if M * N == 0:
            return C
        values = [ctypes.c_void_p(X.data_ptr()) for X in (A, B, C)]
        values += [ctypes.c_int(n) for n in (M, N, K, A.stride(0), B.stride(0), C.stride(0))]
        values += [ctypes.c_float(1), ctypes.c_float(0)]
        grid = evaluate(self.kernel["grid"], M=M, N=N, K=K, **self.kernel["constants"])
        # The stream in which PyTorch works now. In another one, the kernel could read A before it is filled.
        self.driver.launch(self.function, grid, self.block, self.shared, torch.cuda.current_stream().cuda_stream, values)
        return C


def error(C, A, B):
    """How far the worst element of C is from the product in float64, relative to |A| @ |B|. A NaN counts as infinitely far."""
    A, B = A.double(), B.double()
    value = ((C.double() - A @ B).abs() / (A.abs() @ B.abs())).max().item()
    return math.inf if math.isnan(value) else value


def compare(torch, product, dtype, rows):
    """Checks some shapes, a view, and a stream. Returns the number of wrong results."""
    def random(m, n):
        return torch.randn(m, n, device="cuda", dtype=dtype)

    cases = []
    for M, N, K in ((1, 8, 8), (128, 256, 64), (1000, 776, 336), (257, 1032, 520)):
        A, B = random(M, K), random(K, N)
        C = torch.full((M, N), math.nan, device="cuda", dtype=dtype)  # what the kernel does not write stays NaN
        cases.append((f"{M} x {N} x {K}", product(A, B, C), A, B))
    wide = random(300, 2 * 512)
    A, B = wide[:, 512:], random(512, 264)
    cases.append(("a view with a stride of 1024", product(A, B), A, B))
    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        A, B = random(2048, 2048), random(2048, 2048)
        for _ in range(20):  # so that A is filled late
            A = A @ B / 45
        cases.append(("in a stream of its own", product(A, B), A, B))
    torch.cuda.synchronize()
    wrong = 0
    for name, C, A, B in cases:
        ours, theirs = error(C, A, B), error(A @ B, A, B)
        good = ours <= WORST_ERROR[product.kernel["elements"]]
        wrong += not good
        print(f"  {name:<30} error {ours:.1e}, torch.matmul {theirs:.1e}{'' if good else '  WRONG'}")
    return wrong


def seconds(torch, runs):
    """Times functions alternately by CUDA events: the median seconds of each."""
    times = [[] for _ in runs]
    for run in runs:
        run()
    for _ in range(15):
        for run, list_of in zip(runs, times):
            start, stop = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
            start.record()
            for _ in range(5):
                run()
            stop.record()
            torch.cuda.synchronize()
            list_of.append(start.elapsed_time(stop) / 5e3)
    return [sorted(list_of)[7] for list_of in times]


def main():
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("kernel", nargs="?", default="sgemm_tuned", choices=KERNELS)
    options.add_argument("--size", type=int, default=4096, help="rows and columns of the timed matrices, a multiple of 8 [default: 4096]")
    options.add_argument("--ptx", type=pathlib.Path, help="the kernel's PTX [default: assets/ptx/KERNEL.ptx of the project]")
    options = options.parse_args()
    if options.size < 8 or options.size % 8:
        raise Missing(f"--size {options.size}: choose a multiple of 8.")
    try:
        import torch
    except ImportError:
        raise Missing("PyTorch is missing. Install a build for CUDA: https://pytorch.org/get-started/locally") from None
    if not torch.version.cuda:
        raise Missing(f"This PyTorch ({torch.__version__}) has no CUDA. Install a build for CUDA: https://pytorch.org/get-started/locally")
    if not torch.cuda.is_available():
        raise Missing("PyTorch finds no NVIDIA GPU. Try `nvidia-smi`. Without a GPU, `matmul-tutor run` still runs the kernel on its emulator.")
    if torch.cuda.get_device_capability() < (8, 0):
        raise Missing(f"{torch.cuda.get_device_name()} has compute capability {torch.cuda.get_device_capability()}. This kernel needs 8.0.")
    path = options.ptx or ROOT / f"assets/ptx/{options.kernel}.ptx"
    if not path.exists():
        raise Missing(f"{path} does not exist. Run this script in a copy of the project, or name the kernel's PTX by --ptx.")
    kernel = KERNELS[options.kernel]
    if not options.ptx:
        check_catalog(options.kernel, kernel)
    torch.backends.cuda.matmul.allow_tf32 = False
    torch.manual_seed(1)
    torch.zeros(1, device="cuda")  # PyTorch's context becomes the current one of this thread
    product = Product(torch, Driver(), options.kernel, path.read_bytes())
    dtype = getattr(torch, kernel["elements"])
    print(f"{options.kernel} on {torch.cuda.get_device_name()}, PyTorch {torch.__version__}")
    print(f"  {product.block} threads and {product.shared} bytes of dynamic shared memory per block")
    wrong = compare(torch, product, dtype, kernel["rows"])
    n = options.size
    A, B = (torch.randn(n, n, device="cuda", dtype=dtype) for _ in "AB")
    C, D = (torch.empty(n, n, device="cuda", dtype=dtype) for _ in "CD")
    ours, theirs = seconds(torch, [lambda: product(A, B, C), lambda: torch.matmul(A, B, out=D)])
    rate = 2e-12 * n**3
    print(f"  {n}: {rate / ours:.1f} TFLOP/s in {1e6 * ours:.0f} µs, torch.matmul {rate / theirs:.1f} TFLOP/s in {1e6 * theirs:.0f} µs")
    print(f"  {100 * theirs / ours:.0f} % of torch.matmul's speed")
    if wrong:
        print(f"{wrong} results are wrong.", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Failed as failed:
        print(failed, file=sys.stderr)
        sys.exit(1)
    except Missing as missing:
        print(missing, file=sys.stderr)
        sys.exit(2)
