constexpr int TILE = 32;

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
    // [hole loop]
    // TODO: for all tiles along K, load a tile of A and one of B, and add their product to the sums.
    for (int k0 = 0; k0 < K; k0 += TILE) {
        A_tile[ty][tx] = row < M && k0 + tx < K ? A[size_t(row) * lda + k0 + tx] : 0.0f;
        B_tile[ty][tx] = k0 + ty < K && col < N ? B[size_t(k0 + ty) * ldb + col] : 0.0f;
        __syncthreads();  // loaded
        for (int k = 0; k < TILE; ++k) {
            sum += A_tile[ty][k] * B_tile[k][tx];
        }
        __syncthreads();  // multiplied
    }
    // [end]

    if (row < M && col < N) {
        const size_t at = size_t(row) * ldc + col;
        C[at] = beta == 0.0f ? alpha * sum : alpha * sum + beta * C[at];
    }
}
