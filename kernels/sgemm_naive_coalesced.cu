// One thread per element of C. The threads of a warp are side by side: each lane is one
// column further right, so the lanes' addresses in B and C are neighbours.

constexpr int BLOCK = 32;

// [region signature]
extern "C" __global__ void sgemm_naive_coalesced(
    const float* __restrict__ A, const float* __restrict__ B, float* __restrict__ C,
    int M, int N, int K, int lda, int ldb, int ldc, float alpha, float beta)
// [end]
{
    // [region indices]
    // A warp is 32 consecutive values of threadIdx.x: one row, 32 columns.
    const int row = blockIdx.y * BLOCK + threadIdx.y;
    const int col = blockIdx.x * BLOCK + threadIdx.x;
    // [end]

    // [region dot product]
    float sum = 0.0f;
    if (row < M && col < N) {
        for (int k = 0; k < K; ++k) {
            sum += A[size_t(row) * lda + k] * B[size_t(k) * ldb + col];
        }
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
