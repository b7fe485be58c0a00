// FP64 without tensor cores: one thread per element of C. Takes every shape, because it loads one element at a time.

constexpr int BLOCK = 16;

// [region signature]
extern "C" __global__ void f64_simple(
    const double* __restrict__ A, const double* __restrict__ B, double* __restrict__ C,
    int M, int N, int K, int lda, int ldb, int ldc, double alpha, double beta)
// [end]
{
    // [region indices]
    const int row = blockIdx.y * BLOCK + threadIdx.y;
    const int column = blockIdx.x * BLOCK + threadIdx.x;
    if (row >= M || column >= N) return;
    // [end]

    // [region dot product]
    double sum = 0.0;
    for (int k = 0; k < K; ++k) {
        sum += A[size_t(row) * lda + k] * B[size_t(k) * ldb + column];
    }
    // [end]

    // [region store]
    const size_t at = size_t(row) * ldc + column;
    C[at] = beta == 0.0 ? alpha * sum : alpha * sum + beta * C[at];
    // [end]
}
