#ifndef BM
#define BM 32  // rows of C per block
#define BN 32  // columns of C per block
#define BK 32  // length of a piece of K
#define TM 8   // rows of C per thread
#define TN 4   // columns of C per thread
#endif

extern "C" __global__ void __launch_bounds__((BM / TM) * (BN / TN)) sgemm(
    const float* __restrict__ A, const float* __restrict__ B, float* __restrict__ C,
    int M, int N, int K, int lda, int ldb, int ldc, float alpha, float beta)
{
    // The thread's first row and column of C, and how many of its rows and columns are inside.
    const int row = blockIdx.y * BM + threadIdx.y * TM;
    const int col = blockIdx.x * BN + threadIdx.x * TN;
    const int rows = min(TM, M - row);
    const int cols = min(TN, N - col);

    for (int i = 0; i < rows; ++i) {
        for (int j = 0; j < cols; ++j) {
            float& c = C[size_t(row + i) * ldc + col + j];
            c = beta == 0.0f ? 0.0f : beta * c;
        }
    }
    for (int k0 = 0; k0 < K; k0 += BK) {
        const int k_end = min(k0 + BK, K);
        for (int i = 0; i < rows; ++i) for (int j = 0; j < cols; ++j) for (int k = k0; k < k_end; ++k) {
            const size_t at = size_t(row + i) * ldc + col + j;
            C[at] += alpha * A[size_t(row + i) * lda + k] * B[size_t(k) * ldb + col + j];
        }
    }
}
