// FP64 on tensor cores, for every GPU that has such (compute capability 8.0 or newer). cp.async fills a ring of STAGES tiles in shared
// memory. While the tensor cores multiply one step, a warp loads the fragments of the next one. A tensor core adds the products in the
// order of k with one rounding each. So without an old C, the result has the same bits as that of f64_simple.

// [region constants]
#ifndef BM
#define BM 128
#define BN 128
#define BK 16
#define WM 32
#define WN 64
#define STAGES 4
#define GROUP 8
#define ROWS 8
#define RESIDENT 1
#endif
constexpr int WARPS_M = BM / WM;
constexpr int WARPS_N = BN / WN;
constexpr int THREADS = WARPS_M * WARPS_N * 32;
constexpr int A_UNITS = BK / 2;                           // 16-byte units in a row of A's tile: two values each
constexpr int B_UNITS = BN / 2;
constexpr int A_PASS = THREADS / A_UNITS;                 // rows of A's tile that the block copies at a time
constexpr int B_PASS = THREADS / B_UNITS;
constexpr int A_BYTES = BM * BK * 8;
constexpr int B_BYTES = BK * BN * 8;
constexpr int DEPTH = 4;                                  // values along K of an instruction
static_assert(WM % 16 == 0 && WN % 8 == 0 && BK % 16 == 0 && BN % 16 == 0, "an mma is up to 16x8x4, and the swizzle needs 128 bytes");
static_assert(BK / DEPTH % 2 == 0, "the first step of a tile uses the first fragments");
static_assert(BM % A_PASS == 0 && THREADS % A_UNITS == 0 && BK % B_PASS == 0 && THREADS % B_UNITS == 0, "every thread copies the same number of units");
// [end]

// [region ptx]
__device__ unsigned shared_address(const void* pointer)
{
    return static_cast<unsigned>(__cvta_generic_to_shared(pointer));
}

// Starts to copy 16 bytes without using a register. If they are not `wanted`, writes zeros.
__device__ void cp_async_16(unsigned destination, const double* source, bool wanted)
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

// upper[8x8] and lower[8x8] += the 8x4 values of A above and below * b[4x8]. Lane l holds value l % 4 of row l / 4 (of B: of
// column l / 4). Instructions of 16 rows need compute capability 9.0.
__device__ void mma(double (&upper)[2], double (&lower)[2], double above, double below, double b)
{
#if ROWS == 8
    asm("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
        : "+d"(upper[0]), "+d"(upper[1]) : "d"(above), "d"(b));
    asm("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
        : "+d"(lower[0]), "+d"(lower[1]) : "d"(below), "d"(b));
#else
    asm("mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
        : "+d"(upper[0]), "+d"(upper[1]), "+d"(lower[0]), "+d"(lower[1]) : "d"(above), "d"(below), "d"(b));
#endif
}
// [end]

// [region swizzle]
// Returns the place of a value in its tile. A half-warp reads four values of each of four rows, 32 bytes each. The swizzle puts
// these into different banks. A copied unit of 16 bytes stays whole.
__device__ int at(int row, int column, int width)
{
    return row * width + (column ^ row % 4 * 4);
}
// [end]

// [region copy]
// A thread copies the same unit of every A_PASS-th row of A's tile and of every B_PASS-th row of B's.
__device__ void copy_tiles(unsigned A_tile, unsigned B_tile, const double* A, const double* B,
    int row, int column, int k, int M, int N, int K, int lda, int ldb)
{
    const int A_row = threadIdx.x / A_UNITS;
    const int A_column = threadIdx.x % A_UNITS * 2;
    const double* A_source = A + size_t(row + A_row) * lda + k + A_column;
    // K and N are even, so a unit is entirely inside or outside.
    const bool A_inside = k + A_column < K;
#pragma unroll
    for (int r = 0; r < BM; r += A_PASS) {
        cp_async_16(A_tile + at(A_row + r, A_column, BK) * 8, A_source + size_t(r) * lda, A_inside && row + A_row + r < M);
    }
    const int B_row = threadIdx.x / B_UNITS;
    const int B_column = threadIdx.x % B_UNITS * 2;
    const double* B_source = B + size_t(k + B_row) * ldb + column + B_column;
    const bool B_inside = column + B_column < N;
#pragma unroll
    for (int r = 0; r < BK; r += B_PASS) {
        cp_async_16(B_tile + at(B_row + r, B_column, BN) * 8, B_source + size_t(r) * ldb, B_inside && k + B_row + r < K);
    }
}
// [end]

// [region signature]
extern "C" __global__ void __launch_bounds__(THREADS, RESIDENT) f64_mma(
    const double* __restrict__ A, const double* __restrict__ B, double* __restrict__ C,
    int M, int N, int K, int lda, int ldb, int ldc, double alpha, double beta)
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
    // The swizzle changes two bits of a column, so these places are enough: other values are whole rows or 16 columns further.
    const double* A_place[4];
    const double* B_place[2];
#pragma unroll
    for (int s = 0; s < 4; ++s) {
        A_place[s] = reinterpret_cast<const double*>(shared) + at(warp_row + lane / 4, s * 4 + lane % 4, BK);
        B_place[s % 2] = reinterpret_cast<const double*>(shared + STAGES * A_BYTES) + at(lane % 4, warp_column + s % 2 * 8 + lane / 4, BN);
    }
    // [end]

    double acc[WM / 8][WN / 8][2] = {};
    double a[2][WM / 8];
    double b[2][WN / 8];

    // [region load fragments]
    // Loads what this warp multiplies in one step: DEPTH values of K of its rows and columns.
    const auto load_fragments = [&](double (&a)[WM / 8], double (&b)[WN / 8], int stage, int k) {
#pragma unroll
        for (int i = 0; i < WM / 8; ++i) a[i] = A_place[k / 4 % 4][stage * (BM * BK) + i * 8 * BK + k / 16 * 16];
#pragma unroll
        for (int j = 0; j < WN / 8; ++j) b[j] = B_place[j % 2][stage * (BK * BN) + k * BN + j / 2 * 16];
    };
    // [end]

    // [region fill the ring]
#pragma unroll
    for (int s = 0; s < STAGES; ++s) {
        copy_tiles(A_tiles + s * A_BYTES, B_tiles + s * B_BYTES, A, B, row, column, s * BK, M, N, K, lda, ldb);
        cp_async_commit();
    }
    cp_async_wait<STAGES - 1>();
    __syncthreads();
    load_fragments(a[0], b[0], 0, 0);
    // [end]

    // [region tile loop]
    int stage = 0;
    for (int t = 0; t < k_tiles; ++t) {
        const int next_stage = stage + 1 == STAGES ? 0 : stage + 1;
        // [region multiply]
#pragma unroll
        for (int k = 0; k < BK; k += DEPTH) {
            const int now = k / DEPTH % 2;
            if (k + DEPTH < BK) {
                load_fragments(a[1 - now], b[1 - now], stage, k + DEPTH);
            } else {
                // This thread's part of tile t + 1 has arrived. After the barrier, all parts of it have arrived, and all threads have loaded
                // the last fragments of tile t. Past K, the copy writes zeros. So each tile has a group, and the count of groups stays correct.
                cp_async_wait<STAGES - 2>();
                __syncthreads();
                load_fragments(a[1 - now], b[1 - now], next_stage, 0);
                copy_tiles(A_tiles + stage * A_BYTES, B_tiles + stage * B_BYTES, A, B,
                    row, column, (t + STAGES) * BK, M, N, K, lda, ldb);
                cp_async_commit();
            }
#pragma unroll
            for (int i = 0; i < WM / 8; i += 2) {
#pragma unroll
                for (int j = 0; j < WN / 8; ++j) {
                    mma(acc[i][j], acc[i + 1][j], a[now][i], a[now][i + 1], b[now][j]);
                }
            }
        }
        // [end]
        stage = next_stage;
    }
    cp_async_wait<0>();
    // [end]

    // [region store]
#pragma unroll
    for (int i = 0; i < WM / 8; ++i) {
        const int r = row + warp_row + i * 8 + lane / 4;
#pragma unroll
        for (int j = 0; j < WN / 8; ++j) {
            const int c = column + warp_column + j * 8 + lane % 4 * 2;
            // N and ldc are even, so the pair is entirely inside or outside, and aligned.
            if (r < M && c < N) {
                double2* pair = reinterpret_cast<double2*>(C + size_t(r) * ldc + c);
                double2 result = make_double2(alpha * acc[i][j][0], alpha * acc[i][j][1]);
                // BLAS: with beta == 0, C is not read. Whatever it held, even NaN, must not leak.
                if (beta != 0.0) {
                    const double2 old = *pair;
                    result.x += beta * old.x;
                    result.y += beta * old.y;
                }
                *pair = result;
            }
        }
    }
    // [end]
}
