// One block per row of C, one thread per column: the mapping that a compiler
// generates for "bind i to blockIdx.x, bind j to threadIdx.x".

// [region signature]
extern "C" __global__ void sgemm_row_per_block(
    const float* __restrict__ A, const float* __restrict__ B, float* __restrict__ C,
    int M, int N, int K, int lda, int ldb, int ldc, float alpha, float beta)
// [end]
{
    // [region indices]
    const int row = blockIdx.x;
    // [end]

    // [region column loop]
    // A block has at most 1024 threads. If a row of C is longer, each thread computes every 1024th column.
    for (int col = threadIdx.x; col < N; col += blockDim.x) {
        // [region dot product]
        float sum = 0.0f;
        for (int k = 0; k < K; ++k) {
            sum += A[size_t(row) * lda + k] * B[size_t(k) * ldb + col];
        }
        // [end]

        // [region store]
        const size_t at = size_t(row) * ldc + col;
        // BLAS: with beta == 0, C is not read. Whatever it held, even NaN, must not leak.
        C[at] = beta == 0.0f ? alpha * sum : alpha * sum + beta * C[at];
        // [end]
    }
    // [end]
}
