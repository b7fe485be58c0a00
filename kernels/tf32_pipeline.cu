// bf16_pipeline for FP32 matrices. The tensor cores multiply them as TF32, with 10 of the 23 fraction bits of a float, and
// add in FP32. ldmatrix moves pairs of 16 bits, so it can load A but not transpose B. A lane reads B four words at a time.

// [region constants]
#ifndef BM
#define BM 128
#define BN 256
#define BK 32
#define WM 64
#define WN 64
#define STAGES 3
#define GROUP 8
#define ROUND 1
#endif
constexpr int WARPS_M = BM / WM;
constexpr int WARPS_N = BN / WN;
constexpr int THREADS = WARPS_M * WARPS_N * 32;
constexpr int STEPS = BK / 8;                             // tensor-core steps per tile
constexpr int A_UNITS = BK / 4;                           // 16-byte units in a row of A's tile
constexpr int B_UNITS = BN / 4;
constexpr int A_PASS = THREADS / A_UNITS;                 // rows of A's tile that the block copies at a time
constexpr int B_PASS = THREADS / B_UNITS;
constexpr int A_BYTES = BM * BK * 4;
constexpr int B_BYTES = BK * BN * 4;
static_assert(WM % 16 == 0 && WN % 32 == 0, "an mma is 16x8x8, and a lane reads B for four of them at once");
static_assert(BK == 32 && BN % 32 == 0, "the swizzle supports only these tiles");
static_assert(THREADS % A_UNITS == 0 && BM % A_PASS == 0 && THREADS % B_UNITS == 0 && BK % B_PASS == 0, "every thread copies the same number of units");
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

__device__ uint4 load_unit(unsigned address)
{
    uint4 unit;
    asm volatile("ld.shared.v4.b32 {%0, %1, %2, %3}, [%4];"
        : "=r"(unit.x), "=r"(unit.y), "=r"(unit.z), "=r"(unit.w) : "r"(address) : "memory");
    return unit;
}

// Rounds to the nearest TF32: adds half of its last bit; the tensor cores truncate what is below. cvt.rna.tf32.f32
// does the same in more instructions. Infinity and NaN do not change.
__device__ unsigned round_to_tf32(unsigned bits)
{
    return fabsf(__uint_as_float(bits)) < __uint_as_float(0x7f800000) ? bits + 0x1000 : bits;
}

// acc[16x8] += a[16x8] * b[8x8]
__device__ void mma_m16n8k8(float (&acc)[4], const unsigned (&a)[4], const unsigned (&b)[2])
{
    asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+f"(acc[0]), "+f"(acc[1]), "+f"(acc[2]), "+f"(acc[3]) : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}
// [end]

// [region swizzle]
// Returns the offset in bytes of a 16-byte unit in its tile. Units that ldmatrix, a warp's reads of B or a
// copy access together never share a bank.
__device__ unsigned A_at(int row, int unit)
{
    return (row * A_UNITS + (unit ^ row % 8)) * 16;
}

__device__ unsigned B_at(int row, int unit)
{
    return (row * B_UNITS + (unit ^ row % 4 * 2)) * 16;
}
// [end]

// [region copy]
// A thread copies the same unit of every A_PASS-th row of A's tile and of every B_PASS-th row of B's.
__device__ void copy_tiles(unsigned A_tile, unsigned B_tile, const float* A, const float* B,
    int row, int column, int k, int M, int N, int K, int lda, int ldb)
{
    const int A_row = threadIdx.x / A_UNITS;
    const int A_unit = threadIdx.x % A_UNITS;
    const float* A_source = A + size_t(row + A_row) * lda + k + A_unit * 4;
    // K and N are multiples of 4, so a unit is entirely inside or outside.
    const bool A_inside = k + A_unit * 4 < K;
#pragma unroll
    for (int r = 0; r < BM; r += A_PASS) {
        cp_async_16(A_tile + A_at(A_row + r, A_unit), A_source + size_t(r) * lda, A_inside && row + A_row + r < M);
    }
    const int B_row = threadIdx.x / B_UNITS;
    const int B_unit = threadIdx.x % B_UNITS;
    const float* B_source = B + size_t(k + B_row) * ldb + column + B_unit * 4;
    const bool B_inside = column + B_unit * 4 < N;
#pragma unroll
    for (int r = 0; r < BK; r += B_PASS) {
        cp_async_16(B_tile + B_at(B_row + r, B_unit), B_source + size_t(r) * ldb, B_inside && k + B_row + r < K);
    }
}
// [end]

// [region load fragments]
// Loads what this warp multiplies in one step: WM rows by 8 columns of A, 8 rows by WN columns of B. We may choose which
// column of C each mma column holds: column 4 g + j of 32 is column g of mma j, so that a lane's four are neighbours.
__device__ void load_fragments(unsigned (&a)[WM / 16][4], unsigned (&b)[WN / 8][2],
    unsigned A_tile, unsigned B_tile, int warp_row, int warp_column, int k)
{
    const int lane = threadIdx.x % 32;
#pragma unroll
    for (int i = 0; i < WM / 16; ++i) {
        ldmatrix_x4(a[i], A_tile + A_at(warp_row + i * 16 + lane % 16, k / 4 + lane / 16));
    }
#pragma unroll
    for (int j = 0; j < WN / 8; j += 4) {
#pragma unroll
        for (int m = 0; m < 2; ++m) {
            const uint4 unit = load_unit(B_tile + B_at(k + m * 4 + lane % 4, (warp_column + j * 8) / 4 + lane / 4));
            b[j][m] = unit.x;
            b[j + 1][m] = unit.y;
            b[j + 2][m] = unit.z;
            b[j + 3][m] = unit.w;
        }
    }
}
// [end]

// [region round]
// Without this (ROUND 0), the tensor cores truncate the low bits, and the error is nearly three times as large.
__device__ void round_fragments(unsigned (&a)[WM / 16][4], unsigned (&b)[WN / 8][2])
{
#pragma unroll
    for (int at = 0; at < WM / 4; ++at) {
        a[at / 4][at % 4] = round_to_tf32(a[at / 4][at % 4]);
    }
#pragma unroll
    for (int at = 0; at < WN / 4; ++at) {
        b[at / 2][at % 2] = round_to_tf32(b[at / 2][at % 2]);
    }
}
// [end]

// [region signature]
extern "C" __global__ void __launch_bounds__(THREADS) tf32_pipeline(
    const float* __restrict__ A, const float* __restrict__ B, float* __restrict__ C,
    int M, int N, int K, int lda, int ldb, int ldc, float alpha, float beta)
// [end]
{
    // [region shared memory]
    extern __shared__ __align__(128) unsigned char shared[];
    const unsigned A_tiles = shared_address(shared);
    const unsigned B_tiles = A_tiles + STAGES * A_BYTES;
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

    float acc[WM / 16][WN / 8][4] = {};

    // [region fill the ring]
#pragma unroll
    for (int s = 0; s < STAGES - 1; ++s) {
        copy_tiles(A_tiles + s * A_BYTES, B_tiles + s * B_BYTES, A, B, row, column, s * BK, M, N, K, lda, ldb);
        cp_async_commit();
    }
    // [end]

    unsigned a[2][WM / 16][4];
    unsigned b[2][WN / 8][2];
    cp_async_wait<STAGES - 2>();
    __syncthreads();
    load_fragments(a[0], b[0], A_tiles, B_tiles, warp_row, warp_column, 0);

    // [region tile loop]
    int stage = 0;
    int free_stage = STAGES - 1;
    for (int t = 0; t < k_tiles; ++t) {
#pragma unroll
        for (int step = 0; step < STEPS; ++step) {
            // [region next tile]
            if (step == STEPS - 1) {
                // This thread's part of tile t + 1 has arrived. After the barrier, all parts have arrived, and all
                // warps have loaded the last fragments of tile t.
                free_stage = stage;
                stage = stage + 1 == STAGES ? 0 : stage + 1;
                cp_async_wait<STAGES - 2>();
                __syncthreads();
            }
            // [end]
            // [region next fragments]
            load_fragments(a[(step + 1) % 2], b[(step + 1) % 2], A_tiles + stage * A_BYTES, B_tiles + stage * B_BYTES,
                warp_row, warp_column, (step + 1) % STEPS * 8);
            // [end]
            if (step == 0) {
                // Past K, this copies zeros. So each tile has a group, and the count of groups stays correct.
                copy_tiles(A_tiles + free_stage * A_BYTES, B_tiles + free_stage * B_BYTES, A, B,
                    row, column, (t + STAGES - 1) * BK, M, N, K, lda, ldb);
                cp_async_commit();
            }
            // [region multiply]
            if (ROUND) round_fragments(a[step % 2], b[step % 2]);
#pragma unroll
            for (int i = 0; i < WM / 16; ++i) {
#pragma unroll
                for (int j = 0; j < WN / 8; ++j) {
                    mma_m16n8k8(acc[i][j], a[step % 2][i], b[step % 2][j]);
                }
            }
            // [end]
        }
    }
    cp_async_wait<0>();
    // [end]

    // [region store]
#pragma unroll
    for (int i = 0; i < WM / 16; ++i) {
#pragma unroll
        for (int h = 0; h < 2; ++h) {
#pragma unroll
            for (int j = 0; j < WN / 8; j += 4) {
#pragma unroll
                for (int m = 0; m < 2; ++m) {
                    const int r = row + warp_row + i * 16 + h * 8 + lane / 4;
                    const int c = column + warp_column + j * 8 + (lane % 4 * 2 + m) * 4;
                    // N and ldc are multiples of 4, so the four elements are entirely inside or outside, and aligned.
                    if (r < M && c < N) {
                        float4* four = reinterpret_cast<float4*>(C + size_t(r) * ldc + c);
                        const int at = h * 2 + m;
                        float4 sum = make_float4(alpha * acc[i][j][at], alpha * acc[i][j + 1][at],
                            alpha * acc[i][j + 2][at], alpha * acc[i][j + 3][at]);
                        // BLAS: with beta == 0, C is not read. Whatever it held, even NaN, must not leak.
                        if (beta != 0.0f) {
                            const float4 old = *four;
                            sum = make_float4(sum.x + beta * old.x, sum.y + beta * old.y, sum.z + beta * old.z, sum.w + beta * old.w);
                        }
                        *four = sum;
                    }
                }
            }
        }
    }
    // [end]
}
