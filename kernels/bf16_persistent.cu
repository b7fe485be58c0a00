// bf16_warp_specialized with one block per SM, which computes tile after tile. The producer already
// loads the next tile while the consumers store this one, and tiles in work at the same time are neighbours in C.

// [region constants]
#ifndef BM
#define BM 128
#define BN 256
#define BK 64
#define STAGES 4
#define GROUP 8
#endif
constexpr int WARPGROUP = 128;
constexpr int CONSUMERS = BM / 64;                        // warpgroups that multiply, 64 rows of C each
constexpr int THREADS = (1 + CONSUMERS) * WARPGROUP;
constexpr int PRODUCER_REGISTERS = 40;
constexpr int CONSUMER_REGISTERS = 232;
constexpr int CHUNK = 64;                                 // columns of a 128-byte row of shared memory
constexpr int A_BYTES = BM * BK * 2;
constexpr int B_BYTES = BK * BN * 2;
constexpr int B_CHUNK_BYTES = BK * CHUNK * 2;
constexpr int A_STEP_BYTES = 16 * 2;                      // distance between the A operands of consecutive wgmmas: 16 columns
constexpr int B_STEP_BYTES = 16 * 128;                    // the same for B: 16 rows
constexpr int STAGE_BYTES = A_BYTES + B_BYTES;
static_assert(BM % 64 == 0 && BN == 256 && BK == CHUNK, "a consumer's wgmma is 64x256x16; a row of A's tile is 128 bytes");
static_assert(WARPGROUP * PRODUCER_REGISTERS + CONSUMERS * WARPGROUP * CONSUMER_REGISTERS <= 168 * THREADS, "setmaxnreg moves registers only within the block, which begins with 168 per thread");
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

// acc[64x256] (+)= A[64x16] * B[16x256]. A's rows run along K, B's along N, so the last flag transposes B.
__device__ void wgmma_m64n256k16(float (&acc)[32][4], unsigned long long a, unsigned long long b, int accumulate)
{
#define ACC(i) "+f"(acc[i][0]), "+f"(acc[i][1]), "+f"(acc[i][2]), "+f"(acc[i][3])
    asm volatile(
        "{\n"
        ".reg .pred add;\n"
        "setp.ne.b32 add, %130, 0;\n"
        "wgmma.mma_async.sync.aligned.m64n256k16.f32.bf16.bf16 {"
        "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
        "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, "
        "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, "
        "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, "
        "%64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, "
        "%80, %81, %82, %83, %84, %85, %86, %87, %88, %89, %90, %91, %92, %93, %94, %95, "
        "%96, %97, %98, %99, %100, %101, %102, %103, %104, %105, %106, %107, %108, %109, %110, %111, "
        "%112, %113, %114, %115, %116, %117, %118, %119, %120, %121, %122, %123, %124, %125, %126, %127"
        "}, %128, %129, add, 1, 1, 0, 1;\n"
        "}"
        : ACC(0), ACC(1), ACC(2), ACC(3), ACC(4), ACC(5), ACC(6), ACC(7), ACC(8), ACC(9), ACC(10),
          ACC(11), ACC(12), ACC(13), ACC(14), ACC(15), ACC(16), ACC(17), ACC(18), ACC(19), ACC(20), ACC(21),
          ACC(22), ACC(23), ACC(24), ACC(25), ACC(26), ACC(27), ACC(28), ACC(29), ACC(30), ACC(31)
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
// [end]

// [region rasterise]
// Computes the first row and column of a tile of C. Tiles run down a group of GROUP tile rows before they move right
// (left in every other group), a threadblock swizzle. So tiles in work at the same time share rows of A and columns of B in the L2 cache.
__device__ void tile_origin(int tile, int tile_rows, int tile_columns, int& row, int& column)
{
    const int group = tile / (GROUP * tile_columns);
    const int first = group * GROUP;
    const int rows = min(GROUP, tile_rows - first);
    const int within = tile - first * tile_columns;
    row = (first + within % rows) * BM;
    const int along = within / rows;
    column = (group % 2 == 0 ? along : tile_columns - 1 - along) * BN;
}
// [end]

// [region signature]
extern "C" __global__ void __launch_bounds__(THREADS, 1) bf16_persistent(
    const __grid_constant__ CUtensorMap map_A, const __grid_constant__ CUtensorMap map_B,
    const bf16* __restrict__ A, const bf16* __restrict__ B, bf16* __restrict__ C,
    int M, int N, int K, int lda, int ldb, int ldc, float alpha, float beta)
// [end]
{
    // [region shared memory]
    // STAGES tiles of A, then of B, each at a multiple of 1024 bytes for the swizzle.
    extern __shared__ __align__(1024) unsigned char shared[];
    __shared__ mbarrier full[STAGES];
    __shared__ mbarrier empty[STAGES];
    const unsigned A_tiles = shared_address(shared);
    const unsigned B_tiles = A_tiles + STAGES * A_BYTES;
    // [end]

    // [region indices]
    const int warpgroup = threadIdx.x / WARPGROUP;
    const int tile_rows = (M + BM - 1) / BM;
    const int tile_columns = (N + BN - 1) / BN;
    const int tiles = tile_rows * tile_columns;
    const int k_tiles = (K + BK - 1) / BK;
    // [end]

    // [region initialise barriers]
    if (threadIdx.x == 0) {
        for (int s = 0; s < STAGES; ++s) {
            mbarrier_init(shared_address(&full[s]), 1);           // one arrival, by the producer, and the bytes
            mbarrier_init(shared_address(&empty[s]), CONSUMERS);  // one arrival per consumer
        }
        fence_mbarrier_init();
    }
    __syncthreads();
    // [end]

    if (warpgroup == 0) {
        // [region producer]
        give_registers_back<PRODUCER_REGISTERS>();
        if (threadIdx.x == 0) {
            int stage = 0;
            int parity = 0;
            int round = 0;
            for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x, ++round) {
                int row, column;
                tile_origin(tile, tile_rows, tile_columns, row, column);
                for (int t = 0; t < k_tiles; ++t) {
                    // Every other round runs backwards along K: it begins with what the last round left in the L2 cache.
                    const int k = round % 2 == 0 ? t : k_tiles - 1 - t;
                    const unsigned full_barrier = shared_address(&full[stage]);
                    // The odd phase of a fresh barrier counts as complete, so the first turn of the ring does not wait.
                    mbarrier_wait(shared_address(&empty[stage]), parity ^ 1);
                    mbarrier_arrive_expect(full_barrier, STAGE_BYTES);
                    tma_load(A_tiles + stage * A_BYTES, map_A, k * BK, row, full_barrier);
#pragma unroll
                    for (int chunk = 0; chunk < BN / CHUNK; ++chunk) {
                        tma_load(B_tiles + stage * B_BYTES + chunk * B_CHUNK_BYTES, map_B,
                            column + chunk * CHUNK, k * BK, full_barrier);
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
        // A: groups of eight rows of 128 bytes. B: the same along K. The next 64 columns begin B_CHUNK_BYTES later.
        const unsigned long long A_descriptor = matrix_descriptor(A_tiles + consumer * 64 * 128, 16, 8 * 128);
        const unsigned long long B_descriptor = matrix_descriptor(B_tiles, B_CHUNK_BYTES, 8 * 128);
        // [end]
        int stage = 0;
        int parity = 0;
        for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
            // [region multiply]
            float acc[BN / 8][4];
            int row, column;
            for (int k = 0; k < k_tiles; ++k) {
                mbarrier_wait(shared_address(&full[stage]), parity);
                wgmma_fence();
#pragma unroll
                for (int step = 0; step < BK / 16; ++step) {
                    wgmma_m64n256k16(acc, A_descriptor + (stage * A_BYTES + step * A_STEP_BYTES) / 16,
                        B_descriptor + (stage * B_BYTES + step * B_STEP_BYTES) / 16, k > 0 || step > 0);
                }
                wgmma_commit();
                // The divisions take long, so they run while the tensor cores work.
                if (k == 0) tile_origin(tile, tile_rows, tile_columns, row, column);
                // After this, the previous tile's products are done, so its stage is free.
                wgmma_wait<1>();
                if (k > 0 && thread == 0) {
                    mbarrier_arrive(shared_address(&empty[stage == 0 ? STAGES - 1 : stage - 1]));
                }
                if (++stage == STAGES) {
                    stage = 0;
                    parity ^= 1;
                }
            }
            wgmma_wait<0>();
            fence_registers(acc);
            if (thread == 0) {
                mbarrier_arrive(shared_address(&empty[stage == 0 ? STAGES - 1 : stage - 1]));
            }
            // [end]

            // [region store]
            row += consumer * 64 + warp * 16 + lane / 4;
            column += lane % 4 * 2;
#pragma unroll
            for (int j = 0; j < BN / 8; ++j) {
#pragma unroll
                for (int h = 0; h < 2; ++h) {
                    const int r = row + h * 8;
                    const int c = column + j * 8;
                    // N and ldc are even, so the pair is entirely inside or outside, and aligned.
                    if (r < M && c < N) {
                        bf16* pair = C + size_t(r) * ldc + c;
                        float left = alpha * acc[j][h * 2];
                        float right = alpha * acc[j][h * 2 + 1];
                        // BLAS: with beta == 0, C is not read. Whatever it held, even NaN, must not leak.
                        if (beta != 0.0f) {
                            left += beta * bf16_to_float(pair[0]);
                            right += beta * bf16_to_float(pair[1]);
                        }
                        *reinterpret_cast<unsigned*>(pair) = pack_bf16(left, right);
                    }
                }
            }
            // [end]
        }
    }
}
