// A batch of products of equal size: bf16_tma_store with one more dimension in each tensor map, the product. The copy engine ends at the
// edges of each matrix: it reads zeros beyond them and writes nothing there, although the next matrix begins right behind.
// Persistent clusters take the tiles of all products in turn.

// [region constants]
#ifndef BM
#define BM 128           // rows of a tile
#define BN 256           // columns of a tile
#define STAGES 3         // tiles of A and B in shared memory or in flight
#define STORE_BUFFERS 4  // chunks of C of a consumer that are written or being stored
#define CLUSTER 1        // tiles one below the other, whose blocks share B
#define RESIDENT 1       // blocks that must fit on an SM
#endif
constexpr int BK = 64;                                    // depth of a tile of A and B
constexpr int WARPGROUP = 128;
constexpr int CONSUMERS = BM / 64;                        // warpgroups that multiply, 64 rows of C each
constexpr int THREADS = CONSUMERS * WARPGROUP + 32;       // plus one warp that loads
constexpr int CHUNK = 64;                                 // columns of a 128-byte row of shared memory
constexpr int A_BYTES = BM * BK * 2;
constexpr int B_BYTES = BK * BN * 2;
constexpr int B_CHUNK_BYTES = BK * CHUNK * 2;
constexpr int A_STEP_BYTES = 16 * 2;                      // distance between the A operands of consecutive wgmmas: 16 columns
constexpr int B_STEP_BYTES = 16 * 128;                    // the same for B: 16 rows
constexpr int STAGE_BYTES = A_BYTES + B_BYTES;
constexpr int C_CHUNK_BYTES = 64 * CHUNK * 2;
static_assert(BM % 64 == 0 && (BN == 64 || BN == 128 || BN == 192 || BN == 256), "a consumer's wgmma is 64xBNx16");
// [end]

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

// Arrives at the barrier of a block of the cluster with block scope, as CUTLASS does, outside the PTX memory model. It holds because only tensor
// cores read the stage, and wgmma_wait has waited for them. `.release.cluster` would cost a GPU-wide memory fence per tile.
__device__ void mbarrier_arrive(unsigned barrier, int rank)
{
    if (CLUSTER == 1) asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" :: "r"(barrier) : "memory");
    else asm volatile(
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

__device__ void tma_load(unsigned destination, const CUtensorMap& map, int column, int row, int product, unsigned barrier)
{
    asm volatile(
        "cp.async.bulk.tensor.3d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3, %4}], [%5];"
        :: "r"(destination), "l"(&map), "r"(column), "r"(row), "r"(product), "r"(barrier) : "memory");
}

// Copies the box to the same place in each block of the cluster, and counts its bytes at that barrier.
__device__ void tma_load_multicast(unsigned destination, const CUtensorMap& map, int column, int row, int product, unsigned barrier)
{
    const unsigned short blocks = (1 << CLUSTER) - 1;
    asm volatile(
        "cp.async.bulk.tensor.3d.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1, {%2, %3, %4}], [%5], %6;"
        :: "r"(destination), "l"(&map), "r"(column), "r"(row), "r"(product), "r"(barrier), "h"(blocks) : "memory");
}

__device__ void tma_store(const CUtensorMap& map, int column, int row, int product, unsigned source)
{
    asm volatile(
        "cp.async.bulk.tensor.3d.global.shared::cta.bulk_group [%0, {%1, %2, %3}], [%4];"
        :: "l"(&map), "r"(column), "r"(row), "r"(product), "r"(source) : "memory");
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

// Waits for the threads of the cluster, without a fence, which would cost more than the barrier.
__device__ void cluster_sync()
{
    if (CLUSTER == 1) __syncthreads();
    else asm volatile("barrier.cluster.arrive.relaxed;\nbarrier.cluster.wait.acquire;" ::: "memory");
}

__device__ void warpgroup_sync(int barrier)
{
    asm volatile("bar.sync %0, %1;" :: "r"(barrier), "n"(WARPGROUP) : "memory");
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

// acc[64xBN] (+)= A[64x16] * B[16xBN]. A's rows run along K, B's along N, so the last flag transposes B.
__device__ void wgmma_k16(float (&acc)[BN / 8][4], unsigned long long A, unsigned long long B, int accumulate)
{
#define ACC(i) "+f"(acc[i][0]), "+f"(acc[i][1]), "+f"(acc[i][2]), "+f"(acc[i][3])
#define ACC8(i) ACC(i), ACC(i + 1), ACC(i + 2), ACC(i + 3), ACC(i + 4), ACC(i + 5), ACC(i + 6), ACC(i + 7)
#define REGISTERS_64 \
    "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, " \
    "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31"
#define REGISTERS_128 REGISTERS_64 \
    ", %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47" \
    ", %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63"
#define REGISTERS_192 REGISTERS_128 \
    ", %64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79" \
    ", %80, %81, %82, %83, %84, %85, %86, %87, %88, %89, %90, %91, %92, %93, %94, %95"
#define REGISTERS_256 REGISTERS_192 \
    ", %96, %97, %98, %99, %100, %101, %102, %103, %104, %105, %106, %107, %108, %109, %110, %111" \
    ", %112, %113, %114, %115, %116, %117, %118, %119, %120, %121, %122, %123, %124, %125, %126, %127"
#define SUMS_64 ACC8(0)
#define SUMS_128 SUMS_64, ACC8(8)
#define SUMS_192 SUMS_128, ACC8(16)
#define SUMS_256 SUMS_192, ACC8(24)
#define WGMMA(columns, a, b, add) \
    asm volatile("{\n.reg .pred add;\nsetp.ne.b32 add, %" add ", 0;\n" \
        "wgmma.mma_async.sync.aligned.m64n" #columns "k16.f32.bf16.bf16 {" REGISTERS_##columns "}, %" a ", %" b ", add, 1, 1, 0, 1;\n}" \
        : SUMS_##columns : "l"(A), "l"(B), "r"(accumulate))
#if BN == 64
    WGMMA(64, "32", "33", "34");
#elif BN == 128
    WGMMA(128, "64", "65", "66");
#elif BN == 192
    WGMMA(192, "96", "97", "98");
#else
    WGMMA(256, "128", "129", "130");
#endif
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

// [region tile]
// A cluster's tile of C: its product, and its first row and column there.
struct Tile { int product, row, column; };

// Tiles run down the rows of a product before they move right, and then through the next product.
__device__ Tile tile_at(int tile, int tile_rows, int tile_columns)
{
    const int column = tile / tile_rows;
    const int product = column / tile_columns;
    return {product, (tile - column * tile_rows) * BM * CLUSTER, (column - product * tile_columns) * BN};
}
// [end]

// [region signature]
extern "C" __global__ void __cluster_dims__(CLUSTER, 1, 1) __launch_bounds__(THREADS, RESIDENT) bf16_batched(
    const __grid_constant__ CUtensorMap map_A, const __grid_constant__ CUtensorMap map_B, const __grid_constant__ CUtensorMap map_C,
    const bf16* __restrict__ A, const bf16* __restrict__ B, bf16* C,  // The compiler does not see that the copy engine writes C.
    int M, int N, int K, int lda, int ldb, int ldc, float alpha, float beta, int batch)
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

    // By the shuffle, the compiler knows that all lanes have the same number. Otherwise, barriers would be initialised in a loop over lanes.
    const int warp = __shfl_sync(0xffffffff, threadIdx.x / 32, 0);
    const int lane = threadIdx.x % 32;

    // [region initialise barriers]
    // Each initialisation takes tens of cycles, so the warps share them. Fetching a tensor map takes as long as fetching a tile, so it starts early.
    if (lane == 0) {
        if (warp == CONSUMERS * 4) {
            prefetch(map_A);
            prefetch(map_B);
            prefetch(map_C);
        }
#pragma unroll 1
        for (int s = warp; s < STAGES; s += THREADS / 32) {
            mbarrier_init(shared_address(&full[s]), 1);                     // one arrival, by this block's producer, and the bytes
            mbarrier_init(shared_address(&empty[s]), CONSUMERS * CLUSTER);  // one arrival per consumer of every block
        }
        fence_mbarrier_init();
    }
    // [end]

    // [region indices]
    const int rank = blockIdx.x % CLUSTER;
    const int tile_rows = (M + BM * CLUSTER - 1) / (BM * CLUSTER);
    const int tile_columns = (N + BN - 1) / BN;
    const int tiles = batch * tile_columns * tile_rows;
    const int k_tiles = (K + BK - 1) / BK;
    Tile tile = tile_at(blockIdx.x / CLUSTER, tile_rows, tile_columns);
    // [end]

    // No block may arrive at another block's barrier before it is initialised.
    cluster_sync();

    if (warp == CONSUMERS * 4) {
        // [region producer]
        if (lane == 0) {
            int stage = 0;
            int parity = 0;
            for (int t = blockIdx.x / CLUSTER; t < tiles;) {
                for (int k = 0; k < k_tiles; ++k) {
                    const unsigned full_barrier = shared_address(&full[stage]);
                    // The odd phase of a fresh barrier counts as complete, so the first turn of the ring does not wait.
                    mbarrier_wait(shared_address(&empty[stage]), parity ^ 1);
                    mbarrier_arrive_expect(full_barrier, STAGE_BYTES);
                    tma_load(A_tiles + stage * A_BYTES, map_A, k * BK, tile.row + rank * BM, tile.product, full_barrier);
#pragma unroll
                    for (int chunk = 0; chunk < BN / CHUNK; ++chunk) {
                        const unsigned B_chunk = B_tiles + stage * B_BYTES + chunk * B_CHUNK_BYTES;
                        if (CLUSTER == 1) {
                            tma_load(B_chunk, map_B, tile.column + chunk * CHUNK, k * BK, tile.product, full_barrier);
                        } else if ((chunk + k) % CLUSTER == rank) {
                            tma_load_multicast(B_chunk, map_B, tile.column + chunk * CHUNK, k * BK, tile.product, full_barrier);
                        }
                    }
                    if (++stage == STAGES) {
                        stage = 0;
                        parity ^= 1;
                    }
                }
                t += gridDim.x / CLUSTER;
                tile = tile_at(t, tile_rows, tile_columns);
            }
        }
        // [end]
    } else {
        const int consumer = warp / 4;
        const int thread = threadIdx.x % WARPGROUP;
        // [region descriptors]
        // A: groups of eight rows of 128 bytes. B: the same along K. The next 64 columns begin B_CHUNK_BYTES later.
        const unsigned long long A_descriptor = matrix_descriptor(A_tiles + consumer * 64 * 128, 16, 8 * 128);
        const unsigned long long B_descriptor = matrix_descriptor(B_tiles, B_CHUNK_BYTES, 8 * 128);
        // [end]
        int stage = 0;
        int parity = 0;
        int buffer = 0;
        for (int t = blockIdx.x / CLUSTER; t < tiles; t += gridDim.x / CLUSTER) {
            // [region multiply]
            float acc[BN / 8][4];
            for (int k = 0; k < k_tiles; ++k) {
                mbarrier_wait(shared_address(&full[stage]), parity);
                wgmma_fence();
#pragma unroll
                for (int step = 0; step < BK / 16; ++step) {
                    wgmma_k16(acc, A_descriptor + (stage * A_BYTES + step * A_STEP_BYTES) / 16,
                        B_descriptor + (stage * B_BYTES + step * B_STEP_BYTES) / 16, k > 0 || step > 0);
                }
                wgmma_commit();
                // The divisions take long, so they run while the tensor cores work.
                if (k == 0) tile = tile_at(t, tile_rows, tile_columns);
                // After this, the previous tile's products are done, so its stage is free in every block that loads it.
                wgmma_wait<1>();
                if (k > 0 && thread < CLUSTER) {
                    mbarrier_arrive(shared_address(&empty[stage == 0 ? STAGES - 1 : stage - 1]), thread);
                }
                if (++stage == STAGES) {
                    stage = 0;
                    parity ^= 1;
                }
            }
            wgmma_wait<0>();
            fence_registers(acc);
            if (thread < CLUSTER) {
                mbarrier_arrive(shared_address(&empty[stage == 0 ? STAGES - 1 : stage - 1]), thread);
            }
            // [end]

            const int row = tile.row + rank * BM + consumer * 64;

            // [region scale]
            // With alpha 1 and beta 0 the sums are the result. BLAS: with beta == 0, C is not read. Whatever it held,
            // even NaN, must not leak.
            if (__builtin_expect(alpha != 1.0f || beta != 0.0f, false)) {
                bf16* const old = C + size_t(tile.product) * M * ldc;
#pragma unroll
                for (int j = 0; j < BN / 8; ++j) {
#pragma unroll
                    for (int i = 0; i < 4; ++i) {
                        const int r = row + warp % 4 * 16 + i / 2 * 8 + lane / 4;
                        const int c = tile.column + j * 8 + lane % 4 * 2 + i % 2;
                        acc[j][i] *= alpha;
                        if (beta != 0.0f && r < M && c < N) acc[j][i] += beta * bf16_to_float(old[size_t(r) * ldc + c]);
                    }
                }
            }
            // [end]

            // [region store]
#pragma unroll
            for (int chunk = 0; chunk < BN / CHUNK; ++chunk) {
                const unsigned staged = C_chunks + (consumer * STORE_BUFFERS + buffer) * C_CHUNK_BYTES;
                if (++buffer == STORE_BUFFERS) buffer = 0;
#pragma unroll
                for (int j = 0; j < CHUNK / 8; j += 2) {
                    unsigned matrix[4];
#pragma unroll
                    for (int m = 0; m < 4; ++m) {
                        const float (&pair)[4] = acc[chunk * (CHUNK / 8) + j + m / 2];
                        matrix[m] = pack_bf16(pair[m % 2 * 2], pair[m % 2 * 2 + 1]);
                    }
                    // Four 8x8 matrices: rows 0-7 and 8-15 of 8 columns, then of the next 8. Each lane names one row.
                    const int r = warp % 4 * 16 + lane % 16;
                    const int unit = j + lane / 16;
                    stmatrix_x4(staged + r * 128 + (unit ^ r % 8) * 16, matrix);
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
                    tma_store(map_C, tile.column + chunk * CHUNK, row, tile.product, staged);
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
    if (CLUSTER > 1) cluster_sync();
}
