#ifndef STAGES
#define STAGES 3  // one tile is multiplied while two are in flight
#endif

constexpr int BM = 128;  // rows of C per block
constexpr int BN = 128;  // columns of C per block
constexpr int BK = 8;    // depth of a tile of A and B
constexpr int TM = 8;    // rows of C per thread
constexpr int TN = 8;    // columns of C per thread
constexpr int THREADS = (BM / TM) * (BN / TN);
static_assert(BM * BK % THREADS == 0 && BK * BN == 4 * THREADS, "every thread copies the same number of elements");
static_assert(TM == 8 && TN == 8, "a fragment is two groups of four");

// Returns the address of a shared variable in the form that PTX's shared-memory instructions take.
__device__ __forceinline__ unsigned shared_address(const void* pointer)
{
    return static_cast<unsigned>(__cvta_generic_to_shared(pointer));
}

// Starts to copy the first `inside` of 4 floats. Writes zeros for the others, without reading their addresses.
__device__ __forceinline__ void copy4_async(float* to, const float* from, int inside)
{
    const int bytes = 4 * max(0, min(inside, 4));
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(shared_address(to)), "l"(from), "r"(bytes) : "memory");
}

// The same for one float.
__device__ __forceinline__ void copy1_async(float* to, const float* from, bool inside)
{
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(shared_address(to)), "l"(from), "r"(inside ? 4 : 0) : "memory");
}

// Commits a group of all copies that this thread has started since the last group.
__device__ __forceinline__ void commit_group()
{
    asm volatile("cp.async.commit_group;" ::: "memory");
}

// Waits until at most `Later` of this thread's groups are still in flight.
template <int Later>
__device__ __forceinline__ void wait_group()
{
    asm volatile("cp.async.wait_group %0;" ::"n"(Later) : "memory");
}

extern "C" __global__ void __launch_bounds__(THREADS, 2) sgemm(
    const float* __restrict__ A, const float* __restrict__ B, float* __restrict__ C,
    int M, int N, int K, int lda, int ldb, int ldc, float alpha, float beta)
{
    __shared__ __align__(16) float A_tile[STAGES][BK][BM + 4];
    __shared__ __align__(16) float B_tile[STAGES][BK][BN];

    const int thread = threadIdx.x;
    // Start of the first group of four; the second group is half a tile further.
    const int thread_row = thread / (BN / TN) * 4;
    const int thread_col = thread % (BN / TN) * 4;
    const int block_row = blockIdx.y * BM;
    const int block_col = blockIdx.x * BN;

    const bool B_aligned = reinterpret_cast<size_t>(B) % 16 == 0 && ldb % 4 == 0;

    // A's elements are copied one by one, because neighbours in a row of A become neighbours in a column of A_tile.
    constexpr int A_ROWS = THREADS / BK;  // rows of A that the block's threads copy at once
    const int a_row = thread / BK;
    const int a_k = thread % BK;
    const float* a_from = &A[size_t(block_row + a_row) * lda + a_k];
    const int b_k = thread / (BN / 4);
    const int b_col = thread % (BN / 4) * 4;
    const float* b_from = &B[size_t(b_k) * ldb + block_col + b_col];

    // Tiles are copied in the order of k; each call copies the next one.
    int k_next = 0;
    auto copy_tile = [&](int stage) {
#pragma unroll
        for (int i = 0; i < BM / A_ROWS; ++i) {
            const int row = a_row + i * A_ROWS;
            const bool inside = block_row + row < M && k_next + a_k < K;
            copy1_async(&A_tile[stage][a_k][row], a_from + size_t(i * A_ROWS) * lda, inside);
        }
        const int inside = k_next + b_k < K ? N - (block_col + b_col) : 0;
        if (B_aligned) {
            copy4_async(&B_tile[stage][b_k][b_col], b_from, inside);
        } else {
            for (int j = 0; j < 4; ++j) {
                copy1_async(&B_tile[stage][b_k][b_col + j], b_from + j, j < inside);
            }
        }
        k_next += BK;
        a_from += BK;
        b_from += size_t(BK) * ldb;
    };

    for (int stage = 0; stage < STAGES - 1; ++stage) {
        copy_tile(stage);
        commit_group();
    }

    float sum[TM][TN] = {};
    int stage = 0;
    for (int k0 = 0; k0 < K; k0 += BK) {
        wait_group<STAGES - 2>();
        __syncthreads();
        const int free = stage == 0 ? STAGES - 1 : stage - 1;
        copy_tile(free);
        commit_group();

#pragma unroll
        for (int k = 0; k < BK; ++k) {
            alignas(16) float a[TM], b[TN];
#pragma unroll
            for (int half = 0; half < 2; ++half) {
                *reinterpret_cast<float4*>(&a[4 * half]) =
                    *reinterpret_cast<const float4*>(&A_tile[stage][k][half * BM / 2 + thread_row]);
                *reinterpret_cast<float4*>(&b[4 * half]) =
                    *reinterpret_cast<const float4*>(&B_tile[stage][k][half * BN / 2 + thread_col]);
            }
#pragma unroll
            for (int i = 0; i < TM; ++i) {
#pragma unroll
                for (int j = 0; j < TN; ++j) {
                    sum[i][j] += a[i] * b[j];
                }
            }
        }
        stage = stage == STAGES - 1 ? 0 : stage + 1;
    }

#pragma unroll
    for (int i = 0; i < TM; ++i) {
#pragma unroll
        for (int j = 0; j < TN; ++j) {
            const int row = block_row + i / 4 * BM / 2 + thread_row + i % 4;
            const int col = block_col + j / 4 * BN / 2 + thread_col + j % 4;
            if (row < M && col < N) {
                float& c = C[size_t(row) * ldc + col];
                // BLAS: with beta == 0, C is not read.
                c = beta == 0.0f ? alpha * sum[i][j] : alpha * sum[i][j] + beta * c;
            }
        }
    }
}
