// One thread requests a tile from the copy engine, and a warpgroup multiplies it from shared memory.

constexpr int BM = 64;                // rows of C per block
constexpr int BN = 64;                // columns of C per block
constexpr int BK = 64;                // depth of a tile of A and B
constexpr int A_BYTES = BM * BK * 2;  // a box of A: 64 rows of 128 bytes
constexpr int B_BYTES = BK * BN * 2;  // a box of B: the same

typedef unsigned short bf16;
typedef unsigned long long mbarrier;
struct alignas(64) CUtensorMap { unsigned long long opaque[16]; };

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

// Arrives, and announces how many bytes the copy engine will bring.
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

// Requests from the copy engine the box that begins at this column and row of the matrix.
__device__ void tma_load(unsigned destination, const CUtensorMap& map, int column, int row, unsigned barrier)
{
    asm volatile(
        "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];"
        :: "r"(destination), "l"(&map), "r"(column), "r"(row), "r"(barrier) : "memory");
}

// Describes where a wgmma operand is in shared memory: swizzled rows of 128 bytes; eight rows take `stride_bytes`.
// To move on in shared memory, add the distance in units of 16 bytes to the descriptor.
__device__ unsigned long long matrix_descriptor(unsigned address, unsigned stride_bytes)
{
    return (unsigned long long)((address & 0x3ffff) >> 4) | 1ull << 16 | (unsigned long long)(stride_bytes >> 4) << 32 | 1ull << 62;
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

// acc[64x64] += A[64x16] * B[16x64]. A's rows run along K, B's along N, so the last flag transposes B.
__device__ void wgmma_m64n64k16(float (&acc)[8][4], unsigned long long a, unsigned long long b)
{
#define ACC(i) "+f"(acc[i][0]), "+f"(acc[i][1]), "+f"(acc[i][2]), "+f"(acc[i][3])
    asm volatile(
        "{\n"
        ".reg .pred add;\n"
        "setp.eq.u32 add, 0, 0;\n"
        "wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16 {"
        "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
        "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31"
        "}, %32, %33, add, 1, 1, 0, 1;\n"
        "}"
        : ACC(0), ACC(1), ACC(2), ACC(3), ACC(4), ACC(5), ACC(6), ACC(7) : "l"(a), "l"(b));
#undef ACC
}

// Stores a warpgroup's 64x64 sums: lane l of warp w holds two neighbours of rows 16 w + l / 4 and 16 w + l / 4 + 8.
__device__ void store(bf16* C, const float (&acc)[8][4], int row, int column, int M, int N, int ldc, float alpha, float beta)
{
    const int warp = threadIdx.x / 32 % 4;
    const int lane = threadIdx.x % 32;
    for (int j = 0; j < 8; ++j) {
        for (int h = 0; h < 2; ++h) {
            const int r = row + warp * 16 + h * 8 + lane / 4;
            const int c = column + j * 8 + lane % 4 * 2;
            // N and ldc are even, so the pair is entirely inside or outside, and aligned.
            if (r < M && c < N) {
                unsigned* pair = reinterpret_cast<unsigned*>(C + size_t(r) * ldc + c);
                float left = alpha * acc[j][h * 2];
                float right = alpha * acc[j][h * 2 + 1];
                // BLAS: with beta == 0, C is not read.
                if (beta != 0.0f) {
                    left += beta * __uint_as_float(*pair << 16);
                    right += beta * __uint_as_float(*pair & 0xffff0000u);
                }
                asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(*pair) : "f"(right), "f"(left));
            }
        }
    }
}

extern "C" __global__ void __launch_bounds__(128) one_asks(
    const __grid_constant__ CUtensorMap map_A, const __grid_constant__ CUtensorMap map_B,
    const bf16* __restrict__ A, const bf16* __restrict__ B, bf16* __restrict__ C,
    int M, int N, int K, int lda, int ldb, int ldc, float alpha, float beta)
{
    // A tile of A, then of B, each at a multiple of 1024 bytes for the swizzle.
    extern __shared__ __align__(1024) unsigned char shared[];
    __shared__ mbarrier board;
    const unsigned A_tile = shared_address(shared);
    const unsigned B_tile = A_tile + A_BYTES;
    const unsigned full = shared_address(&board);
    const int row = blockIdx.y * BM;
    const int column = blockIdx.x * BN;
    const int k_tiles = (K + BK - 1) / BK;

    if (threadIdx.x == 0) {
        mbarrier_init(full, 1);
        fence_mbarrier_init();
    }
    __syncthreads();

    const unsigned long long A_descriptor = matrix_descriptor(A_tile, 8 * 128);
    const unsigned long long B_descriptor = matrix_descriptor(B_tile, 8 * 128);
    float acc[8][4] = {};
    for (int t = 0; t < k_tiles; ++t) {
        // [hole order]
        // TODO: One thread announces the bytes of both boxes at `full` and requests the boxes. All wait for this use of `full`.
        if (threadIdx.x == 0) {
            mbarrier_arrive_expect(full, A_BYTES + B_BYTES);
            tma_load(A_tile, map_A, t * BK, row, full);
            tma_load(B_tile, map_B, column, t * BK, full);
        }
        mbarrier_wait(full, t % 2);
        // [end]
        // [hole multiply]
        // TODO: Multiply in steps of 16 along k, and wait for the products. Only then may the next tile overwrite this one.
        wgmma_fence();
        for (int step = 0; step < BK / 16; ++step) {
            wgmma_m64n64k16(acc, A_descriptor + step * 16 * 2 / 16, B_descriptor + step * 16 * 128 / 16);
        }
        wgmma_commit();
        wgmma_wait<0>();
        __syncthreads();
        // [end]
    }
    fence_registers(acc);
    store(C, acc, row, column, M, N, ldc, alpha, beta);
}
