// TF32 for rows that begin anywhere, as bf16_any_rows: asynchronous copies bring the lines that a row overlaps, then each lane moves words to
// where the tensor cores expect them, and rounds. As in tf32_wgmma, the product is the transposed one: C^T = B^T A^T, with B through registers.

// [region constants]
#ifndef BM
#define BM 128      // rows of C per block
#define BN 128      // columns of C per block
#define STAGES 2    // tiles in shared memory, shifted and rounded
#define DEPTH 1     // tiles on their way, as they are in memory
#define LOADERS 2   // warpgroups that load
#define GROUP 8     // tile rows to go down before going right
#define RESIDENT 1  // blocks that must fit on an SM
#endif
constexpr int BK = 32;
constexpr int WARPGROUP = 128;
constexpr int WARPS = 4;                                  // warps in a warpgroup
constexpr int CONSUMERS = BN / 64;                        // warpgroups that multiply, 64 columns of C each
constexpr int THREADS = (LOADERS + CONSUMERS) * WARPGROUP;
constexpr int STEPS = BK / 8;                             // wgmmas along K per tile
constexpr int LINE = 128;                                 // bytes of a row of shared memory, and of a line of the cache
constexpr int A_BYTES = BM * LINE;
constexpr int CHUNKS = BN * 4 / LINE;                     // parts of B's tile, each as wide as a line
constexpr int B_CHUNK_BYTES = BK * LINE;
constexpr int STAGE_BYTES = A_BYTES + CHUNKS * B_CHUNK_BYTES;
constexpr int RAW_B_ROW = (CHUNKS + 1) * LINE;            // the lines that a row of B's tile may overlap
constexpr int RAW_B_BYTES = BK * RAW_B_ROW;
constexpr int SHARED_BYTES = STAGES * STAGE_BYTES + (DEPTH + 2) * A_BYTES + (DEPTH + 1) * RAW_B_BYTES;
constexpr int MULTIPLIERS = CONSUMERS * WARPGROUP;        // threads that multiply
constexpr int SHARE = BM * BN / (MULTIPLIERS * 4);        // groups of four sums per thread
constexpr int MOST_PARTS = 288 * RESIDENT;                // maximum number of partial tiles that fit in the workspace
constexpr bool TWICE = SHARE <= 8;                        // whether many partial tiles are added up in two steps
constexpr bool SKIPS = BM <= 32;                          // whether rows of A that do not exist are left out
constexpr int LOADING = LOADERS * 4;                      // warps that load
constexpr int A_ROWS = BM / LOADING;                      // rows of each tile that a warp loads
constexpr int B_ROWS = BK / LOADING;
static_assert(A_ROWS % 4 == 0 && B_ROWS % 4 == 0, "a warp copies four rows at a time");
static_assert((BM == 32 || BM == 64 || BM == 128) && BN % 64 == 0, "a wgmma is 64xBMx8");
// [end]

typedef unsigned long long mbarrier;

// [region ptx]
__device__ unsigned shared_address(const void* pointer)
{
    return static_cast<unsigned>(__cvta_generic_to_shared(pointer));
}

__device__ void mbarrier_init(unsigned barrier, int arrivals)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" :: "r"(barrier), "r"(arrivals) : "memory");
}

__device__ void mbarrier_arrive(unsigned barrier)
{
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" :: "r"(barrier) : "memory");
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

// Starts to copy `bytes` of 16 bytes and writes zeros in the place of the others.
__device__ void copy_unit(unsigned to, const char* from, int bytes)
{
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" :: "r"(to), "l"(from), "r"(bytes) : "memory");
}

__device__ void commit_group()
{
    asm volatile("cp.async.commit_group;" ::: "memory");
}

template <int LATER>
__device__ void wait_group()
{
    asm volatile("cp.async.wait_group %0;" :: "n"(LATER) : "memory");
}

__device__ unsigned load_word(unsigned address)
{
    unsigned word;
    asm volatile("ld.shared.b32 %0, [%1];" : "=r"(word) : "r"(address));
    return word;
}

__device__ void store_word(unsigned address, unsigned word)
{
    asm volatile("st.shared.b32 [%0], %1;" :: "r"(address), "r"(word) : "memory");
}

// Makes this thread's ordinary stores visible to the tensor cores.
__device__ void fence_proxy_async()
{
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

// Describes where a wgmma operand is in shared memory: its address and strides in units of 16 bytes, with the 128-byte swizzle.
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
__device__ void fence_registers(float (&acc)[TILES][4])
{
#pragma unroll
    for (int i = 0; i < TILES; ++i) asm volatile("" : "+f"(acc[i][0]), "+f"(acc[i][1]), "+f"(acc[i][2]), "+f"(acc[i][3]));
}

// acc[64xBM] (+)= b[64x8] * a[8xBM]. b is in registers; a's columns run along K.
__device__ void wgmma(float (&acc)[BM / 8][4], const unsigned (&b)[4], unsigned long long a, int accumulate)
{
#define ACC(i) "+f"(acc[i][0]), "+f"(acc[i][1]), "+f"(acc[i][2]), "+f"(acc[i][3])
#if BM < 64
    asm volatile(
        "{\n"
        ".reg .pred add;\n"
        "setp.ne.b32 add, %21, 0;\n"
        "wgmma.mma_async.sync.aligned.m64n32k8.f32.tf32.tf32 {"
        "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15"
        "}, {%16, %17, %18, %19}, %20, add, 1, 1;\n"
        "}"
        : ACC(0), ACC(1), ACC(2), ACC(3)
        : "r"(b[0]), "r"(b[1]), "r"(b[2]), "r"(b[3]), "l"(a), "r"(accumulate));
#elif BM < 128
    asm volatile(
        "{\n"
        ".reg .pred add;\n"
        "setp.ne.b32 add, %37, 0;\n"
        "wgmma.mma_async.sync.aligned.m64n64k8.f32.tf32.tf32 {"
        "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
        "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31"
        "}, {%32, %33, %34, %35}, %36, add, 1, 1;\n"
        "}"
        : ACC(0), ACC(1), ACC(2), ACC(3), ACC(4), ACC(5), ACC(6), ACC(7)
        : "r"(b[0]), "r"(b[1]), "r"(b[2]), "r"(b[3]), "l"(a), "r"(accumulate));
#else
    asm volatile(
        "{\n"
        ".reg .pred add;\n"
        "setp.ne.b32 add, %69, 0;\n"
        "wgmma.mma_async.sync.aligned.m64n128k8.f32.tf32.tf32 {"
        "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
        "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, "
        "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, "
        "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63"
        "}, {%64, %65, %66, %67}, %68, add, 1, 1;\n"
        "}"
        : ACC(0), ACC(1), ACC(2), ACC(3), ACC(4), ACC(5), ACC(6), ACC(7), ACC(8), ACC(9), ACC(10), ACC(11), ACC(12), ACC(13), ACC(14), ACC(15)
        : "r"(b[0]), "r"(b[1]), "r"(b[2]), "r"(b[3]), "l"(a), "r"(accumulate));
#endif
#undef ACC
}

// Loads two floats that another thread wrote.
__device__ void load_shared(unsigned address, unsigned& left, unsigned& right)
{
    asm volatile("ld.shared.v2.b32 {%0, %1}, [%2];" : "=r"(left), "=r"(right) : "r"(address) : "memory");
}

// Rounds to the nearest TF32: adds half of its last bit; the tensor cores truncate what is below. Infinity and NaN do not change.
__device__ unsigned round_to_tf32(unsigned bits)
{
    return fabsf(__uint_as_float(bits)) < __uint_as_float(0x7f800000) ? bits + 0x1000 : bits;
}
// [end]

// [region loader]
// A warp that loads. It copies whole lines of 128 bytes, each once: a row of A's tile overlaps two lines, and the second one is the next
// tile's first. A line of A that the matrix ends in, and rows beyond its edges, are filled with zeros or masked. The warps take rows in turn,
// so that the swizzle of a row needs no arithmetic in the loop.
struct Loader {
    const char *A_from[A_ROWS / 4], *B_from[B_ROWS / 4];  // lines that hold this lane's units
    const char *A_begin, *A_end, *B_end;
    size_t B_step;                                        // bytes from tile to tile
    unsigned A_first, A_pitch, B_first, B_pitch;          // where the warp's rows begin in their line: (first + i * pitch) % 128
    unsigned A_raw, B_raw, tile_to;
    int warp, lane, K, rows, columns;                     // rows and columns of C from the tile on

    __device__ Loader(const float* A, const float* B, int M, int N, int K, int lda, int ldb, int row, int column, unsigned raw)
        : warp(threadIdx.x / 32), lane(threadIdx.x % 32), K(K), rows(M - row), columns(N - column)
    {
        const float* A_row = A + size_t(row + warp) * lda;
        const float* B_row = B + size_t(warp) * ldb + column;
#pragma unroll
        for (int i = 0; i < A_ROWS / 4; ++i) {
            // For rows beyond the last one, other data is read. It changes only sums that are never stored.
            const int own = min(row + warp + (i * 4 + lane / 8) * LOADING, M - 1);
            A_from[i] = line_of(A + size_t(own) * lda) + lane % 8 * 16;
        }
#pragma unroll
        for (int i = 0; i < B_ROWS / 4; ++i) B_from[i] = line_of(B_row + size_t((i * 4 + lane / 8) * LOADING) * ldb) + lane % 8 * 16;
        A_begin = line_of(A), A_end = reinterpret_cast<const char*>(A + size_t(M - 1) * lda + K);
        B_end = reinterpret_cast<const char*>(B + size_t(K - 1) * ldb + N);
        B_step = size_t(ldb) * BK * 4;
        A_first = unsigned(reinterpret_cast<size_t>(A_row)), A_pitch = lda * LOADING * 4;
        B_first = unsigned(reinterpret_cast<size_t>(B_row)), B_pitch = ldb * LOADING * 4;
        A_raw = raw + warp * A_ROWS * LINE, B_raw = raw + (DEPTH + 2) * A_BYTES + warp * B_ROWS * RAW_B_ROW;
        tile_to = warp * LINE + (lane / 4 ^ warp % 8) * 16 + lane % 4 * 4;
    }

    __device__ static const char* line_of(const void* at) { return reinterpret_cast<const char*>(reinterpret_cast<size_t>(at) & ~size_t(LINE - 1)); }

    // Starts to copy 16 bytes, or, at the END of the matrix, as many of them as it has.
    template <bool END>
    __device__ void copy(unsigned to, const char* from, const char* end, bool wanted) const
    {
        const long long left = END ? end - from : 16;
        copy_unit(to, left > 0 ? from : A_begin, !wanted || left <= 0 ? 0 : left < 16 ? int(left) : 16);
    }

    template <bool END>
    __device__ void copy_A(int line) const
    {
        const unsigned to = A_raw + line % (DEPTH + 2) * A_BYTES + lane / 8 * LINE + lane % 8 * 16;
#pragma unroll
        for (int i = 0; i < A_ROWS / 4; ++i) {
            const bool wanted = !SKIPS || warp + (i * 4 + lane / 8) * LOADING < rows;
            copy<END>(to + i * 4 * LINE, A_from[i] + size_t(line) * LINE, A_end, wanted);
        }
    }

    template <bool END>
    __device__ void copy_B(int t) const
    {
        const unsigned to = B_raw + t % (DEPTH + 1) * RAW_B_BYTES + lane / 8 * RAW_B_ROW + lane % 8 * 16;
#pragma unroll
        for (int i = 0; i < B_ROWS / 4; ++i) {
            // A row that begins where a line begins does not reach the last one.
            const bool overlaps = (B_first + (i * 4 + lane / 8) * B_pitch) % LINE > 0;
            const char* from = B_from[i] + t * B_step;
#pragma unroll
            for (int line = 0; line < RAW_B_ROW / LINE; ++line) {
                copy<END>(to + i * 4 * RAW_B_ROW + line * LINE, from + line * LINE, B_end, line < RAW_B_ROW / LINE - 1 || overlaps);
            }
        }
    }

    // Starts to copy tile t: the second line of each row of A, and the rows of B.
    __device__ void copy_tile(int t) const
    {
        if (A_from[A_ROWS / 4 - 1] + size_t(t + 1) * LINE + 16 <= A_end && B_from[B_ROWS / 4 - 1] + t * B_step + RAW_B_ROW - LINE + 16 <= B_end) {
            copy_A<false>(t + 1), copy_B<false>(t);
        } else {
            copy_A<true>(t + 1), copy_B<true>(t);
        }
    }

    // Moves a tile to where the tensor cores expect it: a word per lane, whose bytes outside become zeros. In a batch, all loads come before
    // the first store, so that they overlap.
    __device__ void move_A(unsigned tile, int t) const
    {
        const unsigned now = A_raw + t % (DEPTH + 2) * A_BYTES, next = A_raw + (t + 1) % (DEPTH + 2) * A_BYTES - LINE;
        const unsigned mask = mask_of(K - t * BK);
        constexpr int BATCH = A_ROWS < 8 ? A_ROWS : 8;
#pragma unroll
        for (int first = 0; first < A_ROWS; first += BATCH) {
            unsigned word[BATCH];
#pragma unroll
            for (int i = 0; i < BATCH; ++i) {
                const unsigned begin = (A_first + (first + i) * A_pitch) % LINE;
                const unsigned offset = begin + lane * 4;
                const unsigned at = (first + i) * LINE + (offset & ~3u);
                word[i] = load_word(at + (offset < LINE ? now : next));
            }
#pragma unroll
            for (int i = 0; i < BATCH; ++i) {
                store_word(tile + place(first + i), round_to_tf32(word[i] & mask));
            }
        }
    }

    __device__ void move_B(unsigned tile, int t) const
    {
        const unsigned from = B_raw + t % (DEPTH + 1) * RAW_B_BYTES + lane * 4;
        constexpr int BATCH = CHUNKS > 8 ? 1 : B_ROWS < 8 / CHUNKS ? B_ROWS : 8 / CHUNKS;
#pragma unroll
        for (int first = 0; first < B_ROWS; first += BATCH) {
            unsigned word[BATCH][CHUNKS];
#pragma unroll
            for (int i = 0; i < BATCH; ++i) {
                const unsigned begin = (B_first + (first + i) * B_pitch) % LINE;
                const unsigned at = from + (first + i) * RAW_B_ROW + (begin & ~3u);
#pragma unroll
                for (int chunk = 0; chunk < CHUNKS; ++chunk) word[i][chunk] = load_word(at + chunk * LINE);
            }
#pragma unroll
            for (int i = 0; i < BATCH; ++i) {
#pragma unroll
                for (int chunk = 0; chunk < CHUNKS; ++chunk) {
                    const unsigned inside = word[i][chunk] & mask_of(columns - chunk * (LINE / 4));
                    store_word(tile + A_BYTES + chunk * B_CHUNK_BYTES + place(first + i), round_to_tf32(inside));
                }
            }
        }
    }

    // Where the tensor cores expect this lane's word of the warp's i-th row.
    __device__ unsigned place(int i) const { return i * LOADING * LINE + (tile_to ^ i * LOADING % 8 * 16); }

    // The bytes of this lane's word that belong to a row of `inside` elements.
    __device__ unsigned mask_of(int inside) const
    {
        return lane < inside ? ~0u : 0;
    }
};
// [end]

// [region few columns]
// C = alpha A B + beta C with at most COLUMNS columns: a warp adds up a row of A times each column, in FP32. Several columns are in shared memory.
template <int COLUMNS>
__device__ void few_columns(
    const float* A, const float* B, float* C, int M, int N, int K, int lda, int ldb, int ldc, float alpha, float beta, float* with, int block, int blocks)
{
    constexpr int SUMS = COLUMNS == 1 ? 4 : 2;  // per column, so that several additions run at the same time
    const int lane = threadIdx.x % 32;
    if (COLUMNS > 1) {
        for (int i = threadIdx.x; i < K * COLUMNS; i += THREADS) with[i] = i / K < N ? B[size_t(i % K) * ldb + i / K] : 0.0f;
        __syncthreads();
    }
    for (int row = block * (THREADS / 32) + threadIdx.x / 32; row < M; row += blocks * (THREADS / 32)) {
        const float* from = A + size_t(row) * lda;
        float sums[COLUMNS][SUMS] = {};
        const auto add = [&](int i, int k, float a) {
#pragma unroll
            for (int c = 0; c < COLUMNS; ++c) {
                const float b = k >= K ? 0.0f : COLUMNS > 1 ? with[c * K + k] : B[size_t(k) * ldb];
                sums[c][i % SUMS] += a * b;
            }
        };
        int k = lane;
        for (; k - lane + 16 * 32 <= K; k += 16 * 32) {
            float a[16];
#pragma unroll
            for (int i = 0; i < 16; ++i) a[i] = __ldcs(from + k + i * 32);
#pragma unroll
            for (int i = 0; i < 16; ++i) add(i, k + i * 32, a[i]);
        }
        for (; k < K; k += 8 * 32) {
            float a[8];
#pragma unroll
            for (int i = 0; i < 8; ++i) a[i] = k + i * 32 < K ? __ldcs(from + k + i * 32) : 0.0f;
#pragma unroll
            for (int i = 0; i < 8; ++i) add(i, k + i * 32, a[i]);
        }
#pragma unroll
        for (int column = 0; column < COLUMNS; ++column) {
            float sum = sums[column][0] + sums[column][1];
            if (SUMS == 4) sum += sums[column][2 % SUMS] + sums[column][3 % SUMS];
#pragma unroll
            for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_xor_sync(~0u, sum, distance);
            if (lane == 0 && column < N) {
                float& c = C[size_t(row) * ldc + column];
                c = beta == 0.0f ? alpha * sum : alpha * sum + beta * c;
            }
        }
    }
}
// [end]

// [region one row]
// One row: a block computes 32 columns at a time, or 16 or 8 if that gives more blocks work. Its threads share K, and their sums are added
// up in order.
__device__ void one_row(const float* a, const float* B, float* C, int N, int K, int ldb, float alpha, float beta, int block, int blocks)
{
    __shared__ float sums[THREADS];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const int columns = N > blocks * 16 ? 32 : N > blocks * 8 ? 16 : 8;
    const int part = threadIdx.x / columns, parts = THREADS / columns;
    for (int first = block * columns; first < N; first += blocks * columns) {
        const int column = first + threadIdx.x % columns;
        float sum[4] = {};
        if (column < N) {
            int k = part;
            for (; k + 15 * parts < K; k += 16 * parts) {
                float b[16];
#pragma unroll
                for (int i = 0; i < 16; ++i) b[i] = __ldcs(&B[size_t(k + i * parts) * ldb + column]);
#pragma unroll
                for (int i = 0; i < 16; ++i) sum[i % 4] += a[k + i * parts] * b[i];
            }
            for (; k < K; k += 8 * parts) {
                float b[8];
#pragma unroll
                for (int i = 0; i < 8; ++i) b[i] = k + i * parts < K ? __ldcs(&B[size_t(k + i * parts) * ldb + column]) : 0.0f;
#pragma unroll
                for (int i = 0; i < 8; ++i) {
                    if (k + i * parts < K) sum[i % 4] += a[k + i * parts] * b[i];
                }
            }
        }
        float all = sum[0] + sum[1] + (sum[2] + sum[3]);
        for (int distance = columns; distance < 32; distance *= 2) all += __shfl_xor_sync(~0u, all, distance);
        if (lane < columns) sums[warp * 32 + lane] = all;
        __syncthreads();
        if (threadIdx.x < columns && column < N) {
            all = 0.0f;
#pragma unroll
            for (int other = 0; other < THREADS / 32; ++other) all += sums[other * 32 + lane];
            C[column] = beta == 0.0f ? alpha * all : alpha * all + beta * C[column];
        }
        __syncthreads();
    }
}
// [end]

// [region workspace]
// Sums that blocks along K leave for the last of them. Launches that run at the same time must not share this memory.
__device__ float4 workspace[MOST_PARTS * SHARE * MULTIPLIERS];
__device__ unsigned counters[MOST_PARTS];  // Zero between launches. After an aborted launch, set them to zero again, or the next result is wrong.

// Waits for all threads that multiply.
__device__ void multipliers_sync()
{
    asm volatile("bar.sync 1, %0;" :: "n"(MULTIPLIERS) : "memory");
}

// True in the last of `blocks` blocks that call it, which then sees everything that the others wrote before. Resets the counter
// for the next launch. One thread's release and acquire suffice, because the barriers order the other threads' accesses.
__device__ bool is_last(unsigned* counter, int blocks)
{
    __shared__ bool last;
    multipliers_sync();
    if (threadIdx.x == LOADERS * WARPGROUP) {
        unsigned before;
        asm volatile("atom.add.acq_rel.gpu.global.u32 %0, [%1], 1;" : "=r"(before) : "l"(counter) : "memory");
        last = before == blocks - 1;
        if (last) *counter = 0;
    }
    multipliers_sync();
    return last;
}
// [end]

// [region signature]
extern "C" __global__ void __launch_bounds__(THREADS, RESIDENT) tf32_any_rows(
    const float* __restrict__ A, const float* __restrict__ B, float* __restrict__ C,
    int M, int N, int K, int lda, int ldb, int ldc, float alpha, float beta)
// [end]
{
    extern __shared__ __align__(1024) unsigned char shared[];
    __shared__ mbarrier full[STAGES];
    __shared__ mbarrier empty[STAGES];

    // [region indices]
    const int tile_rows = (M + BM - 1) / BM;
    const int tile_columns = (N + BN - 1) / BN;
    const int tile = blockIdx.x;
    const int block = blockIdx.z * gridDim.x + tile, blocks = gridDim.x * gridDim.z;
    if (N == 1) {
        few_columns<1>(A, B, C, M, N, K, lda, ldb, ldc, alpha, beta, nullptr, block, blocks);
        return;
    }
    if (M == 1) {
        one_row(A, B, C, N, K, ldb, alpha, beta, block, blocks);
        return;
    }
    if (N <= 4 && K <= SHARED_BYTES / 16) {
        few_columns<4>(A, B, C, M, N, K, lda, ldb, ldc, alpha, beta, reinterpret_cast<float*>(shared), block, blocks);
        return;
    }
    // If the tiles are few, blocks share each of them along K.
    const int all_k_tiles = (K + BK - 1) / BK;
    const int parts = max(1, min(min(int(gridDim.z), all_k_tiles / 4), MOST_PARTS / (tile_rows * tile_columns)));
    const int part = blockIdx.z;
    if (tile >= tile_rows * tile_columns || part >= parts) return;
    const int first_k = all_k_tiles * part / parts * BK;
    A += first_k, B += size_t(first_k) * ldb;
    K = min(K, all_k_tiles * (part + 1) / parts * BK) - first_k;
    // [end]

    const unsigned tiles = shared_address(shared);
    const int warpgroup = threadIdx.x / WARPGROUP;
    const int thread = threadIdx.x % WARPGROUP;
    const int lane = threadIdx.x % 32;
    const int first = tile / (GROUP * tile_columns) * GROUP;
    const int rows = min(GROUP, tile_rows - first);
    const int within = tile - first * tile_columns;
    const int row = (first + within % rows) * BM;
    const int column = within / rows * BN;
    const int k_tiles = (K + BK - 1) / BK;

    if (threadIdx.x == 0) {
        for (int s = 0; s < STAGES; ++s) {
            mbarrier_init(shared_address(&full[s]), LOADERS * 4);  // one arrival per warp that loads
            mbarrier_init(shared_address(&empty[s]), CONSUMERS * WARPS);  // one arrival per warp that multiplies
        }
    }
    __syncthreads();

    if (warpgroup < LOADERS) {
        // [region load]
        const Loader loader(A, B, M, N, K, lda, ldb, row, column, tiles + STAGES * STAGE_BYTES);
        loader.copy_A<true>(0);
#pragma unroll
        for (int t = 0; t < DEPTH; ++t) {
            if (t < k_tiles) loader.copy_tile(t);
            commit_group();
        }
        for (int t = 0; t < k_tiles; ++t) {
            const int stage = t % STAGES;
            if (t + DEPTH < k_tiles) loader.copy_tile(t + DEPTH);
            commit_group();  // An empty group counts, too.
            wait_group<DEPTH>();
            __syncwarp();    // What the other lanes copied has arrived, too.
            mbarrier_wait(shared_address(&empty[stage]), t / STAGES % 2 ^ 1);
            loader.move_A(tiles + stage * STAGE_BYTES, t);
            loader.move_B(tiles + stage * STAGE_BYTES, t);
            fence_proxy_async();
            __syncwarp();
            if (lane == 0) mbarrier_arrive(shared_address(&full[stage]));
        }
        // [end]
    } else {
        // [region multiply]
        const int consumer = warpgroup - LOADERS;
        const int warp = thread / 32;
        const unsigned long long A_descriptor = matrix_descriptor(tiles, 16, 8 * LINE);
        // The columns of C may be in any order. This order gives a lane two neighbours. Lane q of four reads row q of B, and
        // half a warp together reads all banks.
        const int unit = lane / 8 % 2 * 4 + lane / 16 + warp % 2 * 2;
        const int c = column + consumer * 64 + warp / 2 * 32 + unit * 4 + lane / 4 % 2 * 2;
        const unsigned B_lane = tiles + A_BYTES + (consumer * 2 + warp / 2) * B_CHUNK_BYTES + lane / 4 % 2 * 8;
        float acc[BM / 8][4];
        for (int t = 0; t < k_tiles; ++t) {
            const int stage = t % STAGES;
            mbarrier_wait(shared_address(&full[stage]), t / STAGES % 2);
            unsigned b[STEPS][4];
#pragma unroll
            for (int step = 0; step < STEPS; ++step) {
#pragma unroll
                for (int h = 0; h < 2; ++h) {
                    const int r = step * 8 + h * 4 + lane % 4;
                    load_shared(B_lane + stage * STAGE_BYTES + r * LINE + (unit ^ r % 8) * 16, b[step][h * 2], b[step][h * 2 + 1]);
                }
            }
            wgmma_fence();
#pragma unroll
            for (int step = 0; step < STEPS; ++step) {
                wgmma(acc, b[step], A_descriptor + (stage * STAGE_BYTES + step * 8 * 4) / 16, t > 0 || step > 0);
            }
            wgmma_commit();
            // b is free, too, when the products are done. Meanwhile, the tensor cores work for the other consumer.
            wgmma_wait<0>();
            fence_registers(acc);
            __syncwarp();
            if (lane == 0) mbarrier_arrive(shared_address(&empty[stage]));
        }
        // [end]

        // [region share between blocks]
        if (parts > 1) {
            float4* const share = workspace + size_t(tile) * parts * SHARE * MULTIPLIERS + threadIdx.x - LOADERS * WARPGROUP;
            // The last block adds the sums of all of them. It reads only 64 bytes per cycle. So if more than 16 blocks share a small tile, groups
            // of eight blocks do this first, and then the last blocks of the groups.
            const int most = TWICE && parts > 16 ? 8 : 32;
            int step = 1;
            do {
                const int first = part / (step * most) * (step * most);
                const int members = min(most, (parts - first + step - 1) / step);
#pragma unroll
                for (int i = 0; i < SHARE; ++i) {
                    if (SKIPS && row + i * 8 >= M) continue;
                    share[(part / step * step * SHARE + i) * MULTIPLIERS] = make_float4(acc[i][0], acc[i][1], acc[i][2], acc[i][3]);
                }
                if (!is_last(&counters[tile * parts + first + (step > 1)], members)) return;
#pragma unroll
                for (int i = 0; i < SHARE; ++i) {
#pragma unroll
                    for (int e = 0; e < 4; ++e) acc[i][e] = 0.0f;
                }
                constexpr int AHEAD = SHARE < 16 ? 16 / SHARE : 1;    // blocks whose sums are loaded at the same time
#pragma unroll AHEAD
                for (int g = 0; g < members; ++g) {
#pragma unroll
                    for (int i = 0; i < SHARE; ++i) {
                        if (SKIPS && row + i * 8 >= M) continue;
                        const float4 v = __ldcg(&share[((first + g * step) * SHARE + i) * MULTIPLIERS]);
                        acc[i][0] += v.x;
                        acc[i][1] += v.y;
                        acc[i][2] += v.z;
                        acc[i][3] += v.w;
                    }
                }
                step *= most;
            } while (TWICE && step < parts);
        }
        // [end]

        // [region store]
        const bool pairs = reinterpret_cast<size_t>(C) % 8 == 0 && ldc % 2 == 0 && c + 1 < N;
#pragma unroll
        for (int j = 0; j < BM / 8; ++j) {
#pragma unroll
            for (int i = 0; i < 2; ++i) {
                const int r = row + j * 8 + lane % 4 * 2 + i;
                if (r < M && c < N) {
                    float* at = C + size_t(r) * ldc + c;
                    float left = alpha * acc[j][i];
                    float right = alpha * acc[j][2 + i];
                    // BLAS: with beta == 0, C is not read.
                    if (beta != 0.0f) {
                        left += beta * at[0];
                        if (c + 1 < N) right += beta * at[1];
                    }
                    if (pairs) {
                        *reinterpret_cast<float2*>(at) = make_float2(left, right);
                    } else {
                        at[0] = left;
                        if (c + 1 < N) at[1] = right;
                    }
                }
            }
        }
        // [end]
    }
}
