// Warp 8 fetches the tiles of A and B, and the other eight warps multiply them. The mbarrier `full` tells the consumers that the
// tile has arrived, and `empty` tells the producer that it has been used.

constexpr int TILE = 16;
constexpr int CONSUMERS = TILE * TILE;  // threads that multiply
constexpr int PRODUCERS = 32;           // threads that fetch

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

extern "C" __global__ void not_yet_a_barrier(
    const float* __restrict__ A, const float* __restrict__ B, float* __restrict__ C,
    int M, int N, int K, int lda, int ldb, int ldc, float alpha, float beta)
{
    __shared__ float A_tile[TILE][TILE], B_tile[TILE][TILE];
    __shared__ mbarrier full, empty;
    const int thread = threadIdx.x;
    const int block_row = blockIdx.y * TILE;
    const int block_col = blockIdx.x * TILE;
    const int tiles = (K + TILE - 1) / TILE;

    if (thread == CONSUMERS) {
        mbarrier_init(&full, PRODUCERS);
        mbarrier_init(&empty, CONSUMERS);
    }
    __syncthreads();

    if (thread >= CONSUMERS) {
        for (int t = 0; t < tiles; ++t) {
            mbarrier_wait(&empty, t % 2 ^ 1);
            for (int i = thread - CONSUMERS; i < TILE * TILE; i += PRODUCERS) {
                const int y = i / TILE, x = i % TILE, k0 = t * TILE;
                A_tile[y][x] = block_row + y < M && k0 + x < K ? A[size_t(block_row + y) * lda + k0 + x] : 0.0f;
                B_tile[y][x] = k0 + y < K && block_col + x < N ? B[size_t(k0 + y) * ldb + block_col + x] : 0.0f;
            }
            mbarrier_arrive(&full);
        }
        return;
    }

    const int ty = thread / TILE, tx = thread % TILE;
    float sum = 0.0f;
    for (int t = 0; t < tiles; ++t) {
        mbarrier_wait(&full, t % 2);
        for (int k = 0; k < TILE; ++k) {
            sum += A_tile[ty][k] * B_tile[k][tx];
        }
        mbarrier_arrive(&empty);
    }

    if (block_row + ty < M && block_col + tx < N) {
        float& c = C[size_t(block_row + ty) * ldc + block_col + tx];
        c = beta == 0.0f ? alpha * sum : alpha * sum + beta * c;
    }
}
