// e4m3_wgmma with integers: A and B of 8 bits, C of 32 bits. No sum is rounded, so C does not depend on the order of the products.
// alpha and beta are not applied, because the result would have to be rounded.

// [region constants]
#ifndef BM
#define BM 128
#define BN 256
#define BK 128
#define STAGES 4
#define STORE_BUFFERS 2
#define GROUP 16
#define CLUSTER 2
#endif
constexpr int WARPGROUP = 128;
constexpr int CONSUMERS = BM / 64;                        // warpgroups that multiply, 64 rows of C each
constexpr int THREADS = (1 + CONSUMERS) * WARPGROUP;
constexpr int PRODUCER_REGISTERS = 40;
constexpr int CONSUMER_REGISTERS = 232;
constexpr int CHUNK = 64;                                 // columns of B per copy
constexpr int C_CHUNK = 32;                               // columns of C in a 128-byte row of shared memory
constexpr int A_BYTES = BM * BK;
constexpr int B_BYTES = BN * BK;
constexpr int B_CHUNK_BYTES = CHUNK * BK;
constexpr int STEP_BYTES = 32;                            // distance between the operands of consecutive wgmmas: 32 values along K
constexpr int STAGE_BYTES = A_BYTES + B_BYTES;
constexpr int C_CHUNK_BYTES = 64 * C_CHUNK * 4;
static_assert(BM % 64 == 0 && BN % 64 == 0 && BN <= 256 && BK == 128, "a consumer's wgmma is 64xBNx32; a row of A's tile and a column of B's are 128 bytes");
static_assert(STORE_BUFFERS >= 2 && BN / C_CHUNK % STORE_BUFFERS == 0, "one buffer is written while the previous one is stored");
static_assert(CONSUMERS == 1 || WARPGROUP * PRODUCER_REGISTERS + CONSUMERS * WARPGROUP * CONSUMER_REGISTERS <= 168 * THREADS, "setmaxnreg moves registers only within the block, which begins with 168 per thread");
// [end]

typedef signed char s8;
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

// Arrives at the same barrier in another block of the cluster. No `.release.cluster`: only the tensor cores read the stage,
// and wgmma_wait has waited for them. The qualifier would cost a GPU-wide memory fence per tile.
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

__device__ void tma_store(const CUtensorMap& map, int column, int row, unsigned source)
{
    asm volatile(
        "cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%0, {%1, %2}], [%3];"
        :: "l"(&map), "r"(column), "r"(row), "r"(source) : "memory");
}

__device__ void tma_store_commit()
{
    asm volatile("cp.async.bulk.commit_group;" ::: "memory");
}

// Waits until at most PENDING of this thread's stores still read shared memory.
template <int PENDING>
__device__ void tma_store_wait_read()
{
    asm volatile("cp.async.bulk.wait_group.read %0;" :: "n"(PENDING) : "memory");
}

// Makes this thread's earlier writes to shared memory visible to the copy engine.
__device__ void fence_async_proxy()
{
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

__device__ void cluster_sync()
{
    asm volatile("barrier.cluster.arrive.release;\nbarrier.cluster.wait.acquire;" ::: "memory");
}

__device__ void warpgroup_sync(int barrier)
{
    asm volatile("bar.sync %0, %1;" :: "r"(barrier), "n"(WARPGROUP) : "memory");
}

template <int REGISTERS>
__device__ void give_registers_back()
{
    asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" :: "n"(REGISTERS));
}

template <int REGISTERS>
__device__ void take_registers()
{
    asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" :: "n"(REGISTERS));
}

// Describes where a wgmma operand is in shared memory: its address and strides in units of 16 bytes, with the
// 128-byte swizzle. Only 18 bits of the address are used, because the bits above name the block within its
// cluster. To move on in shared memory, add the distance in units to the descriptor.
__device__ unsigned long long matrix_descriptor(unsigned address, unsigned leading_bytes, unsigned stride_bytes)
{
    return (unsigned long long)((address & 0x3ffff) >> 4) | (unsigned long long)(leading_bytes >> 4) << 16
        | (unsigned long long)(stride_bytes >> 4) << 32 | 1ull << 62;
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
__device__ void fence_registers(int (&acc)[TILES][4])
{
#pragma unroll
    for (int i = 0; i < TILES; ++i) asm volatile("" : "+r"(acc[i][0]), "+r"(acc[i][1]), "+r"(acc[i][2]), "+r"(acc[i][3]));
}

// acc[64xBN] (+)= A[64x32] * B[32xBN], exact in 32 bits. Both operands run along K.
__device__ void wgmma_k32(int (&acc)[BN / 8][4], unsigned long long a, unsigned long long b, int accumulate)
{
#define ACC(i) "+r"(acc[i][0]), "+r"(acc[i][1]), "+r"(acc[i][2]), "+r"(acc[i][3])
#define ACC8(i) ACC(i), ACC(i + 1), ACC(i + 2), ACC(i + 3), ACC(i + 4), ACC(i + 5), ACC(i + 6), ACC(i + 7)
#define REGISTERS_64 \
    "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, " \
    "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31"
#define REGISTERS_128 REGISTERS_64 \
    ", %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, " \
    "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63"
#define REGISTERS_192 REGISTERS_128 \
    ", %64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, " \
    "%80, %81, %82, %83, %84, %85, %86, %87, %88, %89, %90, %91, %92, %93, %94, %95"
#define REGISTERS_256 REGISTERS_192 \
    ", %96, %97, %98, %99, %100, %101, %102, %103, %104, %105, %106, %107, %108, %109, %110, %111, " \
    "%112, %113, %114, %115, %116, %117, %118, %119, %120, %121, %122, %123, %124, %125, %126, %127"
#define WGMMA(columns, registers, a, b, add) \
    "{\n.reg .pred add;\nsetp.ne.b32 add, " add ", 0;\n" \
    "wgmma.mma_async.sync.aligned.m64n" columns "k32.s32.s8.s8 {" registers "}, " a ", " b ", add;\n}"
#if BN == 64
    asm volatile(WGMMA("64", REGISTERS_64, "%32", "%33", "%34")
        : ACC8(0) : "l"(a), "l"(b), "r"(accumulate));
#elif BN == 128
    asm volatile(WGMMA("128", REGISTERS_128, "%64", "%65", "%66")
        : ACC8(0), ACC8(8) : "l"(a), "l"(b), "r"(accumulate));
#elif BN == 192
    asm volatile(WGMMA("192", REGISTERS_192, "%96", "%97", "%98")
        : ACC8(0), ACC8(8), ACC8(16) : "l"(a), "l"(b), "r"(accumulate));
#else
    asm volatile(WGMMA("256", REGISTERS_256, "%128", "%129", "%130")
        : ACC8(0), ACC8(8), ACC8(16), ACC8(24) : "l"(a), "l"(b), "r"(accumulate));
#endif
}

// Stores two neighbours of a row in shared memory.
__device__ void store_pair(unsigned address, int left, int right)
{
    asm volatile("st.shared.v2.b32 [%0], {%1, %2};" :: "r"(address), "r"(left), "r"(right) : "memory");
}
// [end]

// [region rasterise]
// Computes the first row and column of a cluster's tile of C. Tiles run down a group of GROUP tile rows before they move
// right (left in every other group), a threadblock swizzle. So tiles in work at the same time share rows of A and columns of B in the L2 cache.
__device__ void tile_origin(int tile, int tile_rows, int tile_columns, int& row, int& column)
{
    const int group = tile / (GROUP * tile_columns);
    const int first = group * GROUP;
    const int rows = min(GROUP, tile_rows - first);
    const int within = tile - first * tile_columns;
    row = (first + within % rows) * BM * CLUSTER;
    const int along = within / rows;
    column = (group % 2 == 0 ? along : tile_columns - 1 - along) * BN;
}
// [end]

// [region signature]
extern "C" __global__ void __cluster_dims__(CLUSTER, 1, 1) __launch_bounds__(THREADS, 1) s8_wgmma(
    const __grid_constant__ CUtensorMap map_A, const __grid_constant__ CUtensorMap map_B, const __grid_constant__ CUtensorMap map_C,
    const s8* __restrict__ A, const s8* __restrict__ B, int* __restrict__ C,
    int M, int N, int K, int lda, int ldb, int ldc, float alpha, float beta)
// [end]
{
    // [region shared memory]
    // STAGES tiles of A, then of B, then each consumer's buffers for C, each at a multiple of 1024 bytes for the swizzle.
    extern __shared__ __align__(1024) unsigned char shared[];
    __shared__ mbarrier full[STAGES];
    __shared__ mbarrier empty[STAGES];
    const unsigned A_tiles = shared_address(shared);
    const unsigned B_tiles = A_tiles + STAGES * A_BYTES;
    const unsigned C_chunks = B_tiles + STAGES * B_BYTES;
    // [end]

    // [region indices]
    const int warpgroup = threadIdx.x / WARPGROUP;
    const int rank = blockIdx.x % CLUSTER;
    const int tile_rows = (M + BM * CLUSTER - 1) / (BM * CLUSTER);
    const int tile_columns = (N + BN - 1) / BN;
    const int tiles = tile_rows * tile_columns;
    const int k_tiles = (K + BK - 1) / BK;
    // [end]

    // [region initialise barriers]
    if (threadIdx.x == 0) {
        for (int s = 0; s < STAGES; ++s) {
            mbarrier_init(shared_address(&full[s]), 1);                     // one arrival, by this block's producer, and the bytes
            mbarrier_init(shared_address(&empty[s]), CONSUMERS * CLUSTER);  // one arrival per consumer of every block
        }
        fence_mbarrier_init();
    }
    // No block may arrive at another block's barrier before it is initialised.
    cluster_sync();
    // [end]

    if (warpgroup == 0) {
        // [region producer]
        if (CONSUMERS > 1) give_registers_back<PRODUCER_REGISTERS>();
        if (threadIdx.x == 0) {
            int stage = 0;
            int parity = 0;
            int round = 0;
            for (int tile = blockIdx.x / CLUSTER; tile < tiles; tile += gridDim.x / CLUSTER, ++round) {
                int row, column;
                tile_origin(tile, tile_rows, tile_columns, row, column);
                for (int t = 0; t < k_tiles; ++t) {
                    // Every other round runs backwards along K: it begins with what the last round left in the L2 cache.
                    const int k = round % 2 == 0 ? t : k_tiles - 1 - t;
                    const unsigned full_barrier = shared_address(&full[stage]);
                    // The odd phase of a fresh barrier counts as complete, so the first turn of the ring does not wait.
                    mbarrier_wait(shared_address(&empty[stage]), parity ^ 1);
                    mbarrier_arrive_expect(full_barrier, STAGE_BYTES);
                    tma_load(A_tiles + stage * A_BYTES, map_A, k * BK, row + rank * BM, full_barrier);
                    // The cluster's blocks load B's chunks alternately. The other block begins the next K tile, so an odd number balances.
#pragma unroll
                    for (int chunk = 0; chunk < BN / CHUNK; ++chunk) {
                        if ((chunk + t) % CLUSTER == rank) {
                            tma_load_multicast(B_tiles + stage * B_BYTES + chunk * B_CHUNK_BYTES, map_B,
                                k * BK, column + chunk * CHUNK, full_barrier, (1 << CLUSTER) - 1);
                        }
                    }
                    if (++stage == STAGES) {
                        stage = 0;
                        parity ^= 1;
                    }
                }
            }
        }
        // [end]
    } else {
        // The threads of one consumer have enough registers from the beginning.
        if (CONSUMERS > 1) take_registers<CONSUMER_REGISTERS>();
        const int consumer = warpgroup - 1;
        const int thread = threadIdx.x % WARPGROUP;
        const int warp = thread / 32;
        const int lane = thread % 32;
        // [region descriptors]
        // A: groups of eight rows of 128 bytes. B: groups of eight columns of 128 bytes.
        const unsigned long long A_descriptor = matrix_descriptor(A_tiles + consumer * 64 * 128, 16, 8 * 128);
        const unsigned long long B_descriptor = matrix_descriptor(B_tiles, 16, 8 * 128);
        // [end]
        int stage = 0;
        int parity = 0;
        for (int tile = blockIdx.x / CLUSTER; tile < tiles; tile += gridDim.x / CLUSTER) {
            // [region multiply]
            int acc[BN / 8][4];
            int row, column;
            for (int k = 0; k < k_tiles; ++k) {
                mbarrier_wait(shared_address(&full[stage]), parity);
                wgmma_fence();
#pragma unroll
                for (int step = 0; step < BK / 32; ++step) {
                    wgmma_k32(acc, A_descriptor + (stage * A_BYTES + step * STEP_BYTES) / 16,
                        B_descriptor + (stage * B_BYTES + step * STEP_BYTES) / 16, k > 0 || step > 0);
                }
                wgmma_commit();
                // The divisions take long, so they run while the tensor cores work.
                if (k == 0) tile_origin(tile, tile_rows, tile_columns, row, column);
                // After this, the previous tile's products are done, so its stage is free in every block that loads it.
                wgmma_wait<1>();
                if (k > 0 && thread < CLUSTER) {
                    mbarrier_arrive_remote(shared_address(&empty[stage == 0 ? STAGES - 1 : stage - 1]), thread);
                }
                if (++stage == STAGES) {
                    stage = 0;
                    parity ^= 1;
                }
            }
            wgmma_wait<0>();
            fence_registers(acc);
            if (thread < CLUSTER) {
                mbarrier_arrive_remote(shared_address(&empty[stage == 0 ? STAGES - 1 : stage - 1]), thread);
            }
            // [end]

            row += rank * BM + consumer * 64;

            // [region store]
            // A row of a chunk is 32 sums. Lanes of odd rows store the four groups of eight columns in another order, so that
            // four rows at a time use all banks.
            const int r = warp * 16 + lane / 4;
            const bool odd = r % 2 != 0;
#pragma unroll
            for (int chunk = 0; chunk < BN / C_CHUNK; ++chunk) {
                const unsigned buffer = C_chunks + (consumer * STORE_BUFFERS + chunk % STORE_BUFFERS) * C_CHUNK_BYTES;
#pragma unroll
                for (int j = 0; j < C_CHUNK / 8; ++j) {
                    const int (&even_sums)[4] = acc[chunk * (C_CHUNK / 8) + j];
                    const int (&odd_sums)[4] = acc[chunk * (C_CHUNK / 8) + (j ^ 2)];
                    const int unit = (odd ? j ^ 2 : j) * 2 + lane % 4 / 2;
                    const unsigned address = buffer + r * 128 + (unit ^ r % 8) * 16 + lane % 2 * 8;
                    store_pair(address, odd ? odd_sums[0] : even_sums[0], odd ? odd_sums[1] : even_sums[1]);
                    store_pair(address + 8 * 128, odd ? odd_sums[2] : even_sums[2], odd ? odd_sums[3] : even_sums[3]);
                }
                // [region hand over]
                // After this barrier the whole buffer is written and the next buffer is free. Only the thread that
                // committed a store can wait for it; the other threads wait for that thread.
                fence_async_proxy();
                if (thread == 0) {
                    tma_store_wait_read<STORE_BUFFERS - 2>();
                }
                warpgroup_sync(1 + consumer);
                if (thread == 0) {
                    tma_store(map_C, column + chunk * C_CHUNK, row, buffer);
                    tma_store_commit();
                }
                // [end]
            }
            // [end]
        }
        // Shared memory must stay valid until the stores have read it.
        if (thread == 0) {
            tma_store_wait_read<0>();
        }
    }
    // A block must not exit while the other one may still arrive at its barriers.
    cluster_sync();
}
