// The Hopper way: one thread requests a tile from the copy engine (TMA), an mbarrier counts the bytes that arrive,
// and wgmma multiplies 64 rows by 256 columns from shared memory. No ring yet: other blocks hide a block's waits.

// [region constants]
constexpr int BM = 64;
constexpr int BN = 256;
constexpr int BK = 64;
constexpr int THREADS = 128;                              // one warpgroup
constexpr int CHUNK = 64;                                 // columns of a 128-byte row of shared memory
constexpr int A_BYTES = BM * BK * 2;
constexpr int B_BYTES = BK * BN * 2;
constexpr int B_CHUNK_BYTES = BK * CHUNK * 2;
constexpr int A_STEP_BYTES = 16 * 2;                      // distance between the A operands of consecutive wgmmas: 16 columns
constexpr int B_STEP_BYTES = 16 * 128;                    // the same for B: 16 rows
constexpr int TILE_BYTES = A_BYTES + B_BYTES;
static_assert(BM == 64 && BN == 256 && BK == CHUNK, "a wgmma is 64x256x16; a row of A's tile is 128 bytes");
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

// [region signature]
extern "C" __global__ void __launch_bounds__(THREADS) bf16_wgmma(
    const __grid_constant__ CUtensorMap map_A, const __grid_constant__ CUtensorMap map_B,
    const bf16* __restrict__ A, const bf16* __restrict__ B, bf16* __restrict__ C,
    int M, int N, int K, int lda, int ldb, int ldc, float alpha, float beta)
// [end]
{
    // [region shared memory]
    // A tile of A, then of B, each at a multiple of 1024 bytes for the swizzle.
    extern __shared__ __align__(1024) unsigned char shared[];
    __shared__ mbarrier full;
    const unsigned A_tile = shared_address(shared);
    const unsigned B_tile = A_tile + A_BYTES;
    const unsigned full_barrier = shared_address(&full);
    // [end]

    // [region indices]
    const int row = blockIdx.y * BM;
    const int column = blockIdx.x * BN;
    const int warp = threadIdx.x / 32;
    const int lane = threadIdx.x % 32;
    const int k_tiles = (K + BK - 1) / BK;
    // [end]

    // [region initialise barrier]
    if (threadIdx.x == 0) {
        mbarrier_init(full_barrier, 1);
        fence_mbarrier_init();
    }
    __syncthreads();
    // [end]

    // [region descriptors]
    // A: groups of eight rows of 128 bytes. B: the same along K. The next 64 columns begin B_CHUNK_BYTES later.
    const unsigned long long A_descriptor = matrix_descriptor(A_tile, 16, 8 * 128);
    const unsigned long long B_descriptor = matrix_descriptor(B_tile, B_CHUNK_BYTES, 8 * 128);
    // [end]

    float acc[BN / 8][4];
    // [region tile loop]
    for (int k = 0; k < k_tiles; ++k) {
        // [region load]
        if (threadIdx.x == 0) {
            // This one arrival and the announced bytes complete the barrier's phase.
            mbarrier_arrive_expect(full_barrier, TILE_BYTES);
            tma_load(A_tile, map_A, k * BK, row, full_barrier);
#pragma unroll
            for (int chunk = 0; chunk < BN / CHUNK; ++chunk) {
                tma_load(B_tile + chunk * B_CHUNK_BYTES, map_B, column + chunk * CHUNK, k * BK, full_barrier);
            }
        }
        mbarrier_wait(full_barrier, k % 2);
        // [end]

        // [region multiply]
        wgmma_fence();
#pragma unroll
        for (int step = 0; step < BK / 16; ++step) {
            wgmma_m64n256k16(acc, A_descriptor + step * A_STEP_BYTES / 16, B_descriptor + step * B_STEP_BYTES / 16, k > 0 || step > 0);
        }
        wgmma_commit();
        wgmma_wait<0>();
        fence_registers(acc);
        // [end]
        // All threads' products must be done before the next tile overwrites this one.
        __syncthreads();
    }
    // [end]

    // [region store]
#pragma unroll
    for (int j = 0; j < BN / 8; ++j) {
#pragma unroll
        for (int h = 0; h < 2; ++h) {
            const int r = row + warp * 16 + h * 8 + lane / 4;
            const int c = column + j * 8 + lane % 4 * 2;
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
