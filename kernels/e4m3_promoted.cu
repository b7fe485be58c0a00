// e4m3_wgmma with promoted sums. The tensor core keeps few bits of a sum, so it sums only one stage, and additions in FP32
// add that to the total. They take a quarter of the tile at a time, while the tensor cores multiply the next quarter.

// [region constants]
#ifndef BM
#define BM 128
#define BN 256
#define BK 128
#define STAGES 4
#define STORE_BUFFERS 2
#define GROUP 16
#define CLUSTER 2
#define COUNT 8
#endif
constexpr int WARPGROUP = 128;
constexpr int CONSUMERS = BM / 64;                        // warpgroups that multiply, 64 rows of C each
constexpr int THREADS = (1 + CONSUMERS) * WARPGROUP;
constexpr int PRODUCER_REGISTERS = 40;
constexpr int CONSUMER_REGISTERS = 232;
constexpr int CHUNK = 64;                                 // columns of B per copy and per wgmma, and of C in a 128-byte row of shared memory
constexpr int CHUNKS = BN / CHUNK;
constexpr int A_BYTES = BM * BK;
constexpr int B_BYTES = BN * BK;
constexpr int B_CHUNK_BYTES = CHUNK * BK;
constexpr int STEP_BYTES = 32;                            // distance between the operands of consecutive wgmmas: 32 values along K
constexpr int STAGE_BYTES = A_BYTES + B_BYTES;
constexpr int C_CHUNK_BYTES = 64 * CHUNK * 2;
static_assert(BM % 64 == 0 && BN % CHUNK == 0 && BK == 128, "wgmma is 64x64x32; a row of A's tile and a column of B's are 128 bytes");
static_assert(CHUNKS % 2 == 0, "the two accumulators alternate");
static_assert(STORE_BUFFERS >= 2 && CHUNKS % STORE_BUFFERS == 0, "one buffer is written while the previous one is stored");
static_assert(WARPGROUP * PRODUCER_REGISTERS + CONSUMERS * WARPGROUP * CONSUMER_REGISTERS <= 168 * THREADS, "setmaxnreg moves registers only within the block, which begins with 168 per thread");
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
__device__ void fence_registers(float (&acc)[TILES][4])
{
#pragma unroll
    for (int i = 0; i < TILES; ++i) asm volatile("" : "+f"(acc[i][0]), "+f"(acc[i][1]), "+f"(acc[i][2]), "+f"(acc[i][3]));
}

// acc[64x64] (+)= A[64x32] * B[32x64]. Both operands run along K.
__device__ void wgmma_m64n64k32(float (&acc)[CHUNK / 8][4], unsigned long long a, unsigned long long b, int accumulate)
{
#define ACC(i) "+f"(acc[i][0]), "+f"(acc[i][1]), "+f"(acc[i][2]), "+f"(acc[i][3])
    asm volatile(
        "{\n"
        ".reg .pred add;\n"
        "setp.ne.b32 add, %34, 0;\n"
        "wgmma.mma_async.sync.aligned.m64n64k32.f32.e4m3.e4m3 {"
        "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
        "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31"
        "}, %32, %33, add, 1, 1;\n"
        "}"
        : ACC(0), ACC(1), ACC(2), ACC(3), ACC(4), ACC(5), ACC(6), ACC(7)
        : "l"(a), "l"(b), "r"(accumulate));
#undef ACC
}

// Packs two neighbours of a row as bf16, the left one in the low half.
__device__ unsigned pack_bf16(float left, float right)
{
    unsigned pair;
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(right), "f"(left));
    return pair;
}

__device__ float bf16_to_float(bf16 value)
{
    return __uint_as_float(unsigned(value) << 16);
}

__device__ void stmatrix_x4(unsigned address, const unsigned (&matrix)[4])
{
    asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, %4};"
        :: "r"(address), "r"(matrix[0]), "r"(matrix[1]), "r"(matrix[2]), "r"(matrix[3]) : "memory");
}
// [end]

// [region promote]
// The position of the next stage in the ring, and the parity of its `full` barrier.
struct Ring { int stage, parity; };

// Adds the products of STAGE_COUNT stages to the sums. While one accumulator is added, the tensor cores fill the other one.
template <int STAGE_COUNT>
__device__ void multiply(float (&sum)[BN / 8][4], Ring& ring, unsigned long long A_descriptor, unsigned long long B_descriptor,
    mbarrier (&full)[STAGES], mbarrier (&empty)[STAGES], int thread)
{
    constexpr int PARTS = STAGE_COUNT * CHUNKS;
    float acc[2][CHUNK / 8][4];
    int stage = ring.stage;
    int oldest = stage;
#pragma unroll
    for (int part = 0; part <= PARTS; ++part) {
        if (part < PARTS) {
            if (part % CHUNKS == 0) {
                stage = ring.stage;
                mbarrier_wait(shared_address(&full[stage]), ring.parity);
                if (++ring.stage == STAGES) ring = {0, ring.parity ^ 1};
            }
            wgmma_fence();
#pragma unroll
            for (int step = 0; step < BK / 32; ++step) {
                wgmma_m64n64k32(acc[part % 2], A_descriptor + (stage * A_BYTES + step * STEP_BYTES) / 16,
                    B_descriptor + (stage * B_BYTES + part % CHUNKS * B_CHUNK_BYTES + step * STEP_BYTES) / 16, step > 0);
            }
            wgmma_commit();
        }
        if (part > 0) {
            // After this, the previous part's products are done.
            if (part < PARTS) wgmma_wait<1>(); else wgmma_wait<0>();
            fence_registers(acc[(part - 1) % 2]);
            if (part % CHUNKS == 0) {
                if (thread < CLUSTER) mbarrier_arrive_remote(shared_address(&empty[oldest]), thread);
                if (++oldest == STAGES) oldest = 0;
            }
#pragma unroll
            for (int j = 0; j < CHUNK / 8; ++j) {
#pragma unroll
                for (int i = 0; i < 4; ++i) sum[(part - 1) % CHUNKS * (CHUNK / 8) + j][i] += acc[(part - 1) % 2][j][i];
            }
        }
    }
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
extern "C" __global__ void __cluster_dims__(CLUSTER, 1, 1) __launch_bounds__(THREADS, 1) e4m3_promoted(
    const __grid_constant__ CUtensorMap map_A, const __grid_constant__ CUtensorMap map_B, const __grid_constant__ CUtensorMap map_C,
    const e4m3* __restrict__ A, const e4m3* __restrict__ B, bf16* __restrict__ C,
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
        give_registers_back<PRODUCER_REGISTERS>();
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
                    for (int chunk = 0; chunk < CHUNKS; ++chunk) {
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
        take_registers<CONSUMER_REGISTERS>();
        const int consumer = warpgroup - 1;
        const int thread = threadIdx.x % WARPGROUP;
        const int warp = thread / 32;
        const int lane = thread % 32;
        // [region descriptors]
        // A: groups of eight rows of 128 bytes. B: groups of eight columns of 128 bytes.
        const unsigned long long A_descriptor = matrix_descriptor(A_tiles + consumer * 64 * 128, 16, 8 * 128);
        const unsigned long long B_descriptor = matrix_descriptor(B_tiles, 16, 8 * 128);
        // [end]
        Ring ring = {0, 0};
        for (int tile = blockIdx.x / CLUSTER; tile < tiles; tile += gridDim.x / CLUSTER) {
            // [region multiply]
            float sum[BN / 8][4] = {};
            int row, column;
            tile_origin(tile, tile_rows, tile_columns, row, column);
            // At the end of a call, the consumer waits for all products. So a call takes many stages.
            int k = 0;
            for (; k + COUNT <= k_tiles; k += COUNT) {
                multiply<COUNT>(sum, ring, A_descriptor, B_descriptor, full, empty, thread);
            }
            for (; k < k_tiles; ++k) {
                multiply<1>(sum, ring, A_descriptor, B_descriptor, full, empty, thread);
            }
            // [end]

            row += rank * BM + consumer * 64;

            // [region scale]
            // With alpha 1 and beta 0 the sums are the result. BLAS: with beta == 0, C is not read. Whatever it held,
            // even NaN, must not leak.
            if (alpha != 1.0f || beta != 0.0f) {
#pragma unroll
                for (int j = 0; j < BN / 8; ++j) {
#pragma unroll
                    for (int i = 0; i < 4; ++i) {
                        const int r = row + warp * 16 + i / 2 * 8 + lane / 4;
                        const int c = column + j * 8 + lane % 4 * 2 + i % 2;
                        sum[j][i] *= alpha;
                        if (beta != 0.0f && r < M && c < N) sum[j][i] += beta * bf16_to_float(C[size_t(r) * ldc + c]);
                    }
                }
            }
            // [end]

            // [region store]
#pragma unroll
            for (int chunk = 0; chunk < CHUNKS; ++chunk) {
                const unsigned buffer = C_chunks + (consumer * STORE_BUFFERS + chunk % STORE_BUFFERS) * C_CHUNK_BYTES;
#pragma unroll
                for (int j = 0; j < CHUNK / 8; j += 2) {
                    unsigned matrix[4];
#pragma unroll
                    for (int m = 0; m < 4; ++m) {
                        const float (&pair)[4] = sum[chunk * (CHUNK / 8) + j + m / 2];
                        matrix[m] = pack_bf16(pair[m % 2 * 2], pair[m % 2 * 2 + 1]);
                    }
                    // Four 8x8 matrices: rows 0-7 and 8-15 of 8 columns, then of the next 8. Each lane names one row.
                    const int r = warp * 16 + lane % 16;
                    const int unit = j + lane / 16;
                    stmatrix_x4(buffer + r * 128 + (unit ^ r % 8) * 16, matrix);
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
                    tma_store(map_C, column + chunk * CHUNK, row, buffer);
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
