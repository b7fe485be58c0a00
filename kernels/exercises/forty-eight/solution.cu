// Four threads share an element of C, each with a quarter of K. A block has 24 columns, so 96 threads.
// The sums are folded twice: from 96 to 48, and from 48 to 24.

constexpr int COLUMNS = 24;
constexpr int PARTS = 4;

extern "C" __global__ void forty_eight(
    const float* __restrict__ A, const float* __restrict__ B, float* __restrict__ C,
    int M, int N, int K, int lda, int ldb, int ldc, float alpha, float beta)
{
    __shared__ float sums[PARTS * COLUMNS];
    const int thread = threadIdx.x;
    const int part = thread / COLUMNS;
    const int col = blockIdx.x * COLUMNS + thread % COLUMNS;
    const int row = blockIdx.y;

    float sum = 0.0f;
    if (col < N) {
        for (int k = part; k < K; k += PARTS) {
            sum += A[size_t(row) * lda + k] * B[size_t(k) * ldb + col];
        }
    }
    sums[thread] = sum;
    __syncthreads();

    if (thread < 2 * COLUMNS) {
        sums[thread] += sums[thread + 2 * COLUMNS];
    }
    __syncthreads();
    if (thread < COLUMNS) {
        sum = sums[thread] + sums[thread + COLUMNS];
        if (col < N) {
            const size_t at = size_t(row) * ldc + col;
            C[at] = beta == 0.0f ? alpha * sum : alpha * sum + beta * C[at];
        }
    }
}
