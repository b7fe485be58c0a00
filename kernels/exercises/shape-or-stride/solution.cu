// A thread computes one element of C. It reads four floats of a row of A at once where it may.

extern "C" __global__ void shape_or_stride(
    const float* __restrict__ A, const float* __restrict__ B, float* __restrict__ C,
    int M, int N, int K, int lda, int ldb, int ldc, float alpha, float beta)
{
    const int col = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= M || col >= N) return;

    const float* const A_row = A + size_t(row) * lda;
    const bool wide = reinterpret_cast<size_t>(A_row) % 16 == 0;
    const int rest = wide ? K / 4 * 4 : 0;

    float sum = 0.0f;
    for (int k = 0; k < rest; k += 4) {
        const float4 a = *reinterpret_cast<const float4*>(&A_row[k]);
        sum += a.x * B[size_t(k) * ldb + col];
        sum += a.y * B[size_t(k + 1) * ldb + col];
        sum += a.z * B[size_t(k + 2) * ldb + col];
        sum += a.w * B[size_t(k + 3) * ldb + col];
    }
    for (int k = rest; k < K; ++k) {
        sum += A_row[k] * B[size_t(k) * ldb + col];
    }

    const size_t at = size_t(row) * ldc + col;
    C[at] = beta == 0.0f ? alpha * sum : alpha * sum + beta * C[at];
}
