// Products of bf16 matrices on tensor cores, as students write them: C = alpha * A * B + beta * C in row-major order, C in FP32.
// Each instance below is an entry of its own; `scripts/gpu/students` has the geometry. All sizes are multiples of the block.

typedef unsigned short half16;
#define ARGS const half16* __restrict__ A, const half16* __restrict__ B, float* __restrict__ C, \
    int M, int N, int K, int lda, int ldb, int ldc, float alpha, float beta
#define PASS A, B, C, M, N, K, lda, ldb, ldc, alpha, beta
#define ENTRY(name, threads, ...) extern "C" __global__ void __launch_bounds__(threads) name(ARGS) { __VA_ARGS__(PASS); }

__device__ unsigned shared_address(const void* pointer) { return static_cast<unsigned>(__cvta_generic_to_shared(pointer)); }

#define LOAD(name, matrix, space, constraint, place)                                                                           \
    __device__ void name(unsigned (&f)[4], const half16* tile, int pitch)                                                      \
    {                                                                                                                          \
        asm volatile("wmma.load." matrix ".sync.aligned.row.m16n16k16." space ".bf16 {%0, %1, %2, %3}, [%4], %5;"              \
            : "=r"(f[0]), "=r"(f[1]), "=r"(f[2]), "=r"(f[3]) : constraint(place(tile)), "r"(pitch) : "memory");                \
    }
LOAD(load_a_global, "a", "global", "l", __cvta_generic_to_global)
LOAD(load_b_global, "b", "global", "l", __cvta_generic_to_global)
LOAD(load_a_shared, "a", "shared", "r", shared_address)
LOAD(load_b_shared, "b", "shared", "r", shared_address)

__device__ void wmma(float (&c)[8], const unsigned (&a)[4], const unsigned (&b)[4])
{
    asm volatile("wmma.mma.sync.aligned.row.row.m16n16k16.f32.bf16.bf16.f32 {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9, %10, %11}, "
                 "{%12, %13, %14, %15}, {%0, %1, %2, %3, %4, %5, %6, %7};"
        : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3]), "+f"(c[4]), "+f"(c[5]), "+f"(c[6]), "+f"(c[7])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "r"(b[2]), "r"(b[3]));
}

__device__ void wmma_store(float* C, int ldc, float (&c)[8], float alpha)
{
    for (int i = 0; i < 8; ++i) c[i] *= alpha;
    asm volatile("wmma.store.d.sync.aligned.row.m16n16k16.global.f32 [%0], {%1, %2, %3, %4, %5, %6, %7, %8}, %9;"
        :: "l"(__cvta_generic_to_global(C)), "f"(c[0]), "f"(c[1]), "f"(c[2]), "f"(c[3]), "f"(c[4]), "f"(c[5]), "f"(c[6]), "f"(c[7]), "r"(ldc)
        : "memory");
}

// Fragments straight from global memory. A warp computes FM×FN fragments; WX×WY warps per block.
template <int FM, int FN, int WX, int WY>
__device__ void wmma_global(ARGS)
{
    const int warp = threadIdx.x / 32;
    const int row = (blockIdx.y * WY + warp / WX) * 16 * FM, col = (blockIdx.x * WX + warp % WX) * 16 * FN;
    float c[FM][FN][8] = {};
    for (int k = 0; k < K; k += 16) {
        unsigned a[FM][4], b[FN][4];
#pragma unroll
        for (int i = 0; i < FM; ++i) load_a_global(a[i], A + size_t(row + 16 * i) * lda + k, lda);
#pragma unroll
        for (int j = 0; j < FN; ++j) load_b_global(b[j], B + size_t(k) * ldb + col + 16 * j, ldb);
#pragma unroll
        for (int i = 0; i < FM; ++i)
#pragma unroll
            for (int j = 0; j < FN; ++j) wmma(c[i][j], a[i], b[j]);
    }
#pragma unroll
    for (int i = 0; i < FM; ++i)
#pragma unroll
        for (int j = 0; j < FN; ++j) wmma_store(C + size_t(row + 16 * i) * ldc + col + 16 * j, ldc, c[i][j], alpha);
}

__device__ void copy16(half16* to, const half16* from) { *reinterpret_cast<uint4*>(to) = *reinterpret_cast<const uint4*>(from); }

__device__ void copy16_async(half16* to, const half16* from)
{
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" :: "r"(shared_address(to)), "l"(__cvta_generic_to_global(from)) : "memory");
}

// Copies a ROWS×COLS tile to shared memory: 16 bytes per thread at a time, or element by element.
template <int ROWS, int COLS, int PITCH, int THREADS, int WIDTH, bool ASYNC>
__device__ void copy_tile(half16* tile, const half16* from, int ld)
{
    for (int i = threadIdx.x * WIDTH; i < ROWS * COLS; i += THREADS * WIDTH) {
        const int r = i / COLS, c = i % COLS;
        if (ASYNC) copy16_async(tile + r * PITCH + c, from + size_t(r) * ld + c);
        else if (WIDTH == 8) copy16(tile + r * PITCH + c, from + size_t(r) * ld + c);
        else tile[r * PITCH + c] = from[size_t(r) * ld + c];
    }
}

// Tiles in shared memory; a warp computes FM×FN fragments of 16×16.
template <int BM, int BN, int BK, int FM, int FN, int PAD, int WIDTH>
__device__ void wmma_shared(ARGS)
{
    constexpr int WX = BN / (16 * FN), THREADS = WX * (BM / (16 * FM)) * 32, PA = BK + PAD, PB = BN + PAD;
    __shared__ __align__(32) half16 a_tile[BM * PA], b_tile[BK * PB];
    const int warp = threadIdx.x / 32, wr = warp / WX * 16 * FM, wc = warp % WX * 16 * FN;
    const int row = blockIdx.y * BM, col = blockIdx.x * BN;
    float c[FM][FN][8] = {};
    for (int k0 = 0; k0 < K; k0 += BK) {
        copy_tile<BM, BK, PA, THREADS, WIDTH, false>(a_tile, A + size_t(row) * lda + k0, lda);
        copy_tile<BK, BN, PB, THREADS, WIDTH, false>(b_tile, B + size_t(k0) * ldb + col, ldb);
        __syncthreads();
#pragma unroll
        for (int k = 0; k < BK; k += 16) {
            unsigned a[FM][4], b[FN][4];
#pragma unroll
            for (int i = 0; i < FM; ++i) load_a_shared(a[i], a_tile + (wr + 16 * i) * PA + k, PA);
#pragma unroll
            for (int j = 0; j < FN; ++j) load_b_shared(b[j], b_tile + k * PB + wc + 16 * j, PB);
#pragma unroll
            for (int i = 0; i < FM; ++i)
#pragma unroll
                for (int j = 0; j < FN; ++j) wmma(c[i][j], a[i], b[j]);
        }
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < FM; ++i)
#pragma unroll
        for (int j = 0; j < FN; ++j) wmma_store(C + size_t(row + wr + 16 * i) * ldc + col + wc + 16 * j, ldc, c[i][j], alpha);
}

__device__ void mma(float (&c)[4], const unsigned (&a)[4], unsigned b0, unsigned b1)
{
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3]) : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

__device__ unsigned two(const half16* p) { return *reinterpret_cast<const unsigned*>(p); }
__device__ unsigned pair(half16 low, half16 high) { return low | unsigned(high) << 16; }

template <int FM, int FN>
__device__ void store_fragments(float* C, int ldc, float (&c)[FM][FN][4], float alpha, float beta)
{
    const int g = threadIdx.x % 32 / 4, t = threadIdx.x % 4;
#pragma unroll
    for (int i = 0; i < FM; ++i)
#pragma unroll
        for (int j = 0; j < FN; ++j)
#pragma unroll
            for (int e = 0; e < 4; ++e) {
                float* to = C + size_t(16 * i + g + e / 2 * 8) * ldc + 8 * j + 2 * t + e % 2;
                *to = beta == 0.0f ? alpha * c[i][j][e] : alpha * c[i][j][e] + beta * *to;
            }
}

// One warp per 16×8 elements, straight from global memory.
__device__ void mma_global(ARGS)
{
    const int warp = threadIdx.x / 32, g = threadIdx.x % 32 / 4, t = threadIdx.x % 4;
    const int row = (blockIdx.y * 4 + warp) * 16, col = blockIdx.x * 8;
    float c[1][1][4] = {};
    for (int k = 0; k < K; k += 16) {
        const half16* a0 = A + size_t(row + g) * lda + k + 2 * t;
        const half16* a8 = a0 + size_t(8) * lda;
        const unsigned a[4] = {two(a0), two(a8), two(a0 + 8), two(a8 + 8)};
        const half16* b = B + size_t(k + 2 * t) * ldb + col + g;
        mma(c[0][0], a, pair(b[0], b[ldb]), pair(b[size_t(8) * ldb], b[size_t(9) * ldb]));
    }
    store_fragments<1, 1>(C + size_t(row) * ldc + col, ldc, c, alpha, beta);
}

// Tiles in shared memory; a warp computes FM×FN fragments of 16×8. LDM: fragments by ldmatrix. STAGES tiles by cp.async, or one.
template <int BM, int BN, int BK, int FM, int FN, int PAD, int WIDTH, bool LDM, int STAGES>
__device__ void mma_shared(ARGS)
{
    constexpr int WX = BN / (8 * FN), THREADS = WX * (BM / (16 * FM)) * 32, PA = BK + PAD, PB = BN + PAD;
    __shared__ __align__(16) half16 a_tile[STAGES][BM * PA], b_tile[STAGES][BK * PB];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32, g = lane / 4, t = lane % 4;
    const int wr = warp / WX * 16 * FM, wc = warp % WX * 8 * FN, row = blockIdx.y * BM, col = blockIdx.x * BN;
    float c[FM][FN][4] = {};
    auto load = [&](int stage, int k0) {
        copy_tile<BM, BK, PA, THREADS, WIDTH, (STAGES > 1)>(a_tile[stage], A + size_t(row) * lda + k0, lda);
        copy_tile<BK, BN, PB, THREADS, WIDTH, (STAGES > 1)>(b_tile[stage], B + size_t(k0) * ldb + col, ldb);
        if (STAGES > 1) asm volatile("cp.async.commit_group;" ::: "memory");
    };
    if (STAGES > 1) load(0, 0);
    for (int k0 = 0, stage = 0; k0 < K; k0 += BK, stage = (stage + 1) % STAGES) {
        if (STAGES > 1) {
            if (k0 + BK < K) {
                load((stage + 1) % STAGES, k0 + BK);
                asm volatile("cp.async.wait_group 1;" ::: "memory");
            } else {
                asm volatile("cp.async.wait_group 0;" ::: "memory");
            }
        } else {
            load(0, k0);
        }
        __syncthreads();
        const half16 *as = a_tile[stage], *bs = b_tile[stage];
#pragma unroll
        for (int k = 0; k < BK; k += 16) {
            unsigned a[FM][4], b[FN][2];
#pragma unroll
            for (int i = 0; i < FM; ++i) {
                if (LDM) {
                    const unsigned from = shared_address(as + (wr + 16 * i + lane % 16) * PA + k + lane / 16 * 8);
                    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                        : "=r"(a[i][0]), "=r"(a[i][1]), "=r"(a[i][2]), "=r"(a[i][3]) : "r"(from) : "memory");
                } else {
                    const half16* from = as + (wr + 16 * i + g) * PA + k + 2 * t;
                    a[i][0] = two(from); a[i][1] = two(from + 8 * PA); a[i][2] = two(from + 8); a[i][3] = two(from + 8 * PA + 8);
                }
            }
#pragma unroll
            for (int j = 0; j < FN; ++j) {
                if (LDM) {
                    const unsigned from = shared_address(bs + (k + lane % 16) * PB + wc + 8 * j);
                    asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];" : "=r"(b[j][0]), "=r"(b[j][1]) : "r"(from) : "memory");
                } else {
                    const half16* from = bs + (k + 2 * t) * PB + wc + 8 * j + g;
                    b[j][0] = pair(from[0], from[PB]); b[j][1] = pair(from[8 * PB], from[9 * PB]);
                }
            }
#pragma unroll
            for (int i = 0; i < FM; ++i)
#pragma unroll
                for (int j = 0; j < FN; ++j) mma(c[i][j], a[i], b[j][0], b[j][1]);
        }
        __syncthreads();
    }
    store_fragments<FM, FN>(C + size_t(row + wr) * ldc + col + wc, ldc, c, alpha, beta);
}

// family: wmma
ENTRY(wmma_warp, 32, wmma_global<1, 1, 1, 1>)
ENTRY(wmma_4_warps, 128, wmma_global<1, 1, 2, 2>)
ENTRY(wmma_2x2_global, 128, wmma_global<2, 2, 2, 2>)
ENTRY(wmma_shared_64, 128, wmma_shared<64, 64, 32, 2, 2, 0, 8>)
ENTRY(wmma_padded_64, 128, wmma_shared<64, 64, 32, 2, 2, 8, 8>)
ENTRY(wmma_scalar_64, 128, wmma_shared<64, 64, 32, 2, 2, 8, 1>)
ENTRY(wmma_padded_128, 256, wmma_shared<128, 128, 32, 4, 2, 8, 8>)
// family: mma
ENTRY(mma_warp, 128, mma_global)
ENTRY(mma_scalar_64, 128, mma_shared<64, 64, 32, 2, 4, 8, 1, false, 1>)
ENTRY(mma_padded_64, 128, mma_shared<64, 64, 32, 2, 4, 8, 8, false, 1>)
ENTRY(mma_ldmatrix_64, 128, mma_shared<64, 64, 32, 2, 4, 8, 8, true, 1>)
ENTRY(mma_conflicts_64, 128, mma_shared<64, 64, 32, 2, 4, 0, 8, true, 1>)
ENTRY(mma_ldmatrix_128, 256, mma_shared<128, 128, 32, 4, 4, 8, 8, true, 1>)
ENTRY(mma_async_128, 256, mma_shared<128, 128, 32, 4, 4, 8, 8, true, 2>)
