// A kernel with the catalogue's signature whose threads write far outside of C.
extern "C" __global__ void sgemm_tiled(
    const float* A, const float* B, float* C,
    int M, int N, int K, int lda, int ldb, int ldc, float alpha, float beta)
{
    C[(size_t(1) << 38) + threadIdx.x] = alpha;
}
