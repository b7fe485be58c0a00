// Two blocks of a cluster compute neighbouring tiles of a column of C, so they need the same tile of B. Each loads half of its
// rows, and reads the other half from the other block's shared memory.

constexpr int TILE = 16;

// Returns the address at which a block of this cluster can read a place in another block's shared memory.
__device__ __forceinline__ unsigned address_in(unsigned rank, const void* pointer)
{
    unsigned there, here = static_cast<unsigned>(__cvta_generic_to_shared(pointer));
    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(here), "r"(rank));
    return there;
}

__device__ __forceinline__ float read_there(unsigned address)
{
    float value;
    asm volatile("ld.shared::cluster.f32 %0, [%1];" : "=f"(value) : "r"(address) : "memory");
    return value;
}

// Waits for all threads of the cluster.
__device__ __forceinline__ void cluster_sync()
{
    asm volatile("barrier.cluster.arrive.aligned;\n\tbarrier.cluster.wait.aligned;" ::: "memory");
}

extern "C" __global__ void __cluster_dims__(1, 2, 1) gone_too_soon(
    const float* __restrict__ A, const float* __restrict__ B, float* __restrict__ C,
    int M, int N, int K, int lda, int ldb, int ldc, float alpha, float beta)
{
    __shared__ float A_tile[TILE][TILE], B_half[TILE / 2][TILE];
    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int rank = blockIdx.y % 2;
    const int col = blockIdx.x * TILE + tx;
    const int row = blockIdx.y * TILE + ty;

    float sum = 0.0f;
    for (int k0 = 0; k0 < K; k0 += TILE) {
        A_tile[ty][tx] = row < M && k0 + tx < K ? A[size_t(row) * lda + k0 + tx] : 0.0f;
        if (ty < TILE / 2) {
            const int k = k0 + rank * TILE / 2 + ty;
            B_half[ty][tx] = k < K && col < N ? B[size_t(k) * ldb + col] : 0.0f;
        }
        cluster_sync();

        for (int k = 0; k < TILE; ++k) {
            sum += A_tile[ty][k] * read_there(address_in(k / (TILE / 2), &B_half[k % (TILE / 2)][tx]));
        }
        cluster_sync();
    }

    if (row < M && col < N) {
        const size_t at = size_t(row) * ldc + col;
        C[at] = beta == 0.0f ? alpha * sum : alpha * sum + beta * C[at];
    }
}
