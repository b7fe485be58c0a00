// The kernel computes each element of C modulo five numbers, so it multiplies only integers from -32 to 32. Then it combines the
// five sums. This works if the magnitude of an element is at most half the product of the moduli, that is, for K up to 24,741.

typedef signed char s8;

constexpr int TILE = 16;
constexpr int COUNT = 5;
__constant__ int MODULI[COUNT] = {64, 63, 61, 59, 55};

// Returns an integer from -p / 2 to p / 2 that differs from x by a multiple of p.
__device__ int residue(int x, int p)
{
    const int r = x % p;              // has the sign of x
    return r > p / 2 ? r - p : r < -(p / 2) ? r + p : r;
}

// Returns the q for which q * x is 1 modulo p, or 0 if there is none.
__device__ int inverse(int x, int p)
{
    for (int q = 1; q < p; ++q) {
        if (x % p * q % p == 1) return q;
    }
    return 0;
}

// Adds the products of four bytes of a and four bytes of b to sum.
__device__ void dp4a(int& sum, int a, int b)
{
    asm("dp4a.s32.s32 %0, %1, %2, %0;" : "+r"(sum) : "r"(a), "r"(b));
}

extern "C" __global__ void __launch_bounds__(TILE * TILE) only_small_sums(
    const s8* __restrict__ A, const s8* __restrict__ B, int* __restrict__ C,
    int M, int N, int K, int lda, int ldb, int ldc, float alpha, float beta)
{
    __shared__ alignas(4) s8 A_tile[COUNT][TILE][TILE];    // [modulus][row][k]
    __shared__ alignas(4) s8 B_tile[COUNT][TILE][TILE];    // [modulus][column][k], because B is stored by columns
    __shared__ int inverses[COUNT];
    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int row = blockIdx.y * TILE + ty;
    const int column = blockIdx.x * TILE + tx;
    const int B_column = blockIdx.x * TILE + ty;

    // Of the product of the moduli before MODULI[tx], modulo MODULI[tx].
    if (ty == 0 && tx < COUNT) {
        int product = 1;
        for (int i = 0; i < tx; ++i) product *= MODULI[i];
        inverses[tx] = inverse(product, MODULI[tx]);
    }

    int sums[COUNT] = {};             // one for each modulus
    for (int k0 = 0; k0 < K; k0 += TILE) {
        const int k = k0 + tx;
        const int a = row < M && k < K ? A[size_t(row) * lda + k] : 0;
        const int b = B_column < N && k < K ? B[size_t(B_column) * ldb + k] : 0;
#pragma unroll
        for (int i = 0; i < COUNT; ++i) {
            A_tile[i][ty][tx] = residue(a, MODULI[i]);
            B_tile[i][ty][tx] = residue(b, MODULI[i]);
        }
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

    // In each step, x gets the correct residue for one more modulus. It keeps the others, because it changes by a multiple
    // of their product.
    int x = 0;
    int product = 1;                  // of the moduli so far
#pragma unroll
    for (int i = 0; i < COUNT; ++i) {
        const int p = MODULI[i];
        const int missing = residue(sums[i] - x, p);
        x += residue(missing * inverses[i], p) * product;
        product *= p;
    }
    if (row < M && column < N) C[size_t(row) * ldc + column] = x;
}
