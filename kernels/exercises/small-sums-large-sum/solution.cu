// FP32 from bf16 tensor cores, reduced to the essentials: each lane loads the elements of its fragments from global memory and
// splits each into three bf16, and the warp multiplies the parts. A warp computes 16x32 of C, a block 64x32.

constexpr int BM = 64;                // rows of C per block
constexpr int BN = 32;                // columns of C per block, and per warp
constexpr int TILES = BN / 8;         // products of 16x8 side by side

// [region split]
// Packs two numbers as bf16, rounded to the nearest, the left one in the low half.
__device__ unsigned pack_bf16(float left, float right)
{
    unsigned pair;
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(right), "f"(left));
    return pair;
}

// 2^16 x = x1 + x2 + x3, for two numbers at a time. The factor is needed: the smallest bf16 is larger than the smallest float.
constexpr float SCALE = 0x1p16f;
constexpr float UNSCALE = 0x1p-32f;   // undoes the scale of a product of two scaled numbers

__device__ void split(float left, float right, unsigned& part1, unsigned& part2, unsigned& part3)
{
    left *= SCALE;
    right *= SCALE;
    part1 = pack_bf16(left, right);
    left -= __uint_as_float(part1 << 16);
    right -= __uint_as_float(part1 & 0xffff0000);
    part2 = pack_bf16(left, right);
    left -= __uint_as_float(part2 << 16);
    right -= __uint_as_float(part2 & 0xffff0000);
    part3 = pack_bf16(left, right);
}
// [end]

// acc[16x8] += a[16x16] * b[16x8], by the warp. The tensor cores truncate their sum after its last bit.
__device__ void mma_m16n8k16(float (&acc)[4], const unsigned (&a)[4], const unsigned (&b)[2])
{
    asm("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+f"(acc[0]), "+f"(acc[1]), "+f"(acc[2]), "+f"(acc[3]) : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

// Computes one element without tensor cores, for what three bf16 cannot hold: infinity, NaN, numbers near the largest.
__device__ float multiply_add(const float* A, const float* B, int row, int column, int K, int lda, int ldb)
{
    float sum = 0.0f;
#pragma unroll 1
    for (int k = 0; k < K; ++k) sum = fmaf(A[size_t(row) * lda + k], B[size_t(k) * ldb + column], sum);
    return sum;
}

extern "C" __global__ void __launch_bounds__(128) small_sums_large_sum(
    const float* __restrict__ A, const float* __restrict__ B, float* __restrict__ C,
    int M, int N, int K, int lda, int ldb, int ldc, float alpha, float beta)
{
    const int lane = threadIdx.x % 32;
    const int row = blockIdx.y * BM + threadIdx.x / 32 * 16 + lane / 4;
    const int column = blockIdx.x * BN;
    const auto A_at = [&](int r, int k) { return r < M && k < K ? A[size_t(r) * lda + k] : 0.0f; };
    const auto B_at = [&](int k, int c) { return k < K && c < N ? B[size_t(k) * ldb + c] : 0.0f; };

    float sum[TILES][4] = {};         // the FP32 sums
    for (int k = 0; k < K; k += 16) {
        // a[i] and b[i][j] are part i + 1 of the fragments: the largest part is a[0].
        unsigned a[3][4];
        unsigned b[3][TILES][2];
#pragma unroll
        for (int e = 0; e < 4; ++e) {
            const int r = row + e % 2 * 8;
            const int at = k + e / 2 * 8 + lane % 4 * 2;
            split(A_at(r, at), A_at(r, at + 1), a[0][e], a[1][e], a[2][e]);
        }
#pragma unroll
        for (int j = 0; j < TILES; ++j) {
#pragma unroll
            for (int e = 0; e < 2; ++e) {
                const int at = k + e * 8 + lane % 4 * 2;
                const int c = column + j * 8 + lane / 4;
                split(B_at(at, c), B_at(at + 1, c), b[0][j][e], b[1][j][e], b[2][j][e]);
            }
        }

        // [hole multiply]
        // TODO: compute six products of parts for each j, and add the result to sum[j].
        constexpr int PART_A[6] = {2, 1, 0, 1, 0, 0};
        constexpr int PART_B[6] = {0, 1, 2, 0, 1, 0};
#pragma unroll
        for (int j = 0; j < TILES; ++j) {
            float acc[4] = {};
#pragma unroll
            for (int product = 0; product < 6; ++product) {
                mma_m16n8k16(acc, a[PART_A[product]], b[PART_B[product]][j]);
            }
#pragma unroll
            for (int e = 0; e < 4; ++e) sum[j][e] += acc[e];
        }
        // [end]
    }

#pragma unroll
    for (int j = 0; j < TILES; ++j) {
#pragma unroll
        for (int e = 0; e < 4; ++e) {
            const int r = row + e / 2 * 8;
            const int c = column + j * 8 + lane % 4 * 2 + e % 2;
            if (r < M && c < N) {
                float value = UNSCALE * sum[j][e];
                // Zero times a finite sum is zero.
                if (0.0f * sum[j][e] != 0.0f) value = multiply_add(A, B, r, c, K, lda, ldb);
                float* at = C + size_t(r) * ldc + c;
                *at = beta != 0.0f ? alpha * value + beta * *at : alpha * value;
            }
        }
    }
}
