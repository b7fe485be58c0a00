// Sixteen threads share an element of C. An inclusive scan adds up their sums: afterwards the last one holds the total.

constexpr int PARTS = 16;    // threads per element of C, each with every 16th k
constexpr int COLUMNS = 16;  // columns of C per block

extern "C" __global__ void last_step(
    const float* __restrict__ A, const float* __restrict__ B, float* __restrict__ C,
    int M, int N, int K, int lda, int ldb, int ldc, float alpha, float beta)
{
    __shared__ float sums[PARTS][COLUMNS];
    const int tx = threadIdx.x;
    const int part = threadIdx.y;
    const int col = blockIdx.x * COLUMNS + tx;
    const int row = blockIdx.y;

    float sum = 0.0f;
    if (col < N) {
        for (int k = part; k < K; k += PARTS) {
            sum += A[size_t(row) * lda + k] * B[size_t(k) * ldb + col];
        }
    }
    sums[part][tx] = sum;
    __syncthreads();

    // After each step, a sum covers twice as many parts.
    for (int step = 1; step < PARTS; step *= 2) {
        const float before = part >= step ? sums[part - step][tx] : 0.0f;
        __syncthreads();
        sums[part][tx] += before;
        __syncthreads();
    }

    if (part == 0 && col < N) {
        const float total = sums[PARTS - 1][tx];
        const size_t at = size_t(row) * ldc + col;
        C[at] = beta == 0.0f ? alpha * total : alpha * total + beta * C[at];
    }
}
