// Both halves of a 128x64 tile of C go through one buffer in shared memory, and the copy engine stores them.

constexpr int BM = 128;               // rows of C per block
constexpr int BN = 64;                // columns of C per block
constexpr int BK = 64;                // depth of a tile of A and B
constexpr int A_BYTES = BM * BK * 2;  // a box of A: 128 rows of 128 bytes
constexpr int B_BYTES = BK * BN * 2;  // a box of B: 64 rows

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

// Makes this thread's writes to shared memory visible to the copy engine.
__device__ void fence_async_proxy()
{
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

// Tells the copy engine to store a box of 64x64 at this column and row of the matrix.
__device__ void tma_store(const CUtensorMap& map, int column, int row, unsigned source)
{
    asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%0, {%1, %2}], [%3];"
        :: "l"(&map), "r"(column), "r"(row), "r"(source) : "memory");
}

__device__ void tma_store_commit()
{
    asm volatile("cp.async.bulk.commit_group;" ::: "memory");
}

// Waits until the copy engine has read the sources of all stores that this thread has committed.
__device__ void tma_store_wait_read()
{
    asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
}

extern "C" __global__ void __launch_bounds__(128) out_by_engine(
    const __grid_constant__ CUtensorMap map_A, const __grid_constant__ CUtensorMap map_B,
    const __grid_constant__ CUtensorMap map_C,
    const bf16* __restrict__ A, const bf16* __restrict__ B, bf16* __restrict__ C,
    int M, int N, int K, int lda, int ldb, int ldc, float alpha, float beta)
{
    // A tile of A, a tile of B, a buffer for C, each at a multiple of 1024 bytes for the swizzle.
    extern __shared__ __align__(1024) unsigned char shared[];
    __shared__ mbarrier board;
    const unsigned A_tile = shared_address(shared);
    const unsigned B_tile = A_tile + A_BYTES;
    unsigned* const buffer = reinterpret_cast<unsigned*>(shared + A_BYTES + B_BYTES);
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
    float acc[2][8][4] = {};
    for (int t = 0; t < k_tiles; ++t) {
        if (threadIdx.x == 0) {
            mbarrier_arrive_expect(full, A_BYTES + B_BYTES);
            tma_load(A_tile, map_A, t * BK, row, full);
            tma_load(B_tile, map_B, column, t * BK, full);
        }
        mbarrier_wait(full, t % 2);
        wgmma_fence();
        for (int step = 0; step < BK / 16; ++step) {
            wgmma_m64n64k16(acc[0], A_descriptor + step * 16 * 2 / 16, B_descriptor + step * 16 * 128 / 16);
            wgmma_m64n64k16(acc[1], A_descriptor + (64 * 128 + step * 16 * 2) / 16, B_descriptor + step * 16 * 128 / 16);
        }
        wgmma_commit();
        wgmma_wait<0>();
        __syncthreads();
    }
    fence_registers(acc[0]);
    fence_registers(acc[1]);

    const int warp = threadIdx.x / 32;
    const int lane = threadIdx.x % 32;
#pragma unroll
    for (int half = 0; half < 2; ++half) {
        if (threadIdx.x == 0) tma_store_wait_read();
        __syncthreads();
#pragma unroll
        for (int j = 0; j < 8; ++j) {
#pragma unroll
            for (int h = 0; h < 2; ++h) {
                const int r = warp * 16 + h * 8 + lane / 4;
                const int R = row + half * 64 + r;
                const int c = column + j * 8 + lane % 4 * 2;
                float left = alpha * acc[half][j][h * 2];
                float right = alpha * acc[half][j][h * 2 + 1];
                // BLAS: with beta == 0, C is not read.
                if (beta != 0.0f && R < M && c < N) {
                    const unsigned old = *reinterpret_cast<const unsigned*>(C + size_t(R) * ldc + c);
                    left += beta * __uint_as_float(old << 16);
                    right += beta * __uint_as_float(old & 0xffff0000u);
                }
                // Swizzled as the tensor map of C requires: unit j of row r goes to place j ^ r % 8.
                unsigned& pair = buffer[r * 32 + (j ^ r % 8) * 4 + lane % 4];
                asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(right), "f"(left));
            }
        }
        fence_async_proxy();
        __syncthreads();
        if (threadIdx.x == 0) {
            tma_store(map_C, column, row + half * 64, shared_address(buffer));
            tma_store_commit();
        }
    }
    // Shared memory must stay valid until the stores have read it.
    if (threadIdx.x == 0) tma_store_wait_read();
}
