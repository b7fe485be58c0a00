// sgemm_tuned for matrices with too few tiles to fill the GPU. The blocks of a cluster share a tile of C: each multiplies its part
// of K, sends the others its sums of the rows that they finish, and adds what it receives in the order of the parts. If one
// cluster is too few for a long K, several take parts of K (split-K slices), and the last of them adds up the sums that all left in global memory.

#ifndef BM
#define BM 64       // rows of C per cluster
#define BN 64       // columns of C per cluster
#define BK 16       // depth of a tile of A and B
#define WM 32       // rows of C per warp
#define WN 32       // columns of C per warp
#define TM 8        // rows of C per thread
#define TN 4        // columns of C per thread
#define STAGES 3    // tiles in shared memory or in flight
#define SPLIT 2     // blocks of a cluster, each with a part of K
#define RESIDENT 4  // blocks that must fit on an SM
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
// After the last tile, the block's sums overwrite the tiles. Lanes four rows apart store to different banks.
constexpr int SUM_PITCH = BN + 4;
constexpr int TILE_FLOATS = STAGES * STAGE_FLOATS > BM * SUM_PITCH ? STAGES * STAGE_FLOATS : BM * SUM_PITCH;
// They are followed by the other blocks' sums of the rows that this block finishes.
constexpr int SHARE_FLOATS = BM / SPLIT * SUM_PITCH;
constexpr int MOST_GROUPS = 32;           // maximum number of clusters along K
constexpr int AHEAD = 16;                 // clusters whose sums are loaded at the same time
constexpr int WORKSPACE = 1 << 21;        // floats for the sums of all clusters
constexpr int COUNTERS = 1 << 13;
// [end]

// [region copy shape]
// How a block's threads divide the copies of a tile: A is copied element by element, with 8 threads per row, and B WIDTH elements at a time, with
// BN / WIDTH threads per row.
constexpr int A_ROWS = THREADS / 8;
static_assert(BK % 8 == 0 && BM % A_ROWS == 0, "every thread copies the same number of elements of A");
static_assert(THREADS % BN == 0 && BK % (THREADS / (BN / 4)) == 0, "every thread copies the same number of elements of B");
// [end]

// [region cluster]
typedef unsigned long long mbarrier;

__device__ __forceinline__ unsigned shared_address(const void* pointer)
{
    return static_cast<unsigned>(__cvta_generic_to_shared(pointer));
}

__device__ __forceinline__ void mbarrier_init(unsigned barrier, int arrivals)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(barrier), "r"(arrivals) : "memory");
}

// Makes the initialised barrier visible to the other blocks of the cluster and to their copies.
__device__ __forceinline__ void fence_mbarrier_init()
{
    asm volatile("fence.mbarrier_init.release.cluster;\nfence.proxy.async.shared::cta;" ::: "memory");
}

__device__ __forceinline__ void mbarrier_arrive_expect(unsigned barrier, int bytes)
{
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(bytes) : "memory");
}

// Waits for the barrier's first phase.
__device__ __forceinline__ void mbarrier_wait(unsigned barrier)
{
    int complete = 0;
    while (!complete) {
        asm volatile(
            "{\n"
            ".reg .pred done;\n"
            "mbarrier.try_wait.parity.shared::cta.b64 done, [%1], 0;\n"
            "selp.b32 %0, 1, 0, done;\n"
            "}" : "=r"(complete) : "r"(barrier) : "memory");
    }
}

// Arrives without a fence, which would cost more than the barrier. Other fences have published what the other blocks must see.
__device__ __forceinline__ void cluster_arrive()
{
    asm volatile("barrier.cluster.arrive.relaxed;" ::: "memory");
}

__device__ __forceinline__ void cluster_wait()
{
    asm volatile("barrier.cluster.wait.acquire;" ::: "memory");
}

__device__ __forceinline__ unsigned remote(unsigned address, int rank)
{
    unsigned there;
    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(address), "r"(rank));
    return there;
}

// Copies `bytes` bytes of shared memory to another block and counts them at `barrier` in that block.
__device__ __forceinline__ void send(unsigned to, unsigned from, int bytes, unsigned barrier)
{
    asm volatile("cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"
        ::"r"(to), "r"(from), "r"(bytes), "r"(barrier) : "memory");
}

// Makes this thread's writes to shared memory visible to copies issued after the next barrier.
__device__ __forceinline__ void fence_async()
{
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

__device__ __forceinline__ float4 add(float4 a, float4 b)
{
    return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
}

// Loads four floats that copies wrote; the compiler cannot know about those writes.
__device__ __forceinline__ float4 load_shared(unsigned address)
{
    float4 v;
    asm volatile("ld.shared.v4.f32 {%0, %1, %2, %3}, [%4];" : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w) : "r"(address) : "memory");
    return v;
}
// [end]

// [region workspace]
// Sums that clusters along K leave for the last of them. Launches that run at the same time must not share this memory.
__device__ float workspace[WORKSPACE];
__device__ unsigned counters[COUNTERS];  // Zero between launches. After an aborted launch, set them to zero again, or the next result is wrong.

// Returns the number of clusters along K that take part: at most `clusters`, and at most what the workspace can hold.
__device__ int groups_of(int tiles, int clusters)
{
    return max(1, min(min(clusters, MOST_GROUPS), min(WORKSPACE / (BM * BN), COUNTERS / SPLIT) / tiles));
}

// True in the last of `blocks` blocks that call it, which then sees everything that the others wrote before. Resets the counter
// for the next launch. One thread's release and acquire suffice, because the barriers order the other threads' accesses.
__device__ bool is_last(unsigned* counter, int blocks)
{
    __shared__ bool last;
    __syncthreads();
    if (threadIdx.x == 0) {
        unsigned before;
        asm volatile("atom.add.acq_rel.gpu.global.u32 %0, [%1], 1;" : "=r"(before) : "l"(counter) : "memory");
        last = before == blocks - 1;
        if (last) *counter = 0;
    }
    __syncthreads();
    return last;
}
// [end]

struct Problem {
    const float* A;
    const float* B;
    float* C;
    int M, N, K, lda, ldb, ldc;
    float alpha, beta;
};

// [region copies]
// If `there`, starts to copy four floats, or to write zeros if they are not `inside` the matrix. A predicate instead of a
// branch keeps the copies among the multiply-adds.
__device__ __forceinline__ void copy4_async(unsigned to, const float* from, bool there, bool inside)
{
    asm volatile("{ .reg .pred there; setp.ne.u32 there, %2, 0; @there cp.async.cg.shared.global [%0], [%1], 16, %3; }"
                 ::"r"(to), "l"(from), "r"(static_cast<unsigned>(there)), "r"(inside ? 16 : 0) : "memory");
}

// The same for one float.
__device__ __forceinline__ void copy1_async(unsigned to, const float* from, bool there, bool inside)
{
    asm volatile("{ .reg .pred there; setp.ne.u32 there, %2, 0; @there cp.async.ca.shared.global [%0], [%1], 4, %3; }"
                 ::"r"(to), "l"(from), "r"(static_cast<unsigned>(there)), "r"(inside ? 4 : 0) : "memory");
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
// registers. It runs at full rate if one is even and one is odd, and the assembler can place `sum` accordingly. If B is copied four elements
// at a time and TN is 8, columns in order are 1 to 3 % faster on an H100.
template <int WIDTH>
__device__ constexpr int column_of(int i, int step)
{
    const int place = i % 2 == 0 ? step : TN - 1 - step;
    if (WIDTH == 4 && TN == 8) return place;
    return place < TN / 2 ? 2 * place : 2 * (place - TN / 2) + 1;
}
// [end]

// [region two paths]
// Computes one block's part of a tile of C. If B is aligned to 16 bytes and its rows are multiples of four, WIDTH is four. Otherwise WIDTH is
// one, so rows may begin anywhere. The copies themselves write zeros outside the matrices.
template <int WIDTH>
__device__ __forceinline__ void multiply_tile(const Problem& p, float* stages, unsigned received, int block_row, int block_col, int groups)
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

    // [region part of K]
    // Every block takes the same number of tiles along K, or one more. If K is not a multiple of BK, the very first tile
    // is narrower. A block copies its first tile with bounds tests, before the main loop begins.
    const int rank = blockIdx.z % SPLIT;  // within the cluster
    const int group = blockIdx.z / SPLIT;
    const int part = blockIdx.z;
    const int all_tiles = (p.K + BK - 1) / BK;
    const int each = groups == 1 ? all_tiles / SPLIT : all_tiles / (groups * SPLIT);
    const int more = all_tiles - each * groups * SPLIT;
    const int tiles = each + (part < more);
    const int end_k = p.K - (all_tiles - part * each - min(part, more) - tiles) * BK;
    const int begin_k = max(end_k - tiles * BK, 0);
    const int first_k = tiles == 0 ? begin_k : end_k - (tiles - 1) * BK;
    // [end]

    // [region copy tile]
    const unsigned base = shared_address(stages);
    const int a_row = thread / 8;
    const int a_k = thread % 8;
    constexpr int B_LANES = BN / WIDTH;
    constexpr int B_ROWS = THREADS / B_LANES;
    const int b_k = thread / B_LANES;
    const int b_col = thread % B_LANES * WIDTH;
    const unsigned a_to = base + sizeof(float) * (a_k * A_PITCH + a_row);
    const unsigned b_to = base + sizeof(float) * (A_FLOATS + b_k * B_PITCH + b_col);
    const float* a_from = &p.A[size_t(block_row + a_row) * p.lda + first_k + a_k];
    const float* b_from = &p.B[size_t(first_k + b_k) * p.ldb + block_col + b_col];
    const size_t a_step = size_t(A_ROWS) * p.lda;
    const size_t b_step = size_t(B_ROWS) * p.ldb;
    const size_t b_next = size_t(BK) * p.ldb;
    const int a_rows = p.M - block_row - a_row;  // rows from here to the edge of the matrix
    const bool b_inside = block_col + b_col < p.N;
    int k_next = first_k;

    // Starts to copy the next tile, if there is one, to the stage at this offset in bytes.
    auto copy_tile = [&](unsigned stage) {
        const bool there = k_next < end_k;
#pragma unroll
        for (int k = 0; k < BK; k += 8) {
#pragma unroll
            for (int row = 0; row < BM; row += A_ROWS) {
                copy1_async(a_to + stage + sizeof(float) * (k * A_PITCH + row), a_from + row / A_ROWS * a_step + k, there,
                    row < a_rows);
            }
        }
#pragma unroll
        for (int k = 0; k < BK; k += B_ROWS) {
            const unsigned to = b_to + stage + sizeof(float) * k * B_PITCH;
            if (WIDTH == 4) copy4_async(to, b_from + k / B_ROWS * b_step, there, b_inside);
            else copy1_async(to, b_from + k / B_ROWS * b_step, there, b_inside);
        }
        a_from += BK;
        b_from += b_next;
        k_next += BK;
        commit_group();  // An empty group counts, too, so the number to wait for is always the same.
    };
    // [end]

    // [region prologue]
    copy_edge_tile(p, base, block_row, block_col, begin_k, first_k);
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
                    const int j = column_of<WIDTH>(i, step);
                    sum[i][j] += a[k % 2][i] * b[k % 2][j];
                }
            }
        }
    }
    // [end]

    // [region share sums]
    // After this barrier no thread reads the tiles, so the sums may overwrite them.
    __syncthreads();
#pragma unroll
    for (int i = 0; i < TM; ++i) {
        const int row = warp_row + i / 4 * 4 * LANE_ROWS + lane_row * 4 + i % 4;
#pragma unroll
        for (int j = 0; j < TN; j += 4) {
            const int col = warp_col + j * LANE_COLS + lane_col * 4;
            *reinterpret_cast<float4*>(&stages[row * SUM_PITCH + col]) = make_float4(sum[i][j], sum[i][j + 1], sum[i][j + 2], sum[i][j + 3]);
        }
    }
    // A block finishes its share of the tile's rows. The others send it their sums of these rows.
    fence_async();
    __syncthreads();
    cluster_wait();
    if (thread < SPLIT && thread != rank) {
        const unsigned slot = base + sizeof(float) * (TILE_FLOATS + (rank - (rank > thread)) * SHARE_FLOATS);
        send(remote(slot, thread), base + sizeof(float) * thread * SHARE_FLOATS, sizeof(float) * SHARE_FLOATS, remote(received, thread));
    }
    mbarrier_wait(received);
    cluster_arrive();
    // [end]

    // [region store]
    // Then it adds every block's sums of these rows, in the order of their parts of K.
    static_assert(BM % SPLIT == 0, "each block of a cluster finishes the same number of rows");
    constexpr int FOURS = BM / SPLIT * BN / 4;  // groups of four neighbours in the rows of C that a block finishes
    const bool wide = WIDTH == 4 && reinterpret_cast<size_t>(p.C) % 16 == 0 && p.ldc % 4 == 0;
    const auto finish = [&](int four, float4 sum) {
        const int row = block_row + rank * (BM / SPLIT) + four / (BN / 4);
        const int col = block_col + four % (BN / 4) * 4;
        if (row >= p.M || col >= p.N) return;
        float* at = &p.C[size_t(row) * p.ldc + col];
        float v[4] = {p.alpha * sum.x, p.alpha * sum.y, p.alpha * sum.z, p.alpha * sum.w};
        // BLAS: with beta == 0, C is not read.
        if (wide) {
            if (p.beta != 0.0f) {
                const float4 c = *reinterpret_cast<const float4*>(at);
                v[0] += p.beta * c.x, v[1] += p.beta * c.y, v[2] += p.beta * c.z, v[3] += p.beta * c.w;
            }
            *reinterpret_cast<float4*>(at) = make_float4(v[0], v[1], v[2], v[3]);
        } else {
#pragma unroll
            for (int e = 0; e < 4; ++e) {
                if (col + e < p.N) at[e] = p.beta == 0.0f ? v[e] : v[e] + p.beta * at[e];
            }
        }
    };
    const int tile = blockIdx.y * gridDim.x + blockIdx.x;
    float4* const share = reinterpret_cast<float4*>(workspace) + size_t(tile * SPLIT + rank) * groups * FOURS;
    for (int four = thread; four < FOURS; four += THREADS) {
        const int place = four / (BN / 4) * SUM_PITCH + four % (BN / 4) * 4;
        float4 part[SPLIT];
#pragma unroll
        for (int block = 0; block < SPLIT; ++block) {
            const int slot = block == rank ? rank * SHARE_FLOATS : TILE_FLOATS + (block - (block > rank)) * SHARE_FLOATS;
            part[block] = load_shared(base + sizeof(float) * (slot + place));
        }
        float4 total = part[0];
#pragma unroll
        for (int block = 1; block < SPLIT; ++block) total = add(total, part[block]);
        if (groups == 1) {
            finish(four, total);
        } else {
            share[group * FOURS + four] = total;
        }
    }
    // [end]

    // [region reduce groups]
    if (groups > 1 && is_last(&counters[tile * SPLIT + rank], groups)) {
        for (int four = thread; four < FOURS; four += THREADS) {
            float4 total = __ldcg(&share[four]);
            for (int first = 1; first < groups; first += AHEAD) {
                float4 part[AHEAD] = {};
#pragma unroll
                for (int g = 0; g < AHEAD; ++g) {
                    if (first + g < groups) part[g] = __ldcg(&share[(first + g) * FOURS + four]);
                }
#pragma unroll
                for (int g = 0; g < AHEAD; ++g) total = add(total, part[g]);
            }
            finish(four, total);
        }
    }
    // [end]
    // A block must not exit before the sums that it sent have been read.
    cluster_wait();
}

// [region signature]
extern "C" __global__ void __cluster_dims__(1, 1, SPLIT) __launch_bounds__(THREADS, RESIDENT) sgemm_split_k(
    const float* __restrict__ A, const float* __restrict__ B, float* __restrict__ C,
    int M, int N, int K, int lda, int ldb, int ldc, float alpha, float beta)
// [end]
{
    extern __shared__ __align__(16) float stages[];
    __shared__ mbarrier received;

    const int block_row = blockIdx.y * BM;
    const int block_col = blockIdx.x * BN;
    // [region groups]
    const int groups = gridDim.z == SPLIT ? 1 : groups_of(gridDim.x * gridDim.y, gridDim.z / SPLIT);
    if (int(blockIdx.z) / SPLIT >= groups) return;
    // [end]
    // [region initialise barrier]
    // No block may send before the barrier that counts the bytes is initialised.
    if (threadIdx.x == 0) {
        mbarrier_init(shared_address(&received), 1);
        fence_mbarrier_init();
        mbarrier_arrive_expect(shared_address(&received), (SPLIT - 1) * SHARE_FLOATS * sizeof(float));
    }
    __syncthreads();
    cluster_arrive();
    // [end]
    // [region choose path]
    const Problem problem{A, B, C, M, N, K, lda, ldb, ldc, alpha, beta};
    if (reinterpret_cast<size_t>(B) % 16 == 0 && ldb % 4 == 0 && N % 4 == 0) {
        multiply_tile<4>(problem, stages, shared_address(&received), block_row, block_col, groups);
    } else {
        multiply_tile<1>(problem, stages, shared_address(&received), block_row, block_col, groups);
    }
    // [end]
}
