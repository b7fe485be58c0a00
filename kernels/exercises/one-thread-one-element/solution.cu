constexpr int BLOCK = 32;

// A is M x K, B is K x N, C is M x N, row-major. Their rows are lda, ldb, ldc floats apart.
extern "C" __global__ void sgemm(
    const float* __restrict__ A, const float* __restrict__ B, float* __restrict__ C,
    int M, int N, int K, int lda, int ldb, int ldc, float alpha, float beta)
{
    // [hole body]
    // TODO: find this thread's row and column of C, compute the sum, and store alpha * sum + beta * C.
    const int row = blockIdx.y * BLOCK + threadIdx.y;
    const int col = blockIdx.x * BLOCK + threadIdx.x;
    if (row >= M || col >= N) return;

    float sum = 0.0f;
    for (int k = 0; k < K; ++k) {
        sum += A[size_t(row) * lda + k] * B[size_t(k) * ldb + col];
    }
    const size_t at = size_t(row) * ldc + col;
    C[at] = beta == 0.0f ? alpha * sum : alpha * sum + beta * C[at];
    // [end]
}
