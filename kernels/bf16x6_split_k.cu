// bf16x6_promoted for small matrices. The blocks of a cluster share a tile of C: each multiplies its part of K, and they add up
// their sums through each other's shared memory. If one cluster is too few for a long K, several clusters take parts of K (split-K slices). The last
// of them adds up the sums that all of them left in global memory. The result is also closer to the exact product: the largest of
// the six products has separate accumulators, so the tensor cores truncate less. A cluster adds its blocks' sums in FP64; clusters leave FP32 sums.

// [region constants]
#ifndef BM
#define BM 64       // rows of C per cluster
#define BN 64       // columns of C per cluster
#define BK 32       // depth of a tile of A and B
#define STAGES 3    // unsplit tiles in shared memory or in flight
#define SPLIT 4     // blocks of a cluster, each with a part of K
#define RESIDENT 3  // blocks that must fit on an SM
#endif
constexpr int THREADS = 128;                              // one warpgroup
constexpr int A_BYTES = BM * BK * 4;
constexpr int B_BYTES = BK * BN * 4;
constexpr int PART_BYTES = BK * BN * 2;                   // bytes of one of the three bf16 parts of B's tile
constexpr int STEP_BYTES = 16 * 128;                      // 16 rows of such a part, the distance between consecutive wgmmas
constexpr int SUM_PITCH = BN + 8;                         // floats between rows of sums, so that four rows use different banks
constexpr int MOST_GROUPS = 16;                           // maximum number of clusters along K
constexpr int WORKSPACE = 1 << 21;                        // floats for the sums of all clusters
constexpr int COUNTERS = 1 << 13;
static_assert(BM == 64 && BN == 64 && BK == 32, "wgmma is 64x64x16; a row of A's tile is 128 bytes");
static_assert(BM % SPLIT == 0, "each block of a cluster finishes the same number of rows");
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

// Makes the initialised barriers visible to the copy engine (TMA).
__device__ void fence_mbarrier_init()
{
    asm volatile("fence.mbarrier_init.release.cluster;\nfence.proxy.async.shared::cta;" ::: "memory");
}

__device__ void mbarrier_arrive_expect(unsigned barrier, int bytes)
{
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" :: "r"(barrier), "r"(bytes) : "memory");
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

// Makes this thread's earlier writes to shared memory visible to the tensor cores.
__device__ void fence_async_proxy()
{
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
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

// acc[64x64] (+)= A[64x16] * B[16x64]. A is in registers. B's rows run along N, so the last flag transposes B.
__device__ void wgmma_m64n64k16(float (&acc)[BN / 8][4], const unsigned (&a)[4], unsigned long long b, int accumulate)
{
#define ACC(i) "+f"(acc[i][0]), "+f"(acc[i][1]), "+f"(acc[i][2]), "+f"(acc[i][3])
#define ACC8(i) ACC(i), ACC(i + 1), ACC(i + 2), ACC(i + 3), ACC(i + 4), ACC(i + 5), ACC(i + 6), ACC(i + 7)
#define REGISTERS_64 \
    "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, " \
    "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31"
    asm volatile(
        "{\n.reg .pred add;\nsetp.ne.b32 add, %37, 0;\n"
        "wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16 {" REGISTERS_64 "}, {%32, %33, %34, %35}, %36, add, 1, 1, 1;\n}"
        : ACC8(0) : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "r"(accumulate));
}

// Loads four floats that TMA wrote; the compiler cannot know about those writes.
__device__ float4 load_shared(unsigned address)
{
    float4 v;
    asm volatile("ld.shared.v4.f32 {%0, %1, %2, %3}, [%4];" : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w) : "r"(address) : "memory");
    return v;
}

__device__ void store_shared(unsigned address, unsigned left, unsigned right)
{
    asm volatile("st.shared.v2.b32 [%0], {%1, %2};" :: "r"(address), "r"(left), "r"(right) : "memory");
}
// [end]

// [region split]
// Packs two neighbours of a row as bf16, rounded to the nearest, the left one in the low half.
__device__ unsigned pack_bf16(float left, float right)
{
    unsigned pair;
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(right), "f"(left));
    return pair;
}

// A bf16 is the upper half of a float.
__device__ float low_f32(unsigned pair)
{
    return __uint_as_float(pair << 16);
}

__device__ float high_f32(unsigned pair)
{
    return __uint_as_float(pair & 0xffff0000);
}

// 2^16 x = x1 + x2 + x3, where each part (limb) is a bf16 and holds 8 of the 24 bits of the significand. Both subtractions are exact.
// The factor keeps small numbers exact: the smallest bf16 is 2^-133 and the smallest float is 2^-149. Numbers from 2^112 on,
// infinity and NaN do not fit: x1 is infinite or NaN, so x2 is NaN, and so are the sums.
constexpr float SCALE = 0x1p16f;
constexpr float UNSCALE = 0x1p-32f;                       // undoes the scale of a product of two scaled numbers

__device__ void split(float left, float right, unsigned& part1, unsigned& part2, unsigned& part3)
{
    left *= SCALE;
    right *= SCALE;
    part1 = pack_bf16(left, right);
    left -= low_f32(part1);
    right -= high_f32(part1);
    part2 = pack_bf16(left, right);
    left -= low_f32(part2);
    right -= high_f32(part2);
    part3 = pack_bf16(left, right);
}
// [end]

// [region cluster]
// After this barrier, every block in the cluster sees what any block wrote to shared memory before it.
__device__ void cluster_sync()
{
    asm volatile("barrier.cluster.arrive.release;\nbarrier.cluster.wait.acquire;" ::: "memory");
}

__device__ void store_sums(unsigned address, float left, float right)
{
    asm volatile("st.shared.v2.f32 [%0], {%1, %2};" :: "r"(address), "f"(left), "f"(right) : "memory");
}

__device__ void add(double (&total)[4], float4 part)
{
    total[0] += part.x;
    total[1] += part.y;
    total[2] += part.z;
    total[3] += part.w;
}

// Loads four floats from the same place in another block's shared memory.
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

// [region multiply add]
// Computes four neighbours of C without tensor cores, for numbers that do not fit into three bf16.
__device__ void multiply_add(const float* __restrict__ A, const float* __restrict__ B, float* __restrict__ C,
    int row, int column, int N, int K, int lda, int ldb, int ldc, float alpha, float beta)
{
    for (int c = column; c < min(column + 4, N); ++c) {
        float sum = 0.0f;
#pragma unroll 1
        for (int k = 0; k < K; ++k) sum = fmaf(A[size_t(row) * lda + k], B[size_t(k) * ldb + c], sum);
        float* at = C + size_t(row) * ldc + c;
        *at = beta != 0.0f ? alpha * sum + beta * *at : alpha * sum;
    }
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
// for the next launch.
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
extern "C" __global__ void __cluster_dims__(1, 1, SPLIT) __launch_bounds__(THREADS, RESIDENT) bf16x6_split_k(
    const __grid_constant__ CUtensorMap map_A, const __grid_constant__ CUtensorMap map_B,
    const float* __restrict__ A, const float* __restrict__ B, float* __restrict__ C,
    int M, int N, int K, int lda, int ldb, int ldc, float alpha, float beta)
// [end]
{
    // [region shared memory]
    // STAGES tiles of A and of B as loaded, then B's three parts, each at a multiple of 1024 bytes for the swizzle. At the end,
    // the sums overwrite the tiles.
    extern __shared__ __align__(1024) unsigned char shared[];
    __shared__ mbarrier full[STAGES];
    const unsigned A_tiles = shared_address(shared);
    const unsigned B_tiles = A_tiles + STAGES * A_BYTES;
    const unsigned B_parts = B_tiles + STAGES * B_BYTES;
    // [end]

    // [region indices]
    const int row = blockIdx.y * BM;
    const int column = blockIdx.x * BN;
    const int warp = threadIdx.x / 32;
    const int lane = threadIdx.x % 32;
    const int rank = blockIdx.z % SPLIT;                  // part of K within the cluster
    const int group = blockIdx.z / SPLIT;                 // index among the clusters along K
    const int tile = blockIdx.y * gridDim.x + blockIdx.x;
    const int groups = gridDim.z == SPLIT ? 1 : groups_of(gridDim.x * gridDim.y, gridDim.z / SPLIT);
    if (group >= groups) return;
    // Every block takes the same number of tiles along K, or one more.
    const int part = blockIdx.z;
    const int all_tiles = (K + BK - 1) / BK;
    const int each = groups == 1 ? all_tiles / SPLIT : all_tiles / (groups * SPLIT);
    const int more = all_tiles - each * groups * SPLIT;
    const int first = part * each + min(part, more);
    const int k_tiles = each + (part < more);
    // Rows and columns of a product may be in any order, and so may K, if A and B agree. This order lets a lane read four
    // neighbours of a row of A, and eight lanes read eight groups of banks: rows 0, 4, 1, 5, 2, 6, 3, 7 of each eight.
    const int row_of_eight = lane / 4 % 2 * 4 + lane / 8;
    // [end]

    // [region initialise barriers]
    if (threadIdx.x == 0) {
        for (int s = 0; s < STAGES; ++s) mbarrier_init(shared_address(&full[s]), 1);
        fence_mbarrier_init();
    }
    __syncthreads();
    // [end]

    // [region load]
    // This one arrival and the announced bytes complete the barrier's phase.
    const auto load = [&](int k, int stage) {
        const unsigned full_barrier = shared_address(&full[stage]);
        mbarrier_arrive_expect(full_barrier, A_BYTES + B_BYTES);
        tma_load(A_tiles + stage * A_BYTES, map_A, (first + k) * BK, row, full_barrier);
        tma_load(B_tiles + stage * B_BYTES, map_B, column, (first + k) * BK, full_barrier);
    };
    if (threadIdx.x == 0) {
        for (int s = 0; s < min(STAGES, k_tiles); ++s) load(s, s);
    }
    // [end]

    const unsigned long long B_descriptor = matrix_descriptor(B_parts, PART_BYTES, 8 * 128);
    float sum[BN / 8][4] = {};
    int stage = 0;
    int parity = 0;
    // [region tile loop]
    for (int k = 0; k < k_tiles; ++k) {
        mbarrier_wait(shared_address(&full[stage]), parity);

        // [region split A]
        // wgmma expects columns 2q, 2q + 1, 2q + 8, 2q + 9 of a row in lane q of four; it gets 4q to 4q + 3 instead.
        unsigned a[3][BK / 16][4];
#pragma unroll
        for (int step = 0; step < BK / 16; ++step) {
#pragma unroll
            for (int h = 0; h < 2; ++h) {
                const int r = warp * 16 + h * 8 + row_of_eight;
                const int unit = step * 4 + lane % 4;
                const float4 v = load_shared(A_tiles + stage * A_BYTES + r * 128 + (unit ^ r % 8) * 16);
                split(v.x, v.y, a[0][step][h], a[1][step][h], a[2][step][h]);
                split(v.z, v.w, a[0][step][h + 2], a[1][step][h + 2], a[2][step][h + 2]);
            }
        }
        // [end]

        // [region split B]
        // Stores row 4q + i of 16 where the products expect it: in row 2q + i, or for i = 2, 3 in row 2q + i + 6.
#pragma unroll
        for (int i = 0; i < BK * BN / 4 / THREADS; ++i) {
            const int four = i * THREADS + threadIdx.x;
            const int b_row = four / (BN / 4);
            const int b_four = four % (BN / 4);
            const float4 v = load_shared(B_tiles + stage * B_BYTES + four * 16);
            unsigned left[3], right[3];
            split(v.x, v.y, left[0], left[1], left[2]);
            split(v.z, v.w, right[0], right[1], right[2]);
            const int r = b_row / 16 * 16 + b_row % 16 / 4 * 2 + b_row % 2 + b_row % 4 / 2 * 8;
            const int unit = b_four / 2;
            const unsigned place = B_parts + r * 128 + (unit ^ r % 8) * 16 + b_four % 2 * 8;
#pragma unroll
            for (int part = 0; part < 3; ++part) store_shared(place + part * PART_BYTES, left[part], right[part]);
        }
        fence_async_proxy();
        __syncthreads();
        // All threads have read the tiles, so other tiles may overwrite them.
        if (threadIdx.x == 0 && k + STAGES < k_tiles) load(k + STAGES, stage);
        // [end]

        // [region multiply]
        // Six of the nine products of parts. A sum of 32 products of two bf16 needs little more than the 24 bits that are kept. So
        // the largest product is summed alone, and little of it is truncated. The five small ones go from small to large.
        constexpr int PART_A[5] = {2, 1, 0, 1, 0};
        constexpr int PART_B[5] = {0, 1, 2, 0, 1};
        float large[BN / 8][4];
        float small[BN / 8][4];
        wgmma_fence();
#pragma unroll
        for (int step = 0; step < BK / 16; ++step) wgmma_m64n64k16(large, a[0][step], B_descriptor + step * STEP_BYTES / 16, step > 0);
#pragma unroll
        for (int product = 0; product < 5; ++product) {
#pragma unroll
            for (int step = 0; step < BK / 16; ++step) {
                wgmma_m64n64k16(small, a[PART_A[product]][step],
                    B_descriptor + (PART_B[product] * PART_BYTES + step * STEP_BYTES) / 16, product > 0 || step > 0);
            }
        }
        wgmma_commit();
        wgmma_wait<0>();
        fence_registers(large);
        fence_registers(small);
        // [end]
        // [region promote]
#pragma unroll
        for (int j = 0; j < BN / 8; ++j) {
#pragma unroll
            for (int i = 0; i < 4; ++i) sum[j][i] += large[j][i] + small[j][i];
        }
        // [end]
        // All products must be done before the next tile's parts overwrite these parts.
        __syncthreads();
        if (++stage == STAGES) {
            stage = 0;
            parity ^= 1;
        }
    }
    // [end]

    // [region share sums]
#pragma unroll
    for (int j = 0; j < BN / 8; ++j) {
#pragma unroll
        for (int h = 0; h < 2; ++h) {
            const int r = warp * 16 + h * 8 + row_of_eight;
            store_sums(A_tiles + (r * SUM_PITCH + j * 8 + lane % 4 * 2) * 4, sum[j][h * 2], sum[j][h * 2 + 1]);
        }
    }
    cluster_sync();
    // [end]

    // [region finish]
    constexpr int FOURS = BM / SPLIT * BN / 4;            // groups of four neighbours in the rows of C that a block finishes
    const auto finish = [&](int four, double (&total)[4]) {
        const int r = row + rank * (BM / SPLIT) + four / (BN / 4);
        const int c = column + four % (BN / 4) * 4;
        if (r >= M || c >= N) return;
        // Zero times a finite sum is zero. If a sum is infinite or NaN, multiply-adds compute C again.
        if (0.0 * total[0] + 0.0 * total[1] + 0.0 * total[2] + 0.0 * total[3] != 0.0) {
            multiply_add(A, B, C, r, c, N, K, lda, ldb, ldc, alpha, beta);
            return;
        }
        float* at = C + size_t(r) * ldc + c;
#pragma unroll
        for (int e = 0; e < 4; ++e) {
            total[e] *= alpha * double(UNSCALE);
            // BLAS: with beta == 0, C is not read. Whatever it held, even NaN, must not leak.
            if (beta != 0.0f && c + e < N) total[e] += double(beta) * at[e];
        }
        // ldc is a multiple of four, so four neighbours are aligned.
        if (c + 4 <= N) {
            *reinterpret_cast<float4*>(at) = make_float4(float(total[0]), float(total[1]), float(total[2]), float(total[3]));
        } else {
            at[0] = float(total[0]);
            if (c + 1 < N) at[1] = float(total[1]);
            if (c + 2 < N) at[2] = float(total[2]);
        }
    };
    // [end]

    // [region store]
    // A block finishes its share of the tile's rows: it adds all blocks' sums for these rows, in the order of K.
    float4* const share = reinterpret_cast<float4*>(workspace) + size_t(tile * SPLIT + rank) * groups * FOURS;
#pragma unroll 2
    for (int four = threadIdx.x; four < FOURS; four += THREADS) {
        const int place = (rank * (BM / SPLIT) + four / (BN / 4)) * SUM_PITCH + four % (BN / 4) * 4;
        float4 part[SPLIT];
#pragma unroll
        for (int block = 0; block < SPLIT; ++block) part[block] = load_remote(A_tiles + place * 4, block);
        double total[4] = {};
#pragma unroll
        for (int block = 0; block < SPLIT; ++block) add(total, part[block]);
        if (groups == 1) {
            finish(four, total);
        } else {
            share[group * FOURS + four] = make_float4(float(total[0]), float(total[1]), float(total[2]), float(total[3]));
        }
    }
    // A block must not exit while others still read its shared memory.
    cluster_sync();
    // [end]

    // [region reduce groups]
    if (groups > 1 && is_last(&counters[tile * SPLIT + rank], groups)) {
#pragma unroll 1
        for (int four = threadIdx.x; four < FOURS; four += THREADS) {
            float4 part[MOST_GROUPS];
#pragma unroll
            for (int g = 0; g < MOST_GROUPS; ++g) {
                part[g] = g < groups ? __ldcg(&share[g * FOURS + four]) : make_float4(0.0f, 0.0f, 0.0f, 0.0f);
            }
            double total[4] = {};
#pragma unroll
            for (int g = 0; g < MOST_GROUPS; ++g) add(total, part[g]);
            finish(four, total);
        }
    }
    // [end]
}
