// While a block multiplies its tiles, the old elements of C arrive in shared memory for the last step.

constexpr int TILE = 16;

// Starts to copy one float if it is `inside` its matrix. Otherwise writes a zero, without reading `from`.
__device__ __forceinline__ void copy_async(float* to, const float* from, bool inside)
{
    const unsigned address = static_cast<unsigned>(__cvta_generic_to_shared(to));
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(address), "l"(from), "r"(inside ? 4 : 0) : "memory");
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

extern "C" __global__ void fetched_for_the_end(
    const float* __restrict__ A, const float* __restrict__ B, float* C,
    int M, int N, int K, int lda, int ldb, int ldc, float alpha, float beta)
{
    __shared__ float A_tile[TILE][TILE], B_tile[TILE][TILE], C_tile[TILE][TILE];
    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int col = blockIdx.x * TILE + tx;
    const int row = blockIdx.y * TILE + ty;
    const bool inside = row < M && col < N;
    const size_t at = size_t(row) * ldc + col;

    const bool reads_C = inside && beta != 0.0f;
    copy_async(&C_tile[ty][tx], reads_C ? &C[at] : C, reads_C);
    commit_group();

    float sum = 0.0f;
    for (int k0 = 0; k0 < K; k0 += TILE) {
        A_tile[ty][tx] = row < M && k0 + tx < K ? A[size_t(row) * lda + k0 + tx] : 0.0f;
        B_tile[ty][tx] = k0 + ty < K && col < N ? B[size_t(k0 + ty) * ldb + col] : 0.0f;
        __syncthreads();
        for (int k = 0; k < TILE; ++k) {
            sum += A_tile[ty][k] * B_tile[k][tx];
        }
        __syncthreads();
    }

    wait_group<0>();
    if (inside) {
        C[at] = alpha * sum + beta * C_tile[ty][tx];
    }
}
