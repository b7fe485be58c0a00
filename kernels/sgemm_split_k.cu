// sgemm_tuned for matrices with too few tiles to fill the GPU: the blocks of a cluster share a tile of C, each
// multiplies its part of K, and they add up their sums through each other's shared memory, always in the same order.

#ifndef BM
#define BM 64       // rows of C a cluster
#define BN 64       // columns of C a cluster
#define BK 8        // depth of a tile of A and B
#define WM 32       // rows of C a warp
#define WN 32       // columns of C a warp
#define TM 8        // rows of C a thread
#define TN 4        // columns of C a thread
#define STAGES 4    // tiles in shared memory or on their way
#define SPLIT 4     // blocks of a cluster: parts of K
#define RESIDENT 4  // blocks that a multiprocessor is to hold
#endif

// [region shape]
constexpr int WARP_COLS = BN / WN;  // warps side by side in a block
constexpr int THREADS = (BM / WM) * WARP_COLS * 32;
constexpr int LANE_ROWS = WM / TM;  // the lanes of a warp stand in LANE_ROWS rows
constexpr int LANE_COLS = WN / TN;  // of LANE_COLS lanes
static_assert(BM % WM == 0 && BN % WN == 0, "whole warp tiles must fill the block tile");
static_assert(LANE_ROWS * LANE_COLS == 32, "32 thread tiles must fill the warp tile");
static_assert(LANE_ROWS % 2 == 0 && LANE_COLS % 2 == 0, "lanes stand in squares of 2 x 2");
static_assert(TM % 4 == 0 && TN % 4 == 0, "fragments are read four elements at a time");
static_assert(BK % 2 == 0, "the two fragments in registers take turns");
static_assert(STAGES >= 2, "one tile is multiplied while the next ones come");
// [end]

// [region shared tiles]
// A stage holds a tile of A, transposed, and a tile of B. All stages lie one behind the other.
constexpr int A_PITCH = BM + 4;  // 8 lanes store one row of A down a column: 4 * k + row must be 32 different banks.
constexpr int B_PITCH = BN;
constexpr int A_FLOATS = BK * A_PITCH;
constexpr int STAGE_FLOATS = A_FLOATS + BK * B_PITCH;
constexpr unsigned LAST_STAGE = (STAGES - 1) * STAGE_FLOATS;
// After the last tile, the block's sums lie in their place. Lanes four rows apart store to different banks.
constexpr int SUM_PITCH = BN + 4;
// [end]

// [region copy shape]
// How a block's threads share out the copying of a tile: A by single elements, 8 to a row; B by fours.
constexpr int A_ROWS = THREADS / 8;
constexpr int B_ROWS = THREADS / (BN / 4);
static_assert(BK % 8 == 0 && BM % A_ROWS == 0, "every thread copies as many elements of A");
static_assert(THREADS % (BN / 4) == 0 && BK % B_ROWS == 0, "every thread copies as many elements of B");
// [end]

// [region cluster]
__device__ __forceinline__ unsigned rank_in_cluster()
{
    unsigned rank;
    asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    return rank;
}

// What a block wrote to shared memory before it, every block of the cluster sees after it.
__device__ __forceinline__ void cluster_sync()
{
    asm volatile("barrier.cluster.arrive.release;\nbarrier.cluster.wait.acquire;" ::: "memory");
}

// Four floats from the same place of another block's shared memory.
__device__ __forceinline__ float4 load_remote(unsigned address, unsigned rank)
{
    float4 v;
    asm volatile(
        "{\n"
        ".reg .b32 remote;\n"
        "mapa.shared::cluster.u32 remote, %4, %5;\n"
        "ld.shared::cluster.v4.f32 {%0, %1, %2, %3}, [remote];\n"
        "}" : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w) : "r"(address), "r"(rank) : "memory");
    return v;
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
__device__ __forceinline__ unsigned shared_address(const void* pointer)
{
    return static_cast<unsigned>(__cvta_generic_to_shared(pointer));
}

// Starts to copy four floats if `there`. A predicate, and no branch: the copies stay among the multiply-adds.
__device__ __forceinline__ void copy4_async(unsigned to, const float* from, bool there)
{
    asm volatile("{ .reg .pred there; setp.ne.u32 there, %2, 0; @there cp.async.cg.shared.global [%0], [%1], 16; }"
                 ::"r"(to), "l"(from), "r"(static_cast<unsigned>(there)) : "memory");
}

// The same with one float.
__device__ __forceinline__ void copy1_async(unsigned to, const float* from, bool there)
{
    asm volatile("{ .reg .pred there; setp.ne.u32 there, %2, 0; @there cp.async.ca.shared.global [%0], [%1], 4; }"
                 ::"r"(to), "l"(from), "r"(static_cast<unsigned>(there)) : "memory");
}

// Starts to copy one float if it is `inside` its matrix; otherwise writes a zero, and `from` is not looked at.
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
// Copies the tile of A's columns and B's rows from k0 to before k_end, element by element, zeros beyond the edges.
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
// The column that comes `step`-th in row `i` of the thread tile: the even ones, then the odd ones, and every other row
// backwards. An FFMA is fed at full rate if no two of the registers that it reads are both even or both odd. With a[i]
// held for a row and b[j] for the turn into the next row, two are read, and the assembler finds sum a place for that.
__device__ constexpr int column_of(int i, int step)
{
    const int forth = i % 2 == 0 ? step : TN - 1 - step;
    return forth < TN / 2 ? 2 * forth : 2 * (forth - TN / 2) + 1;
}
// [end]

// [region two paths]
// One block's tile of C. An INTERIOR tile lies wholly inside the matrices, and 16-byte copies of B are aligned: its main
// loop tests no bounds. The others take the same steps, with every copy and every store tested.
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
    // Squares of 2 x 2 lanes: of two neighbouring lanes one row's worth of A is the same, and of lanes two apart one
    // column's worth of B. So both 16-byte fragment loads take two wavefronts instead of four.
    const int lane = thread % 32;
    const int square = lane / 4;
    const int lane_row = square / (LANE_COLS / 2) * 2 + lane / 2 % 2;
    const int lane_col = square % (LANE_COLS / 2) * 2 + lane % 2;
    // [end]

    // [region part of K]
    // Each block takes as many tiles along K as the others, or one more. If K is no multiple of BK, the very first tile is
    // the narrow one. A block's first tile is copied with tests before the main loop begins.
    const int rank = rank_in_cluster();
    const int all_tiles = (p.K + BK - 1) / BK;
    const int first_tile = int((long long)all_tiles * rank / SPLIT);
    const int tiles = int((long long)all_tiles * (rank + 1) / SPLIT) - first_tile;
    const int end_k = p.K - (all_tiles - first_tile - tiles) * BK;
    const int begin_k = max(end_k - tiles * BK, 0);
    const int first_k = tiles == 0 ? begin_k : end_k - (tiles - 1) * BK;
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

    // Starts to copy the next tile, if there is one, to a stage, given by its offset in bytes.
    auto copy_tile = [&](unsigned stage) {
        const bool there = k_next < end_k;
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
            copy_edge_tile(p, base + stage, block_row, block_col, k_next, end_k);
        }
        k_next += BK;
        commit_group();  // An empty group counts too: so the number to wait for is always the same.
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
    float a[2][TM], b[2][TN];  // one pair is multiplied while the other one is loaded
    const float* const a_first = stages + warp_row + lane_row * 4;
    const float* const b_first = stages + A_FLOATS + warp_col + lane_col * 4;
    const float *a_read = a_first, *b_read = b_first;  // in the stage that is being multiplied
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
    unsigned stage = 0;                     // being multiplied, as an offset in floats
    unsigned free = LAST_STAGE;             // nobody reads it any more
#pragma unroll 1
    for (int tile = 0; tile < tiles; ++tile) {
#pragma unroll
        for (int k = 0; k < BK; ++k) {
            if (k == 0) {
                copy_tile(sizeof(float) * free);
                free = free == LAST_STAGE ? 0 : free + STAGE_FLOATS;
            }
            if (k == BK - 1) {
                // The next tile's first fragments are loaded while this one's last are multiplied.
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

    // [region share sums]
    // Nobody reads tiles any more, so the sums take their place.
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
    cluster_sync();
    // [end]

    // [region reduce]
    // A block finishes its share of the tile's rows: it adds what every block has there, in the order of their parts of K.
    static_assert(BM % SPLIT == 0, "each block of a cluster finishes as many rows");
    const bool wide = INTERIOR && reinterpret_cast<size_t>(p.C) % 16 == 0 && p.ldc % 4 == 0;
    for (int four = thread; four < BM / SPLIT * BN / 4; four += THREADS) {
        const int row = rank * (BM / SPLIT) + four / (BN / 4);
        const int col = four % (BN / 4) * 4;
        float4 part[SPLIT];
#pragma unroll
        for (int block = 0; block < SPLIT; ++block) {
            part[block] = load_remote(base + sizeof(float) * (row * SUM_PITCH + col), block);
        }
        float total[4] = {part[0].x, part[0].y, part[0].z, part[0].w};
#pragma unroll
        for (int block = 1; block < SPLIT; ++block) {
            total[0] += part[block].x, total[1] += part[block].y, total[2] += part[block].z, total[3] += part[block].w;
        }
        float* at = &p.C[size_t(block_row + row) * p.ldc + block_col + col];
        // BLAS: with beta == 0, C is not read.
        if (wide) {
            float4 v = make_float4(p.alpha * total[0], p.alpha * total[1], p.alpha * total[2], p.alpha * total[3]);
            if (p.beta != 0.0f) {
                const float4 c = *reinterpret_cast<const float4*>(at);
                v = make_float4(v.x + p.beta * c.x, v.y + p.beta * c.y, v.z + p.beta * c.z, v.w + p.beta * c.w);
            }
            *reinterpret_cast<float4*>(at) = v;
        } else if (block_row + row < p.M) {
#pragma unroll
            for (int e = 0; e < 4; ++e) {
                if (block_col + col + e < p.N) {
                    at[e] = p.beta == 0.0f ? p.alpha * total[e] : p.alpha * total[e] + p.beta * at[e];
                }
            }
        }
    }
    // A block's shared memory must outlive the others' reading of it.
    cluster_sync();
    // [end]
}

// [region signature]
extern "C" __global__ void __cluster_dims__(1, 1, SPLIT) __launch_bounds__(THREADS, RESIDENT) sgemm_split_k(
    const float* __restrict__ A, const float* __restrict__ B, float* __restrict__ C,
    int M, int N, int K, int lda, int ldb, int ldc, float alpha, float beta)
// [end]
{
    extern __shared__ __align__(16) float stages[];

    const int block_row = blockIdx.y * BM;
    const int block_col = blockIdx.x * BN;
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
