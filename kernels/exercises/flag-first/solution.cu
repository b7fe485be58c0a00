// Two blocks share a tile of C, each with a half of K. The first block leaves its sums in global memory and sets a flag. The second
// block waits for the flag and adds them to its own sums.

constexpr int BM = 8;               // rows of C per tile
constexpr int BN = 32;              // columns of C per tile
constexpr int MAX_TILES = 1 << 12;  // tiles for which there is memory

// Launches that run at the same time must not share this memory.
__device__ float left[MAX_TILES * BM * BN];
__device__ unsigned ready[MAX_TILES];

extern "C" __global__ void flag_first(
    const float* __restrict__ A, const float* __restrict__ B, float* __restrict__ C,
    int M, int N, int K, int lda, int ldb, int ldc, float alpha, float beta)
{
    const int col = blockIdx.x * BN + threadIdx.x;
    const int row = blockIdx.y * BM + threadIdx.y;
    const int thread = threadIdx.y * BN + threadIdx.x;
    const int tile = blockIdx.y * gridDim.x + blockIdx.x;
    const bool alone = gridDim.x * gridDim.y > MAX_TILES;  // Then one block takes all of K.
    const bool first = blockIdx.z == 0;
    if (alone && first) return;

    const int begin = alone || first ? 0 : K / 2;
    const int end = first ? K / 2 : K;
    float sum = 0.0f;
    if (row < M && col < N) {
        for (int k = begin; k < end; ++k) {
            sum += A[size_t(row) * lda + k] * B[size_t(k) * ldb + col];
        }
    }

    if (first) {
        left[tile * BM * BN + thread] = sum;
        __syncthreads();
        if (thread == 0) {
            __threadfence();
            atomicExch(&ready[tile], 1);
        }
        return;
    }
    if (!alone) {
        if (thread == 0) {
            while (atomicAdd(&ready[tile], 0) == 0) {}
            __threadfence();
            ready[tile] = 0;  // for the next launch
        }
        __syncthreads();
        sum += __ldcg(&left[tile * BM * BN + thread]);
    }

    if (row < M && col < N) {
        const size_t at = size_t(row) * ldc + col;
        C[at] = beta == 0.0f ? alpha * sum : alpha * sum + beta * C[at];
    }
}
