// Each row of A and each column of B has a scale: its largest magnitude. All numbers are divided by their scale before they
// are multiplied. (A kernel with eight-bit numbers would also round them.)

constexpr int TILE = 32;
constexpr int STEP = 8;               // rows of a block of threads
constexpr int ROWS = TILE / STEP;     // rows of C per thread

// Returns the bits of |value|, which have the same order as integers. Infinities and NaN do not count.
__device__ int magnitude(float value)
{
    const int bits = __float_as_int(fabsf(value));
    return bits < 0x7f800000 ? bits : 0;
}

__device__ float scale_of(int top)
{
    return top == 0 ? 1.0f : __int_as_float(top);
}

extern "C" __global__ void __launch_bounds__(TILE * STEP) on_the_way_out(
    const float* __restrict__ A, const float* __restrict__ B, float* __restrict__ C,
    int M, int N, int K, int lda, int ldb, int ldc, float alpha, float beta)
{
    __shared__ float A_tile[TILE][TILE];
    __shared__ float B_tile[TILE][TILE];
    __shared__ int A_top[TILE];       // the largest magnitude of each row of A
    __shared__ int B_top[TILE];       // and of each column of B
    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int first_row = blockIdx.y * TILE;
    const int column = blockIdx.x * TILE + tx;
    const auto A_at = [&](int row, int k) { return row < M && k < K ? A[size_t(row) * lda + k] : 0.0f; };
    const auto B_at = [&](int k) { return k < K && column < N ? B[size_t(k) * ldb + column] : 0.0f; };

    if (ty == 0) A_top[tx] = B_top[tx] = 0;
    __syncthreads();
    for (int k0 = 0; k0 < K; k0 += TILE) {
        for (int r = ty; r < TILE; r += STEP) {
            atomicMax(&A_top[r], magnitude(A_at(first_row + r, k0 + tx)));
            atomicMax(&B_top[tx], magnitude(B_at(k0 + r)));
        }
    }
    __syncthreads();

    float sum[ROWS] = {};
    for (int k0 = 0; k0 < K; k0 += TILE) {
        for (int r = ty; r < TILE; r += STEP) {
            A_tile[r][tx] = A_at(first_row + r, k0 + tx) / scale_of(A_top[r]);
            B_tile[r][tx] = B_at(k0 + r) / scale_of(B_top[tx]);
        }
        __syncthreads();
        for (int k = 0; k < TILE; ++k) {
#pragma unroll
            for (int i = 0; i < ROWS; ++i) sum[i] += A_tile[ty + i * STEP][k] * B_tile[k][tx];
        }
        __syncthreads();
    }

    // [hole epilogue]
    // TODO: multiply each sum by the scales of its row and its column, and store alpha * sum + beta * C.
    // sum[i] is in row ty + i * STEP of the tile and in column tx. Row 0 of the tile is row first_row of C.
#pragma unroll
    for (int i = 0; i < ROWS; ++i) {
        const int r = ty + i * STEP;
        if (first_row + r < M && column < N) {
            float* c = C + size_t(first_row + r) * ldc + column;
            const float value = alpha * (sum[i] * (scale_of(A_top[r]) * scale_of(B_top[tx])));
            *c = beta == 0.0f ? value : value + beta * *c;
        }
    }
    // [end]
}
