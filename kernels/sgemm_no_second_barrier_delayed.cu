// sgemm_tiled_delayed without its second barrier: the late warp makes the fault visible on any GPU.

constexpr int TILE = 16;
constexpr int WARP = 32;
constexpr int WARPS = TILE * TILE / WARP;
constexpr unsigned DELAY_NS = 4000;

// [region signature]
extern "C" __global__ void sgemm_no_second_barrier_delayed(
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
    const int warp = (ty * TILE + tx) / WARP;
    // [end]

    float sum = 0.0f;
    // [region tile loop]
    const int tiles = (K + TILE - 1) / TILE;
    for (int t = 0; t < tiles; ++t) {
        // [region delay before load]
        // At each tile a different warp is late, so that every warp is late at some tile.
        const bool late = warp == t % WARPS;
        if (late) __nanosleep(DELAY_NS);
        // [end]

        // [region tile load]
        const int a_col = t * TILE + tx;
        const int b_row = t * TILE + ty;
        // Beyond the edge of a matrix the tile holds zeros, which add nothing.
        A_tile[ty][tx] = row < M && a_col < K ? A[size_t(row) * lda + a_col] : 0.0f;
        B_tile[ty][tx] = b_row < K && col < N ? B[size_t(b_row) * ldb + col] : 0.0f;
        // [end]

        // [region first barrier]
        // The whole tile must be stored before any thread reads it.
        __syncthreads();
        // [end]

        // [region delay before multiply]
        if (late) __nanosleep(DELAY_NS);
        // [end]

        // [region multiply]
#pragma unroll
        for (int k = 0; k < TILE; ++k) {
            sum += A_tile[ty][k] * B_tile[k][tx];
        }
        // [end]

        // [region second barrier]
        // No barrier: a warp may overwrite elements that another has yet to read (write after read).
        // [end]
    }
    // [end]

    // [region store]
    if (row < M && col < N) {
        const size_t at = size_t(row) * ldc + col;
        // BLAS: with beta == 0, C is not read. Whatever it held, even NaN, must not leak.
        C[at] = beta == 0.0f ? alpha * sum : alpha * sum + beta * C[at];
    }
    // [end]
}
