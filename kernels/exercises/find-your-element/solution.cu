constexpr int BLOCK = 32;

extern "C" __global__ void sgemm(
    const float* __restrict__ A, const float* __restrict__ B, float* __restrict__ C,
    int M, int N, int K, int lda, int ldb, int ldc, float alpha, float beta)
{
    const int row = blockIdx.y * BLOCK + threadIdx.y, col = blockIdx.x * BLOCK + threadIdx.x;

    float sum = 0.0f;
    if (row < M && col < N) {
        for (int k = 0; k < K; ++k) {
            sum += A[size_t(row) * lda + k] * B[size_t(k) * ldb + col];
        }
    }

    if (row < M && col < N) {
        const size_t at = size_t(row) * ldc + col;
        // BLAS: with beta == 0, C is not read. Whatever it held, even NaN, must not leak.
        C[at] = beta == 0.0f ? alpha * sum : alpha * sum + beta * C[at];
    }
}
