// sgemm_tuned for rows that begin anywhere: it copies B in words of 4 bytes, too. All tiles take one path. A copy from outside the
// matrices is left out, and the zeros that were in shared memory at the start remain. A product of one row or one column has a path of its own.

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
#define PARTS 1     // parts of K that groups of warps of a block take
#define SHARED 0    // 1: if the tiles are few, blocks share each of them along K
#endif

// [region shape]
constexpr int WARP_COLS = BN / WN;  // warps side by side in a block
constexpr int PART = (BM / WM) * WARP_COLS * 32;  // threads that compute the tile, over their part of K
constexpr int THREADS = PART * PARTS;
constexpr int LANE_ROWS = WM / TM;  // a warp's lanes form LANE_ROWS rows
constexpr int LANE_COLS = WN / TN;  // with LANE_COLS lanes each
static_assert(BM % WM == 0 && BN % WN == 0, "whole warp tiles must fill the block tile");
static_assert(LANE_ROWS * LANE_COLS == 32, "32 thread tiles must fill the warp tile");
static_assert(LANE_ROWS % 2 == 0 && LANE_COLS % 2 == 0, "lanes form squares of 2 x 2");
static_assert(TM % 4 == 0 && TN % 4 == 0, "fragments are read four elements at a time");
static_assert(BK % 2 == 0, "the two fragments in registers alternate");
static_assert(STAGES >= 2, "one tile is multiplied while the next ones arrive");
constexpr int MOST_PARTS = 144 * RESIDENT;  // maximum number of partial tiles that fit in the workspace
// [end]

// [region shared tiles]
// A stage holds a tile of A, transposed, and a tile of B. The stages follow one another without gaps.
constexpr int A_PITCH = BM + 4;  // A warp's 4-byte copies write 32 different banks, 4 * k + row. A warp's reads may still conflict.
constexpr int B_PITCH = BN;
constexpr int A_FLOATS = BK * A_PITCH;
constexpr int STAGE_FLOATS = A_FLOATS + BK * B_PITCH;
constexpr unsigned LAST_STAGE = (STAGES - 1) * STAGE_FLOATS;
static_assert((PARTS - 1) * PART * TM * TN <= PARTS * STAGES * STAGE_FLOATS, "the parts' sums fit in the stages");
// [end]

// [region copy shape]
// How the threads of a part divide the copies of a tile: 8 threads per row of A, BN per row of B.
constexpr int A_ROWS = PART / 8;
constexpr int B_ROWS = PART / BN;
static_assert(BK == 8 && BM % A_ROWS == 0, "every thread copies the same number of elements of A");
static_assert(PART % BN == 0 && BK % B_ROWS == 0, "every thread copies the same number of elements of B");
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

// Starts to copy a float if `there`. A predicate instead of a branch keeps the copies among the multiply-adds.
__device__ __forceinline__ void copy1_async(unsigned to, const float* from, bool there)
{
    asm volatile("{ .reg .pred there; setp.ne.u32 there, %2, 0; @there cp.async.ca.shared.global [%0], [%1], 4; }"
                 ::"r"(to), "l"(from), "r"(static_cast<unsigned>(there)) : "memory");
}

// Waits for the threads of this part.
__device__ __forceinline__ void barrier(int part)
{
    if (PARTS == 1) __syncthreads();
    else asm volatile("bar.sync %0, %1;" ::"r"(part + 1), "n"(PART) : "memory");
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

// [region fma order]
// Returns the `step`-th column in row `i` of the thread tile. As in sgemm_tuned, the order decides which registers the assembler takes. The
// one for two parts makes 64x128 faster by 7 % on an H100.
__device__ constexpr int column_of(int i, int step)
{
    if (PARTS == 2) return i / 2 % 2 == 0 ? step : TN - 1 - step;
    const int place = i % 2 == 0 ? step : TN - 1 - step;
    return place < TN / 2 ? 2 * place : 2 * (place - TN / 2) + 1;
}
// [end]

// [region workspace]
// Sums that blocks along K leave for the last of them. Launches that run at the same time must not share this memory.
__device__ float workspace[SHARED ? MOST_PARTS * BM * BN : 1];
__device__ unsigned counters[MOST_PARTS];  // Zero between launches. After an aborted launch, set them to zero again, or the next result is wrong.

// True in the last of `blocks` blocks that call it, which then sees everything that the others wrote before. Resets the counter
// for the next launch. One thread's release and acquire suffice, because the barriers order the other threads' accesses.
__device__ bool is_last(unsigned* counter, int blocks)
{
    __shared__ bool last;
    barrier(0);
    if (threadIdx.x == 0) {
        unsigned before;
        asm volatile("atom.add.acq_rel.gpu.global.u32 %0, [%1], 1;" : "=r"(before) : "l"(counter) : "memory");
        last = before == blocks - 1;
        if (last) *counter = 0;
    }
    barrier(0);
    return last;
}
// [end]

// [region one row or column]
// C = alpha A b + beta C with one column: a warp adds up a row of A times b.
__device__ void one_column(const Problem& p, int block, int blocks)
{
    const int lane = threadIdx.x % 32;
    for (int row = block * (THREADS / 32) + threadIdx.x / 32; row < p.M; row += blocks * (THREADS / 32)) {
        const float* from = p.A + size_t(row) * p.lda;
        float sums[4] = {};
        int k = lane;
        for (; k + 15 * 32 < p.K; k += 16 * 32) {
            float a[16];
#pragma unroll
            for (int i = 0; i < 16; ++i) a[i] = __ldcs(from + k + i * 32);
#pragma unroll
            for (int i = 0; i < 16; ++i) sums[i % 4] += a[i] * p.B[size_t(k + i * 32) * p.ldb];
        }
        for (; k < p.K; k += 32) sums[0] += from[k] * p.B[size_t(k) * p.ldb];
        float sum = sums[0] + sums[1] + (sums[2] + sums[3]);
#pragma unroll
        for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_xor_sync(~0u, sum, distance);
        if (lane == 0) {
            float& c = p.C[size_t(row) * p.ldc];
            c = p.beta == 0.0f ? p.alpha * sum : p.alpha * sum + p.beta * c;
        }
    }
}

// One row: a block computes 32 columns at a time, or 16 or 8 if that gives more blocks work. Its threads share K, and their sums are added
// up in order.
__device__ void one_row(const Problem& p, float* sums, int block, int blocks)
{
    const int columns = p.N > blocks * 16 ? 32 : p.N > blocks * 8 ? 16 : 8;
    const int part = threadIdx.x / columns, parts = THREADS / columns;
    for (int first = block * columns; first < p.N; first += blocks * columns) {
        const int col = first + threadIdx.x % columns;
        float sum[4] = {};
        if (col < p.N) {
            int k = part;
            for (; k + 15 * parts < p.K; k += 16 * parts) {
                float b[16];
#pragma unroll
                for (int i = 0; i < 16; ++i) b[i] = __ldcs(&p.B[size_t(k + i * parts) * p.ldb + col]);
#pragma unroll
                for (int i = 0; i < 16; ++i) sum[i % 4] += p.A[k + i * parts] * b[i];
            }
            for (; k < p.K; k += 4 * parts) {
                float b[4];
#pragma unroll
                for (int i = 0; i < 4; ++i) b[i] = k + i * parts < p.K ? __ldcs(&p.B[size_t(k + i * parts) * p.ldb + col]) : 0.0f;
#pragma unroll
                for (int i = 0; i < 4; ++i) {
                    if (k + i * parts < p.K) sum[i] += p.A[k + i * parts] * b[i];
                }
            }
        }
        sums[threadIdx.x] = sum[0] + sum[1] + (sum[2] + sum[3]);
        __syncthreads();
        if (threadIdx.x < columns && col < p.N) {
            float all = 0.0f;
#pragma unroll 8
            for (int other = 0; other < parts; ++other) all += sums[other * columns + threadIdx.x];
            p.C[col] = p.beta == 0.0f ? p.alpha * all : p.alpha * all + p.beta * p.C[col];
        }
        __syncthreads();
    }
}
// [end]

// [region tile]
__device__ __forceinline__ void multiply_tile(const Problem& p, float* stages, int block_row, int block_col, int tile, int sharer, int sharers)
// [end]
{
    const int thread = threadIdx.x % PART;
    const int part = threadIdx.x / PART;
    float* const sums = stages;
    stages += part * STAGES * STAGE_FLOATS;
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

    // [region copy tile]
    const int all_tiles = (p.K + BK - 1) / BK;
    const int most_tiles = (all_tiles + PARTS - 1) / PARTS;
    const int tiles = min(most_tiles, all_tiles - part * most_tiles);
    const unsigned base = shared_address(stages);
    const int a_row = thread / 8;
    const int a_k = thread % 8;
    const int b_k = thread / BN;
    const int b_col = thread % BN;
    const unsigned a_to = base + sizeof(float) * (a_k * A_PITCH + a_row);
    const unsigned b_to = base + sizeof(float) * (A_FLOATS + b_k * B_PITCH + b_col);
    // The first tile is the narrow one if K is not a multiple of BK. Its last columns of A and rows of B stay zero.
    const int narrow_k = p.K - (all_tiles - 1) * BK;
    const int first_k = part == 0 ? narrow_k : BK;
    int k_next = part == 0 ? 0 : narrow_k + (part * most_tiles - 1) * BK;
    const int k_end = narrow_k + (part * most_tiles + tiles - 1) * BK;
    const float* a_from = &p.A[size_t(block_row + a_row) * p.lda + k_next + a_k];
    const float* b_from = &p.B[size_t(k_next + b_k) * p.ldb + block_col + b_col];
    const int a_rows = p.M - block_row - a_row;  // this thread's rows of A below this number are inside
    const bool b_inside = block_col + b_col < p.N;

    // Starts to copy the next tile, if there is one, to the stage at this offset in bytes. `depth` is BK, except for the first tile.
    auto copy_tile = [&](unsigned stage, int depth) {
        const bool there = k_next < k_end;
        const bool a_there = there && a_k < depth;
#pragma unroll
        for (int row = 0; row < BM; row += A_ROWS) {
            copy1_async(a_to + stage + sizeof(float) * row, a_from + size_t(row) * p.lda, a_there && row < a_rows);
        }
#pragma unroll
        for (int k = 0; k < BK; k += B_ROWS) {
            copy1_async(b_to + stage + sizeof(float) * k * B_PITCH, b_from + size_t(k) * p.ldb, there && b_inside && k + b_k < depth);
        }
        a_from += depth;
        b_from += size_t(depth) * p.ldb;
        k_next += depth;
        commit_group();  // An empty group counts, too, so the number to wait for is always the same.
    };
    // [end]

    // [region prologue]
    for (int i = thread; i < STAGES * STAGE_FLOATS; i += PART) stages[i] = 0.0f;
    barrier(part);
    copy_tile(0, first_k);
#pragma unroll
    for (int stage = 1; stage < STAGES - 1; ++stage) {
        copy_tile(sizeof(float) * stage * STAGE_FLOATS, BK);
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
    barrier(part);
    load_fragments(0, 0);
    unsigned stage = 0;                     // stage being multiplied, as an offset in floats
    unsigned idle = LAST_STAGE;             // stage that no thread reads any more
#pragma unroll 1
    for (int tile = 0; tile < tiles; ++tile) {
#pragma unroll
        for (int k = 0; k < BK; ++k) {
            if (k == 0) {
                copy_tile(sizeof(float) * idle, BK);
                idle = idle == LAST_STAGE ? 0 : idle + STAGE_FLOATS;
            }
            if (k == BK - 1) {
                // The next tile's first fragments load while this tile's last ones are multiplied.
                wait_group<STAGES - 2>();
                barrier(part);
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

    // [region add parts]
    if (PARTS > 1) {
        __syncthreads();
        float* const mine = sums + thread;
        if (part > 0) {
#pragma unroll
            for (int i = 0; i < TM * TN; ++i) mine[((part - 1) * TM * TN + i) * PART] = sum[i / TN][i % TN];
        }
        __syncthreads();
        if (part > 0) return;
        for (int other = 0; other < PARTS - 1; ++other) {
#pragma unroll
            for (int i = 0; i < TM * TN; ++i) sum[i / TN][i % TN] += mine[(other * TM * TN + i) * PART];
        }
    }
    // [end]

    // [region share between blocks]
    if (SHARED && sharers > 1) {
        float* const share = workspace + size_t(tile) * sharers * (BM * BN) + thread;
#pragma unroll
        for (int i = 0; i < TM * TN; ++i) share[sharer * (BM * BN) + i * PART] = sum[i / TN][i % TN];
        if (!is_last(&counters[tile], sharers)) return;
#pragma unroll
        for (int i = 0; i < TM * TN; ++i) sum[i / TN][i % TN] = 0.0f;
#pragma unroll 2
        for (int g = 0; g < sharers; ++g) {
#pragma unroll
            for (int i = 0; i < TM * TN; ++i) sum[i / TN][i % TN] += __ldcg(&share[g * (BM * BN) + i * PART]);
        }
    }
    // [end]

    // [region store]
    const bool wide = reinterpret_cast<size_t>(p.C) % 16 == 0 && p.ldc % 4 == 0 && block_row + BM <= p.M && block_col + BN <= p.N;
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

// [region copy rows]
// Copies up to two matrices to rows of another length in bytes. If the new rows are longer, fills their ends with zeros. Each thread writes
// 16 bytes, and shifts words of 4 bytes into place.
extern "C" __global__ void __launch_bounds__(256) copy_rows(
    const unsigned char* from_A, unsigned char* to_A, int rows_A, int bytes_A, int to_rows_A, int to_bytes_A,
    const unsigned char* from_B, unsigned char* to_B, int rows_B, int bytes_B, int to_rows_B, int to_bytes_B)
{
    const bool second = blockIdx.y == 1;
    const unsigned char* from = second ? from_B : from_A;
    unsigned char* to = second ? to_B : to_A;
    const unsigned rows = second ? rows_B : rows_A, bytes = second ? bytes_B : bytes_A, to_bytes = second ? to_bytes_B : to_bytes_A;
    const size_t size = size_t(second ? to_rows_B : to_rows_A) * to_bytes;
    const size_t at = (size_t(blockIdx.x) * blockDim.x + threadIdx.x) * 16;
    if (at >= size) return;
    // A 64-bit division takes several times as long.
    unsigned row = at >> 32 ? unsigned(at / to_bytes) : unsigned(at) / to_bytes;
    unsigned column = unsigned(at - size_t(row) * to_bytes);
    unsigned word[5] = {};
    if (row < rows && column + 16 <= min(bytes, to_bytes)) {
        const size_t first = reinterpret_cast<size_t>(from) + size_t(row) * bytes + column;
        const unsigned* words = reinterpret_cast<const unsigned*>(first & ~size_t(3));
        const unsigned shift = first % 4 * 8;
#pragma unroll
        for (int i = 0; i < 4; ++i) word[i] = words[i];
        if (shift) word[4] = words[4];
#pragma unroll
        for (int i = 0; i < 4; ++i) word[i] = __funnelshift_r(word[i], word[i + 1], shift);
    } else {
#pragma unroll
        for (int i = 0; i < 16; ++i, ++column) {
            if (column == to_bytes) column = 0, ++row;
            if (row < rows && column < bytes) word[i / 4] |= unsigned(from[size_t(row) * bytes + column]) << i % 4 * 8;
        }
    }
    if (at + 16 <= size) {
        *reinterpret_cast<uint4*>(to + at) = make_uint4(word[0], word[1], word[2], word[3]);
    } else {
#pragma unroll
        for (int i = 0; i < 15; ++i) {
            if (at + i < size) to[at + i] = word[i / 4] >> i % 4 * 8;
        }
    }
}
// [end]

// [region signature]
extern "C" __global__ void __launch_bounds__(THREADS, RESIDENT) sgemm_any_rows(
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
    const int tile = blockIdx.x;
    const int group = tile / (GROUP * tile_cols);
    const int in_group = tile % (GROUP * tile_cols);
    const int group_rows = min(GROUP, tile_rows - group * GROUP);
    const int block_row = (group * GROUP + in_group % group_rows) * BM;
    const int block_col = in_group / group_rows * BN;
    // [end]

    // [region choose path]
    const int block = SHARED ? blockIdx.z * gridDim.x + tile : tile, blocks = SHARED ? gridDim.x * gridDim.z : gridDim.x;
    if (N == 1) {
        one_column({A, B, C, M, N, K, lda, ldb, ldc, alpha, beta}, block, blocks);
    } else if (M == 1) {
        one_row({A, B, C, M, N, K, lda, ldb, ldc, alpha, beta}, stages, block, blocks);
    } else if (SHARED) {
        const int k_tiles = (K + BK - 1) / BK;
        const int sharers = max(1, min(min(int(gridDim.z), k_tiles / (8 * PARTS)), MOST_PARTS / (tile_rows * tile_cols)));
        const int sharer = blockIdx.z;
        if (tile >= tile_rows * tile_cols || sharer >= sharers) return;
        const int first_k = k_tiles * sharer / sharers * BK;
        const int end_k = min(K, k_tiles * (sharer + 1) / sharers * BK);
        const Problem problem{A + first_k, B + size_t(first_k) * ldb, C, M, N, end_k - first_k, lda, ldb, ldc, alpha, beta};
        multiply_tile(problem, stages, block_row, block_col, tile, sharer, sharers);
    } else if (tile < tile_rows * tile_cols) {  // There are at least as many blocks as SMs, for the other paths.
        multiply_tile({A, B, C, M, N, K, lda, ldb, ldc, alpha, beta}, stages, block_row, block_col, tile, 0, 1);
    }
    // [end]
}
