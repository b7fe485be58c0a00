// Warp 4 fetches the tiles of A and B, and the other four warps multiply them. For each stage, one mbarrier tells the consumers
// that a tile is full, and another one tells the producer that it is empty again.

constexpr int BM = 32;          // rows of C per block
constexpr int BN = 32;          // columns of C per block
constexpr int BK = 16;          // depth of a tile of A and B
constexpr int CONSUMERS = 128;  // threads that multiply
constexpr int ROWS = BM * BN / CONSUMERS;  // elements of C per consumer, in one column
constexpr int STAGES = 2;       // tiles in shared memory

typedef unsigned long long mbarrier;

__device__ __forceinline__ unsigned shared_address(const void* pointer)
{
    return static_cast<unsigned>(__cvta_generic_to_shared(pointer));
}

__device__ __forceinline__ void mbarrier_init(mbarrier* barrier, int arrivals)
{
    asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(shared_address(barrier)), "r"(arrivals) : "memory");
}

__device__ __forceinline__ void mbarrier_arrive(mbarrier* barrier)
{
    asm volatile("{ .reg .b64 state; mbarrier.arrive.shared.b64 state, [%0]; }" ::"r"(shared_address(barrier)) : "memory");
}

// Waits until the barrier's phase with this parity is complete.
__device__ __forceinline__ void mbarrier_wait(mbarrier* barrier, int parity)
{
    int complete = 0;
    while (!complete) {
        asm volatile(
            "{ .reg .pred done; mbarrier.test_wait.parity.shared.b64 done, [%1], %2; selp.b32 %0, 1, 0, done; }"
            : "=r"(complete) : "r"(shared_address(barrier)), "r"(parity) : "memory");
    }
}

extern "C" __global__ void one_for_all(
    const float* __restrict__ A, const float* __restrict__ B, float* __restrict__ C,
    int M, int N, int K, int lda, int ldb, int ldc, float alpha, float beta)
{
    __shared__ float A_tile[STAGES][BM][BK];
    __shared__ float B_tile[STAGES][BK][BN];
    __shared__ mbarrier full[STAGES];
    __shared__ mbarrier empty[STAGES];

    const int thread = threadIdx.x;
    const int lane = thread % 32;
    const int block_row = blockIdx.y * BM;
    const int block_col = blockIdx.x * BN;
    const int tiles = (K + BK - 1) / BK;

    if (thread == 0) {
        for (int stage = 0; stage < STAGES; ++stage) {
            mbarrier_init(&full[stage], 1);           // lane 0 of the producer
            mbarrier_init(&empty[stage], CONSUMERS);  // every consumer
        }
    }
    __syncthreads();

    if (thread >= CONSUMERS) {
        for (int t = 0; t < tiles; ++t) {
            const int stage = t % STAGES;
            const int k0 = t * BK;
            mbarrier_wait(&empty[stage], t / STAGES % 2 ^ 1);
            for (int i = lane; i < BM * BK; i += 32) {
                const int row = block_row + i / BK, k = k0 + i % BK;
                A_tile[stage][i / BK][i % BK] = row < M && k < K ? A[size_t(row) * lda + k] : 0.0f;
            }
            for (int i = lane; i < BK * BN; i += 32) {
                const int k = k0 + i / BN, col = block_col + i % BN;
                B_tile[stage][i / BN][i % BN] = k < K && col < N ? B[size_t(k) * ldb + col] : 0.0f;
            }
            __syncwarp();
            if (lane == 0) mbarrier_arrive(&full[stage]);
        }
        return;
    }

    const int col = thread % BN;
    const int first_row = thread / BN * ROWS;
    float sum[ROWS] = {};
    for (int t = 0; t < tiles; ++t) {
        const int stage = t % STAGES;
        mbarrier_wait(&full[stage], t / STAGES % 2);
        for (int k = 0; k < BK; ++k) {
#pragma unroll
            for (int i = 0; i < ROWS; ++i) {
                sum[i] += A_tile[stage][first_row + i][k] * B_tile[stage][k][col];
            }
        }
        mbarrier_arrive(&empty[stage]);
    }

#pragma unroll
    for (int i = 0; i < ROWS; ++i) {
        const int row = block_row + first_row + i;
        if (row < M && block_col + col < N) {
            float& c = C[size_t(row) * ldc + block_col + col];
            c = beta == 0.0f ? alpha * sum[i] : alpha * sum[i] + beta * c;
        }
    }
}
