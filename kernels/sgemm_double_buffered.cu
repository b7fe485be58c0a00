// sgemm_conflict_free with two buffers: while the block multiplies from one, the next tile is in flight from
// global memory, first into registers and then into the other buffer. One barrier per tile is enough.

constexpr int BM = 128;  // rows of C per block
constexpr int BN = 128;  // columns of C per block
constexpr int BK = 8;    // depth of a tile of A and B
constexpr int TM = 8;    // rows of C per thread
constexpr int TN = 8;    // columns of C per thread
constexpr int THREADS = (BM / TM) * (BN / TN);
static_assert(BM * BK == 4 * THREADS && BK * BN == 4 * THREADS, "every thread loads one float4 of each tile");
static_assert(TM == 8 && TN == 8 && BK % 4 == 0, "a fragment is two groups of four");

// [region load4]
// Loads four neighbours of a row. Only the first `inside` are in the matrix; the others become zero.
__device__ __forceinline__ float4 load4(const float* from, int inside, bool aligned)
{
    if (aligned && inside >= 4) {
        return *reinterpret_cast<const float4*>(from);
    }
    return make_float4(inside > 0 ? from[0] : 0.0f, inside > 1 ? from[1] : 0.0f,
                       inside > 2 ? from[2] : 0.0f, inside > 3 ? from[3] : 0.0f);
}
// [end]

// [region signature]
extern "C" __global__ void __launch_bounds__(THREADS, 2) sgemm_double_buffered(
    const float* __restrict__ A, const float* __restrict__ B, float* __restrict__ C,
    int M, int N, int K, int lda, int ldb, int ldc, float alpha, float beta)
// [end]
{
    // [region shared tiles]
    __shared__ __align__(16) float A_tile[2][BK][BM + 4];
    __shared__ __align__(16) float B_tile[2][BK][BN];
    // [end]

    // [region indices]
    const int thread = threadIdx.x;
    // Start of the first group of four; the second group is half a tile further.
    const int thread_row = thread / (BN / TN) * 4;
    const int thread_col = thread % (BN / TN) * 4;
    const int block_row = blockIdx.y * BM;
    const int block_col = blockIdx.x * BN;
    // [end]

    // [region alignment]
    // A 128-bit access needs an address that is a multiple of 16 bytes, in every row.
    const bool A_aligned = reinterpret_cast<size_t>(A) % 16 == 0 && lda % 4 == 0;
    const bool B_aligned = reinterpret_cast<size_t>(B) % 16 == 0 && ldb % 4 == 0;
    // [end]

    const int a_row = thread / (BK / 4);
    const int a_k = thread % (BK / 4) * 4;
    const int b_k = thread / (BN / 4);
    const int b_col = thread % (BN / 4) * 4;

    // [region prefetch]
    // This thread's part of the next tile. The loads stay in flight until the values are first needed.
    float4 a4, b4;
    auto load_tile = [&](int k0) {
        const int a_inside = block_row + a_row < M ? K - (k0 + a_k) : 0;
        const int b_inside = k0 + b_k < K ? N - (block_col + b_col) : 0;
        a4 = load4(&A[size_t(block_row + a_row) * lda + k0 + a_k], a_inside, A_aligned);
        b4 = load4(&B[size_t(k0 + b_k) * ldb + block_col + b_col], b_inside, B_aligned);
    };
    // [end]
    auto store_tile = [&](int buffer) {
        A_tile[buffer][a_k + 0][a_row] = a4.x;
        A_tile[buffer][a_k + 1][a_row] = a4.y;
        A_tile[buffer][a_k + 2][a_row] = a4.z;
        A_tile[buffer][a_k + 3][a_row] = a4.w;
        *reinterpret_cast<float4*>(&B_tile[buffer][b_k][b_col]) = b4;
    };

    float sum[TM][TN] = {};
    load_tile(0);
    store_tile(0);
    __syncthreads();
    int buffer = 0;
    for (int k0 = 0; k0 < K; k0 += BK) {
        // [region load ahead]
        // Past the last tile, every element is outside the matrices, so this only sets the registers to zero.
        load_tile(k0 + BK);
        // [end]

        // [region multiply]
#pragma unroll
        for (int k = 0; k < BK; ++k) {
            // [region fragments]
            alignas(16) float a[TM], b[TN];  // a float4 must be aligned to 16 bytes
#pragma unroll
            for (int half = 0; half < 2; ++half) {
                *reinterpret_cast<float4*>(&a[4 * half]) =
                    *reinterpret_cast<const float4*>(&A_tile[buffer][k][half * BM / 2 + thread_row]);
                *reinterpret_cast<float4*>(&b[4 * half]) =
                    *reinterpret_cast<const float4*>(&B_tile[buffer][k][half * BN / 2 + thread_col]);
            }
            // [end]
#pragma unroll
            for (int i = 0; i < TM; ++i) {
#pragma unroll
                for (int j = 0; j < TN; ++j) {
                    sum[i][j] += a[i] * b[j];
                }
            }
        }
        // [end]

        // [region one barrier]
        // No thread reads the other buffer any more: all finished with it before the last barrier.
        buffer ^= 1;
        store_tile(buffer);
        __syncthreads();
        // [end]
    }

    // [region store]
#pragma unroll
    for (int i = 0; i < TM; ++i) {
#pragma unroll
        for (int j = 0; j < TN; ++j) {
            const int row = block_row + i / 4 * BM / 2 + thread_row + i % 4;
            const int col = block_col + j / 4 * BN / 2 + thread_col + j % 4;
            if (row < M && col < N) {
                float& c = C[size_t(row) * ldc + col];
                // BLAS: with beta == 0, C is not read.
                c = beta == 0.0f ? alpha * sum[i][j] : alpha * sum[i][j] + beta * c;
            }
        }
    }
    // [end]
}
