// A ring of four tiles for the tensor cores: cp.async copies the next ones while the oldest is multiplied.

constexpr int BM = 64;            // rows of C per block
constexpr int BN = 64;            // columns of C per block
constexpr int BK = 32;            // depth of a tile of A and B
constexpr int WM = 32;            // WM x WN: a warp's part of the tile
constexpr int WN = 32;
constexpr int THREADS = 128;
constexpr int A_UNITS = BK / 8;   // 16-byte units in a row of A's tile: 4
constexpr int B_UNITS = BN / 8;   // 16-byte units in a row of B's tile: 8
constexpr int STAGES = 4;
constexpr int A_BYTES = BM * BK * 2;
constexpr int B_BYTES = BK * BN * 2;

typedef unsigned short bf16;

__device__ unsigned shared_address(const void* pointer)
{
    return static_cast<unsigned>(__cvta_generic_to_shared(pointer));
}

// Starts to copy 16 bytes. If they are not `wanted`, writes zeros.
__device__ void cp_async_16(unsigned destination, const bf16* source, bool wanted)
{
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" :: "r"(destination), "l"(source), "r"(wanted ? 16 : 0) : "memory");
}

// Commits a group of all copies that this thread has started since the last group.
__device__ void cp_async_commit()
{
    asm volatile("cp.async.commit_group;" ::: "memory");
}

// Waits until at most PENDING of this thread's groups are still in flight.
template <int PENDING>
__device__ void cp_async_wait()
{
    asm volatile("cp.async.wait_group %0;" :: "n"(PENDING) : "memory");
}

// Loads four 8x8 matrices; lane l names row l % 8 of matrix l / 8, and gets two neighbours of row l / 4 of each.
__device__ void ldmatrix_x4(unsigned (&matrix)[4], unsigned address)
{
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
        : "=r"(matrix[0]), "=r"(matrix[1]), "=r"(matrix[2]), "=r"(matrix[3]) : "r"(address) : "memory");
}

// The same, but transposes each matrix: a lane gets two neighbours of a column.
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

// Returns the offset in bytes of a 16-byte unit in its tile.
__device__ unsigned A_at(int row, int unit)
{
    return (row * A_UNITS + (unit ^ row / 2 % 4)) * 16;
}

__device__ unsigned B_at(int row, int unit)
{
    return (row * B_UNITS + (unit ^ row % 8)) * 16;
}

// Multiplies a warp's part of a tile.
__device__ void multiply(float (&acc)[WM / 16][WN / 8][4], unsigned A_tile, unsigned B_tile, int warp_row, int warp_column)
{
    const int lane = threadIdx.x % 32;
#pragma unroll
    for (int k = 0; k < BK; k += 16) {
        unsigned a[WM / 16][4];
        unsigned b[WN / 16][4];
#pragma unroll
        for (int i = 0; i < WM / 16; ++i) {
            ldmatrix_x4(a[i], A_tile + A_at(warp_row + i * 16 + lane % 16, k / 8 + lane / 16));
        }
#pragma unroll
        for (int j = 0; j < WN / 16; ++j) {
            ldmatrix_x4_transposed(b[j], B_tile + B_at(k + lane % 16, warp_column / 8 + j * 2 + lane / 16));
        }
#pragma unroll
        for (int i = 0; i < WM / 16; ++i) {
#pragma unroll
            for (int j = 0; j < WN / 8; ++j) {
                mma_m16n8k16(acc[i][j], a[i], b[j / 2][j % 2 * 2], b[j / 2][j % 2 * 2 + 1]);
            }
        }
    }
}

extern "C" __global__ void __launch_bounds__(THREADS) four_under_way(
    const bf16* __restrict__ A, const bf16* __restrict__ B, bf16* __restrict__ C,
    int M, int N, int K, int lda, int ldb, int ldc, float alpha, float beta)
{
    __shared__ __align__(128) unsigned char shared[STAGES * (A_BYTES + B_BYTES)];
    const unsigned A_tiles = shared_address(shared);  // stage s: A_tiles + s * A_BYTES
    const unsigned B_tiles = A_tiles + STAGES * A_BYTES;
    const int row = blockIdx.y * BM;
    const int column = blockIdx.x * BN;
    const int lane = threadIdx.x % 32;
    const int warp = threadIdx.x / 32;
    const int warp_row = warp / 2 * WM;
    const int warp_column = warp % 2 * WN;
    const int k_tiles = (K + BK - 1) / BK;

    // Starts to copy this thread's part of K tile t to a stage. Writes zeros where the tile is beyond K.
    auto copy_tile = [&](int t, int stage) {
#pragma unroll
        for (int i = 0; i < 2; ++i) {
            const int at = threadIdx.x + i * THREADS;
            const int r = at / A_UNITS;
            const int k = t * BK + at % A_UNITS * 8;
            const bool inside = row + r < M && k < K;
            cp_async_16(A_tiles + stage * A_BYTES + A_at(r, at % A_UNITS), inside ? A + size_t(row + r) * lda + k : A, inside);
        }
#pragma unroll
        for (int i = 0; i < 2; ++i) {
            const int at = threadIdx.x + i * THREADS;
            const int k = t * BK + at / B_UNITS;
            const int c = column + at % B_UNITS * 8;
            const bool inside = k < K && c < N;
            cp_async_16(B_tiles + stage * B_BYTES + B_at(at / B_UNITS, at % B_UNITS), inside ? B + size_t(k) * ldb + c : B, inside);
        }
    };

    float acc[WM / 16][WN / 8][4] = {};
    // [hole fill]
    // TODO: Start the copies of the first tiles, one group per tile. One stage stays free.
    for (int t = 0; t < STAGES - 1; ++t) {
        copy_tile(t, t);
        cp_async_commit();
    }
    // [end]
    for (int t = 0; t < k_tiles; ++t) {
        // [hole turn]
        // TODO: Make sure that all of tile t has arrived, and that no thread still reads the stage that you fill next.
        cp_async_wait<STAGES - 2>();
        __syncthreads();
        copy_tile(t + STAGES - 1, (t + STAGES - 1) % STAGES);
        cp_async_commit();
        // [end]
        multiply(acc, A_tiles + t % STAGES * A_BYTES, B_tiles + t % STAGES * B_BYTES, warp_row, warp_column);
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
