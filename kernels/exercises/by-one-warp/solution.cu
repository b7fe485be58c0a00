constexpr int BM = 32;  // rows of C per block
constexpr int BN = 32;  // columns of C per block
constexpr int BK = 32;  // depth of a tile of A and B
constexpr int TM = 8;   // rows of C per thread
constexpr int TN = 4;   // columns of C per thread
constexpr int THREADS = (BM / TM) * (BN / TN);
static_assert(BM * BK % THREADS == 0 && BK * BN % THREADS == 0, "every thread fetches the same number of elements");

extern "C" __global__ void __launch_bounds__(THREADS) sgemm(
    const float* __restrict__ A, const float* __restrict__ B, float* __restrict__ C,
    int M, int N, int K, int lda, int ldb, int ldc, float alpha, float beta)
{
    __shared__ float A_tile[BM][BK];
    __shared__ float B_tile[BK][BN];

    const int thread = threadIdx.x;
    const int thread_row = thread / (BN / TN) * TM;
    const int thread_col = thread % (BN / TN) * TN;
    const int block_row = blockIdx.y * BM;
    const int block_col = blockIdx.x * BN;

    float sum[TM][TN] = {};
    for (int k0 = 0; k0 < K; k0 += BK) {
        // [hole fetch]
        // TODO: fill A_tile with the tile of A from (block_row, k0) on, and B_tile with that of B from (k0, block_col) on.
        for (int row = 0; row < BM; ++row) {
            A_tile[row][thread] = block_row + row < M && k0 + thread < K ? A[size_t(block_row + row) * lda + k0 + thread] : 0.0f;
        }
        for (int k = 0; k < BK; ++k) {
            B_tile[k][thread] = k0 + k < K && block_col + thread < N ? B[size_t(k0 + k) * ldb + block_col + thread] : 0.0f;
        }
        __syncthreads();  // fetched
        // [end]
#pragma unroll
        for (int k = 0; k < BK; ++k) {
#pragma unroll
            for (int i = 0; i < TM; ++i) {
#pragma unroll
                for (int j = 0; j < TN; ++j) {
                    sum[i][j] += A_tile[thread_row + i][k] * B_tile[k][thread_col + j];
                }
            }
        }
        __syncthreads();
    }

#pragma unroll
    for (int i = 0; i < TM; ++i) {
#pragma unroll
        for (int j = 0; j < TN; ++j) {
            const int row = block_row + thread_row + i;
            const int col = block_col + thread_col + j;
            if (row < M && col < N) {
                float& c = C[size_t(row) * ldc + col];
                c = beta == 0.0f ? alpha * sum[i][j] : alpha * sum[i][j] + beta * c;
            }
        }
    }
}
