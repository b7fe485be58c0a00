// One thread per element of C. The threads of a warp are one below the other: each lane is one
// row further down, so the lanes' addresses in A are lda floats apart.

constexpr int BLOCK = 32;

// [region signature]
extern "C" __global__ void sgemm_naive_uncoalesced(
    const float* __restrict__ A, const float* __restrict__ B, float* __restrict__ C,
    int M, int N, int K, int lda, int ldb, int ldc, float alpha, float beta)
// [end]
{
    // A warp is 32 consecutive values of threadIdx.x: 32 rows, one column.
    // [region indices]
    const int row = blockIdx.y * BLOCK + threadIdx.x;
    const int col = blockIdx.x * BLOCK + threadIdx.y;
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
