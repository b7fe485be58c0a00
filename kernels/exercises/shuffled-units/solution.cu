// Fragments by ldmatrix, from tiles whose 16-byte units are shuffled so that no two rows of a matrix share a bank.

constexpr int BM = 64;            // rows of C per block
constexpr int BN = 64;            // columns of C per block
constexpr int BK = 32;            // depth of a tile of A and B
constexpr int WM = 32;            // WM x WN: a warp's part of the tile
constexpr int WN = 32;
constexpr int THREADS = 128;
constexpr int A_UNITS = BK / 8;   // 16-byte units in a row of A's tile: 4
constexpr int B_UNITS = BN / 8;   // 16-byte units in a row of B's tile: 8

typedef unsigned short bf16;

__device__ unsigned shared_address(const void* pointer)
{
    return static_cast<unsigned>(__cvta_generic_to_shared(pointer));
}

// Loads four 8x8 matrices; lane l names row l % 8 of matrix l / 8, and gets two neighbours of row l / 4 of each.
__device__ void ldmatrix_x4(unsigned (&matrix)[4], const void* row)
{
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
        : "=r"(matrix[0]), "=r"(matrix[1]), "=r"(matrix[2]), "=r"(matrix[3]) : "r"(shared_address(row)) : "memory");
}

// The same, but transposes each matrix: a lane gets two neighbours of a column.
__device__ void ldmatrix_x4_transposed(unsigned (&matrix)[4], const void* row)
{
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
        : "=r"(matrix[0]), "=r"(matrix[1]), "=r"(matrix[2]), "=r"(matrix[3]) : "r"(shared_address(row)) : "memory");
}

// acc[16x8] += a[16x16] * b[16x8]
__device__ void mma_m16n8k16(float (&acc)[4], const unsigned (&a)[4], unsigned b0, unsigned b1)
{
    asm("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+f"(acc[0]), "+f"(acc[1]), "+f"(acc[2]), "+f"(acc[3]) : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

// Returns the index of a 16-byte unit in A's tile: it stays in its row, but may move within it.
__device__ int A_at(int row, int unit)
{
    int place = unit;
    // [hole A units]
    // TODO: A row of A's tile has 4 units, 64 bytes. ldmatrix reads one unit of each of 8 rows at a time.
    place = unit ^ row / 2 % 4;
    // [end]
    return row * A_UNITS + place;
}

__device__ int B_at(int row, int unit)
{
    int place = unit;
    // [hole B units]
    // TODO: A row of B's tile has 8 units, 128 bytes.
    place = unit ^ row % 8;
    // [end]
    return row * B_UNITS + place;
}

extern "C" __global__ void __launch_bounds__(THREADS) shuffled_units(
    const bf16* __restrict__ A, const bf16* __restrict__ B, bf16* __restrict__ C,
    int M, int N, int K, int lda, int ldb, int ldc, float alpha, float beta)
{
    __shared__ uint4 A_tile[BM * A_UNITS];
    __shared__ uint4 B_tile[BK * B_UNITS];
    const int row = blockIdx.y * BM;
    const int column = blockIdx.x * BN;
    const int lane = threadIdx.x % 32;
    const int warp = threadIdx.x / 32;
    const int warp_row = warp / 2 * WM;
    const int warp_column = warp % 2 * WN;

    float acc[WM / 16][WN / 8][4] = {};
    for (int t = 0; t < K; t += BK) {
        // K and N are multiples of 8, so a unit is entirely inside or outside.
#pragma unroll
        for (int i = 0; i < 2; ++i) {
            const int at = threadIdx.x + i * THREADS;
            const int r = at / A_UNITS;
            const int u = at % A_UNITS;
            const bool inside = row + r < M && t + u * 8 < K;
            A_tile[A_at(r, u)] = inside ? *reinterpret_cast<const uint4*>(A + size_t(row + r) * lda + t + u * 8) : make_uint4(0, 0, 0, 0);
        }
#pragma unroll
        for (int i = 0; i < 2; ++i) {
            const int at = threadIdx.x + i * THREADS;
            const int r = at / B_UNITS;
            const int u = at % B_UNITS;
            const bool inside = t + r < K && column + u * 8 < N;
            B_tile[B_at(r, u)] = inside ? *reinterpret_cast<const uint4*>(B + size_t(t + r) * ldb + column + u * 8) : make_uint4(0, 0, 0, 0);
        }
        __syncthreads();

#pragma unroll
        for (int k = 0; k < BK; k += 16) {
            unsigned a[WM / 16][4] = {};  // 16x16 of A: 8x8 matrices, down first, then right
            unsigned b[WN / 16][4] = {};  // 16x16 of B: the same; the first two serve 8 columns, the others the next 8
            // [hole fragments]
            // TODO: Load a[i] and b[j] with one ldmatrix each. Which row and unit does this lane name?
#pragma unroll
            for (int i = 0; i < WM / 16; ++i) {
                ldmatrix_x4(a[i], &A_tile[A_at(warp_row + i * 16 + lane % 16, k / 8 + lane / 16)]);
            }
#pragma unroll
            for (int j = 0; j < WN / 16; ++j) {
                ldmatrix_x4_transposed(b[j], &B_tile[B_at(k + lane % 16, warp_column / 8 + j * 2 + lane / 16)]);
            }
            // [end]
#pragma unroll
            for (int i = 0; i < WM / 16; ++i) {
#pragma unroll
                for (int j = 0; j < WN / 8; ++j) {
                    mma_m16n8k16(acc[i][j], a[i], b[j / 2][j % 2 * 2], b[j / 2][j % 2 * 2 + 1]);
                }
            }
        }
        __syncthreads();
    }

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
                    unsigned* pair = reinterpret_cast<unsigned*>(C + size_t(r) * ldc + c);
                    float left = alpha * acc[i][j][h * 2];
                    float right = alpha * acc[i][j][h * 2 + 1];
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
}
