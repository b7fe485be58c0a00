// A thread computes four elements of a column of C. Both tiles are in dynamic shared memory.

constexpr int TM = 4;         // elements of C per thread
constexpr int BN = 16;        // columns of C per block
constexpr int BM = 16 * TM;   // rows of C per block
constexpr int BK = 16;        // depth of a tile of A and B

extern __shared__ float pool[];

extern "C" __global__ void one_pool(
    const float* __restrict__ A, const float* __restrict__ B, float* __restrict__ C,
    int M, int N, int K, int lda, int ldb, int ldc, float alpha, float beta)
{
    float* const A_tile = pool;            // BM rows of BK floats
    float* const B_tile = pool + BM * BK;  // BK rows of BN floats
    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int col = blockIdx.x * BN + tx;
    const int row = blockIdx.y * BM + ty;

    float sum[TM] = {};
    for (int k0 = 0; k0 < K; k0 += BK) {
        for (int i = 0; i < BM; i += 16) {
            A_tile[(ty + i) * BK + tx] = row + i < M && k0 + tx < K ? A[size_t(row + i) * lda + k0 + tx] : 0.0f;
        }
        B_tile[ty * BN + tx] = k0 + ty < K && col < N ? B[size_t(k0 + ty) * ldb + col] : 0.0f;
        __syncthreads();

        for (int k = 0; k < BK; ++k) {
            for (int i = 0; i < TM; ++i) {
                sum[i] += A_tile[(ty + 16 * i) * BK + k] * B_tile[k * BN + tx];
            }
        }
        __syncthreads();
    }

    for (int i = 0; i < TM; ++i) {
        if (row + 16 * i < M && col < N) {
            const size_t at = size_t(row + 16 * i) * ldc + col;
            C[at] = beta == 0.0f ? alpha * sum[i] : alpha * sum[i] + beta * C[at];
        }
    }
}
