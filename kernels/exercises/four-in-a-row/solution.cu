constexpr int BM = 128;  // rows of C per block
constexpr int BN = 128;  // columns of C per block
constexpr int BK = 8;    // depth of a tile of A and B
constexpr int TM = 8;    // rows of C per thread
constexpr int TN = 8;    // columns of C per thread
constexpr int THREADS = (BM / TM) * (BN / TN);
static_assert(BM * BK == 4 * THREADS && BK * BN == 4 * THREADS, "every thread loads one float4 of each tile");
static_assert(TM % 4 == 0 && TN % 4 == 0 && BK % 4 == 0, "fragments and rows are read four at a time");

// Loads four neighbours of a row. Only the first `inside` are in the matrix; the others become zero.
// `aligned` says that `from` is a multiple of 16 bytes.
__device__ __forceinline__ float4 load4(const float* from, int inside, bool aligned)
{
    float4 loaded = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    // [hole load4]
    // TODO: use one load of 16 bytes if that is allowed, else load one by one. `inside` can be any number, even negative.
    if (aligned && inside >= 4) {
        loaded = *reinterpret_cast<const float4*>(from);
    } else {
        if (inside > 0) loaded.x = from[0];
        if (inside > 1) loaded.y = from[1];
        if (inside > 2) loaded.z = from[2];
        if (inside > 3) loaded.w = from[3];
    }
    // [end]
    return loaded;
}

extern "C" __global__ void __launch_bounds__(THREADS) sgemm(
    const float* __restrict__ A, const float* __restrict__ B, float* __restrict__ C,
    int M, int N, int K, int lda, int ldb, int ldc, float alpha, float beta)
{
    __shared__ __align__(16) float A_tile[BK][BM];  // A's tile is transposed: a column of A is a row here.
    __shared__ __align__(16) float B_tile[BK][BN];

    const int thread = threadIdx.x;
    const int thread_row = thread / (BN / TN) * TM;
    const int thread_col = thread % (BN / TN) * TN;
    const int block_row = blockIdx.y * BM;
    const int block_col = blockIdx.x * BN;

    // A 128-bit access needs an address that is a multiple of 16 bytes, in every row.
    const bool A_aligned = reinterpret_cast<size_t>(A) % 16 == 0 && lda % 4 == 0;
    const bool B_aligned = reinterpret_cast<size_t>(B) % 16 == 0 && ldb % 4 == 0;

    float sum[TM][TN] = {};
    for (int k0 = 0; k0 < K; k0 += BK) {
        const int a_row = thread / (BK / 4);
        const int a_k = thread % (BK / 4) * 4;
        const int b_k = thread / (BN / 4);
        const int b_col = thread % (BN / 4) * 4;
        const int a_inside = block_row + a_row < M ? K - (k0 + a_k) : 0;
        const int b_inside = k0 + b_k < K ? N - (block_col + b_col) : 0;
        const float4 a4 = load4(&A[size_t(block_row + a_row) * lda + k0 + a_k], a_inside, A_aligned);
        const float4 b4 = load4(&B[size_t(k0 + b_k) * ldb + block_col + b_col], b_inside, B_aligned);
        // [hole store]
        // TODO: put a4 and b4 into the tiles. A's tile is transposed: A_tile[k][row].
        A_tile[a_k + 0][a_row] = a4.x;
        A_tile[a_k + 1][a_row] = a4.y;
        A_tile[a_k + 2][a_row] = a4.z;
        A_tile[a_k + 3][a_row] = a4.w;
        *reinterpret_cast<float4*>(&B_tile[b_k][b_col]) = b4;
        // [end]
        __syncthreads();

#pragma unroll
        for (int k = 0; k < BK; ++k) {
            alignas(16) float a[TM], b[TN];
#pragma unroll
            for (int i = 0; i < TM; i += 4) {
                *reinterpret_cast<float4*>(&a[i]) = *reinterpret_cast<const float4*>(&A_tile[k][thread_row + i]);
            }
#pragma unroll
            for (int j = 0; j < TN; j += 4) {
                *reinterpret_cast<float4*>(&b[j]) = *reinterpret_cast<const float4*>(&B_tile[k][thread_col + j]);
            }
#pragma unroll
            for (int i = 0; i < TM; ++i) {
#pragma unroll
                for (int j = 0; j < TN; ++j) {
                    sum[i][j] += a[i] * b[j];
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
