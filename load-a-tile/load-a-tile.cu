#include <cuda_runtime.h>
#include <stdio.h>
constexpr int TILE = 16;

extern "C" __global__ void sgemm(
    const float* __restrict__ A, const float* __restrict__ B, float* __restrict__ C,
    int M, int N, int K, int lda, int ldb, int ldc, float alpha, float beta)
{
    __shared__ float A_tile[TILE][TILE];
    __shared__ float B_tile[TILE][TILE];

    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    // The element of C that this thread computes.
    const int row = blockIdx.y * TILE + ty;
    const int col = blockIdx.x * TILE + tx;

    float sum = 0.0f;
    const int tiles = (K + TILE - 1) / TILE;
    for (int t = 0; t < tiles; ++t) {
        // TODO: load this thread's element of tile t of A and of B, and make sure that all have theirs.
        const int a_col = t * TILE + tx;
        const int b_row = t * TILE + ty;
        // Beyond the edge of a matrix the tile holds zeros, which add nothing.
        A_tile[ty][tx] = row < M && a_col < K ? A[size_t(row) * lda + a_col] : 0.0f;
        B_tile[ty][tx] = b_row < K && col < N ? B[size_t(b_row) * ldb + col] : 0.0f;
        __syncthreads();

        for (int k = 0; k < TILE; ++k) {
            sum += A_tile[ty][k] * B_tile[k][tx];
        }
        // Everyone must be done with the tile before the next one overwrites it.
        __syncthreads();
    }

    if (row < M && col < N) {
        const size_t at = size_t(row) * ldc + col;
        C[at] = beta == 0.0f ? alpha * sum : alpha * sum + beta * C[at];
    }
}
