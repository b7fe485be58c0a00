"""A matrix product in Triton, for every shape. The optional page `triton` of level 6 explains it. Needs PyTorch and a GPU.

Prints the error against float64, and TFLOP/s of this kernel and of PyTorch's product (cuBLAS).
"""

import torch
import triton
import triton.language as tl

CONFIGS = [(128, 256, 64, 3, 8), (128, 128, 64, 4, 4), (128, 128, 32, 4, 4), (64, 128, 64, 4, 4), (64, 64, 64, 4, 4)]


@triton.autotune(
    configs=[triton.Config({"BM": bm, "BN": bn, "BK": bk, "GROUP": 8}, num_stages=stages, num_warps=warps)
             for bm, bn, bk, stages, warps in CONFIGS],
    key=["M", "N", "K"])
@triton.jit
def matmul(A, B, C, M, N, K, lda, ldb, ldc,
           BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, GROUP: tl.constexpr):
    block = tl.program_id(0)
    down, across = tl.cdiv(M, BM), tl.cdiv(N, BN)
    first = block // (GROUP * across) * GROUP
    rows = min(down - first, GROUP)
    row = (first + block % (GROUP * across) % rows) * BM + tl.arange(0, BM)
    col = block % (GROUP * across) // rows * BN + tl.arange(0, BN)
    k = tl.arange(0, BK)
    a_at = A + row[:, None] * lda + k[None, :]
    b_at = B + k[:, None] * ldb + col[None, :]
    sums = tl.zeros((BM, BN), tl.float32)
    for k0 in range(0, K, BK):
        a = tl.load(a_at, (row[:, None] < M) & (k[None, :] < K - k0), 0.0)
        b = tl.load(b_at, (k[:, None] < K - k0) & (col[None, :] < N), 0.0)
        sums = tl.dot(a, b, sums)
        a_at += BK
        b_at += BK * ldb
    tl.store(C + row[:, None] * ldc + col[None, :], sums.to(C.dtype.element_ty), (row[:, None] < M) & (col[None, :] < N))


def product(A, B):
    (M, K), N = A.shape, B.shape[1]
    C = torch.full((M, N), float("nan"), device="cuda", dtype=A.dtype)
    matmul[lambda c: (triton.cdiv(M, c["BM"]) * triton.cdiv(N, c["BN"]),)](A, B, C, M, N, K, K, N, N)
    return C


def seconds(run):
    run()
    times = []
    for _ in range(15):
        start, stop = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        start.record()
        for _ in range(3):
            run()
        stop.record()
        torch.cuda.synchronize()
        times.append(start.elapsed_time(stop) / 3000)
    return sorted(times)[7]


def random(rows, columns):
    return torch.randn(rows, columns, device="cuda", dtype=torch.bfloat16)


if __name__ == "__main__":
    A, B = random(1000, 333), random(333, 777)
    exact = A.double() @ B.double()
    print("relative error", ((product(A, B).double() - exact).norm() / exact.norm()).item())
    for n in (1024, 4096):
        A, B = random(n, n), random(n, n)
        ours, theirs = seconds(lambda: product(A, B)), seconds(lambda: A @ B)
        print(n, "TFLOP/s", 2e-12 * n**3 / ours, "PyTorch", 2e-12 * n**3 / theirs, matmul.best_config)
