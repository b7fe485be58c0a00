// Eight threads share an element of C. Each sums up its part of K and adds the sum to the element.

constexpr int PARTS = 8;     // threads per element of C, each with every eighth k
constexpr int COLUMNS = 32;  // columns of C per block

extern "C" __global__ void one_cell(
    const float* __restrict__ A, const float* __restrict__ B, float* C,
    int M, int N, int K, int lda, int ldb, int ldc, float alpha, float beta)
{
    const int part = threadIdx.y;
    const int col = blockIdx.x * COLUMNS + threadIdx.x;
    const int row = blockIdx.y;
    float* const cell = &C[size_t(row) * ldc + col];

    // BLAS: with beta == 0, C is not read.
    if (part == 0 && col < N) *cell = beta == 0.0f ? 0.0f : beta * *cell;
    __syncthreads();

    if (col < N) {
        float sum = 0.0f;
        for (int k = part; k < K; k += PARTS) {
            sum += A[size_t(row) * lda + k] * B[size_t(k) * ldb + col];
        }
        atomicAdd(cell, alpha * sum);
    }
}
