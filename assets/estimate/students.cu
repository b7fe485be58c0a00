// Products of matrices as students write them: C = alpha * A * B + beta * C in row-major order.
// Each instance below is an entry of its own; `scripts/gpu/students` has the geometry.

#define ARGS const float* __restrict__ A, const float* __restrict__ B, float* __restrict__ C, \
    int M, int N, int K, int lda, int ldb, int ldc, float alpha, float beta
#define PASS A, B, C, M, N, K, lda, ldb, ldc, alpha, beta
#define ENTRY(name, ...) extern "C" __global__ void name(ARGS) { __VA_ARGS__(PASS); }
#define BOUNDED(name, threads, blocks, ...) \
    extern "C" __global__ void __launch_bounds__(threads, blocks) name(ARGS) { __VA_ARGS__(PASS); }

template <typename Sum>
__device__ void store(float* C, size_t at, Sum sum, float alpha, float beta)
{
    C[at] = beta == 0.0f ? alpha * float(sum) : alpha * float(sum) + beta * C[at];
}

// One thread per element. ROWS: threadIdx.x goes down the rows.
template <typename Sum, bool ROWS, int UNROLL>
__device__ void naive(ARGS)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    const int row = ROWS ? x : y, col = ROWS ? y : x;
    if (row >= M || col >= N) return;
    Sum sum = 0;
#pragma unroll UNROLL
    for (int k = 0; k < K; ++k) sum += Sum(A[row * lda + k]) * Sum(B[k * ldb + col]);
    store(C, size_t(row) * ldc + col, sum, alpha, beta);
}

// One thread per element, in a loop over the grid, with a division per element.
template <int UNROLL>
__device__ void grid_stride(ARGS)
{
    for (int at = blockIdx.x * blockDim.x + threadIdx.x; at < M * N; at += gridDim.x * blockDim.x) {
        const int row = at / N, col = at % N;
        float sum = 0.0f;
#pragma unroll UNROLL
        for (int k = 0; k < K; ++k) sum += A[row * lda + k] * B[k * ldb + col];
        store(C, size_t(row) * ldc + col, sum, alpha, beta);
    }
}

// Four columns per thread with 16-byte loads, and ROWS rows.
template <int ROWS>
__device__ void naive_vector(ARGS)
{
    const int col = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
    const int row = ROWS * (blockIdx.y * blockDim.y + threadIdx.y);
    float sum[ROWS][4] = {};
    for (int k = 0; k < K; ++k) {
        const float4 b = *reinterpret_cast<const float4*>(B + size_t(k) * ldb + col);
#pragma unroll
        for (int r = 0; r < ROWS; ++r) {
            const float a = A[size_t(row + r) * lda + k];
            sum[r][0] += a * b.x;
            sum[r][1] += a * b.y;
            sum[r][2] += a * b.z;
            sum[r][3] += a * b.w;
        }
    }
#pragma unroll
    for (int r = 0; r < ROWS; ++r)
#pragma unroll
        for (int c = 0; c < 4; ++c) store(C, size_t(row + r) * ldc + col + c, sum[r][c], alpha, beta);
}

// T×T tiles in shared memory with rows of T + PAD; FLIP stores A's tile transposed.
template <typename Sum, int T, int PAD, bool FLIP, int UNROLL>
__device__ void tiled(ARGS)
{
    __shared__ float a[T][T + PAD], b[T][T + PAD];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;
    Sum sum = 0;
    for (int k0 = 0; k0 < K; k0 += T) {
        const float x = row < M && k0 + tx < K ? A[size_t(row) * lda + k0 + tx] : 0.0f;
        if (FLIP) a[tx][ty] = x; else a[ty][tx] = x;
        b[ty][tx] = col < N && k0 + ty < K ? B[size_t(k0 + ty) * ldb + col] : 0.0f;
        __syncthreads();
#pragma unroll UNROLL
        for (int k = 0; k < T; ++k) sum += Sum(FLIP ? a[k][ty] : a[ty][k]) * Sum(b[k][tx]);
        __syncthreads();
    }
    if (row < M && col < N) store(C, size_t(row) * ldc + col, sum, alpha, beta);
}

// The next tile is in registers while the block multiplies this one.
template <int T>
__device__ void tiled_ahead(ARGS)
{
    __shared__ float a[T][T], b[T][T];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;
    float sum = 0.0f, x = A[size_t(row) * lda + tx], y = B[size_t(ty) * ldb + col];
    for (int k0 = 0; k0 < K; k0 += T) {
        a[ty][tx] = x;
        b[ty][tx] = y;
        __syncthreads();
        if (k0 + T < K) {
            x = A[size_t(row) * lda + k0 + T + tx];
            y = B[size_t(k0 + T + ty) * ldb + col];
        }
#pragma unroll
        for (int k = 0; k < T; ++k) sum += a[ty][k] * b[k][tx];
        __syncthreads();
    }
    store(C, size_t(row) * ldc + col, sum, alpha, beta);
}

// A block of BM×BN elements, TM×TN per thread, in steps of BK. NEAR: a thread's columns are neighbours.
// STAGED: C goes through shared memory. UNROLL of the loop over BK.
template <int BM, int BN, int BK, int TM, int TN, bool NEAR, bool STAGED, int UNROLL>
__device__ void thread_tile(ARGS)
{
    constexpr int X = BN / TN, Y = BM / TM, THREADS = X * Y;
    __shared__ float a[BM][BK], b[BK][BN];
    const int thread = threadIdx.x, tx = thread % X, ty = thread / X;
    const int row = blockIdx.y * BM, col = blockIdx.x * BN;
    float sum[TM][TN] = {};
    for (int k0 = 0; k0 < K; k0 += BK) {
        for (int i = thread; i < BM * BK; i += THREADS) {
            const int r = i / BK, c = i % BK;
            a[r][c] = A[size_t(row + r) * lda + k0 + c];
        }
        for (int i = thread; i < BK * BN; i += THREADS) {
            const int r = i / BN, c = i % BN;
            b[r][c] = B[size_t(k0 + r) * ldb + col + c];
        }
        __syncthreads();
#pragma unroll UNROLL
        for (int k = 0; k < BK; ++k) {
            float y[TN];
#pragma unroll
            for (int j = 0; j < TN; ++j) y[j] = b[k][NEAR ? tx * TN + j : tx + j * X];
#pragma unroll
            for (int i = 0; i < TM; ++i) {
                const float x = a[ty * TM + i][k];
#pragma unroll
                for (int j = 0; j < TN; ++j) sum[i][j] += x * y[j];
            }
        }
        __syncthreads();
    }
    __shared__ float staged[STAGED ? Y : 1][STAGED ? BN : 1];
#pragma unroll
    for (int i = 0; i < TM; ++i) {
        if (STAGED) {
#pragma unroll
            for (int j = 0; j < TN; ++j) staged[ty][NEAR ? tx * TN + j : tx + j * X] = sum[i][j];
            __syncthreads();
            for (int at = thread; at < Y * BN; at += THREADS) {
                const int r = at / BN * TM + i, c = at % BN;
                store(C, size_t(row + r) * ldc + col + c, staged[at / BN][c], alpha, beta);
            }
            __syncthreads();
        } else {
#pragma unroll
            for (int j = 0; j < TN; ++j)
                store(C, size_t(row + ty * TM + i) * ldc + col + (NEAR ? tx * TN + j : tx + j * X), sum[i][j], alpha, beta);
        }
    }
}

// Only B's tile is in shared memory; A comes from global memory, the same for a whole warp.
template <int T>
__device__ void half_tiled(ARGS)
{
    __shared__ float b[T][T];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;
    float sum = 0.0f;
    for (int k0 = 0; k0 < K; k0 += T) {
        b[ty][tx] = B[size_t(k0 + ty) * ldb + col];
        __syncthreads();
#pragma unroll 4
        for (int k = 0; k < T; ++k) sum += A[size_t(row) * lda + k0 + k] * b[k][tx];
        __syncthreads();
    }
    store(C, size_t(row) * ldc + col, sum, alpha, beta);
}

// family: naive
ENTRY(naive_32x8, naive<float, false, 4>)
ENTRY(naive_8x8, naive<float, false, 4>)
ENTRY(naive_128x1, naive<float, false, 4>)
ENTRY(naive_256x1_u8, naive<float, false, 8>)
ENTRY(naive_16x16_u1, naive<float, false, 1>)
ENTRY(naive_32x32_u1, naive<float, false, 1>)
ENTRY(naive_rows_16x16, naive<float, true, 4>)
ENTRY(naive_rows_8x32, naive<float, true, 4>)
// family: double
ENTRY(naive_double, naive<double, false, 4>)
ENTRY(tiled_16_double, tiled<double, 16, 0, false, 16>)
ENTRY(tiled_32_double, tiled<double, 32, 0, false, 32>)
// family: grid stride
ENTRY(stride_256, grid_stride<4>)
ENTRY(stride_1024, grid_stride<4>)
ENTRY(stride_128_u1, grid_stride<1>)
// family: vector
ENTRY(vector_1, naive_vector<1>)
ENTRY(vector_4, naive_vector<4>)
ENTRY(vector_8, naive_vector<8>)
// family: tiled
ENTRY(tiled_8, tiled<float, 8, 0, false, 8>)
ENTRY(tiled_12, tiled<float, 12, 0, false, 12>)
ENTRY(tiled_20, tiled<float, 20, 0, false, 20>)
ENTRY(tiled_24, tiled<float, 24, 0, false, 24>)
ENTRY(tiled_31, tiled<float, 31, 0, false, 31>)
ENTRY(tiled_16_u1, tiled<float, 16, 0, false, 1>)
ENTRY(tiled_32_u1, tiled<float, 32, 0, false, 1>)
ENTRY(tiled_32_u4, tiled<float, 32, 0, false, 4>)
ENTRY(tiled_16_ahead, tiled_ahead<16>)
ENTRY(tiled_32_ahead, tiled_ahead<32>)
ENTRY(half_16, half_tiled<16>)
ENTRY(half_32, half_tiled<32>)
// family: transposed
ENTRY(flipped_16, tiled<float, 16, 0, true, 16>)
ENTRY(flipped_32, tiled<float, 32, 0, true, 32>)
ENTRY(flipped_32_padded, tiled<float, 32, 1, true, 32>)
ENTRY(flipped_16_padded, tiled<float, 16, 1, true, 16>)
// family: thread tile
ENTRY(tile_2x2, thread_tile<32, 32, 16, 2, 2, true, false, 16>)
ENTRY(tile_4x4, thread_tile<64, 64, 16, 4, 4, true, false, 16>)
ENTRY(tile_4x4_far, thread_tile<64, 64, 16, 4, 4, false, false, 16>)
ENTRY(tile_4x4_u1, thread_tile<64, 64, 16, 4, 4, false, false, 1>)
ENTRY(tile_8x4, thread_tile<64, 64, 8, 8, 4, false, false, 8>)
ENTRY(tile_8x8_far, thread_tile<128, 128, 8, 8, 8, false, false, 8>)
ENTRY(tile_8x8_k16, thread_tile<64, 64, 16, 8, 8, true, false, 16>)
ENTRY(tile_8x1, thread_tile<64, 64, 8, 8, 1, false, false, 8>)
ENTRY(tile_1x8, thread_tile<32, 256, 8, 1, 8, false, false, 8>)
// family: staged
ENTRY(staged_4x4, thread_tile<64, 64, 16, 4, 4, true, true, 16>)
ENTRY(staged_8x8, thread_tile<128, 128, 8, 8, 8, false, true, 8>)
// family: registers
BOUNDED(tile_16x8, 128, 1, thread_tile<128, 128, 8, 16, 8, false, false, 8>)
BOUNDED(tile_16x16, 64, 1, thread_tile<128, 128, 8, 16, 16, false, false, 8>)
BOUNDED(tile_8x8_tight, 256, 4, thread_tile<128, 128, 8, 8, 8, false, false, 8>)
