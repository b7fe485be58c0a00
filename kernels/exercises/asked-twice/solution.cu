// Four threads share an element of C, each with every fourth k. First they combine their largest numbers of A, which give the row a
// scale. Then they combine their sums.

constexpr int COLUMNS = 32;
constexpr int PARTS = 4;

// Returns the maximum or the sum of the values of a column's four threads.
__device__ __forceinline__ float combine(float value, bool maximum, float (*partial)[COLUMNS])
{
    partial[threadIdx.y][threadIdx.x] = value;
    __syncthreads();
    float all = 0.0f;
    for (int part = 0; part < PARTS; ++part) {
        const float other = partial[part][threadIdx.x];
        all = maximum ? fmaxf(all, other) : all + other;
    }
    return all;
}

extern "C" __global__ void asked_twice(
    const float* __restrict__ A, const float* __restrict__ B, float* __restrict__ C,
    int M, int N, int K, int lda, int ldb, int ldc, float alpha, float beta)
{
    __shared__ float partial[2][PARTS][COLUMNS];
    const int part = threadIdx.y;
    const int col = blockIdx.x * COLUMNS + threadIdx.x;
    const int row = blockIdx.y;

    float largest = 0.0f;
    for (int k = part; k < K; k += PARTS) {
        largest = fmaxf(largest, fabsf(A[size_t(row) * lda + k]));
    }
    largest = combine(largest, true, partial[0]);
    const float scale = largest > 0.0f && isfinite(largest) ? largest : 1.0f;

    float sum = 0.0f;
    for (int k = part; k < K && col < N; k += PARTS) {
        sum += A[size_t(row) * lda + k] / scale * B[size_t(k) * ldb + col];
    }
    sum = combine(sum, false, partial[1]) * scale;

    if (part == 0 && col < N) {
        const size_t at = size_t(row) * ldc + col;
        C[at] = beta == 0.0f ? alpha * sum : alpha * sum + beta * C[at];
    }
}
