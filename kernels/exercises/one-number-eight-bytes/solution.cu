// An FP32 product computed with integers. Each row of A and each column of B is multiplied by a power of two and rounded to integers
// below 2^24. A product of such integers has 48 bits, but the kernel multiplies only bytes: it computes each sum modulo eight
// numbers. The eight sums give the exact sum in 64 bits, for K up to 16,384.

typedef signed char s8;
typedef unsigned long long u64;

constexpr int TILE = 16;
constexpr int COUNT = 8;
constexpr int NOT_FINITE = 0x7f800000;                     // the bits of infinity. Those of NaN are larger.
__constant__ int MODULI[COUNT] = {256, 255, 253, 251, 247, 241, 239, 233};

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

// Returns the q for which q * x is 1 modulo p.
__device__ int inverse(u64 x, int p)
{
    int q = 1;
    while (int(x % p) * q % p != 1) ++q;
    return q;
}

// Adds the products of four bytes of a and four bytes of b to sum.
__device__ void dp4a(int& sum, int a, int b)
{
    asm("dp4a.s32.s32 %0, %1, %2, %0;" : "+r"(sum) : "r"(a), "r"(b));
}

extern "C" __global__ void __launch_bounds__(TILE * TILE) one_number_eight_bytes(
    const float* __restrict__ A, const float* __restrict__ B, float* __restrict__ C,
    int M, int N, int K, int lda, int ldb, int ldc, float alpha, float beta)
{
    __shared__ alignas(4) s8 A_tile[COUNT][TILE][TILE];    // [modulus][row][k]
    __shared__ alignas(4) s8 B_tile[COUNT][TILE][TILE];    // [modulus][column][k]
    __shared__ int A_top[TILE];                            // the largest magnitude of each row of A
    __shared__ int B_top[TILE];                            // and of each column of B
    __shared__ int factors[COUNT];
    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int row = blockIdx.y * TILE + ty;
    const int column = blockIdx.x * TILE + tx;
    const auto A_at = [&](int k) { return row < M && k < K ? A[size_t(row) * lda + k] : 0.0f; };
    const auto B_at = [&](int k) { return k < K && column < N ? B[size_t(k) * ldb + column] : 0.0f; };

    u64 product = 1;                                       // of all moduli, below 2^64
    for (int i = 0; i < COUNT; ++i) product *= MODULI[i];
    if (ty == 0) A_top[tx] = B_top[tx] = 0;
    if (ty == 1 && tx < COUNT) factors[tx] = inverse(product / MODULI[tx], MODULI[tx]);
    __syncthreads();
    for (int k0 = 0; k0 < K; k0 += TILE) {
        atomicMax(&A_top[ty], magnitude(A_at(k0 + tx)));
        atomicMax(&B_top[tx], magnitude(B_at(k0 + ty)));
    }
    __syncthreads();
    const float A_scale = ldexpf(1.0f, exponent_of(A_top[ty]));
    const float B_scale = ldexpf(1.0f, exponent_of(B_top[tx]));

    int sums[COUNT] = {};                                  // one for each modulus
    for (int k0 = 0; k0 < K; k0 += TILE) {
        const int a = __float2int_rn(A_at(k0 + tx) * A_scale);
        const int b = __float2int_rn(B_at(k0 + ty) * B_scale);

        // [hole residues]
        // TODO: for each modulus MODULI[i], store a residue of `a` in A_tile[i][ty][tx] and one of `b` in B_tile[i][tx][ty].
        // `a` and `b` are between -2^24 and 2^24. A residue differs from its number by a multiple of the modulus.
#pragma unroll
        for (int i = 0; i < COUNT; ++i) {
            const int p = MODULI[i];
            int r = a % p;
            if (r >= (p + 1) / 2) r -= p;
            if (r < -(p / 2)) r += p;
            int s = b % p;
            if (s >= (p + 1) / 2) s -= p;
            if (s < -(p / 2)) s += p;
            A_tile[i][ty][tx] = r;
            B_tile[i][tx][ty] = s;
        }
        // [end]

        __syncthreads();
        for (int j = 0; j < TILE; j += 4) {
#pragma unroll
            for (int i = 0; i < COUNT; ++i) {
                const int four_a = *reinterpret_cast<const int*>(&A_tile[i][ty][j]);
                const int four_b = *reinterpret_cast<const int*>(&B_tile[i][tx][j]);
                dp4a(sums[i], four_a, four_b);
            }
        }
        __syncthreads();
    }

    // The Chinese remainder theorem, modulo 2^64. x is between -product / 2 and product / 2.
    u64 total = 0;
    float products = 0.0f;                                 // how many products `total` is above x
#pragma unroll
    for (int i = 0; i < COUNT; ++i) {
        const int p = MODULI[i];
        const int digit = sums[i] % p * factors[i] % p;
        total += digit * (product / p);
        products += float(digit) / float(p);
    }
    const long long x = total - u64(__float2int_rn(products)) * product;
    float result = ldexpf(float(x), -exponent_of(A_top[ty]) - exponent_of(B_top[tx]));

    // Infinities and NaN have no residues.
    if (A_top[ty] >= NOT_FINITE || B_top[tx] >= NOT_FINITE) {
        result = 0.0f;
        for (int k = 0; k < K; ++k) result += A_at(k) * B_at(k);
    }
    if (row < M && column < N) {
        float* c = C + size_t(row) * ldc + column;
        *c = beta == 0.0f ? alpha * result : alpha * result + beta * *c;
    }
}
