constexpr int BM = 64;  // rows of C per block
constexpr int BN = 64;  // columns of C per block
constexpr int BK = 8;   // depth of a tile of A and B
constexpr int TM = 8;   // rows of C per thread
constexpr int THREADS = (BM / TM) * BN;
static_assert(BM * BK == THREADS && BK * BN == THREADS, "every thread loads one element of each tile");

extern "C" __global__ void __launch_bounds__(THREADS) sgemm(
    const float* __restrict__ A, const float* __restrict__ B, float* __restrict__ C,
    int M, int N, int K, int lda, int ldb, int ldc, float alpha, float beta)
{
    __shared__ float A_tile[BM][BK];
    __shared__ float B_tile[BK][BN];

    const int thread = threadIdx.x;
    const int thread_row = thread / BN * TM;
    const int thread_col = thread % BN;
    const int block_row = blockIdx.y * BM;
    const int block_col = blockIdx.x * BN;

    float sum[TM] = {};
    for (int k0 = 0; k0 < K; k0 += BK) {
        const int a_row = thread / BK;
        const int a_k = thread % BK;
        const int b_k = thread / BN;
        const int b_col = thread % BN;
        A_tile[a_row][a_k] = block_row + a_row < M && k0 + a_k < K ? A[size_t(block_row + a_row) * lda + k0 + a_k] : 0.0f;
        B_tile[b_k][b_col] = k0 + b_k < K && block_col + b_col < N ? B[size_t(k0 + b_k) * ldb + block_col + b_col] : 0.0f;
        __syncthreads();
        // [hole multiply]
        // TODO: add this tile's products to sum[0] to sum[TM - 1]. Read shared memory as little as you can.
#pragma unroll
        for (int k = 0; k < BK; ++k) {
            const float b = B_tile[k][thread_col];
#pragma unroll
            for (int i = 0; i < TM; ++i) {
                sum[i] += A_tile[thread_row + i][k] * b;
            }
        }
        // [end]
        __syncthreads();
    }

#pragma unroll
    for (int i = 0; i < TM; ++i) {
        const int row = block_row + thread_row + i;
        const int col = block_col + thread_col;
        if (row < M && col < N) {
            float& c = C[size_t(row) * ldc + col];
            c = beta == 0.0f ? alpha * sum[i] : alpha * sum[i] + beta * c;
        }
    }
}
