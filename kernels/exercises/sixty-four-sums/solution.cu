constexpr int BM = 128;  // rows of C per block
constexpr int BN = 128;  // columns of C per block
constexpr int BK = 8;    // depth of a tile of A and B
constexpr int TM = 8;    // rows of C per thread
constexpr int TN = 8;    // columns of C per thread
constexpr int THREADS = (BM / TM) * (BN / TN);
static_assert(BM * BK % THREADS == 0 && BK * BN % THREADS == 0, "every thread loads the same number of elements");

extern "C" __global__ void __launch_bounds__(THREADS, 2) sgemm(
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
        __syncthreads();
        // [hole multiply]
        // TODO: for each k, read TM + TN numbers, and add their TM * TN products to the sums.
#pragma unroll
        for (int k = 0; k < BK; ++k) {
            float a[TM], b[TN];
#pragma unroll
            for (int i = 0; i < TM; ++i) {
                a[i] = A_tile[thread_row + i][k];
            }
#pragma unroll
            for (int j = 0; j < TN; ++j) {
                b[j] = B_tile[k][thread_col + j];
            }
#pragma unroll
            for (int i = 0; i < TM; ++i) {
#pragma unroll
                for (int j = 0; j < TN; ++j) {
                    sum[i][j] += a[i] * b[j];
                }
            }
        }
        // [end]
        __syncthreads();
    }

    // [hole store]
    // TODO: store this thread's TM x TN elements of C.
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
    // [end]
}
