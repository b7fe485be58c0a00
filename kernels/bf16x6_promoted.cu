// FP32 from bf16 tensor cores: each number is the sum of three bf16, and six of the nine products of their parts give FP32
// accuracy. TMA loads the tiles as they are; the warpgroup splits A into registers and B into shared memory. The tensor cores
// truncate their sums, and this error grows along K. So each tile's sum is promoted: added to a sum in FP32 registers, rounded.

// [region constants]
#ifndef BM
#define BM 64
#define BN 128
#define BK 32
#define PROMOTE 1                                         // tiles along K per sum in the tensor cores
#endif
constexpr int THREADS = 128;                              // one warpgroup
constexpr int A_BYTES = BM * BK * 4;
constexpr int B_BYTES = BK * BN * 4;
constexpr int CHUNK = 64;                                 // columns of a 128-byte row of bf16 in shared memory
constexpr int CHUNK_BYTES = BK * CHUNK * 2;
constexpr int PART_BYTES = BK * BN * 2;                   // bytes of one of the three bf16 parts of B's tile
constexpr int STEP_BYTES = 16 * 128;                      // 16 rows of such a part, the distance between consecutive wgmmas
static_assert(BM == 64 && BN == 128 && BK == 32, "wgmma is 64x128x16; a row of A's tile is 128 bytes");
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
extern "C" __global__ void __launch_bounds__(THREADS) bf16x6_promoted(
    const __grid_constant__ CUtensorMap map_A, const __grid_constant__ CUtensorMap map_B,
    const float* __restrict__ A, const float* __restrict__ B, float* __restrict__ C,
    int M, int N, int K, int lda, int ldb, int ldc, float alpha, float beta)
// [end]
{
    // [region shared memory]
    // A tile of A and one of B as loaded, then B's three parts, each at a multiple of 1024 bytes for the swizzle.
    extern __shared__ __align__(1024) unsigned char shared[];
    __shared__ mbarrier full;
    const unsigned A_tile = shared_address(shared);
    const unsigned B_tile = A_tile + A_BYTES;
    const unsigned B_parts = B_tile + B_BYTES;
    const unsigned full_barrier = shared_address(&full);
    // [end]

    // [region indices]
    const int row = blockIdx.y * BM;
    const int column = blockIdx.x * BN;
    const int warp = threadIdx.x / 32;
    const int lane = threadIdx.x % 32;
    const int k_tiles = (K + BK - 1) / BK;
    // Rows and columns of a product may be in any order, and so may K, if A and B agree. This order lets a lane read four
    // neighbours of a row of A, and eight lanes read eight groups of banks: rows 0, 4, 1, 5, 2, 6, 3, 7 of each eight.
    const int row_of_eight = lane / 4 % 2 * 4 + lane / 8;
    // [end]

    // [region initialise barrier]
    if (threadIdx.x == 0) {
        mbarrier_init(full_barrier, 1);
        fence_mbarrier_init();
    }
    __syncthreads();
    // [end]

    // [region load]
    // This one arrival and the announced bytes complete the barrier's phase.
    const auto load = [&](int k) {
        mbarrier_arrive_expect(full_barrier, A_BYTES + B_BYTES);
        tma_load(A_tile, map_A, k * BK, row, full_barrier);
        tma_load(B_tile, map_B, column, k * BK, full_barrier);
    };
    if (threadIdx.x == 0 && k_tiles > 0) load(0);
    // [end]

    const unsigned long long B_descriptor = matrix_descriptor(B_parts, CHUNK_BYTES, 8 * 128);
    float sum[BN / 8][4] = {};
    float acc[BN / 8][4];
    // [region tile loop]
    for (int k = 0; k < k_tiles; ++k) {
        mbarrier_wait(full_barrier, k % 2);

        // [region split A]
        // wgmma expects columns 2q, 2q + 1, 2q + 8, 2q + 9 of a row in lane q of four; it gets 4q to 4q + 3 instead.
        unsigned a[3][BK / 16][4];
#pragma unroll
        for (int step = 0; step < BK / 16; ++step) {
#pragma unroll
            for (int h = 0; h < 2; ++h) {
                const int r = warp * 16 + h * 8 + row_of_eight;
                const int unit = step * 4 + lane % 4;
                const float4 v = load_shared(A_tile + r * 128 + (unit ^ r % 8) * 16);
                split(v.x, v.y, a[0][step][h], a[1][step][h], a[2][step][h]);
                split(v.z, v.w, a[0][step][h + 2], a[1][step][h + 2], a[2][step][h + 2]);
            }
        }
        // [end]

        // [region split B]
        // Stores row 4q + i of 16 where the products expect it: in row 2q + i, or for i = 2, 3 in row 2q + i + 6.
        static_assert(BN == 32 * 4 && BK % 16 == 0, "a row of B is one float4 per lane");
#pragma unroll
        for (int i = 0; i < BK / 4; ++i) {
            const float4 v = load_shared(B_tile + (i * 4 + warp) * BN * 4 + lane * 16);
            unsigned left[3], right[3];
            split(v.x, v.y, left[0], left[1], left[2]);
            split(v.z, v.w, right[0], right[1], right[2]);
            const int r = i / 4 * 16 + i % 4 * 2 + warp % 2 + warp / 2 * 8;
            const int unit = lane % 16 / 2;
            const unsigned place = B_parts + lane / 16 * CHUNK_BYTES + r * 128 + (unit ^ r % 8) * 16 + lane % 2 * 8;
#pragma unroll
            for (int part = 0; part < 3; ++part) store_shared(place + part * PART_BYTES, left[part], right[part]);
        }
        fence_async_proxy();
        __syncthreads();
        // All threads have read the tiles, so the next tiles may be loaded while the parts are multiplied.
        if (threadIdx.x == 0 && k + 1 < k_tiles) load(k + 1);
        // [end]

        // [region multiply]
        // Six of the nine products of parts, from small to large, because the truncation error is relative to the sum so far.
        constexpr int PART_A[6] = {2, 1, 0, 1, 0, 0};
        constexpr int PART_B[6] = {0, 1, 2, 0, 1, 0};
        wgmma_fence();
#pragma unroll
        for (int product = 0; product < 6; ++product) {
#pragma unroll
            for (int step = 0; step < BK / 16; ++step) {
                wgmma_m64n128k16(acc, a[PART_A[product]][step],
                    B_descriptor + (PART_B[product] * PART_BYTES + step * STEP_BYTES) / 16, k % PROMOTE > 0 || product > 0 || step > 0);
            }
        }
        wgmma_commit();
        wgmma_wait<0>();
        fence_registers(acc);
        // [end]
        // [region promote]
        if (k % PROMOTE == PROMOTE - 1 || k == k_tiles - 1) {
#pragma unroll
            for (int j = 0; j < BN / 8; ++j) {
#pragma unroll
                for (int i = 0; i < 4; ++i) sum[j][i] += acc[j][i];
            }
        }
        // [end]
        // All products must be done before the next tile's parts overwrite these parts.
        __syncthreads();
    }
    // [end]

    // [region test]
    // Zero times a finite sum is zero. If a sum is infinite or NaN, multiply-adds compute C again.
    float nothing = 0.0f;
#pragma unroll
    for (int j = 0; j < BN / 8; ++j) {
#pragma unroll
        for (int i = 0; i < 4; ++i) nothing = fmaf(0.0f, sum[j][i], nothing);
    }
    if (__syncthreads_or(nothing != 0.0f)) {
        multiply_add<BM>(A, B, C, row, column + threadIdx.x, M, N, K, lda, ldb, ldc, alpha, beta);
        return;
    }
    // [end]

    // [region store]
#pragma unroll
    for (int j = 0; j < BN / 8; ++j) {
#pragma unroll
        for (int h = 0; h < 2; ++h) {
            const int r = row + warp * 16 + h * 8 + row_of_eight;
            const int c = column + j * 8 + lane % 4 * 2;
            // N and ldc are even, so the pair is entirely inside or outside, and aligned.
            if (r < M && c < N) {
                float2* pair = reinterpret_cast<float2*>(C + size_t(r) * ldc + c);
                float2 v = make_float2(alpha * (UNSCALE * sum[j][h * 2]), alpha * (UNSCALE * sum[j][h * 2 + 1]));
                // BLAS: with beta == 0, C is not read. Whatever it held, even NaN, must not leak.
                if (beta != 0.0f) {
                    v.x += beta * pair->x;
                    v.y += beta * pair->y;
                }
                *pair = v;
            }
        }
    }
    // [end]
}
