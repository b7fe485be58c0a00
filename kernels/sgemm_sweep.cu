// Tiling and loop order without shared memory: each thread computes a TM x TN tile of C directly in global memory. Sizes
// and loop order are compile-time constants, so that one source gives every point of a sweep.

#ifndef ORDER
#define BM 32
#define BN 32
#define BK 32
#define TM 8
#define TN 4
#define ORDER 2
#endif

// [region orders]
// The position of the loop over k decides how often an element of C goes to memory and back.
enum { K_OUTERMOST = 0, K_AFTER_THREADS = 1, K_INNERMOST = 2 };
// [end]

static_assert(BM % TM == 0 && BN % TN == 0, "whole thread tiles must fill the block tile");
static_assert(ORDER >= K_OUTERMOST && ORDER <= K_INNERMOST, "there are three orders");

// [region signature]
extern "C" __global__ void __launch_bounds__((BM / TM) * (BN / TN)) sgemm_sweep(
    const float* __restrict__ A, const float* __restrict__ B, float* __restrict__ C,
    int M, int N, int K, int lda, int ldb, int ldc, float alpha, float beta)
// [end]
{
    // [region indices]
    // The thread's tile: its first row and column of C, and how much of it is inside the matrix.
    const int row = blockIdx.y * BM + threadIdx.y * TM;
    const int col = blockIdx.x * BN + threadIdx.x * TN;
    const int rows = min(TM, M - row);
    const int cols = min(TN, N - col);
    // [end]

    // [region scale]
    // The loops add to C, so C starts as beta * C. BLAS: with beta == 0, C is not read.
    for (int i = 0; i < rows; ++i) {
        for (int j = 0; j < cols; ++j) {
            float& c = C[size_t(row + i) * ldc + col + j];
            c = beta == 0.0f ? 0.0f : beta * c;
        }
    }
    // [end]

    // [region loops]
    for (int k_tile = 0; k_tile < K; k_tile += BK) {
        const int k_end = min(k_tile + BK, K);
        if (ORDER == K_INNERMOST) {
            // [region k innermost]
            // Loads an element of C, adds BK products while it stays in a register, and stores it.
            for (int i = 0; i < rows; ++i) {
                for (int j = 0; j < cols; ++j) {
                    float& c = C[size_t(row + i) * ldc + col + j];
                    float sum = 0.0f;
                    for (int k = k_tile; k < k_end; ++k) {
                        sum += A[size_t(row + i) * lda + k] * B[size_t(k) * ldb + col + j];
                    }
                    // [region store]
                    c += alpha * sum;
                    // [end]
                }
            }
            // [end]
        } else {
            // [region k outside]
            // Each k adds one product to every element of the tile, so each element is loaded and stored K times.
            for (int k = k_tile; k < k_end; ++k) {
                for (int i = 0; i < rows; ++i) {
                    for (int j = 0; j < cols; ++j) {
                        C[size_t(row + i) * ldc + col + j] +=
                            alpha * A[size_t(row + i) * lda + k] * B[size_t(k) * ldb + col + j];
                    }
                }
            }
            // [end]
        }
        // [region lockstep]
        // Threads are not a loop. For k to be outside them, the block's threads must move from tile to tile together.
        if (ORDER == K_OUTERMOST) {
            __syncthreads();
        }
        // [end]
    }
    // [end]
}
