// bf16 for matrices with too few tiles to fill the GPU. Smaller tiles, one or two consumers of 64 rows each and a warp that
// loads; the blocks of a cluster share a tile of C, each multiplies its part of K, and they add up their sums through each
// other's shared memory, always in the same order.

// [region constants]
#ifndef BM
#define BM 128      // rows of C a cluster
#define BN 128      // columns of C a cluster
#define BK 64       // depth of a tile of A and B
#define STAGES 4    // tiles in shared memory or on their way
#define SPLIT 2     // blocks of a cluster: parts of K
#define RESIDENT 1  // blocks that a multiprocessor is to hold
#endif
constexpr int WARPGROUP = 128;
constexpr int CONSUMERS = BM / 64;                        // warpgroups that multiply, 64 rows of C each
constexpr int THREADS = CONSUMERS * WARPGROUP + 32;       // and a warp that loads
constexpr int CHUNK = 64;                                 // columns of a 128-byte row of shared memory
constexpr int A_BYTES = BM * BK * 2;
constexpr int B_BYTES = BK * BN * 2;
constexpr int B_CHUNK_BYTES = BK * CHUNK * 2;
constexpr int A_STEP_BYTES = 16 * 2;                      // from one wgmma's part of a stage to the next: 16 columns of A,
constexpr int B_STEP_BYTES = 16 * 128;                    // 16 rows of B
constexpr int STAGE_BYTES = A_BYTES + B_BYTES;
constexpr int SUM_PITCH = BN + 8;                         // floats from one row of sums to the next: four rows in different banks
static_assert(BM % 64 == 0 && BK == 64 && (BN == 64 || BN == 128 || BN == 256), "wgmma is 64xBNx16; a row of A's tile is 128 bytes");
static_assert(BM % SPLIT == 0, "each block of a cluster finishes as many rows");
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

// The initialised barriers become visible to the copy engine.
__device__ void fence_mbarrier_init()
{
    asm volatile("fence.mbarrier_init.release.cluster;\nfence.proxy.async.shared::cta;" ::: "memory");
}

__device__ void mbarrier_arrive_expect(unsigned barrier, int bytes)
{
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" :: "r"(barrier), "r"(bytes) : "memory");
}

__device__ void mbarrier_arrive(unsigned barrier)
{
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" :: "r"(barrier) : "memory");
}

// Waits until the phase of this parity is complete.
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

// Where an operand of wgmma lies in shared memory: address and strides in units of 16 bytes, 128-byte swizzle.
// Of the address 18 bits: those above name the block in its cluster. Further along in shared memory is the same
// descriptor plus the distance in units.
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

// acc[64xBN] += A[64x16] * B[16xBN]; A's rows run along K, B's along N (the last operand, transposed).
__device__ void wgmma_k16(float (&acc)[BN / 8][4], unsigned long long a, unsigned long long b)
{
#define ACC(i) "+f"(acc[i][0]), "+f"(acc[i][1]), "+f"(acc[i][2]), "+f"(acc[i][3])
#define ACC8(i) ACC(i), ACC(i + 1), ACC(i + 2), ACC(i + 3), ACC(i + 4), ACC(i + 5), ACC(i + 6), ACC(i + 7)
#define REGISTERS_64 \
    "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, " \
    "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31"
#define REGISTERS_128 REGISTERS_64 \
    ", %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, " \
    "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63"
#define REGISTERS_256 REGISTERS_128 \
    ", %64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, " \
    "%80, %81, %82, %83, %84, %85, %86, %87, %88, %89, %90, %91, %92, %93, %94, %95, " \
    "%96, %97, %98, %99, %100, %101, %102, %103, %104, %105, %106, %107, %108, %109, %110, %111, " \
    "%112, %113, %114, %115, %116, %117, %118, %119, %120, %121, %122, %123, %124, %125, %126, %127"
#define WGMMA(columns, registers, a, b) \
    "{\n.reg .pred add;\nsetp.eq.b32 add, 0, 0;\n" \
    "wgmma.mma_async.sync.aligned.m64n" columns "k16.f32.bf16.bf16 {" registers "}, " a ", " b ", add, 1, 1, 0, 1;\n}"
#if BN == 64
    asm volatile(WGMMA("64", REGISTERS_64, "%32", "%33") : ACC8(0) : "l"(a), "l"(b));
#elif BN == 128
    asm volatile(WGMMA("128", REGISTERS_128, "%64", "%65") : ACC8(0), ACC8(8) : "l"(a), "l"(b));
#else
    asm volatile(WGMMA("256", REGISTERS_256, "%128", "%129")
        : ACC8(0), ACC8(8), ACC8(16), ACC8(24) : "l"(a), "l"(b));
#endif
}

// Two neighbours of a row as bf16, the left one in the low half.
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
// [end]

// [region cluster]
__device__ int rank_in_cluster()
{
    int rank;
    asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    return rank;
}

// What a block wrote to shared memory before it, every block of the cluster sees after it.
__device__ void cluster_sync()
{
    asm volatile("barrier.cluster.arrive.release;\nbarrier.cluster.wait.acquire;" ::: "memory");
}

__device__ void store_shared(unsigned address, float left, float right)
{
    asm volatile("st.shared.v2.f32 [%0], {%1, %2};" :: "r"(address), "f"(left), "f"(right) : "memory");
}

// Four floats from the same place of another block's shared memory.
__device__ float4 load_remote(unsigned address, int rank)
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

// [region signature]
extern "C" __global__ void __cluster_dims__(1, 1, SPLIT) __launch_bounds__(THREADS, RESIDENT) bf16_split_k(
    const __grid_constant__ CUtensorMap map_A, const __grid_constant__ CUtensorMap map_B,
    const bf16* __restrict__ A, const bf16* __restrict__ B, bf16* __restrict__ C,
    int M, int N, int K, int lda, int ldb, int ldc, float alpha, float beta)
// [end]
{
    // [region shared memory]
    // STAGES tiles of A, then of B: all on 1024 bytes, as the swizzle wants. When they are multiplied, the sums take their place.
    extern __shared__ __align__(1024) unsigned char shared[];
    __shared__ mbarrier full[STAGES];
    __shared__ mbarrier empty[STAGES];
    const unsigned A_tiles = shared_address(shared);
    const unsigned B_tiles = A_tiles + STAGES * A_BYTES;
    // [end]

    // [region indices]
    const int warp = threadIdx.x / 32;
    const int lane = threadIdx.x % 32;
    const int row = blockIdx.y * BM;
    const int column = blockIdx.x * BN;
    // Each block takes as many tiles along K as the others, or one more.
    const int rank = rank_in_cluster();
    const int all_tiles = (K + BK - 1) / BK;
    const int first = int((long long)all_tiles * rank / SPLIT);
    const int k_tiles = int((long long)all_tiles * (rank + 1) / SPLIT) - first;
    // [end]

    // [region initialise barriers]
    if (threadIdx.x == 0) {
        for (int s = 0; s < STAGES; ++s) {
            mbarrier_init(shared_address(&full[s]), 1);           // the warp that loads, and the bytes
            mbarrier_init(shared_address(&empty[s]), CONSUMERS);
        }
        fence_mbarrier_init();
    }
    __syncthreads();
    // [end]

    float acc[BN / 8][4] = {};
    if (warp == CONSUMERS * 4) {
        // [region load]
        if (lane == 0) {
            int stage = 0;
            int parity = 0;
            for (int k = 0; k < k_tiles; ++k) {
                const unsigned full_barrier = shared_address(&full[stage]);
                // A fresh barrier counts as past its odd phase: the first turn of the ring does not wait.
                mbarrier_wait(shared_address(&empty[stage]), parity ^ 1);
                mbarrier_arrive_expect(full_barrier, STAGE_BYTES);
#pragma unroll
                for (int box = 0; box < CONSUMERS; ++box) {
                    tma_load(A_tiles + stage * A_BYTES + box * 64 * 128, map_A, (first + k) * BK, row + box * 64, full_barrier);
                }
#pragma unroll
                for (int chunk = 0; chunk < BN / CHUNK; ++chunk) {
                    tma_load(B_tiles + stage * B_BYTES + chunk * B_CHUNK_BYTES, map_B, column + chunk * CHUNK, (first + k) * BK, full_barrier);
                }
                if (++stage == STAGES) {
                    stage = 0;
                    parity ^= 1;
                }
            }
        }
        __syncwarp();
        // [end]
    } else {
        // [region multiply]
        // A: groups of eight rows of 128 bytes. B: the same along K, and B_CHUNK_BYTES from 64 columns to the next 64.
        const unsigned long long A_descriptor = matrix_descriptor(A_tiles + warp / 4 * 64 * 128, 16, 8 * 128);
        const unsigned long long B_descriptor = matrix_descriptor(B_tiles, B_CHUNK_BYTES, 8 * 128);
        int stage = 0;
        int parity = 0;
        for (int k = 0; k < k_tiles; ++k) {
            mbarrier_wait(shared_address(&full[stage]), parity);
            wgmma_fence();
#pragma unroll
            for (int step = 0; step < BK / 16; ++step) {
                wgmma_k16(acc, A_descriptor + (stage * A_BYTES + step * A_STEP_BYTES) / 16,
                    B_descriptor + (stage * B_BYTES + step * B_STEP_BYTES) / 16);
            }
            wgmma_commit();
            // The products of the tile before are done, so its stage is free.
            wgmma_wait<1>();
            if (k > 0 && threadIdx.x % WARPGROUP == 0) {
                mbarrier_arrive(shared_address(&empty[stage == 0 ? STAGES - 1 : stage - 1]));
            }
            if (++stage == STAGES) {
                stage = 0;
                parity ^= 1;
            }
        }
        wgmma_wait<0>();
        // [end]
    }

    // [region share sums]
    // All products of the block are done, so the sums may take the tiles' place.
    __syncthreads();
    if (warp < CONSUMERS * 4) {
#pragma unroll
        for (int j = 0; j < BN / 8; ++j) {
#pragma unroll
            for (int h = 0; h < 2; ++h) {
                const int r = warp * 16 + h * 8 + lane / 4;
                store_shared(A_tiles + (r * SUM_PITCH + j * 8 + lane % 4 * 2) * 4, acc[j][h * 2], acc[j][h * 2 + 1]);
            }
        }
    }
    cluster_sync();
    // [end]

    // [region reduce]
    // A block finishes its share of the tile's rows: it adds what every block has there, in the order of their parts of K.
    // ldc is a multiple of four, so four neighbours are aligned.
#pragma unroll 2
    for (int four = threadIdx.x; four < BM / SPLIT * BN / 4; four += THREADS) {
        const int in_tile = rank * (BM / SPLIT) + four / (BN / 4);
        const int r = row + in_tile;
        const int c = column + four % (BN / 4) * 4;
        if (r >= M || c >= N) continue;
        float4 part[SPLIT];
#pragma unroll
        for (int block = 0; block < SPLIT; ++block) {
            part[block] = load_remote(A_tiles + (in_tile * SUM_PITCH + c - column) * 4, block);
        }
        float sum[4] = {part[0].x, part[0].y, part[0].z, part[0].w};
#pragma unroll
        for (int block = 1; block < SPLIT; ++block) {
            sum[0] += part[block].x;
            sum[1] += part[block].y;
            sum[2] += part[block].z;
            sum[3] += part[block].w;
        }
        bf16* at = C + size_t(r) * ldc + c;
#pragma unroll
        for (int e = 0; e < 4; ++e) {
            sum[e] *= alpha;
            // BLAS: with beta == 0, C is not read. Whatever it held, even NaN, must not leak.
            if (beta != 0.0f && c + e < N) sum[e] += beta * bf16_to_float(at[e]);
        }
        const uint2 v = make_uint2(pack_bf16(sum[0], sum[1]), pack_bf16(sum[2], sum[3]));
        if (c + 4 <= N) {
            *reinterpret_cast<uint2*>(at) = v;
        } else {
            at[0] = bf16(v.x);
            if (c + 1 < N) at[1] = bf16(v.x >> 16);
            if (c + 2 < N) at[2] = bf16(v.y);
        }
    }
    // A block's shared memory must outlive the others' reading of it.
    cluster_sync();
    // [end]
}
