// Two tiles in shared memory, two pairs of fragments in registers: the next ones load while these are multiplied.

constexpr int BM = 128;  // rows of C per block
constexpr int BN = 128;  // columns of C per block
constexpr int BK = 8;    // depth of a tile of A and B
constexpr int TM = 8;    // rows of C per thread
constexpr int TN = 8;    // columns of C per thread
constexpr int WM = 32;   // rows of C per warp
constexpr int WN = 64;   // columns of C per warp
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

extern "C" __global__ void __launch_bounds__(THREADS) a_k_ahead(
    const float* __restrict__ A, const float* __restrict__ B, float* __restrict__ C,
    int M, int N, int K, int lda, int ldb, int ldc, float alpha, float beta)
{
    __shared__ __align__(16) float A_tile[2][BK][BM + 4];
    __shared__ __align__(16) float B_tile[2][BK][BN];
    const int thread = threadIdx.x;
    const int warp = thread / 32;
    const int lane = thread % 32;
    const int lane_row = lane / 16 * 2 + lane / 2 % 2;
    const int lane_col = lane / 4 % 4 * 2 + lane % 2;
    const int block_row = blockIdx.y * BM;
    const int block_col = blockIdx.x * BN;
    const int warp_row = warp / 2 * WM;
    const int warp_col = warp % 2 * WN;
    const bool A_aligned = reinterpret_cast<size_t>(A) % 16 == 0 && lda % 4 == 0;
    const bool B_aligned = reinterpret_cast<size_t>(B) % 16 == 0 && ldb % 4 == 0;
    const int a_row = thread / (BK / 4);
    const int a_k = thread % (BK / 4) * 4;
    const int b_k = thread / (BN / 4);
    const int b_col = thread % (BN / 4) * 4;

    float4 a4, b4;
    auto fetch_tile = [&](int k0) {
        const int a_inside = block_row + a_row < M ? K - (k0 + a_k) : 0;
        const int b_inside = k0 + b_k < K ? N - (block_col + b_col) : 0;
        a4 = load4(&A[size_t(block_row + a_row) * lda + k0 + a_k], a_inside, A_aligned);
        b4 = load4(&B[size_t(k0 + b_k) * ldb + block_col + b_col], b_inside, B_aligned);
    };
    auto store_tile = [&](int stage) {
        A_tile[stage][a_k + 0][a_row] = a4.x;
        A_tile[stage][a_k + 1][a_row] = a4.y;
        A_tile[stage][a_k + 2][a_row] = a4.z;
        A_tile[stage][a_k + 3][a_row] = a4.w;
        *reinterpret_cast<float4*>(&B_tile[stage][b_k][b_col]) = b4;
    };
    alignas(16) float a[2][TM], b[2][TN];
    auto load_fragments = [&](int into, int stage, int k) {
#pragma unroll
        for (int half = 0; half < 2; ++half) {
            *reinterpret_cast<float4*>(&a[into][4 * half]) =
                *reinterpret_cast<const float4*>(&A_tile[stage][k][warp_row + half * WM / 2 + lane_row * 4]);
            *reinterpret_cast<float4*>(&b[into][4 * half]) =
                *reinterpret_cast<const float4*>(&B_tile[stage][k][warp_col + half * WN / 2 + lane_col * 4]);
        }
    };

    float sum[TM][TN] = {};
    int stage = 0;
    fetch_tile(0);
    store_tile(0);
    __syncthreads();
    load_fragments(0, 0, 0);
    for (int k0 = 0; k0 < K; k0 += BK) {
        fetch_tile(k0 + BK);
#pragma unroll
        for (int k = 0; k < BK; ++k) {
            if (k == BK - 1) {
                store_tile(stage ^ 1);
                __syncthreads();
                stage ^= 1;
            }
            load_fragments((k + 1) % 2, stage, (k + 1) % BK);
#pragma unroll
            for (int i = 0; i < TM; ++i) {
#pragma unroll
                for (int j = 0; j < TN; ++j) {
                    sum[i][j] += a[k % 2][i] * b[k % 2][j];
                }
            }
        }
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
