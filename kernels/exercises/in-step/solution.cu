// A warp computes one element of C: each lane sums up every 32nd product, and the lanes add up their sums in shared memory.

constexpr int WARPS = 8;

extern "C" __global__ void in_step(
    const float* __restrict__ A, const float* __restrict__ B, float* __restrict__ C,
    int M, int N, int K, int lda, int ldb, int ldc, float alpha, float beta)
{
    __shared__ float sums[WARPS][32];
    const int lane = threadIdx.x;
    const int warp = threadIdx.y;
    const int col = blockIdx.x * WARPS + warp;
    const int row = blockIdx.y;
    if (col >= N) return;

    float sum = 0.0f;
    for (int k = lane; k < K; k += 32) {
        sum += A[size_t(row) * lda + k] * B[size_t(k) * ldb + col];
    }
    sums[warp][lane] = sum;
    __syncwarp();

    for (int half = 16; half > 0; half /= 2) {
        if (lane < half) sums[warp][lane] += sums[warp][lane + half];
        __syncwarp();
    }

    if (lane == 0) {
        const size_t at = size_t(row) * ldc + col;
        C[at] = beta == 0.0f ? alpha * sums[warp][0] : alpha * sums[warp][0] + beta * C[at];
    }
}
