constexpr int COLS = 32;  // columns of C per block
constexpr int PARTS = 8;  // threads that share the sum of one element

extern "C" __global__ void __launch_bounds__(COLS * PARTS) sgemm(
    const float* __restrict__ A, const float* __restrict__ B, float* __restrict__ C,
    int M, int N, int K, int lda, int ldb, int ldc, float alpha, float beta)
{
    __shared__ float sums[PARTS][COLS];

    const int thread = threadIdx.y * COLS + threadIdx.x;
    const int lane = thread % COLS, part = thread / COLS;
    const int row = blockIdx.y;
    const int col = blockIdx.x * COLS + lane;

    float sum = 0.0f;
    if (col < N) {
        for (int k = part; k < K; k += PARTS) {
            sum += A[size_t(row) * lda + k] * B[size_t(k) * ldb + col];
        }
    }
    sums[part][lane] = sum;
    __syncthreads();

    if (part == 0 && col < N) {
        for (int i = 1; i < PARTS; ++i) {
            sum += sums[i][lane];
        }
        float& c = C[size_t(row) * ldc + col];
        c = beta == 0.0f ? alpha * sum : alpha * sum + beta * c;
    }
}
