// 8-bit integers without tensor cores: one thread per element of C. Takes every shape, because it loads byte by byte.
// alpha and beta are not applied, because the result would have to be rounded.

typedef signed char s8;

constexpr int BLOCK = 16;

// [region signature]
extern "C" __global__ void s8_simple(
    const s8* __restrict__ A, const s8* __restrict__ B, int* __restrict__ C,
    int M, int N, int K, int lda, int ldb, int ldc, float alpha, float beta)
// [end]
{
    // [region indices]
    const int row = blockIdx.y * BLOCK + threadIdx.y;
    const int column = blockIdx.x * BLOCK + threadIdx.x;
    if (row >= M || column >= N) return;
    // [end]

    // [region dot product]
    // B is stored by columns, so both operands run along K. A product has 15 bits, so 32 bits hold the sum of 131,072 of them.
    int sum = 0;
    for (int k = 0; k < K; ++k) {
        sum += A[size_t(row) * lda + k] * B[size_t(column) * ldb + k];
    }
    // [end]

    // [region store]
    C[size_t(row) * ldc + column] = sum;
    // [end]
}
