// FP32 matrices on the tensor cores: wmma with TF32, which keeps 10 of the 23 fraction bits of a float.
// Takes every shape, because it loads element by element.

// [region constants]
constexpr int BM = 64;
constexpr int BN = 64;
constexpr int BK = 32;
constexpr int WARPS_N = 2;
constexpr int WM = 32;
constexpr int WN = 32;
constexpr int THREADS = 128;
constexpr int A_PASS = THREADS / BK;                      // rows of A's tile that the block loads at a time
constexpr int B_PASS = THREADS / BN;
constexpr int A_PITCH = BK + 8;                           // a few words of padding against bank conflicts
constexpr int B_PITCH = BN + 8;
constexpr int C_PITCH = BN + 4;
constexpr int FRAGMENT = 4;                               // registers per lane for a fragment of A or B
static_assert(BM / WM * WARPS_N * 32 == THREADS && WN * WARPS_N == BN, "the warps cover the tile");
static_assert(THREADS % BK == 0 && BM % A_PASS == 0 && THREADS % BN == 0 && BK % B_PASS == 0, "every thread loads the same number of elements");
static_assert(A_PITCH % 4 == 0 && B_PITCH % 4 == 0 && C_PITCH % 4 == 0, "wmma needs rows aligned to 16 bytes");
// [end]

// [region ptx]
__device__ unsigned shared_address(const void* pointer)
{
    return static_cast<unsigned>(__cvta_generic_to_shared(pointer));
}

__device__ void load_a(unsigned (&a)[FRAGMENT], const float* tile)
{
    const unsigned address = shared_address(tile);
    asm volatile("wmma.load.a.sync.aligned.row.m16n16k8.shared.tf32 {%0, %1, %2, %3}, [%4], %5;"
        : "=r"(a[0]), "=r"(a[1]), "=r"(a[2]), "=r"(a[3]) : "r"(address), "n"(A_PITCH) : "memory");
}

__device__ void load_b(unsigned (&b)[FRAGMENT], const float* tile)
{
    const unsigned address = shared_address(tile);
    asm volatile("wmma.load.b.sync.aligned.row.m16n16k8.shared.tf32 {%0, %1, %2, %3}, [%4], %5;"
        : "=r"(b[0]), "=r"(b[1]), "=r"(b[2]), "=r"(b[3]) : "r"(address), "n"(B_PITCH) : "memory");
}

// acc[16x16] += a[16x8] * b[8x16]
__device__ void wmma_m16n16k8(float (&acc)[8], const unsigned (&a)[FRAGMENT], const unsigned (&b)[FRAGMENT])
{
    asm("wmma.mma.sync.aligned.row.row.m16n16k8.f32.tf32.tf32.f32 {%0, %1, %2, %3, %4, %5, %6, %7}, "
        "{%8, %9, %10, %11}, {%12, %13, %14, %15}, {%0, %1, %2, %3, %4, %5, %6, %7};"
        : "+f"(acc[0]), "+f"(acc[1]), "+f"(acc[2]), "+f"(acc[3]), "+f"(acc[4]), "+f"(acc[5]), "+f"(acc[6]), "+f"(acc[7])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "r"(b[2]), "r"(b[3]));
}

__device__ void store_acc(float* tile, const float (&acc)[8])
{
    asm volatile("wmma.store.d.sync.aligned.row.m16n16k8.shared.f32 [%0], {%1, %2, %3, %4, %5, %6, %7, %8}, %9;"
        :: "r"(shared_address(tile)), "f"(acc[0]), "f"(acc[1]), "f"(acc[2]), "f"(acc[3]),
           "f"(acc[4]), "f"(acc[5]), "f"(acc[6]), "f"(acc[7]), "n"(C_PITCH) : "memory");
}

// Rounds to the nearest TF32. The tensor cores alone would truncate the low bits.
__device__ float round_to_tf32(float value)
{
    unsigned bits;
    asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(bits) : "f"(value));
    return __uint_as_float(bits);
}
// [end]

// [region signature]
extern "C" __global__ void __launch_bounds__(THREADS, 4) tf32_wmma(
    const float* __restrict__ A, const float* __restrict__ B, float* __restrict__ C,
    int M, int N, int K, int lda, int ldb, int ldc, float alpha, float beta)
// [end]
{
    // [region shared tiles]
    __shared__ __align__(32) float A_tile[BM][A_PITCH];
    __shared__ __align__(32) float B_tile[BK][B_PITCH];
    __shared__ __align__(32) float C_tile[BM][C_PITCH];
    // [end]

    // [region indices]
    const int row = blockIdx.y * BM;
    const int column = blockIdx.x * BN;
    const int warp = threadIdx.x / 32;
    const int warp_row = warp / WARPS_N * WM;
    const int warp_column = warp % WARPS_N * WN;
    // A thread loads from one column of each tile: every A_PASS-th row of A's and every B_PASS-th row of B's.
    const int A_row = threadIdx.x / BK;
    const int A_column = threadIdx.x % BK;
    const int B_row = threadIdx.x / BN;
    const int B_column = threadIdx.x % BN;
    // [end]

    float acc[WM / 16][WN / 16][8] = {};

    // [region tile loop]
    for (int t = 0; t < K; t += BK) {
        // [region tile load]
        // All loads start before the thread waits for the first one. Beyond the edge of a matrix the tile holds zeros,
        // which add nothing.
        float A_part[BM / A_PASS];
        float B_part[BK / B_PASS];
#pragma unroll
        for (int i = 0; i < BM / A_PASS; ++i) {
            const int r = row + A_row + i * A_PASS;
            const int k = t + A_column;
            A_part[i] = r < M && k < K ? A[size_t(r) * lda + k] : 0.0f;
        }
#pragma unroll
        for (int i = 0; i < BK / B_PASS; ++i) {
            const int k = t + B_row + i * B_PASS;
            const int c = column + B_column;
            B_part[i] = k < K && c < N ? B[size_t(k) * ldb + c] : 0.0f;
        }
#pragma unroll
        for (int i = 0; i < BM / A_PASS; ++i) {
            A_tile[A_row + i * A_PASS][A_column] = round_to_tf32(A_part[i]);
        }
#pragma unroll
        for (int i = 0; i < BK / B_PASS; ++i) {
            B_tile[B_row + i * B_PASS][B_column] = round_to_tf32(B_part[i]);
        }
        __syncthreads();
        // [end]

        // [region multiply]
#pragma unroll
        for (int k = 0; k < BK; k += 8) {
            unsigned a[WM / 16][FRAGMENT];
            unsigned b[WN / 16][FRAGMENT];
#pragma unroll
            for (int i = 0; i < WM / 16; ++i) {
                load_a(a[i], &A_tile[warp_row + i * 16][k]);
            }
#pragma unroll
            for (int j = 0; j < WN / 16; ++j) {
                load_b(b[j], &B_tile[k][warp_column + j * 16]);
            }
#pragma unroll
            for (int i = 0; i < WM / 16; ++i) {
#pragma unroll
                for (int j = 0; j < WN / 16; ++j) {
                    wmma_m16n16k8(acc[i][j], a[i], b[j]);
                }
            }
        }
        __syncthreads();
        // [end]
    }
    // [end]

    // [region store]
    // It is not defined which lane holds which element, so the sums go through shared memory to get their positions.
#pragma unroll
    for (int i = 0; i < WM / 16; ++i) {
#pragma unroll
        for (int j = 0; j < WN / 16; ++j) {
            store_acc(&C_tile[warp_row + i * 16][warp_column + j * 16], acc[i][j]);
        }
    }
    __syncthreads();
    for (int at = threadIdx.x; at < BM * BN; at += THREADS) {
        const int r = row + at / BN;
        const int c = column + at % BN;
        if (r < M && c < N) {
            const float sum = alpha * C_tile[at / BN][at % BN];
            float* element = C + size_t(r) * ldc + c;
            // BLAS: with beta == 0, C is not read. Whatever it held, even NaN, must not leak.
            *element = beta == 0.0f ? sum : sum + beta * *element;
        }
    }
    // [end]
}
