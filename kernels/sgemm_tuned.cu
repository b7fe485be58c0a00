// A kernel to tune. Its block, warp and thread tiles, its stages and its order of blocks are compile-time
// constants, so that an autotuner can choose them for each GPU and size.

#ifndef BM
#define BM 128      // rows of C per block
#define BN 256      // columns of C per block
#define BK 8        // depth of a tile of A and B
#define WM 64       // rows of C per warp
#define WN 64       // columns of C per warp
#define TM 16       // rows of C per thread
#define TN 8        // columns of C per thread
#define STAGES 3    // tiles in shared memory or in flight
#define GROUP 16    // tile rows to go down before going right
#define RESIDENT 1  // blocks that must fit on an SM
#endif

// [region shape]
constexpr int WARP_COLS = BN / WN;  // warps side by side in a block
constexpr int THREADS = (BM / WM) * WARP_COLS * 32;
constexpr int LANE_ROWS = WM / TM;  // a warp's lanes form LANE_ROWS rows
constexpr int LANE_COLS = WN / TN;  // with LANE_COLS lanes each
static_assert(BM % WM == 0 && BN % WN == 0, "whole warp tiles must fill the block tile");
static_assert(LANE_ROWS * LANE_COLS == 32, "32 thread tiles must fill the warp tile");
static_assert(LANE_ROWS % 2 == 0 && LANE_COLS % 2 == 0, "lanes form squares of 2 x 2");
static_assert(TM % 4 == 0 && TN % 4 == 0, "fragments are read four elements at a time");
static_assert(BK % 2 == 0, "the two fragments in registers alternate");
static_assert(STAGES >= 2, "one tile is multiplied while the next ones arrive");
// [end]

// [region shared tiles]
// A stage holds a tile of A, transposed, and a tile of B. The stages follow one another without gaps.
constexpr int A_PITCH = BM + 4;  // A warp's 4-byte copies write 32 different banks, 4 * k + row. A warp's reads may still conflict.
constexpr int B_PITCH = BN;
constexpr int A_FLOATS = BK * A_PITCH;
constexpr int STAGE_FLOATS = A_FLOATS + BK * B_PITCH;
constexpr unsigned LAST_STAGE = (STAGES - 1) * STAGE_FLOATS;
// [end]

// [region copy shape]
// How a block's threads divide the copies of a tile: A is copied element by element, with 8 threads per row, and B is copied four elements at a time.
constexpr int A_ROWS = THREADS / 8;
constexpr int B_ROWS = THREADS / (BN / 4);
static_assert(BK % 8 == 0 && BM % A_ROWS == 0, "every thread copies the same number of elements of A");
static_assert(THREADS % (BN / 4) == 0 && BK % B_ROWS == 0, "every thread copies the same number of elements of B");
// [end]

struct Problem {
    const float* A;
    const float* B;
    float* C;
    int M, N, K, lda, ldb, ldc;
    float alpha, beta;
};

// [region copies]
__device__ __forceinline__ unsigned shared_address(const void* pointer)
{
    return static_cast<unsigned>(__cvta_generic_to_shared(pointer));
}

// Starts to copy four floats if `there`. A predicate instead of a branch keeps the copies among the multiply-adds.
__device__ __forceinline__ void copy4_async(unsigned to, const float* from, bool there)
{
    asm volatile("{ .reg .pred there; setp.ne.u32 there, %2, 0; @there cp.async.cg.shared.global [%0], [%1], 16; }"
                 ::"r"(to), "l"(from), "r"(static_cast<unsigned>(there)) : "memory");
}

// The same for one float.
__device__ __forceinline__ void copy1_async(unsigned to, const float* from, bool there)
{
    asm volatile("{ .reg .pred there; setp.ne.u32 there, %2, 0; @there cp.async.ca.shared.global [%0], [%1], 4; }"
                 ::"r"(to), "l"(from), "r"(static_cast<unsigned>(there)) : "memory");
}

// Starts to copy one float if it is `inside` its matrix. Otherwise writes a zero, without reading `from`.
__device__ __forceinline__ void copy1_or_zero_async(unsigned to, const float* from, bool inside)
{
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(to), "l"(from), "r"(inside ? 4 : 0) : "memory");
}

__device__ __forceinline__ void commit_group()
{
    asm volatile("cp.async.commit_group;" ::: "memory");
}

template <int Later>
__device__ __forceinline__ void wait_group()
{
    asm volatile("cp.async.wait_group %0;" ::"n"(Later) : "memory");
}
// [end]

// [region edge copies]
// Copies A's columns and B's rows from k0 to k_end - 1 element by element, with zeros beyond the edges.
__device__ __forceinline__ void copy_edge_tile(const Problem& p, unsigned to, int block_row, int block_col, int k0, int k_end)
{
    for (int element = threadIdx.x; element < BM * BK; element += THREADS) {
        const int row = element / BK;
        const int k = element % BK;
        const bool inside = block_row + row < p.M && k0 + k < k_end;
        const float* from = &p.A[size_t(block_row + row) * p.lda + k0 + k];
        copy1_or_zero_async(to + sizeof(float) * (k * A_PITCH + row), inside ? from : p.A, inside);
    }
    for (int element = threadIdx.x; element < BK * BN; element += THREADS) {
        const int k = element / BN;
        const int col = element % BN;
        const bool inside = block_col + col < p.N && k0 + k < k_end;
        const float* from = &p.B[size_t(k0 + k) * p.ldb + block_col + col];
        copy1_or_zero_async(to + sizeof(float) * (A_FLOATS + k * B_PITCH + col), inside ? from : p.B, inside);
    }
}
// [end]

// [region fma order]
// Returns the `step`-th column in row `i` of the thread tile: even columns, then odd ones, backwards in every other
// row. The operand cache holds a[i] for a row, and b[j] across the turn into the next row. So an FFMA reads two
// registers, in one cycle if one is even and one is odd. Fewer collisions did not make this kernel faster (NOTES.md).
__device__ constexpr int column_of(int i, int step)
{
    const int place = i % 2 == 0 ? step : TN - 1 - step;
    return place < TN / 2 ? 2 * place : 2 * (place - TN / 2) + 1;
}
// [end]

// [region two paths]
// Computes one block's tile of C. An INTERIOR tile is entirely inside the matrices, and its 16-byte copies of B are
// aligned, so its main loop tests no bounds. Other tiles take the same steps, but test every copy and every store.
template <bool INTERIOR>
__device__ __forceinline__ void multiply_tile(const Problem& p, float* stages, int block_row, int block_col)
// [end]
{
    const int thread = threadIdx.x;
    // [region indices]
    const int warp = thread / 32;
    const int warp_row = warp / WARP_COLS * WM;
    const int warp_col = warp % WARP_COLS * WN;
    // [end]
    // [region lanes]
    // Lanes form squares of 2 x 2. Two neighbouring lanes need the same elements of A, and lanes two apart need the
    // same elements of B. So both 16-byte fragment loads take two wavefronts. With lanes in rows of eight, B's would take four.
    const int lane = thread % 32;
    const int square = lane / 4;
    const int lane_row = square / (LANE_COLS / 2) * 2 + lane / 2 % 2;
    const int lane_col = square % (LANE_COLS / 2) * 2 + lane % 2;
    // [end]

    // [region narrow tile first]
    // If K is not a multiple of BK, the first tile is narrower. It is copied with tests before the main loop begins.
    const int tiles = (p.K + BK - 1) / BK;
    const int first_k = p.K - (tiles - 1) * BK;
    // [end]

    // [region copy tile]
    const unsigned base = shared_address(stages);
    const int a_row = thread / 8;
    const int a_k = thread % 8;
    const int b_k = thread / (BN / 4);
    const int b_col = thread % (BN / 4) * 4;
    const unsigned a_to = base + sizeof(float) * (a_k * A_PITCH + a_row);
    const unsigned b_to = base + sizeof(float) * (A_FLOATS + b_k * B_PITCH + b_col);
    const float* a_from = &p.A[size_t(block_row + a_row) * p.lda + first_k + a_k];
    const float* b_from = &p.B[size_t(first_k + b_k) * p.ldb + block_col + b_col];
    const size_t a_step = size_t(A_ROWS) * p.lda;
    const size_t b_step = size_t(B_ROWS) * p.ldb;
    const size_t b_next = size_t(BK) * p.ldb;
    int k_next = first_k;

    // Starts to copy the next tile, if there is one, to the stage at this offset in bytes.
    auto copy_tile = [&](unsigned stage) {
        const bool there = k_next < p.K;
        if (INTERIOR) {
#pragma unroll
            for (int k = 0; k < BK; k += 8) {
#pragma unroll
                for (int row = 0; row < BM; row += A_ROWS) {
                    copy1_async(a_to + stage + sizeof(float) * (k * A_PITCH + row), a_from + row / A_ROWS * a_step + k, there);
                }
            }
#pragma unroll
            for (int k = 0; k < BK; k += B_ROWS) {
                copy4_async(b_to + stage + sizeof(float) * k * B_PITCH, b_from + k / B_ROWS * b_step, there);
            }
            a_from += BK;
            b_from += b_next;
        } else if (there) {
            copy_edge_tile(p, base + stage, block_row, block_col, k_next, p.K);
        }
        k_next += BK;
        commit_group();  // An empty group counts, too, so the number to wait for is always the same.
    };
    // [end]

    // [region prologue]
    copy_edge_tile(p, base, block_row, block_col, 0, first_k);
    commit_group();
#pragma unroll
    for (int stage = 1; stage < STAGES - 1; ++stage) {
        copy_tile(sizeof(float) * stage * STAGE_FLOATS);
    }
    // [end]

    // [region fragments]
    float a[2][TM], b[2][TN];  // one pair is multiplied while the other one loads
    const float* const a_first = stages + warp_row + lane_row * 4;
    const float* const b_first = stages + A_FLOATS + warp_col + lane_col * 4;
    const float *a_read = a_first, *b_read = b_first;  // point into the stage that is being multiplied
    auto load_fragments = [&](int into, int k) {
#pragma unroll
        for (int i = 0; i < TM; i += 4) {
            const float4 four = *reinterpret_cast<const float4*>(a_read + k * A_PITCH + i * LANE_ROWS);
            a[into][i] = four.x, a[into][i + 1] = four.y, a[into][i + 2] = four.z, a[into][i + 3] = four.w;
        }
#pragma unroll
        for (int j = 0; j < TN; j += 4) {
            const float4 four = *reinterpret_cast<const float4*>(b_read + k * B_PITCH + j * LANE_COLS);
            b[into][j] = four.x, b[into][j + 1] = four.y, b[into][j + 2] = four.z, b[into][j + 3] = four.w;
        }
    };
    // [end]

    // [region main loop]
    float sum[TM][TN] = {};
    wait_group<STAGES - 2>();
    __syncthreads();
    load_fragments(0, 0);
    unsigned stage = 0;                     // stage being multiplied, as an offset in floats
    unsigned idle = LAST_STAGE;             // stage that no thread reads any more
#pragma unroll 1
    for (int tile = 0; tile < tiles; ++tile) {
#pragma unroll
        for (int k = 0; k < BK; ++k) {
            if (k == 0) {
                copy_tile(sizeof(float) * idle);
                idle = idle == LAST_STAGE ? 0 : idle + STAGE_FLOATS;
            }
            if (k == BK - 1) {
                // The next tile's first fragments load while this tile's last ones are multiplied.
                wait_group<STAGES - 2>();
                __syncthreads();
                stage = stage == LAST_STAGE ? 0 : stage + STAGE_FLOATS;
                a_read = a_first + stage, b_read = b_first + stage;
            }
            load_fragments((k + 1) % 2, (k + 1) % BK);
#pragma unroll
            for (int i = 0; i < TM; ++i) {
#pragma unroll
                for (int step = 0; step < TN; ++step) {
                    const int j = column_of(i, step);
                    sum[i][j] += a[k % 2][i] * b[k % 2][j];
                }
            }
        }
    }
    // [end]

    // [region store]
    const bool wide = INTERIOR && reinterpret_cast<size_t>(p.C) % 16 == 0 && p.ldc % 4 == 0;
#pragma unroll
    for (int i = 0; i < TM; ++i) {
        const int row = block_row + warp_row + i / 4 * 4 * LANE_ROWS + lane_row * 4 + i % 4;
#pragma unroll
        for (int j = 0; j < TN; j += 4) {
            const int col = block_col + warp_col + j * LANE_COLS + lane_col * 4;
            float* at = &p.C[size_t(row) * p.ldc + col];
            // BLAS: with beta == 0, C is not read.
            if (wide) {
                float4 four = make_float4(p.alpha * sum[i][j], p.alpha * sum[i][j + 1], p.alpha * sum[i][j + 2], p.alpha * sum[i][j + 3]);
                if (p.beta != 0.0f) {
                    const float4 c = *reinterpret_cast<const float4*>(at);
                    four = make_float4(four.x + p.beta * c.x, four.y + p.beta * c.y, four.z + p.beta * c.z, four.w + p.beta * c.w);
                }
                *reinterpret_cast<float4*>(at) = four;
            } else if (row < p.M) {
#pragma unroll
                for (int e = 0; e < 4; ++e) {
                    if (col + e < p.N) {
                        at[e] = p.beta == 0.0f ? p.alpha * sum[i][j + e] : p.alpha * sum[i][j + e] + p.beta * at[e];
                    }
                }
            }
        }
    }
    // [end]
}

// [region signature]
extern "C" __global__ void __launch_bounds__(THREADS, RESIDENT) sgemm_tuned(
    const float* __restrict__ A, const float* __restrict__ B, float* __restrict__ C,
    int M, int N, int K, int lda, int ldb, int ldc, float alpha, float beta)
// [end]
{
    extern __shared__ __align__(16) float stages[];

    // [region rasterisation]
    // Blocks start in the order of their index. They take GROUP rows of tiles column by column. So blocks that run
    // at the same time form a rectangle, and share what they read of A and B in the L2 cache.
    const int tile_rows = (M + BM - 1) / BM;
    const int tile_cols = (N + BN - 1) / BN;
    const int group = blockIdx.x / (GROUP * tile_cols);
    const int in_group = blockIdx.x % (GROUP * tile_cols);
    const int group_rows = min(GROUP, tile_rows - group * GROUP);
    const int block_row = (group * GROUP + in_group % group_rows) * BM;
    const int block_col = in_group / group_rows * BN;
    // [end]

    // [region choose path]
    const Problem problem{A, B, C, M, N, K, lda, ldb, ldc, alpha, beta};
    const bool B_aligned = reinterpret_cast<size_t>(B) % 16 == 0 && ldb % 4 == 0;
    if (block_row + BM <= M && block_col + BN <= N && B_aligned) {
        multiply_tile<true>(problem, stages, block_row, block_col);
    } else {
        multiply_tile<false>(problem, stages, block_row, block_col);
    }
    // [end]
}
