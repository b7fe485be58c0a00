// FP64 from products of 8-bit integers (Ozaki, Uchino and Imamura, "Ozaki Scheme II", arXiv 2504.08009, 2025). Four launches:
// 1. `residues_of_a` scales each row of A by a power of two, rounds it to integers, and stores their residues modulo each of MODULI numbers.
// 2. `residues_of_b` does the same for each column of B.
// 3. `products` is s8_wgmma, once per modulus. It stores the remainder of each sum in one byte.
// 4. `reconstruct` computes the integer that has these remainders (Chinese remainder theorem), rounds it to FP64, and scales it back.
// Only the first two launches lose bits. The product of the integers is exact, so C does not depend on the order of the products.
// A row or column with an infinity or a NaN makes its whole row or column of C NaN.

// [region constants]
#ifndef MODULI
#define MODULI 14
#define BM 128
#define BN 256
#define BK 128
#define STAGES 4
#define GROUP 16
#define CLUSTER 2
#endif
constexpr int WARPGROUP = 128;
constexpr int CONSUMERS = BM / 64;                        // warpgroups that multiply, 64 rows of C each
constexpr int THREADS = (1 + CONSUMERS) * WARPGROUP;
constexpr int PRODUCER_REGISTERS = 40;
constexpr int CONSUMER_REGISTERS = 232;
constexpr int CHUNK = 64;                                 // columns of B per copy
constexpr int A_BYTES = BM * BK;
constexpr int B_BYTES = BN * BK;
constexpr int B_CHUNK_BYTES = CHUNK * BK;
constexpr int STEP_BYTES = 32;                            // distance between the operands of consecutive wgmmas: 32 values along K
constexpr int STAGE_BYTES = A_BYTES + B_BYTES;
constexpr int PAD = 256;                                  // the scratch memory has a multiple of PAD rows and columns
constexpr int PAD_K = 128;                                // bytes in a line; a row of residues is a multiple of it
constexpr int ROW_WARPS = 16;                             // of residues_of_a, or fewer if K is small
constexpr int STRIP = 32;                                 // columns of B per cluster of residues_of_b
constexpr int PARTS = 8;                                  // blocks of that cluster, each with a part of K
constexpr int STRIP_WARPS = 16;
constexpr int STRIP_K = 4 * STRIP_WARPS;                  // rows of B that a block converts at a time
constexpr int GROUPS = (MODULI + 2) / 3;                  // groups of three moduli in reconstruct
static_assert(MODULI >= 8 && MODULI <= 16, "fewer are hardly more exact than FP32, and with more, integers do not fit in 64 bits");
static_assert(BM % 64 == 0 && BN == 256 && BK == 128, "a consumer's wgmma is 64x256x32; a row of A's tile and a column of B's are 128 bytes");
static_assert(PAD % (BM * CLUSTER) == 0 && PAD % BN == 0, "the scratch memory holds whole tiles");
static_assert(CONSUMERS == 1 || WARPGROUP * PRODUCER_REGISTERS + CONSUMERS * WARPGROUP * CONSUMER_REGISTERS <= 168 * THREADS, "setmaxnreg moves registers only within the block, which begins with 168 per thread");
// [end]

typedef signed char s8;
typedef unsigned char u8;
typedef long long s64;
typedef unsigned long long u64;
typedef unsigned long long mbarrier;
struct alignas(64) CUtensorMap { unsigned long long opaque[16]; };

// [region moduli]
// The largest numbers up to 256 without common factors. P is the product of the first MODULI numbers.
constexpr unsigned PRIME_TO_EACH_OTHER[16] = {256, 255, 253, 251, 247, 241, 239, 233, 229, 227, 223, 217, 211, 199, 197, 193};

// A 128-bit integer in four limbs of 32 bits. Only the compiler computes with it.
struct Wide {
    unsigned limb[4] = {};
    __device__ constexpr Wide times(unsigned factor) const
    {
        Wide product;
        u64 carry = 0;
        for (int i = 0; i < 4; ++i) {
            carry += u64(limb[i]) * factor;
            product.limb[i] = unsigned(carry);
            carry >>= 32;
        }
        return product;
    }
    __device__ constexpr Wide minus(Wide other) const
    {
        Wide difference;
        s64 borrow = 0;
        for (int i = 0; i < 4; ++i) {
            borrow += s64(limb[i]) - s64(other.limb[i]);
            difference.limb[i] = unsigned(borrow);
            borrow >>= 32;
        }
        return difference;
    }
};

// Returns the product of all moduli except those from `first` to `end` - 1.
__device__ constexpr Wide product_without(int first, int end)
{
    Wide product;
    product.limb[0] = 1;
    for (int l = 0; l < MODULI; ++l) {
        if (l < first || l >= end) product = product.times(PRIME_TO_EACH_OTHER[l]);
    }
    return product;
}

__device__ constexpr unsigned power_modulo(int exponent, unsigned p)
{
    unsigned power = 1;
    for (int i = 0; i < exponent; ++i) power = power * 2 % p;
    return power;
}

// Returns (P / p)^-1 modulo p, where p is the modulus with this index.
__device__ constexpr unsigned inverse(int l)
{
    const unsigned p = PRIME_TO_EACH_OTHER[l];
    unsigned rest = 1;
    for (int m = 0; m < MODULI; ++m) {
        if (m != l) rest = rest * PRIME_TO_EACH_OTHER[m] % p;
    }
    unsigned q = 1;
    while (q * rest % p != 1) ++q;
    return q;
}
// [end]

// [region tables]
// For an integer plus 2^63, the sum of its bytes times `bytes`, plus `offset`, has the remainder of the integer times a factor.
struct Residue {
    unsigned p, reciprocal;                               // 2^32 / p, rounded up
    unsigned bytes[2][2], offset[2];                      // for A (factor 1) and B (factor inverse(l))
};
struct Remainder {
    int p, reciprocal;                                    // 2^38 / p, rounded to nearest
};
struct Tables {
    Residue residues[MODULI];
    Remainder remainders[MODULI];
    unsigned weights[MODULI];                             // the product of the other moduli of a group
    Wide groups[GROUPS];                                  // the product of the moduli of all other groups
    u64 quotients[GROUPS];                                // 2^55 over the product of the group's moduli
    Wide start;                                           // subtracts what the offset of 128 in each byte adds
    u64 quotient_start;
    Wide minus_P;
};

__device__ constexpr Tables make_tables()
{
    Tables tables = {};
    tables.quotient_start = (1ull << 54) + (16ull << 55); // one half, and 16, because the bytes' offset makes the quotient negative
    tables.start = product_without(0, 0).times(16);
    tables.minus_P = Wide().minus(product_without(0, 0));
    for (int l = 0; l < MODULI; ++l) {
        const unsigned p = PRIME_TO_EACH_OTHER[l];
        Residue& residue = tables.residues[l];
        residue.p = p;
        residue.reciprocal = unsigned(((1ull << 32) + p - 1) / p);
        for (int b = 0; b < 2; ++b) {
            const unsigned factor = b == 0 ? 1 : inverse(l);
            for (int i = 0; i < 8; ++i) residue.bytes[b][i / 4] |= power_modulo(8 * i, p) * factor % p << 8 * (i % 4);
            residue.offset[b] = (p - power_modulo(63, p) * factor % p) % p;
        }
        tables.remainders[l] = {int(p), int(((1ull << 39) / p + 1) / 2)};
        const int first = l / 3 * 3;
        const int end = first + 3 < MODULI ? first + 3 : MODULI;
        unsigned group = 1;
        for (int m = first; m < end; ++m) group *= PRIME_TO_EACH_OTHER[m];
        tables.weights[l] = group / p;
        tables.groups[l / 3] = product_without(first, end);
        tables.quotients[l / 3] = (1ull << 55) / group;
        tables.start = tables.start.minus(product_without(l, l + 1).times(128));
        tables.quotient_start -= (1ull << 55) / group * tables.weights[l] * 128;
    }
    return tables;
}

// Returns the largest square of a norm: half of P, lowered by 2^-18 for the rounding errors of norms, integers and quotients.
__device__ constexpr double largest_square()
{
    double square = 0.5 - 1.0 / (1 << 19);
    for (int l = 0; l < MODULI; ++l) square *= PRIME_TO_EACH_OTHER[l];
    return square;
}

__device__ constexpr int limbs_of_P()
{
    const Wide P = product_without(0, 0);
    int limbs = 4;
    while (P.limb[limbs - 1] == 0) --limbs;
    return limbs;
}

constexpr int LIMBS = limbs_of_P();
constexpr double LARGEST_SQUARE = largest_square();
__device__ constexpr Tables TABLES = make_tables();
// [end]

// [region ptx]
__device__ unsigned shared_address(const void* pointer)
{
    return static_cast<unsigned>(__cvta_generic_to_shared(pointer));
}

__device__ void mbarrier_init(unsigned barrier, int arrivals)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" :: "r"(barrier), "r"(arrivals) : "memory");
}

// Makes the initialised barriers visible to the other blocks of the cluster and to the copy engine (TMA).
__device__ void fence_mbarrier_init()
{
    asm volatile("fence.mbarrier_init.release.cluster;\nfence.proxy.async.shared::cta;" ::: "memory");
}

__device__ void mbarrier_arrive_expect(unsigned barrier, int bytes)
{
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" :: "r"(barrier), "r"(bytes) : "memory");
}

// Arrives at the same barrier in another block of the cluster. No `.release.cluster`: only the tensor cores read the stage,
// and wgmma_wait has waited for them. The qualifier would cost a GPU-wide memory fence per tile.
__device__ void mbarrier_arrive_remote(unsigned barrier, int rank)
{
    asm volatile(
        "{\n"
        ".reg .b32 remote;\n"
        "mapa.shared::cluster.u32 remote, %0, %1;\n"
        "mbarrier.arrive.shared::cluster.b64 _, [remote];\n"
        "}" :: "r"(barrier), "r"(rank) : "memory");
}

// Waits until the phase with this parity is complete.
__device__ void mbarrier_wait(unsigned barrier, int parity)
{
    int complete = 0;
    while (!complete) {
        asm volatile(
            "{\n"
            ".reg .pred done;\n"
            "mbarrier.try_wait.parity.shared::cta.b64 done, [%1], %2;\n"
            "selp.b32 %0, 1, 0, done;\n"
            "}" : "=r"(complete) : "r"(barrier), "r"(parity) : "memory");
    }
}

__device__ void tma_load(unsigned destination, const CUtensorMap& map, int column, int row, unsigned barrier)
{
    asm volatile(
        "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];"
        :: "r"(destination), "l"(&map), "r"(column), "r"(row), "r"(barrier) : "memory");
}

// Copies the box to the same place in each block of the cluster whose bit is set, and counts its bytes at that barrier.
__device__ void tma_load_multicast(unsigned destination, const CUtensorMap& map, int column, int row, unsigned barrier, unsigned short blocks)
{
    asm volatile(
        "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1, {%2, %3}], [%4], %5;"
        :: "r"(destination), "l"(&map), "r"(column), "r"(row), "r"(barrier), "h"(blocks) : "memory");
}

// Arrives without ordering memory, so that other blocks may exit.
__device__ void cluster_arrive()
{
    asm volatile("barrier.cluster.arrive.relaxed;" ::: "memory");
}

__device__ void cluster_wait()
{
    asm volatile("barrier.cluster.wait.acquire;" ::: "memory");
}

__device__ void cluster_sync()
{
    asm volatile("barrier.cluster.arrive.release;" ::: "memory");
    cluster_wait();
}

template <int REGISTERS>
__device__ void give_registers_back()
{
    asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" :: "n"(REGISTERS));
}

template <int REGISTERS>
__device__ void take_registers()
{
    asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" :: "n"(REGISTERS));
}

// Describes where a wgmma operand is in shared memory: its address and strides in units of 16 bytes, with the
// 128-byte swizzle. Only 18 bits of the address are used, because the bits above name the block within its
// cluster. To move on in shared memory, add the distance in units to the descriptor.
__device__ unsigned long long matrix_descriptor(unsigned address, unsigned leading_bytes, unsigned stride_bytes)
{
    return (unsigned long long)((address & 0x3ffff) >> 4) | (unsigned long long)(leading_bytes >> 4) << 16
        | (unsigned long long)(stride_bytes >> 4) << 32 | 1ull << 62;
}

__device__ void wgmma_fence()
{
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
}

__device__ void wgmma_commit()
{
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}

template <int PENDING>
__device__ void wgmma_wait()
{
    asm volatile("wgmma.wait_group.sync.aligned %0;" :: "n"(PENDING) : "memory");
}

// The compiler does not know that the products write acc until wgmma_wait returns: "memory" binds no registers. So it might read acc before the
// wait. This empty instruction seems to change acc, so acc is read after it.
template <int TILES>
__device__ void fence_registers(int (&acc)[TILES][4])
{
#pragma unroll
    for (int i = 0; i < TILES; ++i) asm volatile("" : "+r"(acc[i][0]), "+r"(acc[i][1]), "+r"(acc[i][2]), "+r"(acc[i][3]));
}

// acc[64x256] (+)= A[64x32] * B[32x256], exact in 32 bits. Both operands run along K.
__device__ void wgmma_k32(int (&acc)[BN / 8][4], unsigned long long a, unsigned long long b, int accumulate)
{
#define ACC(i) "+r"(acc[i][0]), "+r"(acc[i][1]), "+r"(acc[i][2]), "+r"(acc[i][3])
#define ACC8(i) ACC(i), ACC(i + 1), ACC(i + 2), ACC(i + 3), ACC(i + 4), ACC(i + 5), ACC(i + 6), ACC(i + 7)
    asm volatile(
        "{\n"
        ".reg .pred add;\n"
        "setp.ne.b32 add, %130, 0;\n"
        "wgmma.mma_async.sync.aligned.m64n256k32.s32.s8.s8 {"
        "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
        "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, "
        "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, "
        "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, "
        "%64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, "
        "%80, %81, %82, %83, %84, %85, %86, %87, %88, %89, %90, %91, %92, %93, %94, %95, "
        "%96, %97, %98, %99, %100, %101, %102, %103, %104, %105, %106, %107, %108, %109, %110, %111, "
        "%112, %113, %114, %115, %116, %117, %118, %119, %120, %121, %122, %123, %124, %125, %126, %127}, %128, %129, add;\n"
        "}"
        : ACC8(0), ACC8(8), ACC8(16), ACC8(24) : "l"(a), "l"(b), "r"(accumulate));
}

// Returns the address of the same variable in another block of the cluster.
__device__ unsigned remote(unsigned address, int rank)
{
    unsigned there;
    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(address), "r"(rank));
    return there;
}

__device__ double load_remote(unsigned address)
{
    double value;
    asm volatile("ld.shared::cluster.f64 %0, [%1];" : "=d"(value) : "r"(address) : "memory");
    return value;
}

__device__ unsigned load_remote_word(unsigned address)
{
    unsigned value;
    asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(value) : "r"(address) : "memory");
    return value;
}
// [end]

// [region exponent]
constexpr int NOT_FINITE = 1 << 20;                       // "exponent" of a row or column with an infinity or a NaN
constexpr int FAR_EXPONENT = 700;

// The sum of the squares of some elements, and the upper 32 bits of the largest magnitude.
struct Norm {
    double squares = 0.0;
    unsigned largest = 0;
    __device__ void add(double value)
    {
        squares = fma(value, value, squares);
        largest = max(largest, unsigned(__double2hiint(value)) & 0x7fffffff);
    }
    __device__ void add(double other_squares, unsigned other_largest)
    {
        squares += other_squares;
        largest = max(largest, other_largest);
    }
    // True if the largest magnitude is between 2^-480 and 2^480, or not finite. Otherwise, squares may overflow or become 0.
    __device__ bool is_good() const
    {
        return largest >= 0x7ff00000 || (largest >= (1023 - 480) << 20 && largest < (1023 + 480) << 20);
    }
    // Returns the exponent of the power of two that scales the elements before the norm is computed again.
    __device__ int far_exponent() const
    {
        return largest < 0x3ff00000 ? FAR_EXPONENT : -FAR_EXPONENT;
    }
};

// Returns the largest s for which the squares of the elements times 2^s add up to at most LARGEST_SQUARE. The bits of a double are
// 2^52 times its exponent plus its fraction. So the upper bits of a difference are the difference of exponents, rounded down.
__device__ int exponent_of(const Norm& norm, int scaled_by)
{
    if (norm.largest >= 0x7ff00000) return NOT_FINITE;
    if (norm.squares == 0.0) return 0;
    return int((__double_as_longlong(LARGEST_SQUARE) - __double_as_longlong(norm.squares)) >> 53) + scaled_by;
}

__device__ double power_of_two(int exponent)
{
    return __hiloint2double((1023 + exponent) << 20, 0);
}

// Returns the sum of four products of bytes and of `sum`.
__device__ unsigned dot(unsigned a, unsigned b, unsigned sum)
{
    asm("dp4a.u32.u32 %0, %1, %2, %0;" : "+r"(sum) : "r"(a), "r"(b));
    return sum;
}

// Rounds four elements times 2^exponent to integers, and adds 2^63. There are two factors, because 2^exponent may be too large for a double.
__device__ void to_integers(const double (&x)[4], int exponent, unsigned (&low)[4], unsigned (&high)[4])
{
    const bool finite = exponent != NOT_FINITE;
    const double first = finite ? power_of_two(exponent >> 1) : 0.0;
    const double second = power_of_two(finite ? exponent - (exponent >> 1) : 0);
#pragma unroll
    for (int i = 0; i < 4; ++i) {
        const s64 integer = finite ? __double2ll_rn(x[i] * first * second) : 0;
        low[i] = unsigned(integer);
        high[i] = unsigned(integer >> 32) ^ 0x80000000;
    }
}

// Returns the residues of four integers in a word. They are the ones nearest to 0. B's integers are multiplied by inverse(l).
template <int IS_B>
__device__ unsigned residues(int l, const unsigned (&low)[4], const unsigned (&high)[4])
{
    const Residue& table = TABLES.residues[l];
    int r[4];
#pragma unroll
    for (int i = 0; i < 4; ++i) {
        const unsigned sum = dot(high[i], table.bytes[IS_B][1], dot(low[i], table.bytes[IS_B][0], table.offset[IS_B]));
        const unsigned quotient = unsigned((u64(sum) * table.reciprocal + (1ull << 31)) >> 32);
        r[i] = int(sum - quotient * table.p);
    }
    return __byte_perm(__byte_perm(r[0], r[1], 0x0040), __byte_perm(r[2], r[3], 0x0040), 0x5410);
}
// [end]

__device__ int padded(int extent, int multiple)
{
    return (extent + multiple - 1) / multiple * multiple;
}

// [region signature]
// All launches take the same parameters. The tensor maps describe the residues. The buffers after beta are scratch memory: for each modulus, the
// residues of A by rows, those of B by columns, and the remainders of their product. The exponents of rows and columns are the same for all moduli.
#define PARAMETERS \
    const __grid_constant__ CUtensorMap map_A, const __grid_constant__ CUtensorMap map_B, \
    const double* __restrict__ A, const double* __restrict__ B, double* __restrict__ C, \
    int M, int N, int K, int lda, int ldb, int ldc, double alpha, double beta, \
    s8* __restrict__ A_residues, s8* __restrict__ B_residues, int* __restrict__ A_exponents, int* __restrict__ B_exponents, uint4* __restrict__ remainders
// [end]

// [region residues of A]
// A block converts a row of A. It needs the norm first, so it reads the row twice, the second time from a cache.
extern "C" __global__ void __launch_bounds__(ROW_WARPS * 32) residues_of_a(PARAMETERS)
{
    __shared__ double squares[ROW_WARPS];
    __shared__ unsigned largest[ROW_WARPS];
    const int row = blockIdx.x;
    const double* const from = A + size_t(row) * lda;
    Norm norm;
    int scaled_by = 0;
    while (true) {
        const double scale = power_of_two(scaled_by);
        norm = Norm();
#pragma unroll 4
        for (int k = threadIdx.x; k < K; k += blockDim.x) norm.add(from[k] * scale);
#pragma unroll
        for (int lanes = 16; lanes > 0; lanes /= 2) {
            norm.add(__shfl_xor_sync(0xffffffff, norm.squares, lanes), __shfl_xor_sync(0xffffffff, norm.largest, lanes));
        }
        if (threadIdx.x % 32 == 0) {
            squares[threadIdx.x / 32] = norm.squares;
            largest[threadIdx.x / 32] = norm.largest;
        }
        __syncthreads();
        norm = Norm();
        for (int warp = 0; warp < blockDim.x / 32; ++warp) norm.add(squares[warp], largest[warp]);
        if (scaled_by != 0 || norm.is_good()) break;
        scaled_by = norm.far_exponent();
        __syncthreads();
    }
    const int exponent = exponent_of(norm, scaled_by);
    if (threadIdx.x == 0) A_exponents[row] = exponent;

    const int padded_K = padded(K, PAD_K);
    const size_t modulus_bytes = size_t(padded(M, PAD)) * padded_K;
    // Rows that begin at a multiple of 16 bytes are read by two elements at once.
    const bool pairs = (lda | int(reinterpret_cast<u64>(A) / 8)) % 2 == 0;
    for (int k = threadIdx.x * 4; k < padded_K; k += blockDim.x * 4) {
        double x[4];
        if (pairs && k + 4 <= K) {
            *reinterpret_cast<double2*>(x) = *reinterpret_cast<const double2*>(from + k);
            *reinterpret_cast<double2*>(x + 2) = *reinterpret_cast<const double2*>(from + k + 2);
        } else {
#pragma unroll
            for (int i = 0; i < 4; ++i) x[i] = k + i < K ? from[k + i] : 0.0;
        }
        unsigned low[4], high[4];
        to_integers(x, exponent, low, high);
        s8* to = A_residues + size_t(row) * padded_K + k;
#pragma unroll
        for (int l = 0; l < MODULI; ++l, to += modulus_bytes) *reinterpret_cast<unsigned*>(to) = residues<0>(l, low, high);
    }
}
// [end]

// [region residues of B]
// A cluster converts STRIP columns of B, and each of its blocks a part of K. Shared memory transposes the residues, which are stored by columns.
extern "C" __global__ void __cluster_dims__(PARTS, 1, 1) __launch_bounds__(STRIP * STRIP_WARPS) residues_of_b(PARAMETERS)
{
    __shared__ double squares[STRIP_WARPS][STRIP];
    __shared__ unsigned largest[STRIP_WARPS][STRIP];
    __shared__ double own_squares[2][STRIP];              // of this part, for each round
    __shared__ unsigned own_largest[2][STRIP];
    __shared__ double part_squares[PARTS][STRIP];
    __shared__ unsigned part_largest[PARTS][STRIP];
    __shared__ unsigned words[MODULI][STRIP][STRIP_WARPS + 1];
    const int lane = threadIdx.x % STRIP;
    const int warp = threadIdx.x / STRIP;
    const int part = blockIdx.x % PARTS;
    const int first_column = blockIdx.x / PARTS * STRIP;
    const int column = first_column + lane;
    const int padded_K = padded(K, PAD_K);
    const int part_K = padded(padded_K / STRIP_K, PARTS) / PARTS * STRIP_K;
    const int begin = part * part_K;
    const int end = min(K, begin + part_K);
    const double* const from = B + column;
    Norm norm;
    int scaled_by = 0;
    for (int round = 0;; ++round) {
        const double scale = power_of_two(scaled_by);
        norm = Norm();
        if (column < N) {
#pragma unroll 8
            for (int k = begin + warp; k < end; k += STRIP_WARPS) norm.add(from[size_t(k) * ldb] * scale);
        }
        squares[warp][lane] = norm.squares;
        largest[warp][lane] = norm.largest;
        __syncthreads();
        if (warp == 0) {
#pragma unroll
            for (int other = 1; other < STRIP_WARPS; ++other) norm.add(squares[other][lane], largest[other][lane]);
            own_squares[round][lane] = norm.squares;
            own_largest[round][lane] = norm.largest;
        }
        cluster_sync();
        // A warp fetches the sums of one part.
        if (warp < PARTS) {
            part_squares[warp][lane] = load_remote(remote(shared_address(&own_squares[round][lane]), warp));
            part_largest[warp][lane] = load_remote_word(remote(shared_address(&own_largest[round][lane]), warp));
        }
        __syncthreads();
        norm = Norm();
#pragma unroll
        for (int other = 0; other < PARTS; ++other) norm.add(part_squares[other][lane], part_largest[other][lane]);
        // All blocks of the cluster have the same norms, so they take the same decision. The second round scales only the columns that need it.
        const bool again = scaled_by == 0 && column < N && !norm.is_good();
        if (round == 1 || !__syncthreads_or(again)) break;
        scaled_by = again ? norm.far_exponent() : 0;
    }
    // This block has read what it needs of the others.
    cluster_arrive();
    const int exponent = exponent_of(norm, scaled_by);
    if (part == 0 && warp == 0 && column < N) B_exponents[column] = exponent;

    const size_t modulus_bytes = size_t(padded(N, PAD)) * padded_K;
    for (int tile = begin; tile < min(padded_K, begin + part_K); tile += STRIP_K) {
        double x[4];
#pragma unroll
        for (int i = 0; i < 4; ++i) {
            const int k = tile + warp * 4 + i;
            x[i] = k < K && column < N ? from[size_t(k) * ldb] : 0.0;
        }
        unsigned low[4], high[4];
        to_integers(x, exponent, low, high);
#pragma unroll
        for (int l = 0; l < MODULI; ++l) words[l][lane][warp] = residues<1>(l, low, high);
        __syncthreads();
        // A warp stores 64 bytes of two columns.
        const int word = lane % STRIP_WARPS;
        const int stored = warp * (STRIP / STRIP_WARPS) + lane / STRIP_WARPS;
        s8* to = B_residues + size_t(first_column + stored) * padded_K + tile + word * 4;
#pragma unroll
        for (int l = 0; l < MODULI; ++l, to += modulus_bytes) *reinterpret_cast<unsigned*>(to) = words[l][stored][word];
        __syncthreads();
    }
    // A block must not exit while others read its shared memory.
    cluster_wait();
}
// [end]

// [region rasterise]
// Computes the first row and column of a cluster's tile of C. Tiles run down a group of GROUP tile rows before they move
// right (left in every other group), a threadblock swizzle. So tiles in work at the same time share rows of A and columns of B in the L2 cache.
__device__ void tile_origin(int tile, int tile_rows, int tile_columns, int& row, int& column)
{
    const int group = tile / (GROUP * tile_columns);
    const int first = group * GROUP;
    const int rows = min(GROUP, tile_rows - first);
    const int within = tile - first * tile_columns;
    row = (first + within % rows) * BM * CLUSTER;
    const int along = within / rows;
    column = (group % 2 == 0 ? along : tile_columns - 1 - along) * BN;
}
// [end]

// [region products]
// Each byte of `remainders` is a remainder plus 128. The order is that of the threads' sums: for each modulus, each group of 64 rows and each
// chunk of 32 columns, 16 bytes per thread of a warpgroup.
extern "C" __global__ void __cluster_dims__(CLUSTER, 1, 1) __launch_bounds__(THREADS, 1) products(PARAMETERS)
// [end]
{
    // [region shared memory]
    // STAGES tiles of A, then of B, each at a multiple of 1024 bytes for the swizzle.
    extern __shared__ __align__(1024) unsigned char shared[];
    __shared__ mbarrier full[STAGES];
    __shared__ mbarrier empty[STAGES];
    const unsigned A_tiles = shared_address(shared);
    const unsigned B_tiles = A_tiles + STAGES * A_BYTES;
    // [end]

    // [region indices]
    const int warpgroup = threadIdx.x / WARPGROUP;
    const int rank = blockIdx.x % CLUSTER;
    const int padded_M = padded(M, PAD);
    const int padded_N = padded(N, PAD);
    const int tile_rows = (M + BM * CLUSTER - 1) / (BM * CLUSTER);
    const int tile_columns = (N + BN - 1) / BN;
    const int tiles = tile_rows * tile_columns;           // of one modulus
    const int k_tiles = (K + BK - 1) / BK;
    // [end]

    // [region initialise barriers]
    if (threadIdx.x == 0) {
        for (int s = 0; s < STAGES; ++s) {
            mbarrier_init(shared_address(&full[s]), 1);                     // one arrival, by this block's producer, and the bytes
            mbarrier_init(shared_address(&empty[s]), CONSUMERS * CLUSTER);  // one arrival per consumer of every block
        }
        fence_mbarrier_init();
    }
    // No block may arrive at another block's barrier before it is initialised.
    cluster_sync();
    // [end]

    if (warpgroup == 0) {
        // [region producer]
        if (CONSUMERS > 1) give_registers_back<PRODUCER_REGISTERS>();
        if (threadIdx.x == 0) {
            int stage = 0;
            int parity = 0;
            int round = 0;
            for (int tile = blockIdx.x / CLUSTER; tile < MODULI * tiles; tile += gridDim.x / CLUSTER, ++round) {
                const int modulus = tile / tiles;
                int row, column;
                tile_origin(tile - modulus * tiles, tile_rows, tile_columns, row, column);
                row += modulus * padded_M + rank * BM;
                column += modulus * padded_N;
                for (int t = 0; t < k_tiles; ++t) {
                    // Every other round runs backwards along K: it begins with what the last round left in the L2 cache.
                    const int k = round % 2 == 0 ? t : k_tiles - 1 - t;
                    const unsigned full_barrier = shared_address(&full[stage]);
                    // The odd phase of a fresh barrier counts as complete, so the first turn of the ring does not wait.
                    mbarrier_wait(shared_address(&empty[stage]), parity ^ 1);
                    mbarrier_arrive_expect(full_barrier, STAGE_BYTES);
                    tma_load(A_tiles + stage * A_BYTES, map_A, k * BK, row, full_barrier);
                    // The cluster's blocks load B's chunks alternately. The other block begins the next K tile, so an odd number balances.
#pragma unroll
                    for (int chunk = 0; chunk < BN / CHUNK; ++chunk) {
                        if ((chunk + t) % CLUSTER == rank) {
                            tma_load_multicast(B_tiles + stage * B_BYTES + chunk * B_CHUNK_BYTES, map_B,
                                k * BK, column + chunk * CHUNK, full_barrier, (1 << CLUSTER) - 1);
                        }
                    }
                    if (++stage == STAGES) {
                        stage = 0;
                        parity ^= 1;
                    }
                }
            }
        }
        // [end]
    } else {
        // The threads of one consumer have enough registers from the beginning.
        if (CONSUMERS > 1) take_registers<CONSUMER_REGISTERS>();
        const int consumer = warpgroup - 1;
        const int thread = threadIdx.x % WARPGROUP;
        // [region descriptors]
        // A: groups of eight rows of 128 bytes. B: groups of eight columns of 128 bytes.
        const unsigned long long A_descriptor = matrix_descriptor(A_tiles + consumer * 64 * 128, 16, 8 * 128);
        const unsigned long long B_descriptor = matrix_descriptor(B_tiles, 16, 8 * 128);
        // [end]
        int stage = 0;
        int parity = 0;
        for (int tile = blockIdx.x / CLUSTER; tile < MODULI * tiles; tile += gridDim.x / CLUSTER) {
            // [region multiply]
            int acc[BN / 8][4];
            int modulus, row, column;
            Remainder modulo;
            for (int k = 0; k < k_tiles; ++k) {
                mbarrier_wait(shared_address(&full[stage]), parity);
                wgmma_fence();
#pragma unroll
                for (int step = 0; step < BK / 32; ++step) {
                    wgmma_k32(acc, A_descriptor + (stage * A_BYTES + step * STEP_BYTES) / 16,
                        B_descriptor + (stage * B_BYTES + step * STEP_BYTES) / 16, k > 0 || step > 0);
                }
                wgmma_commit();
                // The divisions and the load take long, so they run while the tensor cores work.
                if (k == 0) {
                    modulus = tile / tiles;
                    modulo = TABLES.remainders[modulus];
                    tile_origin(tile - modulus * tiles, tile_rows, tile_columns, row, column);
                }
                // After this, the previous tile's products are done, so its stage is free in every block that loads it.
                wgmma_wait<1>();
                if (k > 0 && thread < CLUSTER) {
                    mbarrier_arrive_remote(shared_address(&empty[stage == 0 ? STAGES - 1 : stage - 1]), thread);
                }
                if (++stage == STAGES) {
                    stage = 0;
                    parity ^= 1;
                }
            }
            wgmma_wait<0>();
            fence_registers(acc);
            if (thread < CLUSTER) {
                mbarrier_arrive_remote(shared_address(&empty[stage == 0 ? STAGES - 1 : stage - 1]), thread);
            }
            // [end]

            // The quotient is rounded almost to nearest, so a remainder is from -128 to 127. Sums modulo 256 may wrap: 2^32 is a multiple of 256.
            // [region store]
            const int row_group = (modulus * padded_M + row + rank * BM) / 64 + consumer;
            uint4* const to = remainders + (size_t(row_group) * (padded_N / 32) + column / 32) * WARPGROUP + thread;
#pragma unroll
            for (int chunk = 0; chunk < BN / 32; ++chunk) {
                unsigned words[4];
#pragma unroll
                for (int i = 0; i < 4; ++i) {
                    int r[4];
#pragma unroll
                    for (int e = 0; e < 4; ++e) {
                        const int sum = acc[chunk * 4 + i][e];
                        r[e] = sum - (__mulhi(sum, modulo.reciprocal) + 32 >> 6) * modulo.p;
                    }
                    words[i] = __byte_perm(__byte_perm(r[0], r[1], 0x0040), __byte_perm(r[2], r[3], 0x0040), 0x5410) ^ 0x80808080;
                }
                __stcs(to + chunk * WARPGROUP, make_uint4(words[0], words[1], words[2], words[3]));
            }
            // [end]
        }
    }
    // A block must not exit while other blocks may arrive at its barriers or load into its shared memory.
    cluster_sync();
}

// [region reconstruct]
// Returns the integer x with |x| < P / 2 that has these remainders, rounded to nearest even, times 2^-exponent.
__device__ double integer(const unsigned (&remainders)[MODULI], int exponent)
{
    // x = (sum of remainder * P / p) - quotient * P. The upper bits of both cancel, so 32 * LIMBS bits are enough.
    u64 sums[LIMBS];
    u64 quotient = TABLES.quotient_start;
#pragma unroll
    for (int i = 0; i < LIMBS; ++i) sums[i] = TABLES.start.limb[i];
#pragma unroll
    for (int g = 0; g < GROUPS; ++g) {
        // Three remainders become one number of at most 26 bits. So a third as many long products are needed.
        unsigned group = 0;
#pragma unroll
        for (int l = 3 * g; l < 3 * g + 3 && l < MODULI; ++l) group += remainders[l] * TABLES.weights[l];
        quotient += group * TABLES.quotients[g];
#pragma unroll
        for (int i = 0; i < LIMBS; ++i) sums[i] += u64(group) * TABLES.groups[g].limb[i];
    }
    const unsigned times = unsigned(quotient >> 55);
    unsigned limbs[4];
    u64 carry = 0;
#pragma unroll
    for (int i = 0; i < LIMBS; ++i) {
        carry += sums[i] + u64(times) * TABLES.minus_P.limb[i];
        limbs[i] = unsigned(carry);
        carry >>= 32;
    }
    const bool negative = limbs[LIMBS - 1] >> 31;
#pragma unroll
    for (int i = LIMBS; i < 4; ++i) limbs[i] = negative ? 0xffffffff : 0;
    u64 low = u64(limbs[1]) << 32 | limbs[0];
    u64 high = u64(limbs[3]) << 32 | limbs[2];
    if (negative) {
        low = 0 - low;
        high = ~high + (low == 0);
    }
    // Keeps the upper 64 bits. If any other bit is 1, the last of them becomes 1. So they are rounded like the whole number.
    const int shift = 64 - __clzll(high);
    const bool lost = low << 1 << (63 - shift) != 0;
    low = high << 1 << (63 - shift) | low >> shift | (shift > 0 && lost);
    const double magnitude = __ull2double_rn(low);
    // Two factors, because 2^exponent may be too large or too small for a double.
    const int up = max(-2044, min(2044, shift - exponent));
    const double value = magnitude * power_of_two(up >> 1) * power_of_two(up - (up >> 1));
    return negative ? -value : value;
}

// A block computes 64 rows and 32 columns of C. Each thread computes the 16 elements whose sums it would have in `products`.
extern "C" __global__ void __launch_bounds__(WARPGROUP, 5) reconstruct(PARAMETERS)
{
    const int lane = threadIdx.x % 32;
    const size_t modulus_units = size_t(padded(M, PAD)) * padded(N, PAD) / 16;
    const uint4* from = remainders + (size_t(blockIdx.y) * (padded(N, PAD) / 32) + blockIdx.x) * WARPGROUP + threadIdx.x;
    uint4 units[MODULI];
#pragma unroll
    for (int l = 0; l < MODULI; ++l) units[l] = __ldcs(from + l * modulus_units);

    const int first_row = blockIdx.y * 64 + threadIdx.x / 32 * 16 + lane / 4;
    const int first_column = blockIdx.x * 32 + lane % 4 * 2;
    const bool pairs = (ldc | int(reinterpret_cast<u64>(C) / 8)) % 2 == 0;
#pragma unroll
    for (int i = 0; i < 4; ++i) {
        const int column = first_column + i * 8;
#pragma unroll
        for (int down = 0; down < 2; ++down) {
            const int row = first_row + down * 8;
            double value[2];
#pragma unroll
            for (int e = 0; e < 2; ++e) {
                unsigned bytes[MODULI];
#pragma unroll
                for (int l = 0; l < MODULI; ++l) {
                    const unsigned word = i == 0 ? units[l].x : i == 1 ? units[l].y : i == 2 ? units[l].z : units[l].w;
                    bytes[l] = __byte_perm(word, 0, 0x4440 + down * 2 + e);
                }
                const int exponent = A_exponents[min(row, M - 1)] + B_exponents[min(column + e, N - 1)];
                const double x = integer(bytes, exponent);
                value[e] = alpha * (exponent > NOT_FINITE / 2 ? __longlong_as_double(0x7ff8000000000000) : x);
            }
            if (row >= M || column >= N) continue;
            double* const to = C + size_t(row) * ldc + column;
            if (beta != 0.0) {
                value[0] = fma(beta, to[0], value[0]);
                if (column + 1 < N) value[1] = fma(beta, to[1], value[1]);
            }
            if (pairs && column + 1 < N) {
                *reinterpret_cast<double2*>(to) = make_double2(value[0], value[1]);
            } else {
                to[0] = value[0];
                if (column + 1 < N) to[1] = value[1];
            }
        }
    }
}
// [end]
