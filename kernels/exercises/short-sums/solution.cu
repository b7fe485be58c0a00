// Along K, the kernel goes in blocks of 32. In each block, a row of A's tile has a scale, and B's tile has one. A scale is
// the largest magnitude of its numbers. All numbers are divided by their scale before they are multiplied. (A kernel with
// eight-bit numbers would also round them.)

constexpr int TILE = 16;
constexpr int DEPTH = 32;

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

extern "C" __global__ void __launch_bounds__(TILE * TILE) short_sums(
    const float* __restrict__ A, const float* __restrict__ B, float* __restrict__ C,
    int M, int N, int K, int lda, int ldb, int ldc, float alpha, float beta)
{
    __shared__ float A_tile[TILE][DEPTH];
    __shared__ float B_tile[DEPTH][TILE];
    __shared__ int A_top[TILE];       // the largest magnitudes of this block
    __shared__ int B_top;
    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int row = blockIdx.y * TILE + ty;
    const int column = blockIdx.x * TILE + tx;

    float sum = 0.0f;
    float part;
    for (int k0 = 0; k0 < K; k0 += DEPTH) {
        float a[2], b[2];
        for (int i = 0; i < 2; ++i) {
            const int a_k = k0 + i * TILE + tx;
            const int b_k = k0 + i * TILE + ty;
            a[i] = row < M && a_k < K ? A[size_t(row) * lda + a_k] : 0.0f;
            b[i] = b_k < K && column < N ? B[size_t(b_k) * ldb + column] : 0.0f;
        }
        __syncthreads();
        if (ty == 0) A_top[tx] = 0;
        if (ty == 0 && tx == 0) B_top = 0;
        __syncthreads();
        for (int i = 0; i < 2; ++i) {
            atomicMax(&A_top[ty], magnitude(a[i]));
            atomicMax(&B_top, magnitude(b[i]));
        }
        __syncthreads();
        const float A_scale = scale_of(A_top[ty]);
        const float B_scale = scale_of(B_top);
        for (int i = 0; i < 2; ++i) {
            A_tile[ty][i * TILE + tx] = a[i] / A_scale;
            B_tile[i * TILE + ty][tx] = b[i] / B_scale;
        }
        __syncthreads();

        part = 0.0f;
        for (int k = 0; k < DEPTH; ++k) part += A_tile[ty][k] * B_tile[k][tx];
        sum += part * (A_scale * B_scale);
    }

    if (row < M && column < N) {
        float* c = C + size_t(row) * ldc + column;
        *c = beta == 0.0f ? alpha * sum : alpha * sum + beta * *c;
    }
}
