// Shared-memory tiling: a block of 8x8 threads loads a tile of A and a tile of B,
// multiplies them in shared memory, and takes the next tiles along K.

#ifndef TILE
#define TILE 8
#endif

// [region signature]
extern "C" __global__ void KERNEL(
    const float* __restrict__ A, const float* __restrict__ B, float* __restrict__ C,
    int M, int N, int K, int lda, int ldb, int ldc, float alpha, float beta)
// [end]
{
    // [region shared tiles]
    __shared__ float A_tile[TILE][TILE];
    __shared__ float B_tile[TILE][TILE];
    // [end]

    // [region indices]
    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int row = blockIdx.y * TILE + ty;
    const int col = blockIdx.x * TILE + tx;
    // [end]

    float sum = 0.0f;
    // [region tile loop]
    const int tiles = (K + TILE - 1) / TILE;
    for (int t = 0; t < tiles; ++t) {
        // [region tile load]
        const int a_col = t * TILE + tx;
        const int b_row = t * TILE + ty;
        // Beyond the edge of a matrix the tile contains zeros, which add nothing.
        A_tile[ty][tx] = row < M && a_col < K ? A[size_t(row) * lda + a_col] : 0.0f;
        B_tile[ty][tx] = b_row < K && col < N ? B[size_t(b_row) * ldb + col] : 0.0f;
        // [end]

        // [region first barrier]
        // The whole tile must be stored before any thread reads it.
        __syncthreads();
        // [end]

        // [region multiply]
#pragma unroll
        for (int k = 0; k < TILE; ++k) {
            sum += A_tile[ty][k] * B_tile[k][tx];
        }
        // [end]

        // [region second barrier]
        // All threads must be done with the tile before the next one overwrites it.
        __syncthreads();
        // [end]
    }
    // [end]

    // [region store]
    if (row < M && col < N) {
        const size_t at = size_t(row) * ldc + col;
        // BLAS: if beta == 0, C is not read, because it may contain NaN.
        C[at] = beta == 0.0f ? alpha * sum : alpha * sum + beta * C[at];
    }
    // [end]
}
