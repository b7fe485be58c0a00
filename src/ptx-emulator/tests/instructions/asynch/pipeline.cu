// A product by a pipeline of cp.async: STAGES tiles under way, 16x16 threads, one element each.
#ifndef STAGES
#define STAGES 3
#endif
__device__ unsigned shared_address(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }

__device__ void copy4(float *to, const float *from, bool inside) {
    int bytes = inside ? 4 : 0;
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(shared_address(to)), "l"(from), "r"(bytes) : "memory");
}

extern "C" __global__ void pipeline(const float *A, const float *B, float *C, int M, int N, int K, int lda, int ldb, int ldc,
                                    float alpha, float beta) {
    __shared__ float a[STAGES][16][16], b[STAGES][16][16];
    int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * 16 + y, column = blockIdx.x * 16 + x;
    int tiles = (K + 15) / 16;
    auto fetch = [&](int tile) {
        if (tile < tiles) {
            int ka = tile * 16 + x, kb = tile * 16 + y;
            bool ina = row < M && ka < K, inb = kb < K && column < N;
            copy4(&a[tile % STAGES][y][x], ina ? &A[row * lda + ka] : A, ina);
            copy4(&b[tile % STAGES][y][x], inb ? &B[kb * ldb + column] : B, inb);
        }
        asm volatile("cp.async.commit_group;" ::: "memory");
    };
    for (int tile = 0; tile < STAGES - 1; ++tile) fetch(tile);
    float sum = 0;
    for (int tile = 0; tile < tiles; ++tile) {
#ifndef NO_WAIT
        asm volatile("cp.async.wait_group %0;" ::"n"(STAGES - 2) : "memory");
#endif
        __syncthreads();
        fetch(tile + STAGES - 1);
        for (int k = 0; k < 16; ++k) sum += a[tile % STAGES][y][k] * b[tile % STAGES][k][x];
    }
    if (row < M && column < N) {
        float *c = &C[row * ldc + column];
        *c = beta == 0 ? alpha * sum : alpha * sum + beta * *c;
    }
}
