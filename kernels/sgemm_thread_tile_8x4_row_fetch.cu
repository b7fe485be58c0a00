// The 8x4 thread tile of the TVM series' third step: one warp computes a 32x32 tile of C. Its 32 threads fetch 32
// elements each of A and of B into shared memory. As in that series, each thread fetches one row of a tile.

constexpr int BM = 32;  // rows of C per block
constexpr int BN = 32;  // columns of C per block
constexpr int BK = 32;  // depth of a tile of A and B
constexpr int TM = 8;   // rows of C per thread
constexpr int TN = 4;   // columns of C per thread
constexpr int THREADS = (BM / TM) * (BN / TN);
static_assert(BM * BK % THREADS == 0 && BK * BN % THREADS == 0, "every thread fetches the same number of elements");

// [region signature]
extern "C" __global__ void __launch_bounds__(THREADS) sgemm_thread_tile_8x4_row_fetch(
    const float* __restrict__ A, const float* __restrict__ B, float* __restrict__ C,
    int M, int N, int K, int lda, int ldb, int ldc, float alpha, float beta)
// [end]
{
    __shared__ float A_tile[BM][BK];
    __shared__ float B_tile[BK][BN];

    // [region indices]
    const int thread = threadIdx.x;
    const int thread_row = thread / (BN / TN) * TM;
    const int thread_col = thread % (BN / TN) * TN;
    const int block_row = blockIdx.y * BM;
    const int block_col = blockIdx.x * BN;
    // [end]

    float sum[TM][TN] = {};
    for (int k0 = 0; k0 < K; k0 += BK) {
        // [region fetch]
        // Each thread takes the next 32 elements, so lanes load from 32 different rows and store into one bank.
#pragma unroll
        for (int i = 0; i < BM * BK / THREADS; ++i) {
            const int element = thread * (BM * BK / THREADS) + i;
            const int row = element / BK;
            const int k = element % BK;
            A_tile[row][k] = block_row + row < M && k0 + k < K ? A[size_t(block_row + row) * lda + k0 + k] : 0.0f;
        }
#pragma unroll
        for (int i = 0; i < BK * BN / THREADS; ++i) {
            const int element = thread * (BK * BN / THREADS) + i;
            const int k = element / BN;
            const int col = element % BN;
            B_tile[k][col] = k0 + k < K && block_col + col < N ? B[size_t(k0 + k) * ldb + block_col + col] : 0.0f;
        }
        // [end]
        __syncthreads();

        // [region multiply]
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
        // [end]
        __syncthreads();
    }

    // [region store]
#pragma unroll
    for (int i = 0; i < TM; ++i) {
#pragma unroll
        for (int j = 0; j < TN; ++j) {
            const int row = block_row + thread_row + i;
            const int col = block_col + thread_col + j;
            if (row < M && col < N) {
                float& c = C[size_t(row) * ldc + col];
                // BLAS: with beta == 0, C is not read.
                c = beta == 0.0f ? alpha * sum[i][j] : alpha * sum[i][j] + beta * c;
            }
        }
    }
    // [end]
}
