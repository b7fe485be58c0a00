// Products of matrices as students write them once they fetch ahead: C = alpha * A * B + beta * C in row-major order. No constant of
// the model was fitted to these kernels. The names have the geometry: FAMILY_BMxBNxBK_TMxTN, with TM×TN elements per thread.

#define REST int M, int N, int K, int lda, int ldb, int ldc, float alpha, float beta
#define ARGS const float* __restrict__ A, const float* __restrict__ B, float* __restrict__ C, REST
#define PASS A, B, C, M, N, K, lda, ldb, ldc, alpha, beta
#define ENTRY(name, ...) extern "C" __global__ void name(ARGS) { __VA_ARGS__(PASS); }
#define BOUNDED(name, threads, blocks, ...) \
    extern "C" __global__ void __launch_bounds__(threads, blocks) name(ARGS) { __VA_ARGS__(PASS); }
// Without `__restrict__` the compiler must assume that C overlaps A and B.
#define ALIASED(name, ...) extern "C" __global__ void name(const float* A, const float* B, float* C, REST) { __VA_ARGS__(PASS); }

__device__ void store(float* C, size_t at, float sum, float alpha, float beta)
{
    C[at] = beta == 0.0f ? alpha * sum : alpha * sum + beta * C[at];
}

__device__ void store4(float* C, size_t at, const float* sum, float alpha, float beta)
{
    float4 old = beta == 0.0f ? make_float4(0, 0, 0, 0) : *reinterpret_cast<float4*>(C + at);
    old.x = alpha * sum[0] + beta * old.x;
    old.y = alpha * sum[1] + beta * old.y;
    old.z = alpha * sum[2] + beta * old.z;
    old.w = alpha * sum[3] + beta * old.w;
    *reinterpret_cast<float4*>(C + at) = old;
}

// One element per thread: the next operands are loaded before these are multiplied.
__device__ void naive_next(const float* A, const float* B, float* C, REST)
{
    const int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= M || col >= N) return;
    float sum = 0.0f, x = A[row * lda], y = B[col];
    for (int k = 1; k < K; ++k) {
        const float next_x = A[row * lda + k], next_y = B[k * ldb + col];
        sum += x * y;
        x = next_x;
        y = next_y;
    }
    store(C, row * ldc + col, sum + x * y, alpha, beta);
}

// One element per thread, two buffers in shared memory and one barrier per tile.
template <int T, int UNROLL>
__device__ void tiled_buffers(ARGS)
{
    __shared__ float a[2][T][T], b[2][T][T];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;
    float sum = 0.0f;
    int now = 0;
    a[0][ty][tx] = A[row * lda + tx];
    b[0][ty][tx] = B[ty * ldb + col];
    __syncthreads();
    for (int k0 = T; k0 <= K; k0 += T) {
        float x = 0.0f, y = 0.0f;
        if (k0 < K) {
            x = A[row * lda + k0 + tx];
            y = B[(k0 + ty) * ldb + col];
        }
#pragma unroll UNROLL
        for (int k = 0; k < T; ++k) sum += a[now][ty][k] * b[now][k][tx];
        a[now ^ 1][ty][tx] = x;
        b[now ^ 1][ty][tx] = y;
        __syncthreads();
        now ^= 1;
    }
    store(C, row * ldc + col, sum, alpha, beta);
}

// A column of TM elements per thread, the block's threads in a line. Each thread loads AHEAD or not.
template <int BM, int BN, int BK, int TM, bool AHEAD>
__device__ void strip(ARGS)
{
    constexpr int THREADS = BM / TM * BN;
    __shared__ float as[BM * BK], bs[BK * BN];
    const int tx = threadIdx.x % BN, ty = threadIdx.x / BN;
    A += blockIdx.y * BM * lda;
    B += blockIdx.x * BN;
    float sum[TM] = {0.0f}, ra[BM * BK / THREADS], rb[BK * BN / THREADS];
    auto load = [&]() {
#pragma unroll
        for (int i = 0; i < BM * BK / THREADS; ++i) {
            const int at = threadIdx.x + i * THREADS;
            ra[i] = A[at / BK * lda + at % BK];
        }
#pragma unroll
        for (int i = 0; i < BK * BN / THREADS; ++i) {
            const int at = threadIdx.x + i * THREADS;
            rb[i] = B[at / BN * ldb + at % BN];
        }
        A += BK;
        B += BK * ldb;
    };
    if (AHEAD) load();
    for (int k0 = 0; k0 < K; k0 += BK) {
        if (!AHEAD) load();
#pragma unroll
        for (int i = 0; i < BM * BK / THREADS; ++i) as[threadIdx.x + i * THREADS] = ra[i];
#pragma unroll
        for (int i = 0; i < BK * BN / THREADS; ++i) bs[threadIdx.x + i * THREADS] = rb[i];
        __syncthreads();
        if (AHEAD && k0 + BK < K) load();
        for (int k = 0; k < BK; ++k) {
            const float y = bs[k * BN + tx];
            for (int i = 0; i < TM; ++i) sum[i] += as[(ty * TM + i) * BK + k] * y;
        }
        __syncthreads();
    }
    for (int i = 0; i < TM; ++i)
        store(C, (blockIdx.y * BM + ty * TM + i) * ldc + blockIdx.x * BN + tx, sum[i], alpha, beta);
}

// The next tile is in registers, loaded by single floats, while the block multiplies this one from one buffer.
// FLIP: A's tile is transposed, with PAD more floats per row. EDGE: each load and store checks its place.
template <int BM, int BN, int BK, int TM, int TN, bool FLIP, int PAD, bool EDGE, int UNROLL>
__device__ void ahead(ARGS)
{
    constexpr int X = BN / TN, THREADS = X * (BM / TM), LA = BM * BK / THREADS, LB = BK * BN / THREADS;
    __shared__ float a[FLIP ? BK : BM][(FLIP ? BM : BK) + PAD];
    __shared__ float b[BK][BN];
    const int thread = threadIdx.x, tx = thread % X, ty = thread / X;
    const int row0 = blockIdx.y * BM, col0 = blockIdx.x * BN;
    float sum[TM][TN] = {}, next_a[LA], next_b[LB];
    auto fetch = [&](int k0) {
#pragma unroll
        for (int i = 0; i < LA; ++i) {
            const int r = row0 + (thread + i * THREADS) / BK, c = k0 + (thread + i * THREADS) % BK;
            next_a[i] = !EDGE || (r < M && c < K) ? A[size_t(r) * lda + c] : 0.0f;
        }
#pragma unroll
        for (int i = 0; i < LB; ++i) {
            const int r = k0 + (thread + i * THREADS) / BN, c = col0 + (thread + i * THREADS) % BN;
            next_b[i] = !EDGE || (r < K && c < N) ? B[size_t(r) * ldb + c] : 0.0f;
        }
    };
    fetch(0);
    for (int k0 = 0; k0 < K; k0 += BK) {
#pragma unroll
        for (int i = 0; i < LA; ++i) {
            const int r = (thread + i * THREADS) / BK, c = (thread + i * THREADS) % BK;
            if (FLIP) a[c][r] = next_a[i]; else a[r][c] = next_a[i];
        }
#pragma unroll
        for (int i = 0; i < LB; ++i) b[(thread + i * THREADS) / BN][(thread + i * THREADS) % BN] = next_b[i];
        __syncthreads();
        if (k0 + BK < K) fetch(k0 + BK);
#pragma unroll UNROLL
        for (int k = 0; k < BK; ++k) {
            float x[TM], y[TN];
#pragma unroll
            for (int i = 0; i < TM; ++i) x[i] = FLIP ? a[k][ty * TM + i] : a[ty * TM + i][k];
#pragma unroll
            for (int j = 0; j < TN; ++j) y[j] = b[k][tx + j * X];
#pragma unroll
            for (int i = 0; i < TM; ++i)
#pragma unroll
                for (int j = 0; j < TN; ++j) sum[i][j] += x[i] * y[j];
        }
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < TM; ++i)
#pragma unroll
        for (int j = 0; j < TN; ++j) {
            const int r = row0 + ty * TM + i, c = col0 + tx + j * X;
            if (!EDGE || (r < M && c < N)) store(C, size_t(r) * ldc + c, sum[i][j], alpha, beta);
        }
}

// 16-byte loads, A's tile transposed with PAD more floats per row. AHEAD: 0 loads, stores and multiplies; 1 has the next tile in
// registers; 2 has two buffers in shared memory besides, and one barrier per tile.
template <int BM, int BN, int BK, int TM, int TN, int PAD, int AHEAD, int UNROLL>
__device__ void vector(const float* A, const float* B, float* C, REST)
{
    constexpr int X = BN / TN, THREADS = X * (BM / TM), LA = BM * BK / 4 / THREADS, LB = BK * BN / 4 / THREADS, S = AHEAD == 2 ? 2 : 1;
    __shared__ __align__(16) float a[S][BK][BM + PAD];
    __shared__ __align__(16) float b[S][BK][BN];
    const int tx = threadIdx.x % X, ty = threadIdx.x / X;
    const float* from_a = A + size_t(blockIdx.y * BM) * lda;
    const float* from_b = B + blockIdx.x * BN;
    float4 fa[LA], fb[LB];
    float sum[TM][TN] = {};
    auto fetch = [&](int k0) {
#pragma unroll
        for (int i = 0; i < LA; ++i) {
            const int at = threadIdx.x + i * THREADS, r = at / (BK / 4), c = at % (BK / 4) * 4;
            fa[i] = *reinterpret_cast<const float4*>(&from_a[size_t(r) * lda + k0 + c]);
        }
#pragma unroll
        for (int i = 0; i < LB; ++i) {
            const int at = threadIdx.x + i * THREADS, r = at / (BN / 4), c = at % (BN / 4) * 4;
            fb[i] = *reinterpret_cast<const float4*>(&from_b[size_t(k0 + r) * ldb + c]);
        }
    };
    auto keep = [&](int s) {
#pragma unroll
        for (int i = 0; i < LA; ++i) {
            const int at = threadIdx.x + i * THREADS, r = at / (BK / 4), c = at % (BK / 4) * 4;
            a[s][c + 0][r] = fa[i].x;
            a[s][c + 1][r] = fa[i].y;
            a[s][c + 2][r] = fa[i].z;
            a[s][c + 3][r] = fa[i].w;
        }
#pragma unroll
        for (int i = 0; i < LB; ++i) {
            const int at = threadIdx.x + i * THREADS, r = at / (BN / 4), c = at % (BN / 4) * 4;
            *reinterpret_cast<float4*>(&b[s][r][c]) = fb[i];
        }
    };
    auto multiply = [&](int s) {
#pragma unroll UNROLL
        for (int k = 0; k < BK; ++k) {
            float x[TM], y[TN];
#pragma unroll
            for (int i = 0; i < TM; i += 4) *reinterpret_cast<float4*>(x + i) = *reinterpret_cast<const float4*>(&a[s][k][ty * TM + i]);
#pragma unroll
            for (int j = 0; j < TN; j += 4) *reinterpret_cast<float4*>(y + j) = *reinterpret_cast<const float4*>(&b[s][k][tx * 4 + j * X]);
#pragma unroll
            for (int i = 0; i < TM; ++i)
#pragma unroll
                for (int j = 0; j < TN; ++j) sum[i][j] += x[i] * y[j];
        }
    };
    if (AHEAD > 0) fetch(0);
    if (AHEAD == 2) {
        keep(0);
        __syncthreads();
        int now = 0;
        for (int k0 = BK; k0 < K; k0 += BK) {
            fetch(k0);
            multiply(now);
            now ^= 1;
            keep(now);
            __syncthreads();
        }
        multiply(now);
    } else {
        for (int k0 = 0; k0 < K; k0 += BK) {
            if (AHEAD == 0) fetch(k0);
            keep(0);
            __syncthreads();
            if (AHEAD == 1 && k0 + BK < K) fetch(k0 + BK);
            multiply(0);
            __syncthreads();
        }
    }
#pragma unroll
    for (int i = 0; i < TM; ++i)
#pragma unroll
        for (int j = 0; j < TN; j += 4)
            store4(C, size_t(blockIdx.y * BM + ty * TM + i) * ldc + blockIdx.x * BN + tx * 4 + j * X, &sum[i][j], alpha, beta);
}

// The inner loop is pipelined, too: the operands of step k + 1 are loaded from shared memory before step k is multiplied. Two buffers in
// shared memory, the next tile in registers.
template <int BM, int BN, int BK, int TM, int TN>
__device__ void inner(ARGS)
{
    constexpr int X = BN / TN, THREADS = X * (BM / TM), LA = BM * BK / 4 / THREADS, LB = BK * BN / 4 / THREADS;
    __shared__ __align__(16) float a[2][BK][BM];
    __shared__ __align__(16) float b[2][BK][BN];
    const int tx = threadIdx.x % X, ty = threadIdx.x / X, row0 = blockIdx.y * BM, col0 = blockIdx.x * BN;
    float sum[TM][TN] = {};
    float x[2][TM], y[2][TN];
    float4 fa[LA], fb[LB];
#define FETCH(k0) \
    _Pragma("unroll") for (int i = 0; i < LA; ++i) { \
        const int at = threadIdx.x + i * THREADS; \
        fa[i] = *reinterpret_cast<const float4*>(A + size_t(row0 + at / (BK / 4)) * lda + (k0) + at % (BK / 4) * 4); \
    } \
    _Pragma("unroll") for (int i = 0; i < LB; ++i) { \
        const int at = threadIdx.x + i * THREADS; \
        fb[i] = *reinterpret_cast<const float4*>(B + size_t((k0) + at / (BN / 4)) * ldb + col0 + at % (BN / 4) * 4); \
    }
#define KEEP(s) \
    _Pragma("unroll") for (int i = 0; i < LA; ++i) { \
        const int at = threadIdx.x + i * THREADS, r = at / (BK / 4), c = at % (BK / 4) * 4; \
        a[s][c][r] = fa[i].x; a[s][c + 1][r] = fa[i].y; a[s][c + 2][r] = fa[i].z; a[s][c + 3][r] = fa[i].w; \
    } \
    _Pragma("unroll") for (int i = 0; i < LB; ++i) { \
        const int at = threadIdx.x + i * THREADS; \
        *reinterpret_cast<float4*>(&b[s][at / (BN / 4)][at % (BN / 4) * 4]) = fb[i]; \
    }
#define OPERANDS(to, s, k) \
    _Pragma("unroll") for (int i = 0; i < TM; i += 4) *reinterpret_cast<float4*>(&x[to][i]) = *reinterpret_cast<float4*>(&a[s][k][ty * TM + i]); \
    _Pragma("unroll") for (int j = 0; j < TN; j += 4) *reinterpret_cast<float4*>(&y[to][j]) = *reinterpret_cast<float4*>(&b[s][k][tx * TN + j]);
#define MULTIPLY(from) \
    _Pragma("unroll") for (int i = 0; i < TM; ++i) \
        _Pragma("unroll") for (int j = 0; j < TN; ++j) sum[i][j] += x[from][i] * y[from][j];
    FETCH(0)
    KEEP(0)
    __syncthreads();
    OPERANDS(0, 0, 0)
    int write = 1, k0 = 0;
    do {
        k0 += BK;
        if (k0 < K) { FETCH(k0) }
        const int read = write ^ 1;
#pragma unroll
        for (int k = 0; k < BK - 1; ++k) {
            OPERANDS((k + 1) % 2, read, k + 1)
            MULTIPLY(k % 2)
        }
        if (k0 < K) {
            KEEP(write)
            __syncthreads();
            write ^= 1;
        }
        OPERANDS(0, write ^ 1, 0)
        MULTIPLY(1)
    } while (k0 < K);
#pragma unroll
    for (int i = 0; i < TM; ++i)
#pragma unroll
        for (int j = 0; j < TN; j += 4) store4(C, size_t(row0 + ty * TM + i) * ldc + col0 + tx * TN + j, &sum[i][j], alpha, beta);
}

// Only the inner loop is pipelined, over a tile that the block loads, waits for and multiplies.
template <int BM, int BN, int BK, int TM, int TN>
__device__ void ring(ARGS)
{
    constexpr int X = BN / TN, THREADS = X * (BM / TM);
    __shared__ float a[BK][BM + 1], b[BK][BN];
    const int tx = threadIdx.x % X, ty = threadIdx.x / X, row = blockIdx.y * BM, col = blockIdx.x * BN;
    float sum[TM][TN] = {};
    for (int k0 = 0; k0 < K; k0 += BK) {
        for (int i = threadIdx.x; i < BM * BK; i += THREADS) a[i % BK][i / BK] = A[size_t(row + i / BK) * lda + k0 + i % BK];
        for (int i = threadIdx.x; i < BK * BN; i += THREADS) b[i / BN][i % BN] = B[size_t(k0 + i / BN) * ldb + col + i % BN];
        __syncthreads();
        float x[TM], y[TN], next_x[TM], next_y[TN];
#pragma unroll
        for (int i = 0; i < TM; ++i) x[i] = a[0][ty * TM + i];
#pragma unroll
        for (int j = 0; j < TN; ++j) y[j] = b[0][tx + j * X];
#pragma unroll
        for (int k = 0; k < BK; ++k) {
            if (k + 1 < BK) {
#pragma unroll
                for (int i = 0; i < TM; ++i) next_x[i] = a[k + 1][ty * TM + i];
#pragma unroll
                for (int j = 0; j < TN; ++j) next_y[j] = b[k + 1][tx + j * X];
            }
#pragma unroll
            for (int i = 0; i < TM; ++i)
#pragma unroll
                for (int j = 0; j < TN; ++j) sum[i][j] += x[i] * y[j];
#pragma unroll
            for (int i = 0; i < TM; ++i) x[i] = next_x[i];
#pragma unroll
            for (int j = 0; j < TN; ++j) y[j] = next_y[j];
        }
        __syncthreads();
    }
    for (int i = 0; i < TM; ++i)
        for (int j = 0; j < TN; ++j) store(C, size_t(row + ty * TM + i) * ldc + col + tx + j * X, sum[i][j], alpha, beta);
}

// Warps have tiles of WM×WN, in which each thread has ITER groups of TM×4 elements. AHEAD: the next tile is in registers.
template <int BM, int BN, int BK, int WM, int WN, int TM, int ITER, bool AHEAD>
__device__ void warp_tile(const float* A, const float* B, float* C, REST)
{
    constexpr int THREADS = 32 * (BM / WM) * (BN / WN), SUB = WN / ITER, LX = SUB / 4, ROWS = 32 / LX * TM, MITER = WM / ROWS;
    constexpr int LA = BM * BK / 4 / THREADS, LB = BK * BN / 4 / THREADS;
    __shared__ __align__(16) float as[BK * BM];
    __shared__ __align__(16) float bs[BK * BN];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const int wr = warp / (BN / WN) * WM, wc = warp % (BN / WN) * WN, lr = lane / LX * TM, lc = lane % LX * 4;
    A += size_t(blockIdx.y * BM) * lda;
    B += blockIdx.x * BN;
    C += size_t(blockIdx.y * BM + wr) * ldc + blockIdx.x * BN + wc;
    float sum[MITER * TM][ITER * 4] = {};
    float4 fa[LA], fb[LB];
    auto fetch = [&](int k0) {
#pragma unroll
        for (int i = 0; i < LA; ++i) {
            const int at = threadIdx.x + i * THREADS;
            fa[i] = *reinterpret_cast<const float4*>(A + size_t(at / (BK / 4)) * lda + k0 + at % (BK / 4) * 4);
        }
#pragma unroll
        for (int i = 0; i < LB; ++i) {
            const int at = threadIdx.x + i * THREADS;
            fb[i] = *reinterpret_cast<const float4*>(B + size_t(k0 + at / (BN / 4)) * ldb + at % (BN / 4) * 4);
        }
    };
    if (AHEAD) fetch(0);
    for (int k0 = 0; k0 < K; k0 += BK) {
        if (!AHEAD) fetch(k0);
#pragma unroll
        for (int i = 0; i < LA; ++i) {
            const int at = threadIdx.x + i * THREADS, r = at / (BK / 4), c = at % (BK / 4) * 4;
            as[c * BM + r] = fa[i].x;
            as[(c + 1) * BM + r] = fa[i].y;
            as[(c + 2) * BM + r] = fa[i].z;
            as[(c + 3) * BM + r] = fa[i].w;
        }
#pragma unroll
        for (int i = 0; i < LB; ++i) reinterpret_cast<float4*>(bs)[threadIdx.x + i * THREADS] = fb[i];
        __syncthreads();
        if (AHEAD && k0 + BK < K) fetch(k0 + BK);
        for (int k = 0; k < BK; ++k) {
            float x[MITER * TM], y[ITER * 4];
            for (int m = 0; m < MITER; ++m)
                for (int i = 0; i < TM; ++i) x[m * TM + i] = as[k * BM + wr + m * ROWS + lr + i];
            for (int n = 0; n < ITER; ++n)
                for (int j = 0; j < 4; ++j) y[n * 4 + j] = bs[k * BN + wc + n * SUB + lc + j];
            for (int i = 0; i < MITER * TM; ++i)
                for (int j = 0; j < ITER * 4; ++j) sum[i][j] += x[i] * y[j];
        }
        __syncthreads();
    }
    for (int m = 0; m < MITER; ++m)
        for (int i = 0; i < TM; ++i)
            for (int n = 0; n < ITER; ++n)
                store4(C, size_t(m * ROWS + lr + i) * ldc + n * SUB + lc, &sum[m * TM + i][n * 4], alpha, beta);
}

template <int BYTES>
__device__ void copy(void* to, const void* from)
{
    const unsigned at = unsigned(__cvta_generic_to_shared(to));
    if (BYTES == 16) asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(at), "l"(from) : "memory");
    else asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(at), "l"(from) : "memory");
}

// cp.async in STAGES buffers. FLIP: A is copied by single floats into a transposed tile with PAD, else by 16 bytes.
template <int BM, int BN, int BK, int TM, int TN, int STAGES, bool FLIP, int PAD, int UNROLL>
__device__ void async(const float* A, const float* B, float* C, REST)
{
    constexpr int X = BN / TN, THREADS = X * (BM / TM);
    __shared__ __align__(16) float a[STAGES][FLIP ? BK : BM][(FLIP ? BM : BK) + PAD];
    __shared__ __align__(16) float b[STAGES][BK][BN];
    const int thread = threadIdx.x, tx = thread % X, ty = thread / X, row0 = blockIdx.y * BM, col0 = blockIdx.x * BN;
    float sum[TM][TN] = {};
    auto start = [&](int tile) {
        const int s = tile % STAGES, k0 = tile * BK;
        if (k0 < K) {
            if (FLIP) {
#pragma unroll
                for (int i = thread; i < BM * BK; i += THREADS) copy<4>(&a[s][i % BK][i / BK], A + size_t(row0 + i / BK) * lda + k0 + i % BK);
            } else {
#pragma unroll
                for (int i = thread; i < BM * BK / 4; i += THREADS)
                    copy<16>(&a[s][i / (BK / 4)][i % (BK / 4) * 4], A + size_t(row0 + i / (BK / 4)) * lda + k0 + i % (BK / 4) * 4);
            }
#pragma unroll
            for (int i = thread; i < BK * BN / 4; i += THREADS)
                copy<16>(&b[s][i / (BN / 4)][i % (BN / 4) * 4], B + size_t(k0 + i / (BN / 4)) * ldb + col0 + i % (BN / 4) * 4);
        }
        asm volatile("cp.async.commit_group;" ::: "memory");
    };
    for (int s = 0; s < STAGES - 1; ++s) start(s);
    for (int tile = 0; tile * BK < K; ++tile) {
        asm volatile("cp.async.wait_group %0;" ::"n"(STAGES - 2) : "memory");
        __syncthreads();
        start(tile + STAGES - 1);
        const int s = tile % STAGES;
#pragma unroll UNROLL
        for (int k = 0; k < BK; ++k) {
            float x[TM], y[TN];
#pragma unroll
            for (int i = 0; i < TM; ++i) x[i] = FLIP ? a[s][k][ty * TM + i] : a[s][ty * TM + i][k];
#pragma unroll
            for (int j = 0; j < TN; j += 4) *reinterpret_cast<float4*>(y + j) = *reinterpret_cast<float4*>(&b[s][k][tx * 4 + j * X]);
#pragma unroll
            for (int i = 0; i < TM; ++i)
#pragma unroll
                for (int j = 0; j < TN; ++j) sum[i][j] += x[i] * y[j];
        }
    }
#pragma unroll
    for (int i = 0; i < TM; ++i)
#pragma unroll
        for (int j = 0; j < TN; j += 4)
            store4(C, size_t(row0 + ty * TM + i) * ldc + col0 + tx * 4 + j * X, &sum[i][j], alpha, beta);
}

// family: naive and tiled, ahead
ENTRY(naive_32x8_next, naive_next)
ALIASED(naive_16x16_next, naive_next)
ENTRY(tiled_16_buffers, tiled_buffers<16, 16>)
ENTRY(tiled_32_buffers, tiled_buffers<32, 32>)
ENTRY(tiled_32_buffers_u8, tiled_buffers<32, 8>)
// family: strip
ENTRY(strip_64x64x8_8x1, strip<64, 64, 8, 8, false>)
ENTRY(strip_64x64x8_8x1_ahead, strip<64, 64, 8, 8, true>)
ENTRY(strip_64x32x16_8x1_ahead, strip<64, 32, 16, 8, true>)
ENTRY(strip_128x64x16_16x1_ahead, strip<128, 64, 16, 16, true>)
// family: ahead. The tile in registers is loaded by single floats.
ENTRY(ahead_32x32x16_2x2, ahead<32, 32, 16, 2, 2, false, 0, false, 16>)
ENTRY(ahead_64x64x8_4x4, ahead<64, 64, 8, 4, 4, false, 0, false, 8>)
ENTRY(ahead_64x64x16_4x4, ahead<64, 64, 16, 4, 4, false, 1, false, 16>)
ENTRY(ahead_64x64x16_4x4_flip, ahead<64, 64, 16, 4, 4, true, 4, false, 16>)
ENTRY(ahead_64x64x16_4x4_u1, ahead<64, 64, 16, 4, 4, true, 1, false, 1>)
ENTRY(ahead_64x64x32_4x4, ahead<64, 64, 32, 4, 4, true, 4, false, 8>)
ENTRY(ahead_64x64x8_8x8, ahead<64, 64, 8, 8, 8, true, 4, false, 8>)
ENTRY(ahead_128x64x8_8x4, ahead<128, 64, 8, 8, 4, true, 1, false, 8>)
ENTRY(ahead_128x128x8_8x8, ahead<128, 128, 8, 8, 8, true, 4, false, 8>)
ENTRY(ahead_128x128x8_8x8_rows, ahead<128, 128, 8, 8, 8, false, 0, false, 8>)
ENTRY(ahead_128x128x16_8x8_u4, ahead<128, 128, 16, 8, 8, true, 4, false, 4>)
BOUNDED(ahead_128x128x8_8x8_bound, 256, 2, ahead<128, 128, 8, 8, 8, true, 4, false, 8>)
ALIASED(ahead_64x64x16_4x4_aliased, ahead<64, 64, 16, 4, 4, true, 1, false, 16>)
// family: edge
ENTRY(edge_64x64x16_4x4, ahead<64, 64, 16, 4, 4, true, 1, true, 16>)
ENTRY(edge_96x96x8_6x6, ahead<96, 96, 8, 6, 6, true, 1, true, 8>)
ENTRY(edge_128x128x8_8x8, ahead<128, 128, 8, 8, 8, true, 4, true, 8>)
ENTRY(edge_64x64x8_8x4, ahead<64, 64, 8, 8, 4, false, 0, true, 8>)
// family: vector
ENTRY(loads_64x64x16_4x4, vector<64, 64, 16, 4, 4, 0, 0, 16>)
ENTRY(loads_128x128x8_8x8, vector<128, 128, 8, 8, 8, 0, 0, 8>)
ENTRY(loads_128x128x16_8x8_pad, vector<128, 128, 16, 8, 8, 4, 0, 16>)
ENTRY(loads_128x64x16_8x8_u1, vector<128, 64, 16, 8, 8, 4, 0, 1>)
// family: vector, the next tile in registers
ENTRY(next_64x64x16_4x4, vector<64, 64, 16, 4, 4, 4, 1, 16>)
ENTRY(next_128x128x8_8x8, vector<128, 128, 8, 8, 8, 4, 1, 8>)
ENTRY(next_128x128x16_8x8, vector<128, 128, 16, 8, 8, 4, 1, 16>)
ENTRY(next_128x64x8_8x8, vector<128, 64, 8, 8, 8, 0, 1, 8>)
ENTRY(next_64x64x16_8x4_u4, vector<64, 64, 16, 8, 4, 4, 1, 4>)
ALIASED(next_128x128x8_8x8_aliased, vector<128, 128, 8, 8, 8, 4, 1, 8>)
// family: vector, two buffers
ENTRY(buffers_64x64x16_4x4, vector<64, 64, 16, 4, 4, 4, 2, 16>)
ENTRY(buffers_64x64x16_8x8, vector<64, 64, 16, 8, 8, 4, 2, 16>)
ENTRY(buffers_128x128x8_8x8, vector<128, 128, 8, 8, 8, 4, 2, 8>)
ENTRY(buffers_128x128x16_8x8, vector<128, 128, 16, 8, 8, 4, 2, 16>)
BOUNDED(buffers_128x128x8_8x8_bound, 256, 2, vector<128, 128, 8, 8, 8, 0, 2, 8>)
BOUNDED(buffers_128x128x8_16x8, 128, 2, vector<128, 128, 8, 16, 8, 4, 2, 8>)
// family: pipelined inner loops
ENTRY(inner_128x128x8_8x8, inner<128, 128, 8, 8, 8>)
ENTRY(inner_64x64x16_4x4, inner<64, 64, 16, 4, 4>)
BOUNDED(inner_128x64x16_8x8, 128, 3, inner<128, 64, 16, 8, 8>)
ENTRY(ring_64x64x16_4x4, ring<64, 64, 16, 4, 4>)
ENTRY(ring_128x128x8_8x8, ring<128, 128, 8, 8, 8>)
// family: warp tiles
BOUNDED(warp_128x128x16_16x8, 128, 1, warp_tile<128, 128, 16, 64, 64, 8, 2, false>)
BOUNDED(warp_128x128x16_16x8_ahead, 128, 1, warp_tile<128, 128, 16, 64, 64, 8, 2, true>)
ENTRY(warp_128x128x8_8x8_ahead, warp_tile<128, 128, 8, 32, 64, 4, 2, true>)
ENTRY(warp_64x64x16_4x8, warp_tile<64, 64, 16, 32, 32, 4, 2, false>)
// family: cp.async
ENTRY(async_64x64x16_4x4_s2, async<64, 64, 16, 4, 4, 2, false, 4, 16>)
ENTRY(async_64x64x16_4x4_s3, async<64, 64, 16, 4, 4, 3, true, 1, 16>)
ENTRY(async_128x128x8_8x8_s2, async<128, 128, 8, 8, 8, 2, false, 4, 8>)
ENTRY(async_128x128x8_8x8_s3, async<128, 128, 8, 8, 8, 3, true, 4, 8>)
ENTRY(async_128x64x16_8x8_s3_u4, async<128, 64, 16, 8, 8, 3, false, 4, 4>)
ENTRY(async_128x128x16_8x8_s2, async<128, 128, 16, 8, 8, 2, true, 4, 16>)
