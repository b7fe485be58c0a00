// Register tiles of 8x8 in warp tiles of 32x64. The lanes of a warp share the data of a wavefront.

constexpr int BM = 128;  // rows of C per block
constexpr int BN = 128;  // columns of C per block
constexpr int BK = 8;    // depth of a tile of A and B
constexpr int WM = 32;   // rows of C per warp
constexpr int WN = 64;   // columns of C per warp
constexpr int TM = 8;    // rows of C per thread: two groups of four, WM / 2 apart
constexpr int TN = 8;    // columns of C per thread: two groups of four, WN / 2 apart
constexpr int THREADS = 256;

// Loads four neighbours of a row. Only the first `inside` are in the matrix; the others become zero.
__device__ __forceinline__ float4 load4(const float* from, int inside, bool aligned)
{
    if (aligned && inside >= 4) {
        return *reinterpret_cast<const float4*>(from);
    }
    return make_float4(inside > 0 ? from[0] : 0.0f, inside > 1 ? from[1] : 0.0f,
                       inside > 2 ? from[2] : 0.0f, inside > 3 ? from[3] : 0.0f);
}

extern "C" __global__ void __launch_bounds__(THREADS) sgemm_warp_tile(
    const float* __restrict__ A, const float* __restrict__ B, float* __restrict__ C,
    int M, int N, int K, int lda, int ldb, int ldc, float alpha, float beta)
{
    // A's tile is transposed: a row of it holds one k.
    __shared__ __align__(16) float A_tile[BK][BM + 4];
    __shared__ __align__(16) float B_tile[BK][BN];

    const int thread = threadIdx.x;
    const int block_row = blockIdx.y * BM;
    const int block_col = blockIdx.x * BN;
    const int warp = thread / 32;
    const int lane = thread % 32;
    int warp_row = 0, warp_col = 0;  // where this warp's tile begins in the block's tile
    int lane_row = 0, lane_col = 0;  // this lane's place in the warp's tile: row 0 to 3, column 0 to 7
    // [hole place]
    // TODO: Set warp_row, warp_col, lane_row and lane_col.
    warp_row = warp / 2 * WM;
    warp_col = warp % 2 * WN;
    lane_row = lane / 16 * 2 + lane / 2 % 2;
    lane_col = lane / 4 % 4 * 2 + lane % 2;
    // [end]

    const bool A_aligned = reinterpret_cast<size_t>(A) % 16 == 0 && lda % 4 == 0;
    const bool B_aligned = reinterpret_cast<size_t>(B) % 16 == 0 && ldb % 4 == 0;
    const int a_row = thread / (BK / 4);
    const int a_k = thread % (BK / 4) * 4;
    const int b_k = thread / (BN / 4);
    const int b_col = thread % (BN / 4) * 4;

    float sum[TM][TN] = {};
    for (int k0 = 0; k0 < K; k0 += BK) {
        const int a_inside = block_row + a_row < M ? K - (k0 + a_k) : 0;
        const int b_inside = k0 + b_k < K ? N - (block_col + b_col) : 0;
        const float4 a4 = load4(&A[size_t(block_row + a_row) * lda + k0 + a_k], a_inside, A_aligned);
        const float4 b4 = load4(&B[size_t(k0 + b_k) * ldb + block_col + b_col], b_inside, B_aligned);
        A_tile[a_k + 0][a_row] = a4.x;
        A_tile[a_k + 1][a_row] = a4.y;
        A_tile[a_k + 2][a_row] = a4.z;
        A_tile[a_k + 3][a_row] = a4.w;
        *reinterpret_cast<float4*>(&B_tile[b_k][b_col]) = b4;
        __syncthreads();

#pragma unroll
        for (int k = 0; k < BK; ++k) {
            alignas(16) float a[TM] = {}, b[TN] = {};
            // [hole fragments]
            // TODO: Load this lane's 8 elements of row k of A_tile and of B_tile, 16 bytes at a time.
#pragma unroll
            for (int half = 0; half < 2; ++half) {
                *reinterpret_cast<float4*>(&a[4 * half]) =
                    *reinterpret_cast<const float4*>(&A_tile[k][warp_row + half * WM / 2 + lane_row * 4]);
                *reinterpret_cast<float4*>(&b[4 * half]) =
                    *reinterpret_cast<const float4*>(&B_tile[k][warp_col + half * WN / 2 + lane_col * 4]);
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
        __syncthreads();
    }

#pragma unroll
    for (int i = 0; i < TM; ++i) {
#pragma unroll
        for (int j = 0; j < TN; ++j) {
            const int row = block_row + warp_row + i / 4 * WM / 2 + lane_row * 4 + i % 4;
            const int col = block_col + warp_col + j / 4 * WN / 2 + lane_col * 4 + j % 4;
            if (row < M && col < N) {
                float& c = C[size_t(row) * ldc + col];
                // BLAS: with beta == 0, C is not read.
                c = beta == 0.0f ? alpha * sum[i][j] : alpha * sum[i][j] + beta * c;
            }
        }
    }
}
