// bf16 for matrices with too few tiles to fill the GPU. Smaller tiles, consumers of 64 rows each and a warp that loads. The blocks
// of a cluster share a tile of C, each multiplies its part of K, and they add up their sums through each other's shared memory,
// always in the same order. In a pair, two tiles one above the other share what they load of B. Where K is so long that a
// cluster is too few, several clusters have parts of it, and the one that comes last adds up what they left in memory.

// [region constants]
#ifndef BM
#define BM 128      // rows of a tile of C
#define BN 128      // columns of a tile of C
#define BK 64       // depth of a tile of A and B
#define STAGES 6    // tiles in shared memory or on their way
#define SPLIT 2     // blocks of a cluster that share a tile of C: parts of K
#define PAIR 1      // tiles of C in a cluster, one above the other
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
constexpr int MOST_GROUPS = 16;                           // clusters along K
constexpr int WORKSPACE = 1 << 21;                        // floats, for the sums of all clusters
constexpr int COUNTERS = 1 << 13;
static_assert(BM % 64 == 0 && BN % 64 == 0 && BN <= 256 && BK == 64, "wgmma is 64xBNx16; a row of A's tile is 128 bytes");
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

// The initialised barriers become visible to the other blocks of the cluster and to the copy engine.
__device__ void fence_mbarrier_init()
{
    asm volatile("fence.mbarrier_init.release.cluster;\nfence.proxy.async.shared::cta;" ::: "memory");
}

__device__ void mbarrier_arrive_expect(unsigned barrier, int bytes)
{
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" :: "r"(barrier), "r"(bytes) : "memory");
}

// Arrives at the same barrier of another block of the cluster. No `.release.cluster`: what is handed over was read by the
// tensor cores alone, and wgmma_wait has seen the end of it. The qualifier would cost a memory fence of the whole GPU a tile.
__device__ void mbarrier_arrive_remote(unsigned barrier, int rank)
{
    asm volatile(
        "{\n"
        ".reg .b32 remote;\n"
        "mapa.shared::cluster.u32 remote, %0, %1;\n"
        "mbarrier.arrive.shared::cluster.b64 _, [remote];\n"
        "}" :: "r"(barrier), "r"(rank) : "memory");
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

// The box arrives at the same place in every block of the cluster whose bit is set, and counts at the barrier of each.
__device__ void tma_load_multicast(unsigned destination, const CUtensorMap& map, int column, int row, unsigned barrier, unsigned short blocks)
{
    asm volatile(
        "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1, {%2, %3}], [%4], %5;"
        :: "r"(destination), "l"(&map), "r"(column), "r"(row), "r"(barrier), "h"(blocks) : "memory");
}

// Where an operand of wgmma lies in shared memory, 128-byte swizzle: of its descriptor the lower half, address and first stride in
// units of 16 bytes. Of the address 18 bits: those above name the block in its cluster. Further along in shared memory is the same
// plus the distance in units. The upper half, of groups of eight rows of 128 bytes, is the same for all and part of the instruction:
// with small tiles, little time is left between two products to put descriptors together.
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

// acc[64xBN] += A[64x16] * B[16xBN]; A's rows run along K, B's along N (the last operand, transposed).
__device__ void wgmma_k16(float (&acc)[BN / 8][4], unsigned a, unsigned b)
{
#define ACC(i) "+f"(acc[i][0]), "+f"(acc[i][1]), "+f"(acc[i][2]), "+f"(acc[i][3])
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
#define WGMMA(columns, registers, a, b, upper) \
    "{\n.reg .pred add;\nsetp.eq.b32 add, 0, 0;\n" \
    ".reg .b64 a, b;\nmov.b64 a, {" a ", " upper "};\nmov.b64 b, {" b ", " upper "};\n" \
    "wgmma.mma_async.sync.aligned.m64n" columns "k16.f32.bf16.bf16 {" registers "}, a, b, add, 1, 1, 0, 1;\n}"
#if BN == 64
    asm volatile(WGMMA("64", REGISTERS_64, "%32", "%33", "%34") : ACC8(0) : "r"(a), "r"(b), "n"(UPPER_DESCRIPTOR));
#elif BN == 128
    asm volatile(WGMMA("128", REGISTERS_128, "%64", "%65", "%66") : ACC8(0), ACC8(8) : "r"(a), "r"(b), "n"(UPPER_DESCRIPTOR));
#elif BN == 192
    asm volatile(WGMMA("192", REGISTERS_192, "%96", "%97", "%98") : ACC8(0), ACC8(8), ACC8(16) : "r"(a), "r"(b), "n"(UPPER_DESCRIPTOR));
#else
    asm volatile(WGMMA("256", REGISTERS_256, "%128", "%129", "%130")
        : ACC8(0), ACC8(8), ACC8(16), ACC8(24) : "r"(a), "r"(b), "n"(UPPER_DESCRIPTOR));
#endif
}

// Two neighbours of a row as bf16, the left one in the low half.
__device__ unsigned pack_bf16(float left, float right)
{
    unsigned pair;
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(right), "f"(left));
    return pair;
}

// Four neighbours of a row, or as many of them as the row has.
__device__ void store_four(bf16* at, uint2 pairs, int columns)
{
    if (columns >= 4) {
        *reinterpret_cast<uint2*>(at) = pairs;
    } else {
        if (columns > 0) at[0] = bf16(pairs.x);
        if (columns > 1) at[1] = bf16(pairs.x >> 16);
        if (columns > 2) at[2] = bf16(pairs.y);
    }
}

__device__ float bf16_to_float(bf16 value)
{
    return __uint_as_float(unsigned(value) << 16);
}
// [end]

// [region cluster]
// What a block wrote to shared memory before it, every block of the cluster sees after it.
__device__ void cluster_sync()
{
    asm volatile("barrier.cluster.arrive.release;\nbarrier.cluster.wait.acquire;" ::: "memory");
}

__device__ void store_shared(unsigned address, float left, float right)
{
    asm volatile("st.shared.v2.f32 [%0], {%1, %2};" :: "r"(address), "f"(left), "f"(right) : "memory");
}

__device__ float4 add(float4 a, float4 b)
{
    return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
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

// [region workspace]
// What clusters along K leave for the last of them: launches that run at the same time must not share it.
__device__ float workspace[WORKSPACE];
__device__ unsigned counters[COUNTERS];

// Of so many clusters along K those that take part: as many as there is workspace for.
__device__ int groups_of(int tiles, int clusters)
{
    return max(1, min(min(clusters, MOST_GROUPS), min(WORKSPACE / (BM * BN), COUNTERS / SPLIT) / tiles));
}

// Whether `blocks` blocks have come here, this one the last of them: then it sees what the others wrote before. The counter begins
// anew, for the next launch.
__device__ bool is_last(unsigned* counter, int blocks)
{
    __shared__ bool last;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) {
        last = atomicAdd(counter, 1) == blocks - 1;
        if (last) *counter = 0;
    }
    __syncthreads();
    __threadfence();
    return last;
}
// [end]

// [region signature]
extern "C" __global__ void __cluster_dims__(1, PAIR, SPLIT) __launch_bounds__(THREADS, RESIDENT) bf16_split_k(
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
    const int upper = blockIdx.y % PAIR;                  // which tile of a pair
    const int rank = blockIdx.z % SPLIT;                  // which part of K within a cluster
    const int group = blockIdx.z / SPLIT;                 // which of the clusters along K
    const int tile = blockIdx.y * gridDim.x + blockIdx.x;
    const int groups = gridDim.z == SPLIT ? 1 : groups_of(gridDim.x * gridDim.y, gridDim.z / SPLIT);
    if (group >= groups) return;
    // Each block takes as many tiles along K as the others, or one more.
    const int part = blockIdx.z;
    const int all_tiles = (K + BK - 1) / BK;
    const int each = groups == 1 ? all_tiles / SPLIT : all_tiles / (groups * SPLIT);
    const int more = all_tiles - each * groups * SPLIT;
    const int first = part * each + min(part, more);
    const int k_tiles = each + (part < more);
    // [end]

    // [region load]
    // Of B, the blocks of a pair load one chunk after the other in turns, each for both.
    const auto load = [&](int k, int stage) {
        const unsigned full_barrier = shared_address(&full[stage]);
        mbarrier_arrive_expect(full_barrier, STAGE_BYTES);
#pragma unroll
        for (int box = 0; box < CONSUMERS; ++box) {
            tma_load(A_tiles + stage * A_BYTES + box * 64 * 128, map_A, (first + k) * BK, row + box * 64, full_barrier);
        }
#pragma unroll
        for (int chunk = 0; chunk < BN / CHUNK; ++chunk) {
            const unsigned to = B_tiles + stage * B_BYTES + chunk * B_CHUNK_BYTES;
            if (PAIR == 1) {
                tma_load(to, map_B, column + chunk * CHUNK, (first + k) * BK, full_barrier);
            } else if ((chunk + k) % PAIR == upper) {
                tma_load_multicast(to, map_B, column + chunk * CHUNK, (first + k) * BK, full_barrier, ((1 << PAIR) - 1) << rank * PAIR);
            }
        }
    };
    // [end]

    // [region initialise barriers]
    const bool loads = warp == CONSUMERS * 4 && lane == 0;
    if (loads) {
        for (int s = 0; s < STAGES; ++s) {
            mbarrier_init(shared_address(&full[s]), 1);                  // this block's loading thread, and the bytes
            mbarrier_init(shared_address(&empty[s]), CONSUMERS * PAIR);  // the consumers of both blocks of a pair
        }
        fence_mbarrier_init();
    }
    // Nothing arrives at another block's barriers before they are there. The first tiles need no other wait.
    if (PAIR > 1) cluster_sync();
    if (loads) {
        for (int k = 0; k < min(STAGES, k_tiles); ++k) load(k, k);
    }
    __syncthreads();
    // [end]

    float acc[BN / 8][4] = {};
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
        // [end]
    } else {
        // [region multiply]
        // A: groups of eight rows of 128 bytes. B: the same along K, and B_CHUNK_BYTES from 64 columns to the next 64.
        unsigned A_descriptor = lower_descriptor(A_tiles + warp / 4 * 64 * 128, 16);
        unsigned B_descriptor = lower_descriptor(B_tiles, B_CHUNK_BYTES);
        int thread = threadIdx.x % WARPGROUP;
        // Or the compiler computes them anew for each tile, to save registers.
        asm volatile("" : "+r"(A_descriptor), "+r"(B_descriptor), "+r"(thread));
        int stage = 0;
        int parity = 0;
        for (int k = 0; k < k_tiles; ++k) {
            mbarrier_wait(shared_address(&full[stage]), parity);
            wgmma_fence();
            const unsigned a = A_descriptor + stage * (A_BYTES / 16);
            const unsigned b = B_descriptor + stage * (B_BYTES / 16);
#pragma unroll
            for (int step = 0; step < BK / 16; ++step) {
                wgmma_k16(acc, a + step * (A_STEP_BYTES / 16), b + step * (B_STEP_BYTES / 16));
            }
            wgmma_commit();
            // The products of the tile before are done, so its stage is free.
            wgmma_wait<1>();
            if (k > 0 && thread < PAIR) {
                mbarrier_arrive_remote(shared_address(&empty[stage == 0 ? STAGES - 1 : stage - 1]), rank * PAIR + thread);
            }
            if (++stage == STAGES) {
                stage = 0;
                parity ^= 1;
            }
        }
        wgmma_wait<0>();
        // [end]
    }

    // [region store]
    // A block that has all of K stores by itself. Neighbouring lanes swap halves of two 8x8 matrices, so that each has four
    // neighbours of a row, and four lanes a sector. ldc is a multiple of four, so four neighbours are aligned.
    if (SPLIT == 1 && groups == 1) {
        if (PAIR > 1) cluster_sync();                     // A block that has left cannot take the arrivals of the other one.
        if (warp == CONSUMERS * 4) return;
#pragma unroll
        for (int h = 0; h < 2; ++h) {
            const int r = row + warp * 16 + h * 8 + lane / 4;
#pragma unroll
            for (int j = 0; j < BN / 8; j += 2) {
                unsigned pair[2];
#pragma unroll
                for (int i = 0; i < 2; ++i) {
                    float left = alpha * acc[j + i][h * 2];
                    float right = alpha * acc[j + i][h * 2 + 1];
                    // BLAS: with beta == 0, C is not read. Whatever it held, even NaN, must not leak.
                    const int c = column + (j + i) * 8 + lane % 4 * 2;
                    if (beta != 0.0f && r < M && c < N) left += beta * bf16_to_float(C[size_t(r) * ldc + c]);
                    if (beta != 0.0f && r < M && c + 1 < N) right += beta * bf16_to_float(C[size_t(r) * ldc + c + 1]);
                    pair[i] = pack_bf16(left, right);
                }
                const bool odd = lane % 2;
                const unsigned other = __shfl_xor_sync(0xffffffff, odd ? pair[0] : pair[1], 1);
                const int c = column + (j + odd) * 8 + lane % 4 / 2 * 4;
                if (r < M) store_four(C + size_t(r) * ldc + c, odd ? make_uint2(other, pair[1]) : make_uint2(pair[0], other), N - c);
            }
        }
        return;
    }
    // [end]

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
    if (SPLIT > 1) cluster_sync();
    else __syncthreads();
    // [end]

    // [region reduce]
    // A block finishes its share of the tile's rows: it adds what every block has there, in the order of their parts of K.
    constexpr int FOURS = BM / SPLIT * BN / 4;            // four neighbours of a row of C at a time, by the consumers
    constexpr int TURNS = FOURS / (CONSUMERS * WARPGROUP);
    constexpr int TOGETHER = BN > 64 && TURNS % 2 == 0 ? TURNS / 2 : TURNS;  // turns whose loads are on their way at the same time
    static_assert(TURNS * CONSUMERS * WARPGROUP == FOURS && TURNS % TOGETHER == 0, "every thread has as much to add");
    const auto finish = [&](int four, float4 sum) {
        const int r = row + rank * (BM / SPLIT) + four / (BN / 4);
        const int c = column + four % (BN / 4) * 4;
        if (r >= M || c >= N) return;
        bf16* at = C + size_t(r) * ldc + c;
        float v[4] = {alpha * sum.x, alpha * sum.y, alpha * sum.z, alpha * sum.w};
        if (beta != 0.0f) {
            // BLAS: with beta == 0, C is not read. Whatever it held, even NaN, must not leak.
#pragma unroll
            for (int e = 0; e < 4; ++e) {
                if (c + e < N) v[e] += beta * bf16_to_float(at[e]);
            }
        }
        const uint2 pairs = make_uint2(pack_bf16(v[0], v[1]), pack_bf16(v[2], v[3]));
        store_four(at, pairs, N - c);
    };
    float4* const share = reinterpret_cast<float4*>(workspace) + size_t(tile * SPLIT + rank) * groups * FOURS;
#pragma unroll 1
    for (int turn = 0; turn < TURNS && warp < CONSUMERS * 4; turn += TOGETHER) {
        float4 parts[TOGETHER][SPLIT];
#pragma unroll
        for (int t = 0; t < TOGETHER; ++t) {
            const int four = (turn + t) * CONSUMERS * WARPGROUP + threadIdx.x;
            const int place = (rank * (BM / SPLIT) + four / (BN / 4)) * SUM_PITCH + four % (BN / 4) * 4;
#pragma unroll
            for (int block = 0; block < SPLIT; ++block) parts[t][block] = load_remote(A_tiles + place * 4, block * PAIR + upper);
        }
#pragma unroll
        for (int t = 0; t < TOGETHER; ++t) {
            const int four = (turn + t) * CONSUMERS * WARPGROUP + threadIdx.x;
            float4 sum = parts[t][0];
#pragma unroll
            for (int block = 1; block < SPLIT; ++block) sum = add(sum, parts[t][block]);
            if (groups == 1) {
                finish(four, sum);
            } else {
                share[group * FOURS + four] = sum;
            }
        }
    }
    // A block's shared memory must outlive the others' reading of it, and their arrivals.
    if (SPLIT * PAIR > 1) cluster_sync();
    // [end]

    // [region reduce groups]
    if (groups > 1 && is_last(&counters[tile * SPLIT + rank], groups)) {
        for (int four = threadIdx.x; four < FOURS; four += THREADS) {
            float4 part[MOST_GROUPS];
#pragma unroll
            for (int g = 0; g < MOST_GROUPS; ++g) {
                part[g] = g < groups ? __ldcg(&share[g * FOURS + four]) : make_float4(0.0f, 0.0f, 0.0f, 0.0f);
            }
            float4 sum = part[0];
#pragma unroll
            for (int g = 1; g < MOST_GROUPS; ++g) sum = add(sum, part[g]);
            finish(four, sum);
        }
    }
    // [end]
}
