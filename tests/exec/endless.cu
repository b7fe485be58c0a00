// A kernel with the catalogue's signature that never ends: it waits for a value that nobody writes.
extern "C" __global__ void sgemm_tiled(
    const float* A, const float* B, float* C,
    int M, int N, int K, int lda, int ldb, int ldc, float alpha, float beta)
{
    while (*static_cast<volatile float*>(C) != 12345.0f) {
    }
}
