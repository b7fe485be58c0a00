// An FP32 product computed with integers. Each row of A and each column of B is multiplied by a power of two and rounded to integers
// below 2^24. An integer a is the sum of four signed bytes: a0 + a1 * 256 + a2 * 256^2 + a3 * 256^3. Four bytes of a times four bytes
// of b make 16 products. Products of the same weight are added in the same sum, exactly, for K up to 32,768.

typedef signed char s8;

constexpr int TILE = 16;
constexpr int BYTES = 4;
constexpr int WEIGHTS = 2 * BYTES - 1;
constexpr int NOT_FINITE = 0x7f800000;                     // the bits of infinity. Those of NaN are larger.

// Returns the bits of |value|, which have the same order as integers.
__device__ int magnitude(float value)
{
    return __float_as_int(fabsf(value));
}

// Returns the largest exponent up to 126 for which the row or column times 2^exponent stays below 2^24.
__device__ int exponent_of(int top)
{
    return top == 0 || top >= NOT_FINITE ? 0 : min(23 - ilogbf(__int_as_float(top)), 126);
}

// Adds the products of four bytes of a and four bytes of b to sum.
__device__ void dp4a(int& sum, int a, int b)
{
    asm("dp4a.s32.s32 %0, %1, %2, %0;" : "+r"(sum) : "r"(a), "r"(b));
}

extern "C" __global__ void __launch_bounds__(TILE * TILE) the_way_back(
    const float* __restrict__ A, const float* __restrict__ B, float* __restrict__ C,
    int M, int N, int K, int lda, int ldb, int ldc, float alpha, float beta)
{
    __shared__ alignas(4) s8 A_tile[BYTES][TILE][TILE];    // [byte][row][k]
    __shared__ alignas(4) s8 B_tile[BYTES][TILE][TILE];    // [byte][column][k]
    __shared__ int A_top[TILE];                            // the largest magnitude of each row of A
    __shared__ int B_top[TILE];                            // and of each column of B
    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int row = blockIdx.y * TILE + ty;
    const int column = blockIdx.x * TILE + tx;
    const auto A_at = [&](int k) { return row < M && k < K ? A[size_t(row) * lda + k] : 0.0f; };
    const auto B_at = [&](int k) { return k < K && column < N ? B[size_t(k) * ldb + column] : 0.0f; };

    if (ty == 0) A_top[tx] = B_top[tx] = 0;
    __syncthreads();
    for (int k0 = 0; k0 < K; k0 += TILE) {
        atomicMax(&A_top[ty], magnitude(A_at(k0 + tx)));
        atomicMax(&B_top[tx], magnitude(B_at(k0 + ty)));
    }
    __syncthreads();
    const int A_exponent = exponent_of(A_top[ty]);
    const int B_exponent = exponent_of(B_top[tx]);
    const float A_scale = ldexpf(1.0f, A_exponent);
    const float B_scale = ldexpf(1.0f, B_exponent);

    int sums[WEIGHTS] = {};                                // sums[w] has the weight 256^w
    for (int k0 = 0; k0 < K; k0 += TILE) {
        int a = __float2int_rn(A_at(k0 + tx) * A_scale);
        int b = __float2int_rn(B_at(k0 + ty) * B_scale);
#pragma unroll
        for (int i = 0; i < BYTES; ++i) {
            A_tile[i][ty][tx] = a;                         // the lowest byte
            B_tile[i][tx][ty] = b;
            a = (a - s8(a)) >> 8;
            b = (b - s8(b)) >> 8;
        }
        __syncthreads();
        for (int j = 0; j < TILE; j += 4) {
#pragma unroll
            for (int i = 0; i < BYTES * BYTES; ++i) {
                const int four_a = *reinterpret_cast<const int*>(&A_tile[i / BYTES][ty][j]);
                const int four_b = *reinterpret_cast<const int*>(&B_tile[i % BYTES][tx][j]);
                dp4a(sums[i / BYTES + i % BYTES], four_a, four_b);
            }
        }
        __syncthreads();
    }

    // Infinities and NaN are not integers. In their rows and columns, an ordinary sum replaces the integers.
    float others = 0.0f;
    if (A_top[ty] >= NOT_FINITE || B_top[tx] >= NOT_FINITE) {
        for (int w = 0; w < WEIGHTS; ++w) sums[w] = 0;
        for (int k = 0; k < K; ++k) others += A_at(k) * B_at(k);
    }

    // [hole epilogue]
    // TODO: store this thread's element of C: alpha * product + beta * C. The product is x * 2^-(A_exponent + B_exponent) + others.
    // x is the sum of sums[w] * 256^w for all w below WEIGHTS.
    if (row < M && column < N) {
        long long x = 0;
        for (int w = WEIGHTS - 1; w >= 0; --w) x = 256 * x + sums[w];
        const float product = ldexpf(float(x), -(A_exponent + B_exponent)) + others;
        float* c = C + size_t(row) * ldc + column;
        *c = beta == 0.0f ? alpha * product : alpha * product + beta * *c;
    }
    // [end]
}
