// Along K, the kernel goes in blocks of 32. In each block, a row of A's tile has a scale, and B's tile has one. A scale is
// the largest magnitude of its numbers. All numbers are divided by their scale before they are multiplied. (A kernel with
// eight-bit numbers would also round them.) The sum of a block is added while the next block is loaded.

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

extern "C" __global__ void __launch_bounds__(TILE * TILE) which_scale(
    const float* __restrict__ A, const float* __restrict__ B, float* __restrict__ C,
    int M, int N, int K, int lda, int ldb, int ldc, float alpha, float beta)
{
    __shared__ float A_tile[TILE][DEPTH];
    __shared__ float B_tile[DEPTH][TILE];
    // The largest magnitudes of this block and of the one before it.
    __shared__ int A_top[2][TILE];
    __shared__ int B_top[2];
    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int row = blockIdx.y * TILE + ty;
    const int column = blockIdx.x * TILE + tx;
    const int blocks = (K + DEPTH - 1) / DEPTH;
    if (ty < 2) A_top[ty][tx] = 0;
    if (ty < 2 && tx == 0) B_top[ty] = 0;

    float sum = 0.0f;
    float part = 0.0f;                // the sum of the block before
    for (int block = 0; block <= blocks; ++block) {
        const int now = block % 2;
        const int before = 1 - now;
        float next = 0.0f;            // the sum of this block
        __syncthreads();              // all threads have finished the block before
        if (block < blocks) {
            float a[2], b[2];
            for (int i = 0; i < 2; ++i) {
                const int a_k = block * DEPTH + i * TILE + tx;
                const int b_k = block * DEPTH + i * TILE + ty;
                a[i] = row < M && a_k < K ? A[size_t(row) * lda + a_k] : 0.0f;
                b[i] = b_k < K && column < N ? B[size_t(b_k) * ldb + column] : 0.0f;
            }
            if (ty == 0) A_top[now][tx] = 0;
            if (ty == 0 && tx == 0) B_top[now] = 0;
            __syncthreads();
            for (int i = 0; i < 2; ++i) {
                atomicMax(&A_top[now][ty], magnitude(a[i]));
                atomicMax(&B_top[now], magnitude(b[i]));
            }
            __syncthreads();
            for (int i = 0; i < 2; ++i) {
                A_tile[ty][i * TILE + tx] = a[i] / scale_of(A_top[now][ty]);
                B_tile[i * TILE + ty][tx] = b[i] / scale_of(B_top[now]);
            }
            __syncthreads();
            for (int k = 0; k < DEPTH; ++k) next += A_tile[ty][k] * B_tile[k][tx];
        }
        sum += part * (scale_of(A_top[before][ty]) * scale_of(B_top[before]));
        part = next;
    }

    if (row < M && column < N) {
        float* c = C + size_t(row) * ldc + column;
        *c = beta == 0.0f ? alpha * sum : alpha * sum + beta * *c;
    }
}
