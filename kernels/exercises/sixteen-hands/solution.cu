// mma.sync with its fragments gathered straight from global memory: each lane loads the elements that it must hold.

constexpr int WM = 32;        // rows of C per warp
constexpr int WN = 32;        // columns of C per warp
constexpr int THREADS = 128;  // four warps in a square: 64x64 of C per block

typedef unsigned short bf16;

// acc[16x8] += a[16x16] * b[16x8]
__device__ void mma_m16n8k16(float (&acc)[4], const unsigned (&a)[4], unsigned b0, unsigned b1)
{
    asm("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+f"(acc[0]), "+f"(acc[1]), "+f"(acc[2]), "+f"(acc[3]) : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

// Returns an element of a matrix, or zero beyond its edge.
__device__ bf16 element(const bf16* matrix, int row, int column, int rows, int columns, int pitch)
{
    return row < rows && column < columns ? matrix[size_t(row) * pitch + column] : bf16(0);
}

// Packs two elements into one register, the first one in the low half.
__device__ unsigned pair(bf16 first, bf16 second)
{
    return first | unsigned(second) << 16;
}

extern "C" __global__ void __launch_bounds__(THREADS) sixteen_hands(
    const bf16* __restrict__ A, const bf16* __restrict__ B, bf16* __restrict__ C,
    int M, int N, int K, int lda, int ldb, int ldc, float alpha, float beta)
{
    const int warp = threadIdx.x / 32;
    const int lane = threadIdx.x % 32;
    const int row = blockIdx.y * 64 + warp / 2 * WM;
    const int column = blockIdx.x * 64 + warp % 2 * WN;

    float acc[WM / 16][WN / 8][4] = {};
    for (int k0 = 0; k0 < K; k0 += 16) {
        unsigned a[WM / 16][4];
        unsigned b[WN / 8][2];
#pragma unroll
        for (int i = 0; i < WM / 16; ++i) {
#pragma unroll
            for (int m = 0; m < 4; ++m) {
                const int r = row + i * 16 + m % 2 * 8 + lane / 4;
                const int k = k0 + m / 2 * 8 + lane % 4 * 2;
                a[i][m] = pair(element(A, r, k, M, K, lda), element(A, r, k + 1, M, K, lda));
            }
        }
#pragma unroll
        for (int j = 0; j < WN / 8; ++j) {
#pragma unroll
            for (int m = 0; m < 2; ++m) {
                const int k = k0 + m * 8 + lane % 4 * 2;
                const int c = column + j * 8 + lane / 4;
                b[j][m] = pair(element(B, k, c, K, N, ldb), element(B, k + 1, c, K, N, ldb));
            }
        }
#pragma unroll
        for (int i = 0; i < WM / 16; ++i) {
#pragma unroll
            for (int j = 0; j < WN / 8; ++j) {
                mma_m16n8k16(acc[i][j], a[i], b[j][0], b[j][1]);
            }
        }
    }

    // A lane holds sums in the same layout as A: two neighbours of a row, and two more eight rows below.
#pragma unroll
    for (int i = 0; i < WM / 16; ++i) {
#pragma unroll
        for (int j = 0; j < WN / 8; ++j) {
#pragma unroll
            for (int e = 0; e < 4; ++e) {
                const int r = row + i * 16 + e / 2 * 8 + lane / 4;
                const int c = column + j * 8 + lane % 4 * 2 + e % 2;
                if (r < M && c < N) {
                    bf16& at = C[size_t(r) * ldc + c];
                    // BLAS: with beta == 0, C is not read.
                    const float old = beta == 0.0f ? 0.0f : beta * __uint_as_float(unsigned(at) << 16);
                    asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(at) : "f"(alpha * acc[i][j][e] + old));
                }
            }
        }
    }
}
