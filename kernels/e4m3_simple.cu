// 8-bit elements without tensor cores: one thread per element of C. Takes every shape, because it loads byte by byte.

typedef unsigned char e4m3;
typedef unsigned short bf16;

constexpr int BLOCK = 16;

// [region ptx]
// Converts the value through half precision, which holds it exactly.
__device__ float e4m3_to_float(e4m3 value)
{
    float result;
    asm("{\n"
        ".reg .b32 pair;\n"
        ".reg .b16 low, high;\n"
        "cvt.rn.f16x2.e4m3x2 pair, %1;\n"
        "mov.b32 {low, high}, pair;\n"
        "cvt.f32.f16 %0, low;\n"
        "}" : "=f"(result) : "h"((unsigned short)value));
    return result;
}

__device__ bf16 bf16_of(float value)
{
    bf16 result;
    asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(result) : "f"(value));
    return result;
}

__device__ float bf16_to_float(bf16 value)
{
    return __uint_as_float(unsigned(value) << 16);
}
// [end]

// [region signature]
extern "C" __global__ void e4m3_simple(
    const e4m3* __restrict__ A, const e4m3* __restrict__ B, bf16* __restrict__ C,
    int M, int N, int K, int lda, int ldb, int ldc, float alpha, float beta)
// [end]
{
    // [region indices]
    const int row = blockIdx.y * BLOCK + threadIdx.y;
    const int column = blockIdx.x * BLOCK + threadIdx.x;
    if (row >= M || column >= N) return;
    // [end]

    // [region dot product]
    // B is stored by columns, so both operands run along K.
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) {
        sum += e4m3_to_float(A[size_t(row) * lda + k]) * e4m3_to_float(B[size_t(column) * ldb + k]);
    }
    // [end]

    // [region store]
    // BLAS: with beta == 0, C is not read. Whatever it held, even NaN, must not leak.
    bf16* c = C + size_t(row) * ldc + column;
    *c = bf16_of(beta == 0.0f ? alpha * sum : alpha * sum + beta * bf16_to_float(*c));
    // [end]
}
