// bf16_cp_async with one more stage in registers: while the tensor cores multiply, a warp loads the fragments of
// the next 16 columns of A and rows of B. Its tiles are larger, in an order that shares the L2 cache.

// [region constants]
#ifndef BM
#define BM 128
#define BN 256
#define BK 32
#define WM 64
#define WN 64
#define STAGES 4
#define GROUP 8
#define F16 0
#endif
constexpr int WARPS_M = BM / WM;
constexpr int WARPS_N = BN / WN;
constexpr int THREADS = WARPS_M * WARPS_N * 32;
constexpr int STEPS = BK / 16;                            // tensor-core steps per tile
constexpr int A_UNITS = BK / 8;                           // 16-byte units in a row of A's tile
constexpr int B_UNITS = BN / 8;
constexpr int A_PASS = THREADS / A_UNITS;                 // rows of A's tile that the block copies at a time
constexpr int B_PASS = THREADS / B_UNITS;
constexpr int A_BYTES = BM * BK * 2;
constexpr int B_BYTES = BK * BN * 2;
static_assert(WM % 16 == 0 && WN % 16 == 0 && BK % 32 == 0, "an mma is 16x8x16, and ldmatrix reads two matrices of B");
static_assert((BK == 32 || BK % 64 == 0) && BN % 64 == 0, "the swizzle supports only these tiles");
static_assert(THREADS % A_UNITS == 0 && BM % A_PASS == 0 && THREADS % B_UNITS == 0 && BK % B_PASS == 0, "every thread copies the same number of units");
// [end]

typedef unsigned short half16;                            // bf16, or f16 where F16 is 1

// [region ptx]
__device__ unsigned shared_address(const void* pointer)
{
    return static_cast<unsigned>(__cvta_generic_to_shared(pointer));
}

// Starts to copy 16 bytes without using a register. If they are not `wanted`, writes zeros.
__device__ void cp_async_16(unsigned destination, const half16* source, bool wanted)
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

// Loads four 8x8 matrices; lane l names row l % 8 of matrix l / 8.
__device__ void ldmatrix_x4(unsigned (&matrix)[4], unsigned address)
{
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
        : "=r"(matrix[0]), "=r"(matrix[1]), "=r"(matrix[2]), "=r"(matrix[3]) : "r"(address) : "memory");
}

__device__ void ldmatrix_x4_transposed(unsigned (&matrix)[4], unsigned address)
{
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
        : "=r"(matrix[0]), "=r"(matrix[1]), "=r"(matrix[2]), "=r"(matrix[3]) : "r"(address) : "memory");
}

// acc[16x8] += a[16x16] * b[16x8]
__device__ void mma_m16n8k16(float (&acc)[4], const unsigned (&a)[4], unsigned b0, unsigned b1)
{
    if (F16) {
        asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
            : "+f"(acc[0]), "+f"(acc[1]), "+f"(acc[2]), "+f"(acc[3]) : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
    } else {
        asm("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
            : "+f"(acc[0]), "+f"(acc[1]), "+f"(acc[2]), "+f"(acc[3]) : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
    }
}

// Packs two neighbours of a row into 16 bits each, the left one in the low half.
__device__ unsigned pack(float left, float right)
{
    unsigned pair;
    if (F16) {
        asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(right), "f"(left));
    } else {
        asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(right), "f"(left));
    }
    return pair;
}

__device__ float to_float(half16 value)
{
    if (!F16) return __uint_as_float(unsigned(value) << 16);
    float wide;
    asm("cvt.f32.f16 %0, %1;" : "=f"(wide) : "h"(value));
    return wide;
}
// [end]

// [region swizzle]
// Returns the offset in bytes of a 16-byte unit in its tile. Eight units that ldmatrix or a copy
// accesses together (one below the other, or side by side) never share a bank.
__device__ unsigned A_at(int row, int unit)
{
    return (row * A_UNITS + (unit ^ (BK == 32 ? row / 2 % 4 : row % 8))) * 16;
}

__device__ unsigned B_at(int row, int unit)
{
    return (row * B_UNITS + (unit ^ row % 8)) * 16;
}
// [end]

// [region copy]
// A thread copies the same unit of every A_PASS-th row of A's tile and of every B_PASS-th row of B's.
__device__ void copy_tiles(unsigned A_tile, unsigned B_tile, const half16* A, const half16* B,
    int row, int column, int k, int M, int N, int K, int lda, int ldb)
{
    const int A_row = threadIdx.x / A_UNITS;
    const int A_unit = threadIdx.x % A_UNITS;
    const half16* A_source = A + size_t(row + A_row) * lda + k + A_unit * 8;
    // K and N are multiples of 8, so a unit is entirely inside or outside.
    const bool A_inside = k + A_unit * 8 < K;
#pragma unroll
    for (int r = 0; r < BM; r += A_PASS) {
        cp_async_16(A_tile + A_at(A_row + r, A_unit), A_source + size_t(r) * lda, A_inside && row + A_row + r < M);
    }
    const int B_row = threadIdx.x / B_UNITS;
    const int B_unit = threadIdx.x % B_UNITS;
    const half16* B_source = B + size_t(k + B_row) * ldb + column + B_unit * 8;
    const bool B_inside = column + B_unit * 8 < N;
#pragma unroll
    for (int r = 0; r < BK; r += B_PASS) {
        cp_async_16(B_tile + B_at(B_row + r, B_unit), B_source + size_t(r) * ldb, B_inside && k + B_row + r < K);
    }
}
// [end]

// [region load fragments]
// Loads what this warp multiplies in one step: WM rows by 16 columns of A, and 16 rows by WN columns of B.
__device__ void load_fragments(unsigned (&a)[WM / 16][4], unsigned (&b)[WN / 16][4],
    unsigned A_tile, unsigned B_tile, int warp_row, int warp_column, int k)
{
    const int lane = threadIdx.x % 32;
#pragma unroll
    for (int i = 0; i < WM / 16; ++i) {
        ldmatrix_x4(a[i], A_tile + A_at(warp_row + i * 16 + lane % 16, k / 8 + lane / 16));
    }
#pragma unroll
    for (int j = 0; j < WN / 16; ++j) {
        ldmatrix_x4_transposed(b[j], B_tile + B_at(k + lane % 16, (warp_column + j * 16) / 8 + lane / 16));
    }
}
// [end]

// [region signature]
extern "C" __global__ void __launch_bounds__(THREADS) bf16_pipeline(
    const half16* __restrict__ A, const half16* __restrict__ B, half16* __restrict__ C,
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

    float acc[WM / 16][WN / 8][4] = {};

    // [region fill the ring]
#pragma unroll
    for (int s = 0; s < STAGES - 1; ++s) {
        copy_tiles(A_tiles + s * A_BYTES, B_tiles + s * B_BYTES, A, B, row, column, s * BK, M, N, K, lda, ldb);
        cp_async_commit();
    }
    // [end]

    unsigned a[2][WM / 16][4];
    unsigned b[2][WN / 16][4];
    cp_async_wait<STAGES - 2>();
    __syncthreads();
    load_fragments(a[0], b[0], A_tiles, B_tiles, warp_row, warp_column, 0);

    // [region tile loop]
    int stage = 0;
    int free_stage = STAGES - 1;
    for (int t = 0; t < k_tiles; ++t) {
#pragma unroll
        for (int step = 0; step < STEPS; ++step) {
            // [region next tile]
            if (step == STEPS - 1) {
                // This thread's part of tile t + 1 has arrived. After the barrier, all parts have arrived, and all
                // warps have loaded the last fragments of tile t.
                cp_async_wait<STAGES - 2>();
                __syncthreads();
                free_stage = stage;
                stage = stage + 1 == STAGES ? 0 : stage + 1;
            }
            // [end]
            // [region next fragments]
            load_fragments(a[(step + 1) % 2], b[(step + 1) % 2], A_tiles + stage * A_BYTES, B_tiles + stage * B_BYTES,
                warp_row, warp_column, (step + 1) % STEPS * 16);
            // [end]
            if (step == 0) {
                // Past K, this copies zeros. So each tile has a group, and the count of groups stays correct.
                copy_tiles(A_tiles + free_stage * A_BYTES, B_tiles + free_stage * B_BYTES, A, B,
                    row, column, (t + STAGES - 1) * BK, M, N, K, lda, ldb);
                cp_async_commit();
            }
            // [region multiply]
#pragma unroll
            for (int i = 0; i < WM / 16; ++i) {
#pragma unroll
                for (int j = 0; j < WN / 8; ++j) {
                    mma_m16n8k16(acc[i][j], a[step % 2][i], b[step % 2][j / 2][j % 2 * 2], b[step % 2][j / 2][j % 2 * 2 + 1]);
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
                    half16* pair = C + size_t(r) * ldc + c;
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
