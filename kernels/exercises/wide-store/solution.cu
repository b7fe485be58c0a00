// Warp tiles of 32x64 whose sums go to C sixteen bytes at a time, where C allows it.

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

extern "C" __global__ void __launch_bounds__(THREADS) wide_store(
    const float* __restrict__ A, const float* __restrict__ B, float* __restrict__ C,
    int M, int N, int K, int lda, int ldb, int ldc, float alpha, float beta)
{
    // A's tile is transposed: a row of it holds one k.
    __shared__ __align__(16) float A_tile[BK][BM + 4];
    __shared__ __align__(16) float B_tile[BK][BN];
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
            alignas(16) float a[TM], b[TN];
#pragma unroll
            for (int half = 0; half < 2; ++half) {
                *reinterpret_cast<float4*>(&a[4 * half]) =
                    *reinterpret_cast<const float4*>(&A_tile[k][warp_row + half * WM / 2 + lane_row * 4]);
                *reinterpret_cast<float4*>(&b[4 * half]) =
                    *reinterpret_cast<const float4*>(&B_tile[k][warp_col + half * WN / 2 + lane_col * 4]);
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

    // sum[i][j] belongs to this row and, for j = 0 and 4, to the four columns from `col` on.
    auto row_of = [&](int i) { return block_row + warp_row + i / 4 * WM / 2 + lane_row * 4 + i % 4; };
    auto col_of = [&](int j) { return block_col + warp_col + j / 4 * WN / 2 + lane_col * 4; };
    // [hole store]
    // TODO: C = alpha * sum + beta * C, 16 bytes at a time wherever four columns are inside and the address allows it.
    // With beta == 0, C is not read.
    const bool C_aligned = reinterpret_cast<size_t>(C) % 16 == 0 && ldc % 4 == 0;
#pragma unroll
    for (int i = 0; i < TM; ++i) {
#pragma unroll
        for (int j = 0; j < TN; j += 4) {
            const int row = row_of(i);
            const int col = col_of(j);
            if (row >= M) continue;
            float* at = &C[size_t(row) * ldc + col];
            if (C_aligned && col + 4 <= N) {
                float4 c = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
                if (beta != 0.0f) {
                    c = *reinterpret_cast<const float4*>(at);
                    c.x *= beta, c.y *= beta, c.z *= beta, c.w *= beta;
                }
                c.x += alpha * sum[i][j], c.y += alpha * sum[i][j + 1], c.z += alpha * sum[i][j + 2], c.w += alpha * sum[i][j + 3];
                *reinterpret_cast<float4*>(at) = c;
            } else {
                for (int e = 0; e < 4; ++e) {
                    if (col + e < N) {
                        at[e] = beta == 0.0f ? alpha * sum[i][j + e] : alpha * sum[i][j + e] + beta * at[e];
                    }
                }
            }
        }
    }
    // [end]
}
