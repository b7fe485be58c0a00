// Register blocking in two dimensions: a thread computes a TM x TN tile of C as a sum of outer products.
// TM + TN elements read from shared memory feed TM * TN multiply-adds.

constexpr int BM = 128;  // rows of C per block
constexpr int BN = 128;  // columns of C per block
constexpr int BK = 8;    // depth of a tile of A and B
constexpr int TM = 8;    // rows of C per thread
constexpr int TN = 8;    // columns of C per thread
constexpr int THREADS = (BM / TM) * (BN / TN);
static_assert(BM * BK % THREADS == 0 && BK * BN % THREADS == 0, "every thread loads the same number of elements");

// [region signature]
// With two blocks per SM, the compiler may use 128 registers per thread. Without the limit it takes 162
// registers, so only one block of 256 threads fits, and the kernel is a third slower.
extern "C" __global__ void __launch_bounds__(THREADS, 2) sgemm_thread_tile_2d(
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

    // [region accumulators]
    float sum[TM][TN] = {};
    // [end]
    for (int k0 = 0; k0 < K; k0 += BK) {
        // [region tile load]
#pragma unroll
        for (int element = thread; element < BM * BK; element += THREADS) {
            const int row = element / BK;
            const int k = element % BK;
            A_tile[row][k] = block_row + row < M && k0 + k < K ? A[size_t(block_row + row) * lda + k0 + k] : 0.0f;
        }
#pragma unroll
        for (int element = thread; element < BK * BN; element += THREADS) {
            const int k = element / BN;
            const int col = element % BN;
            B_tile[k][col] = k0 + k < K && block_col + col < N ? B[size_t(k0 + k) * ldb + block_col + col] : 0.0f;
        }
        // [end]
        __syncthreads();

        // [region multiply]
#pragma unroll
        for (int k = 0; k < BK; ++k) {
            // [region fragments]
            // The part of one column of A's tile and one row of B's that this thread needs, in registers.
            float a[TM], b[TN];
#pragma unroll
            for (int i = 0; i < TM; ++i) {
                a[i] = A_tile[thread_row + i][k];
            }
#pragma unroll
            for (int j = 0; j < TN; ++j) {
                b[j] = B_tile[k][thread_col + j];
            }
            // [end]
            // [region outer product]
#pragma unroll
            for (int i = 0; i < TM; ++i) {
#pragma unroll
                for (int j = 0; j < TN; ++j) {
                    sum[i][j] += a[i] * b[j];
                }
            }
            // [end]
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
