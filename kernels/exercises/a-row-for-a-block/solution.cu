// The grid has M blocks, a block has 64 threads.
extern "C" __global__ void sgemm(
    const float* __restrict__ A, const float* __restrict__ B, float* __restrict__ C,
    int M, int N, int K, int lda, int ldb, int ldc, float alpha, float beta)
{
    const int row = blockIdx.x;

    // [hole columns]
    // TODO: compute all columns of this row with blockDim.x threads.
    for (int col = threadIdx.x; col < N; col += blockDim.x) {
        float sum = 0.0f;
        for (int k = 0; k < K; ++k) {
            sum += A[size_t(row) * lda + k] * B[size_t(k) * ldb + col];
        }
        const size_t at = size_t(row) * ldc + col;
        C[at] = beta == 0.0f ? alpha * sum : alpha * sum + beta * C[at];
    }
    // [end]
}
