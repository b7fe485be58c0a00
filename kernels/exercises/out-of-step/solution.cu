// Each warp computes 32 elements of a row of C. The eight warps of a block load a tile of B together.

constexpr int ROWS = 8;  // rows of C per block, one per warp
constexpr int TILE = 32;

extern "C" __global__ void out_of_step(
    const float* __restrict__ A, const float* __restrict__ B, float* __restrict__ C,
    int M, int N, int K, int lda, int ldb, int ldc, float alpha, float beta)
{
    __shared__ float B_tile[TILE][TILE];
    const int lane = threadIdx.x;
    const int warp = threadIdx.y;
    const int col = blockIdx.x * TILE + lane;
    const int row = blockIdx.y * ROWS + warp;

    float sum = 0.0f;
    for (int k0 = 0; k0 < K; k0 += TILE) {
        for (int i = warp; i < TILE; i += ROWS) {
            const int k = k0 + i;
            B_tile[i][lane] = k < K && col < N ? B[size_t(k) * ldb + col] : 0.0f;
        }
        __syncthreads();

        if (row < M) {
            for (int i = 0; i < TILE && k0 + i < K; ++i) {
                sum += A[size_t(row) * lda + k0 + i] * B_tile[i][lane];
            }
        }
        __syncthreads();
    }

    if (row < M && col < N) {
        const size_t at = size_t(row) * ldc + col;
        C[at] = beta == 0.0f ? alpha * sum : alpha * sum + beta * C[at];
    }
}
