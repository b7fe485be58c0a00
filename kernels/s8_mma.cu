// 8-bit integers by mma.sync, for every GPU with cp.async (compute capability 8.0 or newer). e4m3_mma with exact sums of 32 bits.
// alpha and beta are not applied, because the result would have to be rounded.

// [region constants]
#ifndef BM
#define BM 128
#define BN 128
#define BK 64
#define WM 64
#define WN 32
#define STAGES 4
#define GROUP 8
#endif
constexpr int WARPS_M = BM / WM;
constexpr int WARPS_N = BN / WN;
constexpr int THREADS = WARPS_M * WARPS_N * 32;
constexpr int UNITS = BK / 16;                            // 16-byte units in a row of a tile: 16 values each
constexpr int PASS = THREADS / UNITS;                     // rows of a tile that the block copies at a time
constexpr int A_BYTES = BM * BK;
constexpr int B_BYTES = BN * BK;
static_assert(WM % 16 == 0 && WN % 16 == 0 && BK == 64, "an mma is 16x8x32, and ldmatrix reads two of them; the swizzle has four units");
static_assert(BM % PASS == 0 && BN % PASS == 0, "every thread copies the same number of units");
// [end]

typedef signed char s8;

// [region ptx]
__device__ unsigned shared_address(const void* pointer)
{
    return static_cast<unsigned>(__cvta_generic_to_shared(pointer));
}

// Starts to copy 16 bytes without using a register. If they are not `wanted`, writes zeros.
__device__ void cp_async_16(unsigned destination, const s8* source, bool wanted)
{
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" :: "r"(destination), "l"(source), "r"(wanted ? 16 : 0) : "memory");
}

__device__ void cp_async_commit()
{
    asm volatile("cp.async.commit_group;" ::: "memory");
}

template <int PENDING>
__device__ void cp_async_wait()
{
    asm volatile("cp.async.wait_group %0;" :: "n"(PENDING) : "memory");
}

// Loads four matrices of 8 rows of 16 bytes; lane l names row l % 8 of matrix l / 8.
__device__ void ldmatrix_x4(unsigned (&matrix)[4], unsigned address)
{
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
        : "=r"(matrix[0]), "=r"(matrix[1]), "=r"(matrix[2]), "=r"(matrix[3]) : "r"(address) : "memory");
}

// acc[16x8] += a[16x32] * b[32x8]. A register holds four values along K.
__device__ void mma_m16n8k32(int (&acc)[4], const unsigned (&a)[4], unsigned b0, unsigned b1)
{
    asm("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+r"(acc[0]), "+r"(acc[1]), "+r"(acc[2]), "+r"(acc[3]) : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}
// [end]

// [region swizzle]
// Returns the offset in bytes of a 16-byte unit in its tile. Eight rows of one unit, as ldmatrix reads them, share no bank.
__device__ unsigned at(int row, int unit)
{
    return (row * UNITS + (unit ^ row / 2 % 4)) * 16;
}
// [end]

// [region copy]
// Copies ROWS rows of a matrix that is stored along K: of A, or of B by columns. A thread copies the same unit of every
// PASS-th row.
template <int ROWS>
__device__ void copy_tile(unsigned tile, const s8* matrix, int first, int rows, int k, int K, int stride)
{
    const int row = threadIdx.x / UNITS;
    const int unit = threadIdx.x % UNITS;
    const s8* source = matrix + size_t(first + row) * stride + k + unit * 16;
    // K is a multiple of 16, so a unit is entirely inside or outside.
    const bool inside = k + unit * 16 < K;
#pragma unroll
    for (int r = 0; r < ROWS; r += PASS) {
        cp_async_16(tile + at(row + r, unit), source + size_t(r) * stride, inside && first + row + r < rows);
    }
}
// [end]

// [region signature]
extern "C" __global__ void __launch_bounds__(THREADS) s8_mma(
    const s8* __restrict__ A, const s8* __restrict__ B, int* __restrict__ C,
    int M, int N, int K, int lda, int ldb, int ldc, float alpha, float beta)
// [end]
{
    // [region shared memory]
    extern __shared__ __align__(128) unsigned char shared[];
    const unsigned A_tiles = shared_address(shared);
    const unsigned B_tiles = A_tiles + STAGES * A_BYTES;
    // [end]

    // [region rasterise]
    // Blocks run down a group of GROUP tile rows before they move right, so that blocks that run at the same time share tiles in the L2 cache.
    const int tile_rows = (M + BM - 1) / BM;
    const int tile_columns = (N + BN - 1) / BN;
    const int first = blockIdx.x / (GROUP * tile_columns) * GROUP;
    const int rows = min(GROUP, tile_rows - first);
    const int within = blockIdx.x - first * tile_columns;
    const int row = (first + within % rows) * BM;
    const int column = within / rows * BN;
    // [end]

    // [region indices]
    const int lane = threadIdx.x % 32;
    const int warp = threadIdx.x / 32;
    const int warp_row = warp / WARPS_N * WM;
    const int warp_column = warp % WARPS_N * WN;
    const int k_tiles = (K + BK - 1) / BK;
    // [end]

    int acc[WM / 16][WN / 8][4] = {};

    // [region fill the ring]
#pragma unroll
    for (int s = 0; s < STAGES - 1; ++s) {
        copy_tile<BM>(A_tiles + s * A_BYTES, A, row, M, s * BK, K, lda);
        copy_tile<BN>(B_tiles + s * B_BYTES, B, column, N, s * BK, K, ldb);
        cp_async_commit();
    }
    // [end]

    // [region tile loop]
    for (int t = 0; t < k_tiles; ++t) {
        // This thread's part of tile t has arrived. After the barrier, all parts have arrived, and all warps have
        // multiplied tile t - 1, whose stage is free.
        cp_async_wait<STAGES - 2>();
        __syncthreads();
        const int free_stage = (t + STAGES - 1) % STAGES;
        // Past K, this copies zeros. So each tile has a group, and the count of groups stays correct.
        copy_tile<BM>(A_tiles + free_stage * A_BYTES, A, row, M, (t + STAGES - 1) * BK, K, lda);
        copy_tile<BN>(B_tiles + free_stage * B_BYTES, B, column, N, (t + STAGES - 1) * BK, K, ldb);
        cp_async_commit();
        const unsigned A_tile = A_tiles + t % STAGES * A_BYTES;
        const unsigned B_tile = B_tiles + t % STAGES * B_BYTES;
#pragma unroll
        for (int step = 0; step < BK / 32; ++step) {
            // [region load fragments]
            unsigned a[WM / 16][4];
            unsigned b[WN / 16][4];
#pragma unroll
            for (int i = 0; i < WM / 16; ++i) {
                ldmatrix_x4(a[i], A_tile + at(warp_row + i * 16 + lane % 16, step * 2 + lane / 16));
            }
            // Two neighbouring mma share a load: columns 0-7 with both halves of K, then columns 8-15.
#pragma unroll
            for (int j = 0; j < WN / 16; ++j) {
                ldmatrix_x4(b[j], B_tile + at(warp_column + j * 16 + lane / 16 * 8 + lane % 8, step * 2 + lane / 8 % 2));
            }
            // [end]
            // [region multiply]
#pragma unroll
            for (int i = 0; i < WM / 16; ++i) {
#pragma unroll
                for (int j = 0; j < WN / 8; ++j) {
                    mma_m16n8k32(acc[i][j], a[i], b[j / 2][j % 2 * 2], b[j / 2][j % 2 * 2 + 1]);
                }
            }
            // [end]
        }
    }
    cp_async_wait<0>();
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
                    *reinterpret_cast<int2*>(C + size_t(r) * ldc + c) = make_int2(acc[i][j][h * 2], acc[i][j][h * 2 + 1]);
                }
            }
        }
    }
    // [end]
}
