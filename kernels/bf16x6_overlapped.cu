// bf16x6_specialized, but consumers split the second half of a tile of A while the products of the first half run.

// [region constants]
#ifndef BM
#define BM 256
#define BN 128
#define BK 32
#define STAGES 3
#endif
constexpr int WARPGROUP = 128;
constexpr int WARPS = 4;                                  // warps in a warpgroup
constexpr int CONSUMERS = 2;                              // warpgroups that multiply
constexpr int SLICES = BM / CONSUMERS / 64;               // slices of 64 rows of C per consumer, multiplied one at a time
constexpr int THREADS = (1 + CONSUMERS) * WARPGROUP;
constexpr int PRODUCER_REGISTERS = 40;
constexpr int CONSUMER_REGISTERS = 232;
constexpr int BOX = 128;                                  // rows of A per copy
constexpr int BOX_BYTES = BOX * BK * 4;
constexpr int A_BYTES = BM * BK * 4;
constexpr int B_BYTES = BK * BN * 4;
constexpr int CHUNK = 64;                                 // columns of a 128-byte row of bf16 in shared memory
constexpr int CHUNK_BYTES = BK * CHUNK * 2;
constexpr int PART_BYTES = BK * BN * 2;                   // bytes of one of the three bf16 parts of B's tile
constexpr int STEP_BYTES = 16 * 128;                      // 16 rows of such a part, the distance between consecutive wgmmas
static_assert(BM % (CONSUMERS * 64) == 0 && BM % BOX == 0 && BN == 128 && BK == 32, "wgmma is 64x128x16; a row of A's tile is 128 bytes");
static_assert(WARPGROUP * PRODUCER_REGISTERS + CONSUMERS * WARPGROUP * CONSUMER_REGISTERS <= 168 * THREADS, "setmaxnreg moves registers only within the block, which begins with 168 per thread");
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

__device__ void mbarrier_arrive(unsigned barrier)
{
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" :: "r"(barrier) : "memory");
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

// True if the predicate holds for any thread of the warpgroup.
__device__ bool warpgroup_any(int barrier, bool predicate)
{
    int any;
    asm volatile(
        "{\n"
        ".reg .pred mine, anyone;\n"
        "setp.ne.b32 mine, %1, 0;\n"
        "bar.red.or.pred anyone, %2, %3, mine;\n"
        "selp.b32 %0, 1, 0, anyone;\n"
        "}" : "=r"(any) : "r"(int(predicate)), "r"(barrier), "n"(WARPGROUP) : "memory");
    return any;
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

// acc[64x128] (+)= A[64x16] * B[16x128]. A is in registers. B's rows run along N, so the last flag transposes B.
__device__ void wgmma_m64n128k16(float (&acc)[16][4], const unsigned (&a)[4], unsigned long long b, int accumulate)
{
#define ACC(i) "+f"(acc[i][0]), "+f"(acc[i][1]), "+f"(acc[i][2]), "+f"(acc[i][3])
    asm volatile(
        "{\n"
        ".reg .pred add;\n"
        "setp.ne.b32 add, %69, 0;\n"
        "wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16 {"
        "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
        "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, "
        "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, "
        "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63"
        "}, {%64, %65, %66, %67}, %68, add, 1, 1, 1;\n"
        "}"
        : ACC(0), ACC(1), ACC(2), ACC(3), ACC(4), ACC(5), ACC(6), ACC(7),
          ACC(8), ACC(9), ACC(10), ACC(11), ACC(12), ACC(13), ACC(14), ACC(15)
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "r"(accumulate));
#undef ACC
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

// [region multiply add]
// Computes ROWS rows of C, one column per thread, without tensor cores: for numbers that do not fit into three bf16.
template <int ROWS>
__device__ void multiply_add(const float* __restrict__ A, const float* __restrict__ B, float* __restrict__ C,
    int row, int column, int M, int N, int K, int lda, int ldb, int ldc, float alpha, float beta)
{
    constexpr int TOGETHER = 8;
    if (column >= N) return;
    for (int first = row; first < min(row + ROWS, M); first += TOGETHER) {
        float sum[TOGETHER] = {};
#pragma unroll 1
        for (int k = 0; k < K; ++k) {
            const float b = B[size_t(k) * ldb + column];
#pragma unroll
            for (int i = 0; i < TOGETHER; ++i) {
                sum[i] = fmaf(A[size_t(min(first + i, M - 1)) * lda + k], b, sum[i]);
            }
        }
#pragma unroll
        for (int i = 0; i < TOGETHER; ++i) {
            if (first + i < M) {
                float* c = C + size_t(first + i) * ldc + column;
                *c = beta != 0.0f ? alpha * sum[i] + beta * *c : alpha * sum[i];
            }
        }
    }
}
// [end]

// [region signature]
extern "C" __global__ void __launch_bounds__(THREADS, 1) bf16x6_overlapped(
    const __grid_constant__ CUtensorMap map_A, const __grid_constant__ CUtensorMap map_B,
    const float* __restrict__ A, const float* __restrict__ B, float* __restrict__ C,
    int M, int N, int K, int lda, int ldb, int ldc, float alpha, float beta)
// [end]
{
    // [region shared memory]
    // STAGES tiles of A and of B as loaded, then B's three parts per stage, each at a multiple of 1024 bytes for the swizzle.
    extern __shared__ __align__(1024) unsigned char shared[];
    __shared__ mbarrier full[STAGES];
    __shared__ mbarrier ready[STAGES];
    __shared__ mbarrier empty[STAGES];
    const unsigned A_tiles = shared_address(shared);
    const unsigned B_tiles = A_tiles + STAGES * A_BYTES;
    const unsigned B_parts = B_tiles + STAGES * B_BYTES;
    // [end]

    // [region indices]
    const int warpgroup = threadIdx.x / WARPGROUP;
    const int thread = threadIdx.x % WARPGROUP;
    const int warp = thread / 32;
    const int lane = thread % 32;
    const int row = blockIdx.y * BM;
    const int column = blockIdx.x * BN;
    const int k_tiles = (K + BK - 1) / BK;
    // [end]

    // [region initialise barriers]
    if (threadIdx.x == 0) {
        for (int s = 0; s < STAGES; ++s) {
            mbarrier_init(shared_address(&full[s]), 1);                   // one arrival, by the warp that loads, and the bytes
            mbarrier_init(shared_address(&ready[s]), WARPS);              // one arrival per warp that splits B
            mbarrier_init(shared_address(&empty[s]), CONSUMERS * WARPS);  // one arrival per warp that multiplies
        }
        fence_mbarrier_init();
    }
    __syncthreads();
    // [end]

    if (warpgroup == 0) {
        give_registers_back<PRODUCER_REGISTERS>();
        // [region load]
        // Position of the loads in the ring. The splitting follows one tile behind.
        int load_k = 0;
        int load_stage = 0;
        int load_parity = 0;
        const auto load = [&]() {
            if (load_k == k_tiles) return;
            const unsigned full_barrier = shared_address(&full[load_stage]);
            // The odd phase of a fresh barrier counts as complete, so the first turn of the ring does not wait.
            mbarrier_wait(shared_address(&empty[load_stage]), load_parity ^ 1);
            if (lane == 0) {
                mbarrier_arrive_expect(full_barrier, A_BYTES + B_BYTES);
#pragma unroll
                for (int box = 0; box < BM / BOX; ++box) {
                    tma_load(A_tiles + load_stage * A_BYTES + box * BOX_BYTES, map_A, load_k * BK, row + box * BOX, full_barrier);
                }
                tma_load(B_tiles + load_stage * B_BYTES, map_B, column, load_k * BK, full_barrier);
            }
            __syncwarp();
            ++load_k;
            if (++load_stage == STAGES) {
                load_stage = 0;
                load_parity ^= 1;
            }
        };
        if (warp == 0) load();
        // [end]
        int stage = 0;
        int parity = 0;
        for (int k = 0; k < k_tiles; ++k) {
            // The loads stay one tile ahead of the splitting.
            if (warp == 0) load();
            mbarrier_wait(shared_address(&full[stage]), parity);
            // [region split B]
            // Stores row 4q + i of 16 where the products expect it: in row 2q + i, or for i = 2, 3 in row 2q + i + 6.
            static_assert(BN == 32 * 4 && BK % 16 == 0, "a row of B is one float4 per lane");
            const unsigned source = B_tiles + stage * B_BYTES + warp * BN * 4 + lane * 16;
            const unsigned target = B_parts + stage * 3 * PART_BYTES + lane / 16 * CHUNK_BYTES + lane % 2 * 8;
#pragma unroll
            for (int i = 0; i < BK / WARPS; ++i) {
                const float4 v = load_shared(source + i * WARPS * BN * 4);
                unsigned left[3], right[3];
                split(v.x, v.y, left[0], left[1], left[2]);
                split(v.z, v.w, right[0], right[1], right[2]);
                const int r = i / 4 * 16 + i % 4 * 2 + warp % 2 + warp / 2 * 8;
                const int unit = lane % 16 / 2;
                const unsigned place = target + r * 128 + (unit ^ r % 8) * 16;
#pragma unroll
                for (int part = 0; part < 3; ++part) store_shared(place + part * PART_BYTES, left[part], right[part]);
            }
            // [end]
            // [region hand over]
            fence_async_proxy();
            __syncwarp();
            if (lane == 0) mbarrier_arrive(shared_address(&ready[stage]));
            // [end]
            if (++stage == STAGES) {
                stage = 0;
                parity ^= 1;
            }
        }
    } else {
        take_registers<CONSUMER_REGISTERS>();
        const int consumer = warpgroup - 1;
        // Rows and columns of a product may be in any order, and so may K, if A and B agree. This order lets a lane read four
        // neighbours of a row of A, and eight lanes read eight groups of banks: rows 0, 4, 1, 5, 2, 6, 3, 7 of each eight.
        const int row_of_eight = lane / 4 % 2 * 4 + lane / 8;
        const int first_row = consumer * SLICES * 64 + warp * 16 + row_of_eight;
        const unsigned long long first_descriptor = matrix_descriptor(B_parts, CHUNK_BYTES, 8 * 128);
        int stage = 0;
        int parity = 0;
        float sum[SLICES][BN / 8][4] = {};
        // [region tile loop]
        for (int k = 0; k < k_tiles; ++k) {
            mbarrier_wait(shared_address(&full[stage]), parity);
#pragma unroll
            for (int slice = 0; slice < SLICES; ++slice) {
                // [region multiply]
                // Six of the nine products of parts, from small to large: five for each step, then the largest for all steps.
                constexpr int PART_A[6] = {2, 1, 0, 1, 0, 0};
                constexpr int PART_B[6] = {0, 1, 2, 0, 1, 0};
                const unsigned long long B_descriptor = first_descriptor + stage * (3 * PART_BYTES / 16);
                unsigned a[3][BK / 16][4];
                float acc[BN / 8][4];
                const auto multiply = [&](int product, int step) {
                    wgmma_m64n128k16(acc, a[PART_A[product]][step],
                        B_descriptor + (PART_B[product] * PART_BYTES + step * STEP_BYTES) / 16, product > 0 || step > 0);
                };
#pragma unroll
                for (int step = 0; step < BK / 16; ++step) {
                    // [region split A]
                    // wgmma expects columns 2q, 2q + 1, 2q + 8, 2q + 9 of a row in lane q of four; it gets 4q to 4q + 3 instead.
#pragma unroll
                    for (int h = 0; h < 2; ++h) {
                        const int r = first_row + slice * 64 + h * 8;
                        const int unit = step * 4 + lane % 4;
                        const float4 v = load_shared(A_tiles + stage * A_BYTES + r * 128 + (unit ^ row_of_eight) * 16);
                        split(v.x, v.y, a[0][step][h], a[1][step][h], a[2][step][h]);
                        split(v.z, v.w, a[0][step][h + 2], a[1][step][h + 2], a[2][step][h + 2]);
                    }
                    // [end]
                    if (slice == 0 && step == 0) mbarrier_wait(shared_address(&ready[stage]), parity);
                    // The products read registers that were just written.
                    wgmma_fence();
#pragma unroll
                    for (int product = 0; product < 5; ++product) multiply(product, step);
                }
#pragma unroll
                for (int step = 0; step < BK / 16; ++step) multiply(5, step);
                wgmma_commit();
                wgmma_wait<0>();
                fence_registers(acc);
                // [end]
                // This stage's last products are done, and its rows of A were read before them, so it is free.
                if (slice == SLICES - 1) {
                    __syncwarp();
                    if (lane == 0) mbarrier_arrive(shared_address(&empty[stage]));
                }
                // [region promote]
#pragma unroll
                for (int j = 0; j < BN / 8; ++j) {
#pragma unroll
                    for (int i = 0; i < 4; ++i) sum[slice][j][i] += acc[j][i];
                }
                // [end]
            }
            if (++stage == STAGES) {
                stage = 0;
                parity ^= 1;
            }
        }
        // [end]

        // [region test]
        // Zero times a finite sum is zero. If a sum is infinite or NaN, multiply-adds compute C again.
        float nothing = 0.0f;
#pragma unroll
        for (int slice = 0; slice < SLICES; ++slice) {
#pragma unroll
            for (int j = 0; j < BN / 8; ++j) {
#pragma unroll
                for (int i = 0; i < 4; ++i) nothing = fmaf(0.0f, sum[slice][j][i], nothing);
            }
        }
        if (warpgroup_any(1 + consumer, nothing != 0.0f)) {
            multiply_add<SLICES * 64>(A, B, C, row + consumer * SLICES * 64, column + thread, M, N, K, lda, ldb, ldc, alpha, beta);
            return;
        }
        // [end]

        // [region store]
#pragma unroll
        for (int slice = 0; slice < SLICES; ++slice) {
#pragma unroll
            for (int j = 0; j < BN / 8; ++j) {
#pragma unroll
                for (int h = 0; h < 2; ++h) {
                    const int r = row + first_row + slice * 64 + h * 8;
                    const int c = column + j * 8 + lane % 4 * 2;
                    // N and ldc are even, so the pair is entirely inside or outside, and aligned.
                    if (r < M && c < N) {
                        float2* pair = reinterpret_cast<float2*>(C + size_t(r) * ldc + c);
                        float2 v = make_float2(alpha * (UNSCALE * sum[slice][j][h * 2]), alpha * (UNSCALE * sum[slice][j][h * 2 + 1]));
                        // BLAS: with beta == 0, C is not read. Whatever it held, even NaN, must not leak.
                        if (beta != 0.0f) {
                            v.x += beta * pair->x;
                            v.y += beta * pair->y;
                        }
                        *pair = v;
                    }
                }
            }
        }
        // [end]
    }
}
