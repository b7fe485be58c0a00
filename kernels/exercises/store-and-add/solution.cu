// Eight warps share 32 elements of a row of C, each with an eighth of K. A warp sums up 16 products at a time in a register, and
// promotes that short sum to the common sum in shared memory.

constexpr int COLUMNS = 32;
constexpr int PARTS = 8;
constexpr int SHORT = 16;  // products in a short sum

extern "C" __global__ void store_and_add(
    const float* __restrict__ A, const float* __restrict__ B, float* __restrict__ C,
    int M, int N, int K, int lda, int ldb, int ldc, float alpha, float beta)
{
    __shared__ float total[COLUMNS];
    const int lane = threadIdx.x;
    const int part = threadIdx.y;
    const int col = blockIdx.x * COLUMNS + lane;
    const int row = blockIdx.y;

    if (part == 0) total[lane] = 0.0f;
    __syncthreads();

    for (int first = part * SHORT; first < K && col < N; first += PARTS * SHORT) {
        float sum = 0.0f;
        for (int k = first; k < min(first + SHORT, K); ++k) {
            sum += A[size_t(row) * lda + k] * B[size_t(k) * ldb + col];
        }
        atomicAdd(&total[lane], sum);
    }
    __syncthreads();

    if (part == 0 && col < N) {
        const size_t at = size_t(row) * ldc + col;
        C[at] = beta == 0.0f ? alpha * total[lane] : alpha * total[lane] + beta * C[at];
    }
}
