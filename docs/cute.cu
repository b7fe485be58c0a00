// sgemm_thread_tile_2d in CuTe's words, for multiples of 128, 128 and 8. The optional page `cute` of level 4
// explains it; kernels/NOTES.md has what we counted and measured. NVRTC compiles it with CUTLASS's headers (pip install
// nvidia-cutlass) and CCCL's (nvidia-cuda-cccl-cu12); `matmul-tutor run sgemm_thread_tile_2d --ptx FILE` runs the PTX, if its
// entry has that name.

#ifndef PITCH
#define PITCH 128  // words from one k to the next in shared memory; 132 avoids bank conflicts of the stores
#endif

#include <cute/tensor.hpp>
using namespace cute;

extern "C" __global__ void __launch_bounds__(256) sgemm_thread_tile_2d(
    const float* A, const float* B, float* C, int M, int N, int K, int lda, int ldb, int ldc, float alpha, float beta)
{
    Tensor mA = make_tensor(make_gmem_ptr(A), make_shape(M, K), make_stride(lda, _1{}));
    Tensor mB = make_tensor(make_gmem_ptr(B), make_shape(N, K), make_stride(_1{}, ldb));
    Tensor mC = make_tensor(make_gmem_ptr(C), make_shape(M, N), make_stride(ldc, _1{}));
    auto tile = make_shape(_128{}, _128{}, _8{});
    auto at = make_coord(blockIdx.y, blockIdx.x, _);
    Tensor gA = local_tile(mA, tile, at, Step<_1, X, _1>{});  // 128 x 8 x (K / 8)
    Tensor gB = local_tile(mB, tile, at, Step<X, _1, _1>{});
    Tensor gC = local_tile(mC, tile, at, Step<_1, _1, X>{});  // 128 x 128

    auto layout = make_layout(make_shape(_128{}, _8{}), make_stride(_1{}, Int<PITCH>{}));
    __shared__ float a[8 * PITCH], b[8 * PITCH];
    Tensor sA = make_tensor(make_smem_ptr(a), layout);
    Tensor sB = make_tensor(make_smem_ptr(b), layout);

    auto load_a = make_layout(make_shape(_32{}, _8{}), LayoutRight{});
    auto load_b = make_layout(make_shape(_128{}, _2{}));
    Tensor fromA = local_partition(gA, load_a, threadIdx.x);
    Tensor toA = local_partition(sA, load_a, threadIdx.x);
    Tensor fromB = local_partition(gB, load_b, threadIdx.x);
    Tensor toB = local_partition(sB, load_b, threadIdx.x);

    auto threads = make_layout(make_shape(_16{}, _16{}), LayoutRight{});
    Tensor rA = local_partition(sA, threads, threadIdx.x, Step<_1, X>{});
    Tensor rB = local_partition(sB, threads, threadIdx.x, Step<X, _1>{});
    Tensor rC = local_partition(gC, threads, threadIdx.x);
    Tensor sum = make_tensor_like(rC);
    clear(sum);
    for (int t = 0; t < size<2>(gA); ++t) {
        copy(fromA(_, _, t), toA);
        copy(fromB(_, _, t), toB);
        __syncthreads();
        gemm(rA, rB, sum);
        __syncthreads();
    }
    axpby(alpha, sum, beta, rC);
}
