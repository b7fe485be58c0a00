// bf16 for rows that begin anywhere. The copy engine takes only rows whose length is a multiple of 16 bytes. Here, warpgroups load in two
// steps: asynchronous copies bring the lines of 128 bytes that a row overlaps, then each lane moves words to where the tensor cores expect
// them. If C has one row or at most four columns, the tensor cores are not used.

// [region constants]
#ifndef BM
#define BM 128      // rows of C per block
#define BN 256      // columns of C per block
#define STAGES 2    // tiles in shared memory, shifted
#define DEPTH 1     // tiles on their way, as they are in memory
#define LOADERS 2   // warpgroups that load
#define GROUP 8     // tile rows to go down before going right
#define RESIDENT 1  // blocks that must fit on an SM
#endif
constexpr int BK = 64;
constexpr int WARPGROUP = 128;
constexpr int CONSUMERS = BM / 64;                        // warpgroups that multiply, 64 rows of C each
constexpr int THREADS = (LOADERS + CONSUMERS) * WARPGROUP;
constexpr int WIDTH = BN < 128 ? BN : 128;                // columns of a wgmma
constexpr int LINE = 128;                                 // bytes of a row of shared memory, and of a line of the cache
constexpr int A_BYTES = BM * LINE;
constexpr int CHUNKS = BN * 2 / LINE;                     // parts of B's tile, each as wide as a line
constexpr int B_CHUNK_BYTES = BK * LINE;
constexpr int STAGE_BYTES = A_BYTES + CHUNKS * B_CHUNK_BYTES;
constexpr int RAW_B_ROW = (CHUNKS + 1) * LINE;            // the lines that a row of B's tile may overlap
constexpr int RAW_B_BYTES = BK * RAW_B_ROW;
constexpr int SHARED_BYTES = STAGES * STAGE_BYTES + (DEPTH + 2) * A_BYTES + (DEPTH + 1) * RAW_B_BYTES;
constexpr int MULTIPLIERS = CONSUMERS * WARPGROUP;        // threads that multiply
constexpr int SHARE = BM * BN / (MULTIPLIERS * 4);        // groups of four sums per thread
constexpr int MOST_PARTS = 288 * RESIDENT;                // maximum number of partial tiles that fit in the workspace
constexpr bool TWICE = SHARE <= 8;                        // whether many partial tiles are added up in two steps
constexpr bool SKIPS = BM <= 64;                          // whether rows of A that do not exist are left out
constexpr int LOADING = LOADERS * 4;                      // warps that load
constexpr int A_ROWS = BM / LOADING;                      // rows of each tile that a warp loads
constexpr int B_ROWS = BK / LOADING;
static_assert(BN < 256 || THREADS == 512, "88 and 168 registers are for two warpgroups each");
static_assert(A_ROWS % 4 == 0 && B_ROWS % 4 == 0, "a warp copies four rows at a time");
static_assert(BM % 64 == 0 && (BN == 64 || BN % 128 == 0), "a wgmma is 64xWIDTHx16");
// [end]

typedef unsigned short bf16;
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

// acc[64xWIDTH] (+)= A[64x16] * B[16xWIDTH]. A's rows run along K, B's along N, so the last flag transposes B.
__device__ void wgmma(float (*acc)[4], unsigned long long a, unsigned long long b, int accumulate)
{
#define ACC(i) "+f"(acc[i][0]), "+f"(acc[i][1]), "+f"(acc[i][2]), "+f"(acc[i][3])
#if BN < 128
    asm volatile(
        "{\n"
        ".reg .pred add;\n"
        "setp.ne.b32 add, %34, 0;\n"
        "wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16 {"
        "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
        "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31"
        "}, %32, %33, add, 1, 1, 0, 1;\n"
        "}"
        : ACC(0), ACC(1), ACC(2), ACC(3), ACC(4), ACC(5), ACC(6), ACC(7)
        : "l"(a), "l"(b), "r"(accumulate));
#else
    asm volatile(
        "{\n"
        ".reg .pred add;\n"
        "setp.ne.b32 add, %66, 0;\n"
        "wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16 {"
        "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
        "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, "
        "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, "
        "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63"
        "}, %64, %65, add, 1, 1, 0, 1;\n"
        "}"
        : ACC(0), ACC(1), ACC(2), ACC(3), ACC(4), ACC(5), ACC(6), ACC(7), ACC(8), ACC(9), ACC(10), ACC(11), ACC(12), ACC(13), ACC(14), ACC(15)
        : "l"(a), "l"(b), "r"(accumulate));
#endif
#undef ACC
}

__device__ bf16 to_bf16(float value)
{
    bf16 narrow;
    asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(narrow) : "f"(value));
    return narrow;
}

__device__ float to_float(unsigned value)
{
    return __uint_as_float(value << 16);
}

// Adds the products of two pairs.
__device__ void add_pair(float& sum, unsigned x, unsigned y)
{
    sum += to_float(x) * to_float(y);
    sum += __uint_as_float(x & 0xffff0000) * __uint_as_float(y & 0xffff0000);
}
// [end]

// [region loader]
// A warp that loads. It copies whole lines of 128 bytes, each once: a row of A's tile overlaps two lines, and the second one is the next
// tile's first. A line of A that the matrix ends in, and rows beyond its edges, are filled with zeros or masked. The warps take rows in turn,
// so that all rows of a warp begin at a word, or none of them.
struct Loader {
    const char *A_from[A_ROWS / 4], *B_from[B_ROWS / 4];  // lines that hold this lane's units
    const char *A_begin, *A_end, *B_end;
    size_t B_step;                                        // bytes from tile to tile
    unsigned A_first, A_pitch, B_first, B_pitch;          // where the warp's rows begin in their line: (first + i * pitch) % 128
    unsigned A_raw, B_raw, tile_to;
    int warp, lane, K, rows, columns;                     // rows and columns of C from the tile on

    __device__ Loader(const bf16* A, const bf16* B, int M, int N, int K, int lda, int ldb, int row, int column, unsigned raw)
        : warp(threadIdx.x / 32), lane(threadIdx.x % 32), K(K), rows(M - row), columns(N - column)
    {
        const bf16* A_row = A + size_t(row + warp) * lda;
        const bf16* B_row = B + size_t(warp) * ldb + column;
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
        B_step = size_t(ldb) * BK * 2;
        A_first = unsigned(reinterpret_cast<size_t>(A_row)), A_pitch = lda * LOADING * 2;
        B_first = unsigned(reinterpret_cast<size_t>(B_row)), B_pitch = ldb * LOADING * 2;
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

    // Moves a tile to where the tensor cores expect it: a word per lane, whose bytes outside become zeros. SHIFTED rows begin within a word.
    // In a batch, all loads come before the first store, so that they overlap.
    template <bool SHIFTED>
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
                if (SHIFTED) word[i] = __funnelshift_r(word[i], load_word(at + 4 + (offset + 2 < LINE ? now : next)), 16);
            }
#pragma unroll
            for (int i = 0; i < BATCH; ++i) {
                store_word(tile + place(first + i), word[i] & mask);
            }
        }
    }

    template <bool SHIFTED>
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
                if (SHIFTED) {
#pragma unroll
                    for (int chunk = 0; chunk < CHUNKS; ++chunk) word[i][chunk] = __funnelshift_r(word[i][chunk], load_word(at + chunk * LINE + 4), 16);
                }
            }
#pragma unroll
            for (int i = 0; i < BATCH; ++i) {
#pragma unroll
                for (int chunk = 0; chunk < CHUNKS; ++chunk) {
                    const unsigned inside = word[i][chunk] & mask_of(columns - chunk * (LINE / 2));
                    store_word(tile + A_BYTES + chunk * B_CHUNK_BYTES + place(first + i), inside);
                }
            }
        }
    }

    __device__ void move(unsigned tile, int t) const
    {
        if (A_first % 4 == 0) move_A<false>(tile, t);
        else move_A<true>(tile, t);
        if (B_first % 4 == 0) move_B<false>(tile, t);
        else move_B<true>(tile, t);
    }

    // Where the tensor cores expect this lane's word of the warp's i-th row.
    __device__ unsigned place(int i) const { return i * LOADING * LINE + (tile_to ^ i * LOADING % 8 * 16); }

    // The bytes of this lane's word that belong to a row of `inside` elements.
    __device__ unsigned mask_of(int inside) const
    {
        return lane * 2 + 1 < inside ? ~0u : lane * 2 + 1 == inside ? 0xffff : 0;
    }
};
// [end]

// [region few columns]
// True if the rows of A and the only column B begin at 16 bytes.
__device__ bool fits_units(const bf16* A, const bf16* B, int lda, int ldb)
{
    return ldb == 1 && (reinterpret_cast<size_t>(A) | reinterpret_cast<size_t>(B) | size_t(lda) * 2) % 16 == 0;
}

// C = alpha A B + beta C with at most COLUMNS columns: a warp adds up a row of A times each column. If COLUMNS is 1 and all rows begin at
// 16 bytes, a lane takes eight elements at a time. Otherwise it takes two. Shared memory holds B twice: for rows that begin at a word,
// and for rows that begin inside one.
template <int COLUMNS>
__device__ void few_columns(
    const bf16* A, const bf16* B, bf16* C, int M, int N, int K, int lda, int ldb, int ldc, float alpha, float beta, unsigned* pairs, int block, int blocks)
{
    const int lane = threadIdx.x % 32;
    constexpr int SUMS = COLUMNS == 1 ? 4 : 2;  // per column, so that several additions run at the same time
    const int words = K / 2 + 1;
    const bool aligned = COLUMNS == 1 && fits_units(A, B, lda, ldb);
    if (!aligned) {
        for (int i = threadIdx.x; i < words * 2 * COLUMNS; i += THREADS) {
            const int column = i / (words * 2), word = i % (words * 2);
            const int k = word < words ? 2 * word : 2 * (word - words) - 1;
            const bf16* b = B + column;
            const bool inside = column < N;
            pairs[i] = (inside && k >= 0 && k < K ? unsigned(b[size_t(k) * ldb]) : 0) | (inside && k + 1 < K ? unsigned(b[size_t(k + 1) * ldb]) : 0) << 16;
        }
        __syncthreads();
    }
    for (int row = block * (THREADS / 32) + threadIdx.x / 32; row < M; row += blocks * (THREADS / 32)) {
        const bf16* a = A + size_t(row) * lda;
        float sums[COLUMNS][SUMS] = {};
        if (aligned) {
            int k = lane * 8;
#pragma unroll 4
            for (; k + 8 <= K; k += 256) {
                const uint4 l = *reinterpret_cast<const uint4*>(a + k), r = *reinterpret_cast<const uint4*>(B + k);
                const unsigned x[4] = {l.x, l.y, l.z, l.w}, y[4] = {r.x, r.y, r.z, r.w};
#pragma unroll
                for (int i = 0; i < 4; ++i) add_pair(sums[0][i % SUMS], x[i], y[i]);
            }
#pragma unroll
            for (int e = 0; e < 8; ++e) sums[0][0] += k + e < K ? to_float(a[k + e]) * to_float(B[k + e]) : 0.0f;
        } else {
            const int late = reinterpret_cast<size_t>(a) / 2 % 2;
            const unsigned* from = reinterpret_cast<const unsigned*>(a - late);
            const unsigned* with = pairs + late * words;
            const int whole = (K + late) / 2;
            int word = lane + late;  // The first word of such a row also has the end of the row before.
            for (; word - lane + 16 * 32 <= whole; word += 16 * 32) {
                unsigned x[16];
#pragma unroll
                for (int i = 0; i < 16; ++i) x[i] = __ldcs(from + word + i * 32);
#pragma unroll
                for (int i = 0; i < 16; ++i) {
#pragma unroll
                    for (int c = 0; c < COLUMNS; ++c) add_pair(sums[c][i % SUMS], x[i], with[c * 2 * words + word + i * 32]);
                }
            }
            if (word < whole) {
                unsigned x[16];
#pragma unroll
                for (int i = 0; i < 16; ++i) x[i] = word + i * 32 < whole ? __ldcs(from + word + i * 32) : 0;
#pragma unroll
                for (int i = 0; i < 16; ++i) {
#pragma unroll
                    for (int c = 0; c < COLUMNS; ++c) {
                        add_pair(sums[c][i % SUMS], x[i], word + i * 32 < whole ? with[c * 2 * words + word + i * 32] : 0);
                    }
                }
            }
#pragma unroll
            for (int c = 0; c < COLUMNS; ++c) {
                if (lane == 0 && late) sums[c][0] += to_float(a[0]) * to_float(with[c * 2 * words] >> 16);
                if (lane == 0 && (K + late) % 2) sums[c][0] += to_float(a[K - 1]) * to_float(with[c * 2 * words + whole] & 0xffff);
            }
        }
#pragma unroll
        for (int column = 0; column < COLUMNS; ++column) {
            float sum = sums[column][0] + sums[column][1];
            if (SUMS == 4) sum += sums[column][2 % SUMS] + sums[column][3 % SUMS];
#pragma unroll
            for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_xor_sync(~0u, sum, distance);
            if (lane == 0 && column < N) {
                bf16& c = C[size_t(row) * ldc + column];
                c = to_bf16(beta == 0.0f ? alpha * sum : alpha * sum + beta * to_float(c));
            }
        }
    }
}
// [end]

// [region one row]
// One row: a block computes neighbouring columns. A thread reads four elements of a row of B at once, from a multiple of 8 bytes. Its rows are
// a multiple of four rows apart, so they all begin equally far from such a multiple. The threads' sums are added up in order.
__device__ void one_row(const bf16* a, const bf16* B, bf16* C, int N, int K, int ldb, float alpha, float beta, float* sums, int block, int blocks)
{
    const int passes = (N - 1) / (blocks * 125) + 1;
    const int columns = (N - 1) / (blocks * passes) + 1;  // per block, at most 125
    const int lanes = (columns + 6) / 4;                  // threads that read a row: these columns, and up to three elements before them
    const int parts = THREADS / lanes / 4 * 4;
    const int part = threadIdx.x / lanes;
    const int groups = THREADS / columns < 16 ? THREADS / columns : 16;
    float* const sums_of_groups = sums + THREADS * 4;
    for (int first = block * columns; first < N; first += blocks * columns) {
        const int inside = min(columns, N - first);
        // Row k begins (begins + k * ldb) % 4 elements after a multiple of 8 bytes.
        const unsigned begins = unsigned(reinterpret_cast<size_t>(B) / 2) + first;
        if (part < parts) {
            const int column = first - int((begins + part * ldb) % 4) + threadIdx.x % lanes * 4;
            float sum[4] = {};
            // Four elements may reach into the row before or after, but not out of the matrix. There each element is read by itself.
            const bool before = column < 0, after = column + 4 > N;
            const int end_k = after ? K - 1 : K;
            const auto add = [&](int k, uint2 b) {
                const float x = to_float(a[k]);
                sum[0] += x * to_float(b.x);
                sum[1] += x * __uint_as_float(b.x & 0xffff0000);
                sum[2] += x * to_float(b.y);
                sum[3] += x * __uint_as_float(b.y & 0xffff0000);
            };
            const bf16* const from = B + column;
            int k = before && part == 0 ? parts : part;
            if (column >= first + inside || column + 4 <= first) k = K;
            for (; k + 15 * parts < end_k; k += 16 * parts) {
                uint2 b[16];
#pragma unroll
                for (int i = 0; i < 16; ++i) b[i] = __ldcs(reinterpret_cast<const uint2*>(from + size_t(k + i * parts) * ldb));
#pragma unroll
                for (int i = 0; i < 16; ++i) add(k + i * parts, b[i]);
            }
            for (; k < end_k; k += 4 * parts) {
                uint2 b[4];
#pragma unroll
                for (int i = 0; i < 4; ++i) {
                    b[i] = k + i * parts < end_k ? __ldcs(reinterpret_cast<const uint2*>(from + size_t(k + i * parts) * ldb)) : make_uint2(0, 0);
                }
#pragma unroll
                for (int i = 0; i < 4; ++i) {
                    if (k + i * parts < end_k) add(k + i * parts, b[i]);
                }
            }
#pragma unroll
            for (int e = 0; e < 4; ++e) {
                if (column + e < 0 || column + e >= N) continue;
                if (before && part == 0) sum[e] += to_float(a[0]) * to_float(B[column + e]);
                if (after && (K - 1) % parts == part && !(before && K == 1)) {
                    sum[e] += to_float(a[K - 1]) * to_float(B[size_t(K - 1) * ldb + column + e]);
                }
            }
            *reinterpret_cast<float4*>(sums + threadIdx.x * 4) = make_float4(sum[0], sum[1], sum[2], sum[3]);
        }
        __syncthreads();
        const int group = threadIdx.x / columns, own = threadIdx.x % columns;
        if (group < groups && own < inside) {
            float sum = 0.0f;
            for (int part = group; part < parts; part += groups) sum += sums[part * lanes * 4 + (begins + part * ldb) % 4 + own];
            sums_of_groups[group * columns + own] = sum;
        }
        __syncthreads();
        if (threadIdx.x < inside) {
            float sum = 0.0f;
            for (int group = 0; group < groups; ++group) sum += sums_of_groups[group * columns + threadIdx.x];
            bf16& c = C[first + threadIdx.x];
            c = to_bf16(beta == 0.0f ? alpha * sum : alpha * sum + beta * to_float(c));
        }
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
extern "C" __global__ void __launch_bounds__(THREADS, RESIDENT) bf16_any_rows(
    const bf16* __restrict__ A, const bf16* __restrict__ B, bf16* __restrict__ C,
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
    unsigned* const pairs = reinterpret_cast<unsigned*>(shared);
    if (N == 1 && (fits_units(A, B, lda, ldb) || K / 2 + 1 <= SHARED_BYTES / 8)) {
        few_columns<1>(A, B, C, M, N, K, lda, ldb, ldc, alpha, beta, pairs, block, blocks);
        return;
    }
    if (M == 1) {
        one_row(A, B, C, N, K, ldb, alpha, beta, reinterpret_cast<float*>(shared), block, blocks);
        return;
    }
    if (N <= 4 && K / 2 + 1 <= SHARED_BYTES / 32) {
        few_columns<4>(A, B, C, M, N, K, lda, ldb, ldc, alpha, beta, pairs, block, blocks);
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
            mbarrier_init(shared_address(&empty[s]), CONSUMERS);      // one arrival per consumer
        }
    }
    __syncthreads();

    if (warpgroup < LOADERS) {
        // [region load]
        if (BN == 256) asm volatile("setmaxnreg.dec.sync.aligned.u32 88;");
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
            loader.move(tiles + stage * STAGE_BYTES, t);
            fence_proxy_async();
            __syncwarp();
            if (lane == 0) mbarrier_arrive(shared_address(&full[stage]));
        }
        // [end]
    } else {
        // [region multiply]
        if (BN == 256) asm volatile("setmaxnreg.inc.sync.aligned.u32 168;");
        const int consumer = warpgroup - LOADERS;
        const unsigned long long A_descriptor = matrix_descriptor(tiles + consumer * 64 * LINE, 16, 8 * LINE);
        const unsigned long long B_descriptor = matrix_descriptor(tiles + A_BYTES, B_CHUNK_BYTES, 8 * LINE);
        float acc[BN / 8][4];
        for (int t = 0; t < k_tiles; ++t) {
            const int stage = t % STAGES;
            mbarrier_wait(shared_address(&full[stage]), t / STAGES % 2);
            wgmma_fence();
#pragma unroll
            for (int step = 0; step < BK / 16; ++step) {
#pragma unroll
                for (int part = 0; part < BN / WIDTH; ++part) {
                    wgmma(acc + part * (WIDTH / 8), A_descriptor + (stage * STAGE_BYTES + step * 16 * 2) / 16,
                        B_descriptor + (stage * STAGE_BYTES + part * 2 * B_CHUNK_BYTES + step * 16 * LINE) / 16, t > 0 || step > 0);
                }
            }
            wgmma_commit();
            // After this, the previous tile's products are done, so its stage is free.
            wgmma_wait<1>();
            if (t > 0 && thread == 0) mbarrier_arrive(shared_address(&empty[(t - 1) % STAGES]));
        }
        wgmma_wait<0>();
        fence_registers(acc);
        // [end]

        // [region share between blocks]
        if (parts > 1) {
            const bool inside = !SKIPS || row + consumer * 64 + thread / 32 * 16 < M;  // whether C has rows of this warp
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
                    if (!inside) continue;
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
                for (int g = 0; g < (inside ? members : 0); ++g) {
#pragma unroll
                    for (int i = 0; i < SHARE; ++i) {
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
        const bool pairs = reinterpret_cast<size_t>(C) % 4 == 0 && ldc % 2 == 0;
#pragma unroll
        for (int j = 0; j < BN / 8; ++j) {
#pragma unroll
            for (int h = 0; h < 2; ++h) {
                const int r = row + consumer * 64 + thread / 32 * 16 + h * 8 + lane / 4;
                const int c = column + j * 8 + lane % 4 * 2;
                if (r < M && c < N) {
                    bf16* at = C + size_t(r) * ldc + c;
                    const bool two = c + 1 < N;
                    float left = alpha * acc[j][h * 2];
                    float right = alpha * acc[j][h * 2 + 1];
                    // BLAS: with beta == 0, C is not read.
                    if (beta != 0.0f) {
                        left += beta * to_float(at[0]);
                        if (two) right += beta * to_float(at[1]);
                    }
                    if (pairs && two) {
                        *reinterpret_cast<unsigned*>(at) = to_bf16(left) | unsigned(to_bf16(right)) << 16;
                    } else {
                        at[0] = to_bf16(left);
                        if (two) at[1] = to_bf16(right);
                    }
                }
            }
        }
        // [end]
    }
}
