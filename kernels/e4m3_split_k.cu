// bf16_split_k with operands of eight bits (e4m3). A stage holds twice as many values along K in the same bytes. B is stored by columns:
// 8-bit operands must both run along K in shared memory, so the columns of B that a block multiplies are rows of 128 bytes there, as A's are.

// [region constants]
#ifndef BM
#define BM 128      // rows of a tile of C; wgmma_k32 must support this number
#define BN 128      // columns of a tile of C
#define BK 128      // depth of a tile of A and B
#define STAGES 7    // tiles in shared memory or in flight
#define SPLIT 1     // blocks of a cluster that share a tile of C, each with a part of K
#define DOWN 2      // tiles of C one below the other in a cluster, which share B
#define ACROSS 1    // tiles of C side by side in a cluster, which share A
#define GROUP 2     // cluster rows to go down before going right
#define RESIDENT 1  // blocks that must fit on an SM
#endif
constexpr int WARPGROUP = 128;
constexpr int CONSUMERS = (BN + 63) / 64;                 // warpgroups that multiply, 64 columns of C each
constexpr int THREADS = CONSUMERS * WARPGROUP + 32;       // plus one warp that loads
constexpr int CHUNK = 64;                                 // columns of B per copy, and of C in a 128-byte row of shared memory
constexpr int A_BYTES = BM * BK;
constexpr int B_CHUNK_BYTES = CHUNK * BK;
constexpr int B_BYTES = CONSUMERS * B_CHUNK_BYTES;
constexpr int LOADED_BYTES = A_BYTES + BN * BK;           // bytes per stage; a 32-column tile leaves half of each chunk unchanged
constexpr int LOADED_COLUMNS = (BN < CHUNK ? BN : CHUNK) / DOWN;  // columns of B that a block copies at a time
constexpr int STEP_BYTES = 32;                            // distance between the operands of consecutive wgmmas: 32 values along K
constexpr int TILES = DOWN * ACROSS;                      // tiles of C per cluster
constexpr int SHARERS = DOWN + ACROSS - 1;                // blocks that load for one block, including itself
constexpr int MULTIPLIERS = CONSUMERS * WARPGROUP;        // threads that multiply
constexpr int SHARE = BM / 8 / SPLIT;                     // eight-row groups of a tile that one block finishes
constexpr int SHARE_BYTES = SHARE * MULTIPLIERS * 16;     // bytes of its sums
constexpr int MOST_GROUPS = 16;                           // maximum number of clusters along K
constexpr int WORKSPACE = 1 << 21;                        // floats for the sums of all clusters
constexpr int MOST_PARTS = WORKSPACE / (SHARE * MULTIPLIERS * 4);  // maximum number of partial tiles that fit in the workspace
static_assert(BM % 8 == 0 && BM <= 256 && (BN % 64 == 0 || BN == 32) && BK == 128, "wgmma is 64xBMx32; a row of A's tile and a column of B's are 128 bytes");
static_assert(BM % ACROSS == 0 && LOADED_COLUMNS % 8 == 0, "a part of a tile has whole rows, and of B whole groups of eight columns");
static_assert(BM % (8 * SPLIT) == 0, "each block of a cluster finishes the same number of groups of eight rows");
// [end]

typedef unsigned char e4m3;
typedef unsigned short bf16;
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

// Arrives at another block's barrier with block scope, as CUTLASS does, outside the PTX memory model. It holds because only tensor cores
// read the stage, and wgmma_wait has waited for them. `.release.cluster` would cost a GPU-wide memory fence per tile.
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

// Starts to store a box from shared memory, without the elements that are outside the matrix.
__device__ void tma_store(const CUtensorMap& map, int column, int row, unsigned source)
{
    asm volatile(
        "cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%0, {%1, %2}], [%3];\ncp.async.bulk.commit_group;"
        :: "l"(&map), "r"(column), "r"(row), "r"(source) : "memory");
}

// Waits until this thread's stores no longer read shared memory.
__device__ void tma_store_wait_read()
{
    asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
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

// The descriptor says where a wgmma operand is in shared memory (128-byte swizzle). Its lower half holds the address and the first
// stride in units of 16 bytes. Only 18 bits of the address are used, because the bits above name the block within its cluster. To
// move on in shared memory, add the distance in units. The upper half (groups of eight rows of 128 bytes) never changes, so it is a
// constant in the instruction. With small tiles, there is little time to assemble a descriptor between two products.
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

// acc[64xBM] += B^T[64x32] * A^T[32xBM]. Both operands run along K.
__device__ void wgmma_k32(float (&acc)[BM / 8][4], unsigned b, unsigned a)
{
#define ACC(i) "+f"(acc[i][0]), "+f"(acc[i][1]), "+f"(acc[i][2]), "+f"(acc[i][3])
#define REGISTERS_16 "%2, %3, %4, %5, %6, %7, %8, %9"
#define REGISTERS_32 REGISTERS_16 ", %10, %11, %12, %13, %14, %15, %16, %17"
#define REGISTERS_48 REGISTERS_32 ", %18, %19, %20, %21, %22, %23, %24, %25"
#define REGISTERS_64 REGISTERS_48 ", %26, %27, %28, %29, %30, %31, %32, %33"
#define REGISTERS_80 REGISTERS_64 ", %34, %35, %36, %37, %38, %39, %40, %41"
#define REGISTERS_96 REGISTERS_80 ", %42, %43, %44, %45, %46, %47, %48, %49"
#define REGISTERS_104 REGISTERS_96 ", %50, %51, %52, %53"
#define REGISTERS_128 REGISTERS_104 ", %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, %64, %65"
#define REGISTERS_144 REGISTERS_128 ", %66, %67, %68, %69, %70, %71, %72, %73"
#define REGISTERS_160 REGISTERS_144 ", %74, %75, %76, %77, %78, %79, %80, %81"
#define REGISTERS_208 REGISTERS_160 ", %82, %83, %84, %85, %86, %87, %88, %89, %90, %91, %92, %93, %94, %95, %96, %97, %98, %99, %100, %101, %102, %103, %104, %105"
#define SUMS_16 ACC(0), ACC(1)
#define SUMS_32 SUMS_16, ACC(2), ACC(3)
#define SUMS_48 SUMS_32, ACC(4), ACC(5)
#define SUMS_64 SUMS_48, ACC(6), ACC(7)
#define SUMS_80 SUMS_64, ACC(8), ACC(9)
#define SUMS_96 SUMS_80, ACC(10), ACC(11)
#define SUMS_104 SUMS_96, ACC(12)
#define SUMS_128 SUMS_104, ACC(13), ACC(14), ACC(15)
#define SUMS_144 SUMS_128, ACC(16), ACC(17)
#define SUMS_160 SUMS_144, ACC(18), ACC(19)
#define SUMS_208 SUMS_160, ACC(20), ACC(21), ACC(22), ACC(23), ACC(24), ACC(25)
#define JOIN(what, rows) what##rows
#define OF(what, rows) JOIN(what, rows)
#define TEXT(rows) #rows
#define WGMMA(rows) \
    "{\n.reg .pred add;\nsetp.eq.b32 add, 0, 0;\n" \
    ".reg .b64 a, b;\nmov.b64 b, {%0, 0x40000040};\nmov.b64 a, {%1, 0x40000040};\n" \
    "wgmma.mma_async.sync.aligned.m64n" TEXT(rows) "k32.f32.e4m3.e4m3 {" OF(REGISTERS_, rows) "}, b, a, add, 1, 1;\n}"
    static_assert(UPPER_DESCRIPTOR == 0x40000040, "the upper half of both descriptors is this constant");
    asm volatile(WGMMA(BM) : "+r"(b), "+r"(a), OF(SUMS_, BM));
#undef ACC
}

// Packs two neighbours of a row as bf16, the left one in the low half.
__device__ unsigned pack_bf16(float left, float right)
{
    unsigned pair;
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(right), "f"(left));
    return pair;
}

// Transposes an 8x8 matrix that a warp holds. Before and after, lane i has two neighbours of row i / 4.
__device__ unsigned transpose(unsigned pair)
{
    asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %0;" : "+r"(pair));
    return pair;
}

// Stores 8x8 matrices to shared memory, transposed. Each lane gives the address of one 16-byte row.
__device__ void stmatrix_x4(unsigned address, unsigned m0, unsigned m1, unsigned m2, unsigned m3)
{
    asm volatile("stmatrix.sync.aligned.m8n8.x4.trans.shared.b16 [%0], {%1, %2, %3, %4};"
        :: "r"(address), "r"(m0), "r"(m1), "r"(m2), "r"(m3) : "memory");
}

__device__ void stmatrix_x2(unsigned address, unsigned m0, unsigned m1)
{
    asm volatile("stmatrix.sync.aligned.m8n8.x2.trans.shared.b16 [%0], {%1, %2};" :: "r"(address), "r"(m0), "r"(m1) : "memory");
}

__device__ float bf16_to_float(bf16 value)
{
    return __uint_as_float(unsigned(value) << 16);
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

__device__ void warpgroup_sync(int barrier)
{
    asm volatile("bar.sync %0, %1;" :: "r"(barrier), "n"(WARPGROUP) : "memory");
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
extern "C" __global__ void __cluster_dims__(ACROSS, DOWN, SPLIT) __launch_bounds__(THREADS, RESIDENT) e4m3_split_k(
    const __grid_constant__ CUtensorMap map_A, const __grid_constant__ CUtensorMap map_B, const __grid_constant__ CUtensorMap map_C,
    const e4m3* __restrict__ A, const e4m3* __restrict__ B, bf16* __restrict__ C,
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
        if (SPLIT == 1 && ldc % 16 != 0) prefetch(map_C);
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
            mbarrier_init(shared_address(&full[s]), 1);                     // one arrival, by the loading thread, and the bytes
            mbarrier_init(shared_address(&empty[s]), CONSUMERS * SHARERS);  // one arrival per consumer that it loads for
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
        const int B_column = column + down * LOADED_COLUMNS;
        mbarrier_arrive_expect(full_barrier, LOADED_BYTES);
        if (ACROSS == 1) tma_load(A_part, map_A, (first + k) * BK, A_row, full_barrier);
        else tma_load_multicast(A_part, map_A, (first + k) * BK, A_row, full_barrier, A_sharers);
#pragma unroll
        for (int chunk = 0; chunk < CONSUMERS; ++chunk) {
            const unsigned B_part = B_tiles + stage * B_BYTES + chunk * B_CHUNK_BYTES + down * (LOADED_COLUMNS * BK);
            if (DOWN == 1) tma_load(B_part, map_B, (first + k) * BK, B_column + chunk * CHUNK, full_barrier);
            else tma_load_multicast(B_part, map_B, (first + k) * BK, B_column + chunk * CHUNK, full_barrier, B_sharers);
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
    int at_once = groups == 1 && beta == 0.0f && N % 4 == 0 && (SPLIT > 1 || ldc % 16 == 0);
    // B is the first operand, in groups of eight of its columns, 128 bytes of K each. A is in groups of eight of its rows.
    unsigned B_descriptor = lower_descriptor(B_tiles + warp / 4 * B_CHUNK_BYTES, 16);
    unsigned A_descriptor = lower_descriptor(A_tiles, 16);
    // The first threads of a warpgroup each notify one of the blocks that load for it.
    int thread = threadIdx.x % WARPGROUP;
    int loader = first_rank + (thread < DOWN ? thread * ACROSS + across : down * ACROSS + (across + 1 + thread - DOWN) % ACROSS);
    // Without this, the compiler recomputes these values for each tile, to save registers, and moves the `at_once` store to the end of
    // the code. Code that runs in sequence should be adjacent: fetching instructions takes a good part of a small product's time.
    asm volatile("" : "+r"(A_descriptor), "+r"(B_descriptor), "+r"(thread), "+r"(loader), "+r"(at_once));
    int stage = 0;
    int parity = 0;
    for (int k = 0; k < k_tiles; ++k) {
        mbarrier_wait(shared_address(&full[stage]), parity);
        wgmma_fence();
        const unsigned a = A_descriptor + stage * (A_BYTES / 16);
        const unsigned b = B_descriptor + stage * (B_BYTES / 16);
#pragma unroll
        for (int step = 0; step < BK / 32; ++step) {
            wgmma_k32(acc, b + step * (STEP_BYTES / 16), a + step * (STEP_BYTES / 16));
        }
        wgmma_commit();
        // After this, the previous tile's products are done, so its stage is free.
        wgmma_wait<1>();
        if (k > 0 && thread < SHARERS) {
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
    const int end_column = BN < CHUNK ? min(N, column + BN) : N;
    // Transposes two 8x8 matrices (16 columns of C). Neighbouring lanes swap halves, so that each lane has four neighbours
    // of a row and four lanes fill a sector. ldc is a multiple of four, so four neighbours are aligned.
    const auto store = [&] {
        const bool odd = lane % 2;
        const int c = column + warp * 16 + odd * 8 + lane % 4 / 2 * 4;
        const int rows = c < end_column ? M - first_row - lane / 4 : 0;
        bf16* at = C + size_t(first_row + lane / 4) * ldc + c;
#pragma unroll
        for (int i = 0; i < SHARE; ++i) {
            const unsigned left = transpose(pack_bf16(alpha * mine[i][0], alpha * mine[i][1]));
            const unsigned right = transpose(pack_bf16(alpha * mine[i][2], alpha * mine[i][3]));
            const unsigned other = __shfl_xor_sync(0xffffffff, odd ? left : right, 1);
            if (i * 8 < rows) *reinterpret_cast<uint2*>(at) = odd ? make_uint2(other, right) : make_uint2(left, other);
            at += 8 * size_t(ldc);
        }
    };
    const bool whole = beta == 0.0f && N % 4 == 0;        // no element has to be stored by itself
    if (at_once) {
        store();
    } else if (SPLIT == 1 && groups == 1 && beta == 0.0f) {
        // [end]

        // [region store by copy engine]
        // If rows begin within a sector or end within a group of four, the copy engine stores C, in whole sectors where possible.
        // All products of the block are done, so C may overwrite its tiles: BM swizzled rows of 128 bytes per warpgroup.
        multipliers_sync();
        const unsigned C_rows = A_tiles + warp / 4 * (BM * 128);
        const auto half = [&](int i, int e) { return pack_bf16(alpha * mine[i][e], alpha * mine[i][e + 1]); };
        // Two 8x8 matrices cover eight rows and 16 columns of C. Each lane gives the address of one row of one matrix.
        const unsigned unit = (warp % 4 * 2 + lane / 8 % 2) ^ lane % 8;
        const unsigned at = C_rows + lane % 8 * 128 + unit * 16;
#pragma unroll
        for (int i = 0; i + 1 < SHARE; i += 2) {
            stmatrix_x4(at + (i + lane / 16) * 1024, half(i, 0), half(i, 2), half(i + 1, 0), half(i + 1, 2));
        }
        if (SHARE % 2 == 1) stmatrix_x2(at + (SHARE - 1) * 1024, half(SHARE - 1, 0), half(SHARE - 1, 2));
        fence_async();
        warpgroup_sync(2 + warp / 4);
        if (thread == 0) {
            tma_store(map_C, column + warp / 4 * CHUNK, row, C_rows);
            // Shared memory must stay valid until the store has read it.
            tma_store_wait_read();
        }
        // [end]
    } else {
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
        // Stores one element at a time if beta * C is added or if rows end within a group of four.
        if (finishes && whole) store();
        if (finishes && !whole) {
#pragma unroll
            for (int i = 0; i < SHARE; ++i) {
#pragma unroll
                for (int e = 0; e < 4; ++e) {
                    const int r = first_row + i * 8 + lane % 4 * 2 + e % 2;
                    const int c = column + warp * 16 + e / 2 * 8 + lane / 4;
                    if (r >= M || c >= end_column) continue;
                    bf16* at = C + size_t(r) * ldc + c;
                    float v = alpha * mine[i][e];
                    // BLAS: with beta == 0, C is not read. Whatever it held, even NaN, must not leak.
                    if (beta != 0.0f) v += beta * bf16_to_float(*at);
                    *at = bf16(pack_bf16(v, 0.0f));
                }
            }
        }
        // [end]
    }
    // A block must not exit while others may arrive at its barriers or while its sent sums are still being read.
    if (TILES * SPLIT > 1) cluster_wait();
}
