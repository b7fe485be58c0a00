// Tensor cores through mma.sync: the layout of a fragment is known, so the sums stay in registers to the
// end. Each lane gathers its elements of A and B from shared memory itself.

// [region constants]
constexpr int BM = 128;
constexpr int BN = 128;
constexpr int BK = 32;
constexpr int WM = 64;                                    // WM x WN: a warp's part of the tile
constexpr int WN = 32;
constexpr int WARPS_M = BM / WM;
constexpr int WARPS_N = BN / WN;
constexpr int THREADS = WARPS_M * WARPS_N * 32;
constexpr int A_UNITS = BK / 8;                           // 16-byte units in a row of A's tile
constexpr int B_UNITS = BN / 8;
static_assert(WM % 16 == 0 && WN % 8 == 0 && BK % 16 == 0, "an mma is 16x8x16");
constexpr int A_PASS = THREADS / A_UNITS;                 // rows of A's tile that the block copies at a time
constexpr int B_PASS = THREADS / B_UNITS;
static_assert(THREADS % A_UNITS == 0 && BM % A_PASS == 0 && THREADS % B_UNITS == 0 && BK % B_PASS == 0, "every thread copies the same number of units");
// [end]

typedef unsigned short bf16;

// [region ptx]
// acc[16x8] += a[16x16] * b[16x8]
__device__ void mma_m16n8k16(float (&acc)[4], const unsigned (&a)[4], unsigned b0, unsigned b1)
{
    asm("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+f"(acc[0]), "+f"(acc[1]), "+f"(acc[2]), "+f"(acc[3]) : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

// Packs two neighbours of a row as bf16, the left one in the low half.
__device__ unsigned pack(float left, float right)
{
    unsigned pair;
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(right), "f"(left));
    return pair;
}

__device__ float to_float(bf16 value)
{
    return __uint_as_float(unsigned(value) << 16);
}
// [end]

// [region layout]
// Returns the index of a 16-byte unit in its tile, which is stored row by row.
__device__ int A_at(int row, int unit)
{
    return row * A_UNITS + unit;
}

__device__ int B_at(int row, int unit)
{
    return row * B_UNITS + unit;
}
// [end]

// [region signature]
extern "C" __global__ void __launch_bounds__(THREADS) bf16_mma(
    const bf16* __restrict__ A, const bf16* __restrict__ B, bf16* __restrict__ C,
    int M, int N, int K, int lda, int ldb, int ldc, float alpha, float beta)
// [end]
{
    // [region shared tiles]
    __shared__ uint4 A_tile[BM * A_UNITS];
    __shared__ uint4 B_tile[BK * B_UNITS];
    // [end]

    // [region indices]
    const int row = blockIdx.y * BM;
    const int column = blockIdx.x * BN;
    const int lane = threadIdx.x % 32;
    const int warp = threadIdx.x / 32;
    const int warp_row = warp / WARPS_N * WM;
    const int warp_column = warp % WARPS_N * WN;
    // A thread copies the same unit of every A_PASS-th row of A's tile and of every B_PASS-th row of B's.
    const int A_row = threadIdx.x / A_UNITS;
    const int A_unit = threadIdx.x % A_UNITS;
    const int B_row = threadIdx.x / B_UNITS;
    const int B_unit = threadIdx.x % B_UNITS;
    // [end]

    float acc[WM / 16][WN / 8][4] = {};

    // [region tile loop]
    for (int t = 0; t < K; t += BK) {
        // [region tile load]
        // All loads start before the thread waits for the first one. K and N are multiples of 8, so a unit is entirely
        // inside or outside. Units outside are zeros, which add nothing.
        uint4 A_units[BM / A_PASS];
        uint4 B_units[BK / B_PASS];
#pragma unroll
        for (int i = 0; i < BM / A_PASS; ++i) {
            const int r = row + A_row + i * A_PASS;
            const int k = t + A_unit * 8;
            A_units[i] = r < M && k < K ? *reinterpret_cast<const uint4*>(A + size_t(r) * lda + k) : make_uint4(0, 0, 0, 0);
        }
#pragma unroll
        for (int i = 0; i < BK / B_PASS; ++i) {
            const int k = t + B_row + i * B_PASS;
            const int c = column + B_unit * 8;
            B_units[i] = k < K && c < N ? *reinterpret_cast<const uint4*>(B + size_t(k) * ldb + c) : make_uint4(0, 0, 0, 0);
        }
#pragma unroll
        for (int i = 0; i < BM / A_PASS; ++i) {
            A_tile[A_at(A_row + i * A_PASS, A_unit)] = A_units[i];
        }
#pragma unroll
        for (int i = 0; i < BK / B_PASS; ++i) {
            B_tile[B_at(B_row + i * B_PASS, B_unit)] = B_units[i];
        }
        __syncthreads();
        // [end]

        // [region multiply]
#pragma unroll
        for (int k = 0; k < BK; k += 16) {
            unsigned a[WM / 16][4];
            unsigned b[WN / 8][2];
            // [region fragments]
            // mma fixes which elements a lane holds. Of A, these are two neighbours in rows lane / 4 and lane / 4 + 8.
            const bf16* A_elements = reinterpret_cast<const bf16*>(A_tile);
#pragma unroll
            for (int i = 0; i < WM / 16; ++i) {
#pragma unroll
                for (int m = 0; m < 4; ++m) {
                    const int r = warp_row + i * 16 + m % 2 * 8 + lane / 4;
                    const int at = k + m / 2 * 8 + lane % 4 * 2;
                    a[i][m] = *reinterpret_cast<const unsigned*>(A_elements + r * BK + at);
                }
            }
            // Of B, they are two neighbours of a column. They are in two rows of the tile, so they take two loads of 2 bytes.
            const bf16* B_elements = reinterpret_cast<const bf16*>(B_tile);
#pragma unroll
            for (int j = 0; j < WN / 8; ++j) {
#pragma unroll
                for (int m = 0; m < 2; ++m) {
                    const bf16* upper = B_elements + (k + m * 8 + lane % 4 * 2) * BN + warp_column + j * 8 + lane / 4;
                    b[j][m] = upper[0] | unsigned(upper[BN]) << 16;
                }
            }
            // [end]
#pragma unroll
            for (int i = 0; i < WM / 16; ++i) {
#pragma unroll
                for (int j = 0; j < WN / 8; ++j) {
                    mma_m16n8k16(acc[i][j], a[i], b[j][0], b[j][1]);
                }
            }
        }
        __syncthreads();
        // [end]
    }
    // [end]

    // [region store]
#pragma unroll
    for (int i = 0; i < WM / 16; ++i) {
#pragma unroll
        for (int j = 0; j < WN / 8; ++j) {
#pragma unroll
            for (int h = 0; h < 2; ++h) {
                const int r = row + warp_row + i * 16 + h * 8 + lane / 4;
                const int c = column + warp_column + j * 8 + lane % 4 * 2;
                // N and ldc are even, so the pair is entirely inside or outside, and aligned.
                if (r < M && c < N) {
                    bf16* pair = C + size_t(r) * ldc + c;
                    float left = alpha * acc[i][j][h * 2];
                    float right = alpha * acc[i][j][h * 2 + 1];
                    // BLAS: with beta == 0, C is not read. Whatever it held, even NaN, must not leak.
                    if (beta != 0.0f) {
                        left += beta * to_float(pair[0]);
                        right += beta * to_float(pair[1]);
                    }
                    *reinterpret_cast<unsigned*>(pair) = pack(left, right);
                }
            }
        }
    }
    // [end]
}
