// FP32 from bf16 tensor cores by mma.sync, for GPUs before Hopper: the six products of bf16x6_promoted. While a block multiplies
// one tile, it splits the next one into the other of two buffers. The tensor cores' sum of 16 along K begins at zero, and FP32
// registers add up these sums.

// [region constants]
#ifndef BM
#define BM 128      // rows of C per block
#define BN 128      // columns of C per block
#define BK 16       // depth of a tile, equal to that of one mma
#define WM 64       // rows of C per warp
#define WN 32       // columns of C per warp
#define STAGES 3    // unsplit tiles in shared memory or in flight
#define GROUP 8     // tile rows to go down before going right
#endif
constexpr int WARPS_N = BN / WN;
constexpr int THREADS = BM / WM * WARPS_N * 32;
constexpr int A_BYTES = BM * BK * 4;
constexpr int B_BYTES = BK * BN * 4;
constexpr int A_PART = BM * BK * 2;                       // bytes of one of the three bf16 parts of A's tile
constexpr int B_PART = BK * BN * 2;
constexpr int PARTS = 3 * (A_PART + B_PART);              // bytes of all parts of a tile
constexpr int A_FOURS = BM * BK / 4;                      // groups of four neighbours in A's tile, which are copied and split together
constexpr int B_FOURS = BK * BN / 4;
static_assert(BK == 16 && WM % 16 == 0 && WN % 16 == 0 && BN % 64 == 0, "an mma is 16x8x16, and ldmatrix reads two matrices of B");
static_assert(A_FOURS % THREADS == 0 && B_FOURS % THREADS == 0 && STAGES >= 2, "every thread copies the same number of elements");
// [end]

// [region ptx]
__device__ unsigned shared_address(const void* pointer)
{
    return static_cast<unsigned>(__cvta_generic_to_shared(pointer));
}

// Starts to copy 16 bytes without using a register. If they are not `wanted`, writes zeros.
__device__ void cp_async_16(unsigned destination, const float* source, bool wanted)
{
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" :: "r"(destination), "l"(source), "r"(wanted ? 16 : 0) : "memory");
}

__device__ void cp_async_commit()
{
    asm volatile("cp.async.commit_group;" ::: "memory");
}

template <int PENDING>
__device__ void cp_async_wait()
{
    asm volatile("cp.async.wait_group %0;" :: "n"(PENDING) : "memory");
}

// Loads four 8x8 matrices; lane l names row l % 8 of matrix l / 8.
__device__ void ldmatrix_x4(unsigned (&matrix)[4], unsigned address)
{
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
        : "=r"(matrix[0]), "=r"(matrix[1]), "=r"(matrix[2]), "=r"(matrix[3]) : "r"(address) : "memory");
}

__device__ void ldmatrix_x4_transposed(unsigned (&matrix)[4], unsigned address)
{
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
        : "=r"(matrix[0]), "=r"(matrix[1]), "=r"(matrix[2]), "=r"(matrix[3]) : "r"(address) : "memory");
}

// acc[16x8] += a[16x16] * b[16x8]
__device__ void mma_m16n8k16(float (&acc)[4], const unsigned (&a)[4], unsigned b0, unsigned b1)
{
    asm("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+f"(acc[0]), "+f"(acc[1]), "+f"(acc[2]), "+f"(acc[3]) : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

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

// [region swizzle]
// Returns the offset in bytes of a 16-byte unit in its part. Eight units that ldmatrix reads together never share a bank.
__device__ unsigned A_at(int row, int unit)
{
    return (row * (BK / 8) + (unit ^ row / 4 % 2)) * 16;
}

__device__ unsigned B_at(int row, int unit)
{
    return (row * (BN / 8) + (unit ^ row % 8)) * 16;
}
// [end]

// [region copy]
__device__ void copy_tiles(unsigned tile, const float* A, const float* B, int row, int column, int k, int M, int N, int K, int lda, int ldb)
{
    // K and N are multiples of 4, so four neighbours are entirely inside or outside.
#pragma unroll
    for (int i = 0; i < A_FOURS / THREADS; ++i) {
        const int four = i * THREADS + threadIdx.x;
        const int r = row + four / (BK / 4);
        const int c = k + four % (BK / 4) * 4;
        const bool inside = r < M && c < K;
        cp_async_16(tile + four * 16, inside ? A + size_t(r) * lda + c : A, inside);
    }
#pragma unroll
    for (int i = 0; i < B_FOURS / THREADS; ++i) {
        const int four = i * THREADS + threadIdx.x;
        const int r = k + four / (BN / 4);
        const int c = column + four % (BN / 4) * 4;
        const bool inside = r < K && c < N;
        cp_async_16(tile + A_BYTES + four * 16, inside ? B + size_t(r) * ldb + c : B, inside);
    }
}
// [end]

// [region split tile]
// Every thread splits what it has copied itself, so it has to wait only for its own copies.
__device__ void split_tile(unsigned tile, unsigned parts)
{
#pragma unroll
    for (int i = 0; i < (A_FOURS + B_FOURS) / THREADS; ++i) {
        const bool of_A = i < A_FOURS / THREADS;
        const int four = (of_A ? i : i - A_FOURS / THREADS) * THREADS + threadIdx.x;
        const float4 v = load_shared(tile + (of_A ? 0 : A_BYTES) + four * 16);
        unsigned left[3], right[3];
        split(v.x, v.y, left[0], left[1], left[2]);
        split(v.z, v.w, right[0], right[1], right[2]);
        const int wide = of_A ? BK / 4 : BN / 4;
        const int r = four / wide;
        const int unit = four % wide / 2;
        const unsigned place = parts + (of_A ? A_at(r, unit) : 3 * A_PART + B_at(r, unit)) + four % 2 * 8;
#pragma unroll
        for (int part = 0; part < 3; ++part) store_shared(place + part * (of_A ? A_PART : B_PART), left[part], right[part]);
    }
}
// [end]

// [region multiply add]
// Computes one element of C without tensor cores, for numbers that do not fit into three bf16.
__device__ float multiply_add(const float* __restrict__ A, const float* __restrict__ B, int row, int column, int K, int lda, int ldb)
{
    float sum = 0.0f;
#pragma unroll 1
    for (int k = 0; k < K; ++k) sum = fmaf(A[size_t(row) * lda + k], B[size_t(k) * ldb + column], sum);
    return sum;
}
// [end]

// [region signature]
extern "C" __global__ void __launch_bounds__(THREADS) bf16x6_mma(
    const float* __restrict__ A, const float* __restrict__ B, float* __restrict__ C,
    int M, int N, int K, int lda, int ldb, int ldc, float alpha, float beta)
// [end]
{
    // [region shared memory]
    // STAGES tiles of A and B as loaded, then the parts of two tiles.
    extern __shared__ __align__(128) unsigned char shared[];
    const unsigned tiles = shared_address(shared);
    const unsigned parts = tiles + STAGES * (A_BYTES + B_BYTES);
    // [end]

    // [region rasterise]
    // Blocks run down a group of GROUP tile rows before they move right, so that blocks that run at the same time share tiles in the L2 cache.
    const int tile_rows = (M + BM - 1) / BM;
    const int tile_columns = (N + BN - 1) / BN;
    const int first = blockIdx.x / (GROUP * tile_columns) * GROUP;
    const int rows = min(GROUP, tile_rows - first);
    const int within = blockIdx.x - first * tile_columns;
    const int row = (first + within % rows) * BM;
    const int column = within / rows * BN;
    // [end]

    // [region indices]
    const int lane = threadIdx.x % 32;
    const int warp = threadIdx.x / 32;
    const int warp_row = warp / WARPS_N * WM;
    const int warp_column = warp % WARPS_N * WN;
    const int k_tiles = (K + BK - 1) / BK;
    // [end]

    // [region fill the ring]
#pragma unroll
    for (int s = 0; s < STAGES; ++s) {
        copy_tiles(tiles + s * (A_BYTES + B_BYTES), A, B, row, column, s * BK, M, N, K, lda, ldb);
        cp_async_commit();
    }
    cp_async_wait<STAGES - 1>();
    split_tile(tiles, parts);
    __syncthreads();
    // [end]

    float sum[WM / 16][WN / 8][4] = {};
    int stage = 0;
    // [region tile loop]
    for (int t = 0; t < k_tiles; ++t) {
        // [region next tile]
        // Tile t + STAGES overwrites tile t. Past K it contains only zeros, so that each step commits a group. Each thread
        // overwrites and splits only its own elements, but all threads read the parts: hence the barrier below.
        copy_tiles(tiles + stage * (A_BYTES + B_BYTES), A, B, row, column, (t + STAGES) * BK, M, N, K, lda, ldb);
        cp_async_commit();
        stage = stage + 1 == STAGES ? 0 : stage + 1;
        cp_async_wait<STAGES - 1>();
        split_tile(tiles + stage * (A_BYTES + B_BYTES), parts + (t + 1) % 2 * PARTS);
        // [end]

        // [region load fragments]
        const unsigned A_parts = parts + t % 2 * PARTS;
        const unsigned B_parts = A_parts + 3 * A_PART;
        unsigned b[3][WN / 16][4];
#pragma unroll
        for (int part = 0; part < 3; ++part) {
#pragma unroll
            for (int j = 0; j < WN / 16; ++j) {
                ldmatrix_x4_transposed(b[part][j], B_parts + part * B_PART + B_at(lane % 16, (warp_column + j * 16) / 8 + lane / 16));
            }
        }
        // [end]
        // [region multiply]
        // Six of the nine products of parts, from small to large, because the truncation error is relative to the sum so far.
        constexpr int PART_A[6] = {2, 1, 0, 1, 0, 0};
        constexpr int PART_B[6] = {0, 1, 2, 0, 1, 0};
#pragma unroll
        for (int i = 0; i < WM / 16; ++i) {
            unsigned a[3][4];
#pragma unroll
            for (int part = 0; part < 3; ++part) {
                ldmatrix_x4(a[part], A_parts + part * A_PART + A_at(warp_row + i * 16 + lane % 16, lane / 16));
            }
            float acc[WN / 8][4] = {};
#pragma unroll
            for (int product = 0; product < 6; ++product) {
#pragma unroll
                for (int j = 0; j < WN / 8; ++j) {
                    const unsigned (&pair)[4] = b[PART_B[product]][j / 2];
                    mma_m16n8k16(acc[j], a[PART_A[product]], pair[j % 2 * 2], pair[j % 2 * 2 + 1]);
                }
            }
            // [region promote]
#pragma unroll
            for (int j = 0; j < WN / 8; ++j) {
#pragma unroll
                for (int e = 0; e < 4; ++e) sum[i][j][e] += acc[j][e];
            }
            // [end]
        }
        // [end]
        __syncthreads();
    }
    cp_async_wait<0>();
    // [end]

    // [region store]
#pragma unroll
    for (int i = 0; i < WM / 16; ++i) {
#pragma unroll
        for (int j = 0; j < WN / 8; ++j) {
#pragma unroll
            for (int h = 0; h < 2; ++h) {
                const int r = row + warp_row + i * 16 + h * 8 + lane / 4;
                const int c = column + warp_column + j * 8 + lane % 4 * 2;
                // N and ldc are even, so the pair is entirely inside or outside, and aligned.
                if (r < M && c < N) {
                    float left = UNSCALE * sum[i][j][h * 2];
                    float right = UNSCALE * sum[i][j][h * 2 + 1];
                    // Zero times a finite sum is zero. If a sum is infinite or NaN, multiply-adds compute C again.
                    if (0.0f * sum[i][j][h * 2] + 0.0f * sum[i][j][h * 2 + 1] != 0.0f) {
                        left = multiply_add(A, B, r, c, K, lda, ldb);
                        right = multiply_add(A, B, r, c + 1, K, lda, ldb);
                    }
                    float2* pair = reinterpret_cast<float2*>(C + size_t(r) * ldc + c);
                    float2 v = make_float2(alpha * left, alpha * right);
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
