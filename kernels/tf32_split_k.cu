// tf32_wgmma for matrices with too few tiles to fill the GPU, like bf16_split_k: consumers of 64 columns of C each, tiles of any
// multiple of eight rows, and a warp that loads. The blocks of a cluster share loaded tiles or a tile of C. In the second case each
// multiplies its part of K, sends the others its sums of the rows that they finish, and adds what it receives, in order. If one
// cluster is too few for a long K, several take parts of K (split-K slices), and the last of them adds up the sums that all left in global memory.

// [region constants]
#ifndef BM
#define BM 128      // rows of a tile of C; wgmma_k8 must support this number
#define BN 128      // columns of a tile of C
#define BK 32       // depth of a tile of A and B
#define STAGES 7    // tiles in shared memory or in flight
#define SPLIT 1     // blocks of a cluster that share a tile of C, each with a part of K
#define DOWN 2      // tiles of C one below the other in a cluster, which share B
#define ACROSS 1    // tiles of C side by side in a cluster, which share A
#define GROUP 4     // cluster rows to go down before going right
#define RESIDENT 1  // blocks that must fit on an SM
#endif
constexpr int WARPGROUP = 128;
constexpr int CONSUMERS = BN / 64;                        // warpgroups that multiply, 64 columns of C each
constexpr int THREADS = CONSUMERS * WARPGROUP + 32;       // plus one warp that loads
constexpr int WARPS = 4;                                  // warps in a warpgroup
constexpr int STEPS = BK / 8;                             // wgmmas along K per tile
constexpr int CHUNK = 32;                                 // floats in a 128-byte row of shared memory
constexpr int A_BYTES = BM * BK * 4;
constexpr int B_BYTES = BK * BN * 4;
constexpr int B_CHUNK_BYTES = BK * CHUNK * 4;
constexpr int A_STEP_BYTES = 8 * 4;                       // distance between the A operands of consecutive wgmmas: 8 columns
constexpr int STAGE_BYTES = A_BYTES + B_BYTES;
constexpr int TILES = DOWN * ACROSS;                      // tiles of C per cluster
constexpr int SHARERS = DOWN + ACROSS - 1;                // blocks that load for one block, including itself
constexpr int MULTIPLIERS = CONSUMERS * WARPGROUP;        // threads that multiply
constexpr int SHARE = BM / 8 / SPLIT;                     // eight-row groups of a tile that one block finishes
constexpr int SHARE_BYTES = SHARE * MULTIPLIERS * 16;     // bytes of its sums
constexpr int MOST_GROUPS = 16;                           // maximum number of clusters along K
constexpr int WORKSPACE = 1 << 21;                        // floats for the sums of all clusters
constexpr int MOST_PARTS = WORKSPACE / (BM * BN / SPLIT); // maximum number of partial tiles that fit in the workspace
static_assert(BM % 8 == 0 && BM <= 256 && BN % 64 == 0 && BK == CHUNK, "wgmma is 64xBMx8; a row of A's tile is 128 bytes");
static_assert(BM % ACROSS == 0 && BK % DOWN == 0, "a part of a tile has whole rows");
static_assert(BM % (8 * SPLIT) == 0, "each block of a cluster finishes the same number of groups of eight rows");
// [end]

typedef unsigned long long mbarrier;
struct alignas(64) CUtensorMap { unsigned long long opaque[16]; };

// [region ptx]
__device__ unsigned shared_address(const void* pointer)
{
    return static_cast<unsigned>(__cvta_generic_to_shared(pointer));
}

__device__ void mbarrier_init(unsigned barrier, int arrivals)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" :: "r"(barrier), "r"(arrivals) : "memory");
}

// Makes the initialised barriers visible to the other blocks of the cluster and to the copy engine (TMA).
__device__ void fence_mbarrier_init()
{
    asm volatile("fence.mbarrier_init.release.cluster;\nfence.proxy.async.shared::cta;" ::: "memory");
}

__device__ void mbarrier_arrive_expect(unsigned barrier, int bytes)
{
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" :: "r"(barrier), "r"(bytes) : "memory");
}

// Arrives at another block's barrier with block scope, as CUTLASS does, outside the PTX memory model. It holds because every read of the stage
// has ended: wgmma_wait has waited for the products that use its values. `.release.cluster` would cost a GPU-wide memory fence per tile.
__device__ void mbarrier_arrive_remote(unsigned barrier, int rank)
{
    asm volatile(
        "{\n"
        ".reg .b32 remote;\n"
        "mapa.shared::cluster.u32 remote, %0, %1;\n"
        "mbarrier.arrive.shared::cluster.b64 _, [remote];\n"
        "}" :: "r"(barrier), "r"(rank) : "memory");
}

// Waits until the phase with this parity is complete.
__device__ void mbarrier_wait(unsigned barrier, int parity)
{
    int complete = 0;
    while (!complete) {
        asm volatile(
            "{\n"
            ".reg .pred done;\n"
            "mbarrier.try_wait.parity.shared::cta.b64 done, [%1], %2;\n"
            "selp.b32 %0, 1, 0, done;\n"
            "}" : "=r"(complete) : "r"(barrier), "r"(parity) : "memory");
    }
}

__device__ void prefetch(const CUtensorMap& map)
{
    asm volatile("prefetch.tensormap [%0];" :: "l"(&map) : "memory");
}

__device__ void tma_load(unsigned destination, const CUtensorMap& map, int column, int row, unsigned barrier)
{
    asm volatile(
        "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];"
        :: "r"(destination), "l"(&map), "r"(column), "r"(row), "r"(barrier) : "memory");
}

// Copies the box to the same place in each block of the cluster whose bit is set, and counts its bytes at that barrier.
__device__ void tma_load_multicast(unsigned destination, const CUtensorMap& map, int column, int row, unsigned barrier, unsigned short blocks)
{
    asm volatile(
        "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1, {%2, %3}], [%4], %5;"
        :: "r"(destination), "l"(&map), "r"(column), "r"(row), "r"(barrier), "h"(blocks) : "memory");
}

// The lower half of the descriptor of the second wgmma operand (128-byte swizzle): address and first stride in units of 16 bytes. Only
// 18 bits of the address are used, because the bits above name the block within its cluster. To move on in shared memory, add the distance
// in units. The upper half (groups of eight rows of 128 bytes) is a constant in the instruction.
constexpr unsigned UPPER_DESCRIPTOR = (8 * 128) >> 4 | 1u << 30;

__device__ unsigned lower_descriptor(unsigned address, unsigned leading_bytes)
{
    return (address & 0x3ffff) >> 4 | (leading_bytes >> 4) << 16;
}

__device__ void wgmma_fence()
{
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
}

__device__ void wgmma_commit()
{
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}

template <int PENDING>
__device__ void wgmma_wait()
{
    asm volatile("wgmma.wait_group.sync.aligned %0;" :: "n"(PENDING) : "memory");
}

// The compiler does not know that the products write acc until wgmma_wait returns: "memory" binds no registers. So it might read acc before the
// wait. This empty instruction seems to change acc, so acc is read after it.
template <int TILES>
__device__ void fence_registers(float (&acc)[TILES][4])
{
#pragma unroll
    for (int i = 0; i < TILES; ++i) asm volatile("" : "+f"(acc[i][0]), "+f"(acc[i][1]), "+f"(acc[i][2]), "+f"(acc[i][3]));
}

// acc[64xBM] += B^T[64x8] * A^T[8xBM]. B is in registers; A's rows run along K.
__device__ void wgmma_k8(float (&acc)[BM / 8][4], unsigned (&b)[4], unsigned a)
{
#define ACC(i) "+f"(acc[i][0]), "+f"(acc[i][1]), "+f"(acc[i][2]), "+f"(acc[i][3])
#define REGISTERS_16 "%5, %6, %7, %8, %9, %10, %11, %12"
#define REGISTERS_32 REGISTERS_16 ", %13, %14, %15, %16, %17, %18, %19, %20"
#define REGISTERS_48 REGISTERS_32 ", %21, %22, %23, %24, %25, %26, %27, %28"
#define REGISTERS_64 REGISTERS_48 ", %29, %30, %31, %32, %33, %34, %35, %36"
#define REGISTERS_96 REGISTERS_64 ", %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, %48, %49, %50, %51, %52"
#define REGISTERS_128 REGISTERS_96 ", %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, %64, %65, %66, %67, %68"
#define REGISTERS_192 REGISTERS_128 \
    ", %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, %80, %81, %82, %83, %84" \
    ", %85, %86, %87, %88, %89, %90, %91, %92, %93, %94, %95, %96, %97, %98, %99, %100"
#define SUMS_16 ACC(0), ACC(1)
#define SUMS_32 SUMS_16, ACC(2), ACC(3)
#define SUMS_48 SUMS_32, ACC(4), ACC(5)
#define SUMS_64 SUMS_48, ACC(6), ACC(7)
#define SUMS_96 SUMS_64, ACC(8), ACC(9), ACC(10), ACC(11)
#define SUMS_128 SUMS_96, ACC(12), ACC(13), ACC(14), ACC(15)
#define SUMS_192 SUMS_128, ACC(16), ACC(17), ACC(18), ACC(19), ACC(20), ACC(21), ACC(22), ACC(23)
#define JOIN(what, rows) what##rows
#define OF(what, rows) JOIN(what, rows)
#define TEXT(rows) #rows
#define WGMMA(rows) \
    "{\n.reg .pred add;\nsetp.eq.b32 add, 0, 0;\n" \
    ".reg .b64 a;\nmov.b64 a, {%0, 0x40000040};\n" \
    "wgmma.mma_async.sync.aligned.m64n" TEXT(rows) "k8.f32.tf32.tf32 {" OF(REGISTERS_, rows) "}, {%1, %2, %3, %4}, a, add, 1, 1;\n}"
    static_assert(UPPER_DESCRIPTOR == 0x40000040, "the descriptor's upper half is this constant");
    asm volatile(WGMMA(BM) : "+r"(a), "+r"(b[0]), "+r"(b[1]), "+r"(b[2]), "+r"(b[3]), OF(SUMS_, BM));
#undef ACC
}

// Loads two words that the copy engine wrote; the compiler cannot know about those writes.
__device__ void load_shared(unsigned address, unsigned& left, unsigned& right)
{
    asm volatile("ld.shared.v2.b32 {%0, %1}, [%2];" : "=r"(left), "=r"(right) : "r"(address) : "memory");
}
// [end]

// [region cluster]
// Returns a mask with a bit for each block in the cluster's first column.
__device__ constexpr int column_of_cluster()
{
    int blocks = 0;
    for (int d = 0; d < DOWN; ++d) blocks |= 1 << d * ACROSS;
    return blocks;
}

// Arrives without a fence, which would cost more than the barrier. Other fences have published what the other blocks must see.
__device__ void cluster_arrive()
{
    asm volatile("barrier.cluster.arrive.relaxed;" ::: "memory");
}

__device__ void cluster_wait()
{
    asm volatile("barrier.cluster.wait.acquire;" ::: "memory");
}

__device__ unsigned remote(unsigned address, int rank)
{
    unsigned there;
    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(address), "r"(rank));
    return there;
}

// Copies `bytes` bytes of shared memory to another block and counts them at `barrier` in that block.
__device__ void send(unsigned to, unsigned from, int bytes, unsigned barrier)
{
    asm volatile("cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"
        :: "r"(to), "r"(from), "r"(bytes), "r"(barrier) : "memory");
}

// Makes this thread's writes to shared memory visible to copies issued after the next barrier.
__device__ void fence_async()
{
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

__device__ void store_shared(unsigned address, const float (&v)[4])
{
    asm volatile("st.shared.v4.f32 [%0], {%1, %2, %3, %4};" :: "r"(address), "f"(v[0]), "f"(v[1]), "f"(v[2]), "f"(v[3]) : "memory");
}

__device__ void load_shared(unsigned address, float (&v)[4])
{
    asm volatile("ld.shared.v4.f32 {%0, %1, %2, %3}, [%4];" : "=f"(v[0]), "=f"(v[1]), "=f"(v[2]), "=f"(v[3]) : "r"(address) : "memory");
}
// [end]

// [region workspace]
// Sums that clusters along K leave for the last of them. Launches that run at the same time must not share this memory.
__device__ float4 workspace[WORKSPACE / 4];
__device__ unsigned counters[MOST_PARTS];  // Zero between launches. After an aborted launch, set them to zero again, or the next result is wrong.

// Waits for all threads that multiply.
__device__ void multipliers_sync()
{
    asm volatile("bar.sync 1, %0;" :: "n"(MULTIPLIERS) : "memory");
}

// True in the last of `blocks` blocks that call it, which then sees everything that the others wrote before. Resets the counter
// for the next launch. One thread's release and acquire suffice, because the barriers order the other threads' accesses.
__device__ bool is_last(unsigned* counter, int blocks)
{
    __shared__ bool last;
    multipliers_sync();
    if (threadIdx.x == 0) {
        unsigned before;
        asm volatile("atom.add.acq_rel.gpu.global.u32 %0, [%1], 1;" : "=r"(before) : "l"(counter) : "memory");
        last = before == blocks - 1;
        if (last) *counter = 0;
    }
    multipliers_sync();
    return last;
}
// [end]

// [region signature]
extern "C" __global__ void __cluster_dims__(ACROSS, DOWN, SPLIT) __launch_bounds__(THREADS, RESIDENT) tf32_split_k(
    const __grid_constant__ CUtensorMap map_A, const __grid_constant__ CUtensorMap map_B,
    const float* __restrict__ A, const float* __restrict__ B, float* __restrict__ C,
    int M, int N, int K, int lda, int ldb, int ldc, float alpha, float beta)
// [end]
{
    // [region shared memory]
    // STAGES tiles of A, then of B, each at a multiple of 1024 bytes for the swizzle. Then the sums from other blocks.
    extern __shared__ __align__(1024) unsigned char shared[];
    __shared__ mbarrier full[STAGES];
    __shared__ mbarrier empty[STAGES];
    __shared__ mbarrier received;
    const unsigned A_tiles = shared_address(shared);
    const unsigned B_tiles = A_tiles + STAGES * A_BYTES;
    const unsigned sums = B_tiles + STAGES * B_BYTES;
    // [end]

    // By the shuffle, the compiler knows that all lanes have the same number. Otherwise, barriers would be initialised in a loop over lanes.
    const int warp = __shfl_sync(0xffffffff, threadIdx.x / 32, 0);
    const int lane = threadIdx.x % 32;
    const bool loads = warp == CONSUMERS * 4 && lane == 0;
    // Fetching a tensor map takes as long as fetching a tile, so it starts early.
    if (loads) {
        prefetch(map_A);
        prefetch(map_B);
    }

    // [region parts of K]
    const int part = blockIdx.z % SPLIT;                  // part of K within the cluster
    const int first_rank = part * TILES;                  // lowest rank of the blocks with that part
    const int group = blockIdx.z / SPLIT;                 // index among the clusters along K
    const int tile = blockIdx.y * gridDim.x + blockIdx.x;
    // All clusters along K take part if the workspace has room for them; otherwise only the first one does.
    const bool together = gridDim.z > SPLIT && gridDim.z / SPLIT <= MOST_GROUPS && gridDim.x * gridDim.y * gridDim.z <= MOST_PARTS;
    const int groups = together ? gridDim.z / SPLIT : 1;
    if (group >= groups) return;
    const unsigned all_tiles = (K + BK - 1) / BK;         // along K
    // [end]

    // [region initialise barriers]
    // Each initialisation takes tens of cycles, so the warps share them.
    if (lane == 0) {
#pragma unroll 1
        for (int s = warp; s < min(STAGES, all_tiles); s += THREADS / 32) {
            mbarrier_init(shared_address(&full[s]), 1);                             // one arrival, by the loading thread, and the bytes
            mbarrier_init(shared_address(&empty[s]), CONSUMERS * WARPS * SHARERS);  // one arrival per multiplying warp that this block loads for
        }
        if (SPLIT > 1 && loads) mbarrier_init(shared_address(&received), 1);
        fence_mbarrier_init();
        if (SPLIT > 1 && loads) mbarrier_arrive_expect(shared_address(&received), (SPLIT - 1) * SHARE_BYTES);
    }
    if (TILES * SPLIT > 1) cluster_arrive();
    // [end]

    // [region indices]
    // Clusters run down a group of GROUP cluster rows before they move right. So clusters that run at the same time,
    // especially adjacent clusters, share tiles of A and B. Only in a last group of fewer rows, a variable divides.
    int cluster_row = blockIdx.y / DOWN;
    int cluster_column = blockIdx.x / ACROSS;
    if (GROUP > 1) {
        const int first_row = cluster_row / GROUP * GROUP;
        const int rows = min(GROUP, gridDim.y / DOWN - first_row);
        const int within = (cluster_row - first_row) * (gridDim.x / ACROSS) + cluster_column;
        cluster_column = rows == GROUP ? within / GROUP : within / rows;
        cluster_row = first_row + within - cluster_column * rows;
    }
    const int down = blockIdx.y % DOWN;                   // row of this tile within the cluster
    const int across = blockIdx.x % ACROSS;
    const int row = (cluster_row * DOWN + down) * BM;
    const int column = (cluster_column * ACROSS + across) * BN;
    // [end]

    // [region load]
    // Every block takes the same number of tiles along K, or one more.
    unsigned each = all_tiles / SPLIT;
    if (together) each = all_tiles / (groups * SPLIT);
    const unsigned more = all_tiles - each * groups * SPLIT;
    const int first = blockIdx.z * each + min(blockIdx.z, more);
    const int k_tiles = each + (blockIdx.z < more);
    // Blocks that share a tile each load one part of it for all the others.
    const int A_sharers = ((1 << ACROSS) - 1) << (first_rank + down * ACROSS);
    const int B_sharers = column_of_cluster() << (first_rank + across);
    const auto load = [&](int k, int stage) {
        const unsigned full_barrier = shared_address(&full[stage]);
        const unsigned A_part = A_tiles + stage * A_BYTES + across * (A_BYTES / ACROSS);
        const int A_row = row + across * (BM / ACROSS);
        const int B_row = (first + k) * BK + down * (BK / DOWN);
        mbarrier_arrive_expect(full_barrier, STAGE_BYTES);
        if (ACROSS == 1) tma_load(A_part, map_A, (first + k) * BK, A_row, full_barrier);
        else tma_load_multicast(A_part, map_A, (first + k) * BK, A_row, full_barrier, A_sharers);
#pragma unroll
        for (int chunk = 0; chunk < BN / CHUNK; ++chunk) {
            const unsigned B_part = B_tiles + stage * B_BYTES + chunk * B_CHUNK_BYTES + down * (B_CHUNK_BYTES / DOWN);
            if (DOWN == 1) tma_load(B_part, map_B, column + chunk * CHUNK, B_row, full_barrier);
            else tma_load_multicast(B_part, map_B, column + chunk * CHUNK, B_row, full_barrier, B_sharers);
        }
    };
    // No block may arrive at another block's barriers before they are initialised. The first loads need no other wait.
    if (TILES > 1) cluster_wait();
    else __syncthreads();
    if (loads) {
        for (int k = 0; k < min(STAGES, k_tiles); ++k) load(k, k);
    }
    // [end]

    if (warp == CONSUMERS * 4) {
        // [region keep loading]
        if (lane == 0) {
            int stage = 0;
            int parity = 0;
            for (int k = STAGES; k < k_tiles; ++k) {
                mbarrier_wait(shared_address(&empty[stage]), parity);
                load(k, stage);
                if (++stage == STAGES) {
                    stage = 0;
                    parity ^= 1;
                }
            }
        }
        __syncwarp();
        if (TILES == 1 && SPLIT > 1) cluster_wait();
        if (TILES * SPLIT > 1) {
            cluster_arrive();
            cluster_wait();
        }
        return;
        // [end]
    }

    // [region multiply]
    float acc[BM / 8][4] = {};
    int at_once = groups == 1 && beta == 0.0f;
    // A: groups of eight rows of 128 bytes.
    unsigned A_descriptor = lower_descriptor(A_tiles, 16);
    // The columns of C may be in any order. This order gives a lane two neighbours. Lane q of four reads row q of B, and
    // half a warp together reads all banks.
    const int unit = lane / 8 % 2 * 4 + lane / 16 + warp % 2 * 2;
    unsigned B_lane = B_tiles + warp / 2 * B_CHUNK_BYTES + lane / 4 % 2 * 8;
    // The first lanes of a warp each notify one of the blocks that load for it.
    int loader = first_rank + (lane < DOWN ? lane * ACROSS + across : down * ACROSS + (across + 1 + lane - DOWN) % ACROSS);
    // Without this, the compiler recomputes these values for each tile, to save registers, and moves the `at_once` store to the end of
    // the code. Code that runs in sequence should be adjacent: fetching instructions takes a good part of a small product's time.
    asm volatile("" : "+r"(A_descriptor), "+r"(B_lane), "+r"(loader), "+r"(at_once));
    int stage = 0;
    int parity = 0;
#pragma unroll 2  // Products in flight still read the last step's b. Unrolled twice, the two steps use different registers.
    for (int k = 0; k < k_tiles; ++k) {
        mbarrier_wait(shared_address(&full[stage]), parity);
        unsigned b[STEPS][4];
#pragma unroll
        for (int step = 0; step < STEPS; ++step) {
#pragma unroll
            for (int h = 0; h < 2; ++h) {
                const int r = step * 8 + h * 4 + lane % 4;
                load_shared(B_lane + stage * B_BYTES + r * 128 + (unit ^ r % 8) * 16, b[step][h * 2], b[step][h * 2 + 1]);
            }
        }
        wgmma_fence();
#pragma unroll
        for (int step = 0; step < STEPS; ++step) {
            wgmma_k8(acc, b[step], A_descriptor + stage * (A_BYTES / 16) + step * (A_STEP_BYTES / 16));
        }
        wgmma_commit();
        // After this, the previous tile's products are done, so its stage is free.
        wgmma_wait<1>();
        __syncwarp();
        if (k > 0 && lane < SHARERS) {
            mbarrier_arrive_remote(shared_address(&empty[stage == 0 ? STAGES - 1 : stage - 1]), loader);
        }
        if (++stage == STAGES) {
            stage = 0;
            parity ^= 1;
        }
    }
    wgmma_wait<0>();
    fence_registers(acc);
    if (TILES > 1 && SPLIT == 1) cluster_arrive();
    // [end]

    // [region share sums]
    // A block keeps the sums of its own rows. Each warp sends the other sums to the same warp of the block that finishes
    // those rows. Then it adds the sums that it received, in the order of the parts.
    float mine[SHARE][4];
    if (SPLIT == 1) {
#pragma unroll
        for (int i = 0; i < SHARE; ++i) {
#pragma unroll
            for (int e = 0; e < 4; ++e) mine[i][e] = acc[i][e];
        }
    } else {
        // All products of the block are done, so the sums that it sends may overwrite its tiles.
        multipliers_sync();
        const unsigned place = warp * (SHARE * 512);
#pragma unroll
        for (int other = 0; other < SPLIT; ++other) {
#pragma unroll
            for (int i = 0; i < SHARE; ++i) {
                if (other == part) {
#pragma unroll
                    for (int e = 0; e < 4; ++e) mine[i][e] = acc[other * SHARE + i][e];
                } else {
                    store_shared(A_tiles + other * SHARE_BYTES + place + i * 512 + lane * 16, acc[other * SHARE + i]);
                }
            }
        }
        fence_async();
        __syncwarp();
        if (TILES == 1) cluster_wait();
        if (lane < SPLIT && lane != part) {
            const int rank = lane * TILES + down * ACROSS + across;
            send(remote(sums + (part - (part > lane)) * SHARE_BYTES + place, rank), A_tiles + lane * SHARE_BYTES + place,
                SHARE * 512, remote(shared_address(&received), rank));
        }
        __syncwarp();
        mbarrier_wait(shared_address(&received), 0);
        cluster_arrive();
        const unsigned slot = sums + place + lane * 16;
#pragma unroll
        for (int i = 0; i < SHARE; ++i) {
            float sum[4] = {};
#pragma unroll
            for (int other = 0; other < SPLIT; ++other) {
                float v[4];
                if (other == part) {
#pragma unroll
                    for (int e = 0; e < 4; ++e) v[e] = mine[i][e];
                } else {
                    load_shared(slot + (other - (other > part)) * SHARE_BYTES + i * 512, v);
                }
#pragma unroll
                for (int e = 0; e < 4; ++e) sum[e] += v[e];
            }
#pragma unroll
            for (int e = 0; e < 4; ++e) mine[i][e] = sum[e];
        }
    }
    // [end]

    // [region store]
    const int first_row = row + part * SHARE * 8;
    const auto store = [&](bool adds) {
        const int r = first_row + lane % 4 * 2;
        const int c = column + warp / 2 * CHUNK + unit * 4 + lane / 4 % 2 * 2;
        // N and ldc are even, so the pair is entirely inside or outside, and aligned.
        const int rows = c < N ? M - r : 0;
        float* at = C + size_t(r) * ldc + c;
#pragma unroll
        for (int i = 0; i < SHARE; ++i) {
#pragma unroll
            for (int e = 0; e < 2; ++e) {
                if (i * 8 + e < rows) {
                    float2* const pair = reinterpret_cast<float2*>(at + e * size_t(ldc));
                    float2 v = make_float2(alpha * mine[i][e], alpha * mine[i][2 + e]);
                    // BLAS: with beta == 0, C is not read. Whatever it held, even NaN, must not leak.
                    if (adds) v.x += beta * pair->x, v.y += beta * pair->y;
                    *pair = v;
                }
            }
            at += 8 * size_t(ldc);
        }
    };
    if (at_once) {
        store(false);
    } else {
        // [end]

        // [region share between clusters]
        bool finishes = true;
        if (groups > 1) {
            float4* const share = workspace + size_t(tile * SPLIT + part) * groups * SHARE * MULTIPLIERS + threadIdx.x;
#pragma unroll
            for (int i = 0; i < SHARE; ++i) {
                share[(group * SHARE + i) * MULTIPLIERS] = make_float4(mine[i][0], mine[i][1], mine[i][2], mine[i][3]);
            }
            finishes = is_last(&counters[tile * SPLIT + part], groups);
            if (finishes) {
#pragma unroll
                for (int i = 0; i < SHARE; ++i) {
#pragma unroll
                    for (int e = 0; e < 4; ++e) mine[i][e] = 0.0f;
                }
                constexpr int AHEAD = SHARE < 16 ? 16 / SHARE : 1;    // clusters whose sums are loaded at the same time
#pragma unroll AHEAD
                for (int g = 0; g < groups; ++g) {
#pragma unroll
                    for (int i = 0; i < SHARE; ++i) {
                        const float4 v = __ldcg(&share[(g * SHARE + i) * MULTIPLIERS]);
                        mine[i][0] += v.x;
                        mine[i][1] += v.y;
                        mine[i][2] += v.z;
                        mine[i][3] += v.w;
                    }
                }
            }
        }
        // [end]

        // [region store the rest]
        if (finishes && beta == 0.0f) store(false);
        if (finishes && beta != 0.0f) store(true);
        // [end]
    }
    // A block must not exit while others may arrive at its barriers or while its sent sums are still being read.
    if (TILES * SPLIT > 1) cluster_wait();
}
