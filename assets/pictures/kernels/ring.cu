// A ring of stages: one warp requests tiles from the copy engine, two warps read each tile and add it up. `flaw` breaks it.

constexpr int MOST_STAGES = 4;
constexpr int CONSUMERS = 2;
constexpr int WORDS = 32;                  // words in a tile, one per lane
constexpr int TILE_BYTES = WORDS * 4;

typedef unsigned long long mbarrier;

enum Flaw { NONE, EARLY_RELEASE, CONSUMER_PARITY, PRODUCER_PARITY, MISSING_ARRIVE };

// [region ptx]
__device__ unsigned shared_address(const void* pointer)
{
    return static_cast<unsigned>(__cvta_generic_to_shared(pointer));
}

__device__ void mbarrier_init(mbarrier& barrier, int arrivals)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" :: "r"(shared_address(&barrier)), "r"(arrivals) : "memory");
}

__device__ void mbarrier_arrive(mbarrier& barrier)
{
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" :: "r"(shared_address(&barrier)) : "memory");
}

__device__ void mbarrier_arrive_expect(mbarrier& barrier, int bytes)
{
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;"
        :: "r"(shared_address(&barrier)), "r"(bytes) : "memory");
}

__device__ void mbarrier_wait(mbarrier& barrier, int parity)
{
    int complete = 0;
    while (!complete) {
        asm volatile(
            "{\n"
            ".reg .pred done;\n"
            "mbarrier.try_wait.parity.shared::cta.b64 done, [%1], %2;\n"
            "selp.b32 %0, 1, 0, done;\n"
            "}" : "=r"(complete) : "r"(shared_address(&barrier)), "r"(parity) : "memory");
    }
}

__device__ void copy_in(int* destination, const int* source, int bytes, mbarrier& barrier)
{
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"
        :: "r"(shared_address(destination)), "l"(source), "r"(bytes), "r"(shared_address(&barrier)) : "memory");
}
// [end]

// [region signature]
extern "C" __global__ void __launch_bounds__((1 + CONSUMERS) * 32) ring(
    const int* __restrict__ tiles, int* __restrict__ sums, int count, int stages, int flaw)
// [end]
{
    __shared__ __align__(128) int stage[MOST_STAGES][WORDS];
    __shared__ mbarrier full[MOST_STAGES];
    __shared__ mbarrier empty[MOST_STAGES];
    // [region indices]
    const int warp = threadIdx.x / 32;
    const int lane = threadIdx.x % 32;
    // [end]
    if (threadIdx.x == 0) {
        for (int s = 0; s < stages; ++s) {
            mbarrier_init(full[s], 1);
            mbarrier_init(empty[s], CONSUMERS);
        }
        asm volatile("fence.mbarrier_init.release.cluster;\nfence.proxy.async.shared::cta;" ::: "memory");
    }
    __syncthreads();

    int s = 0;
    int parity = 0;
    if (warp == 0) {
        // [region producer]
        if (lane == 0) {
            for (int k = 0; k < count; ++k) {
                mbarrier_wait(empty[s], flaw == PRODUCER_PARITY ? parity : parity ^ 1);
                mbarrier_arrive_expect(full[s], TILE_BYTES);
                copy_in(stage[s], tiles + k * WORDS, TILE_BYTES, full[s]);
                if (++s == stages) {
                    s = 0;
                    parity ^= 1;
                }
            }
        }
        // [end]
    } else {
        // [region consumer]
        int sum = 0;
        for (int k = 0; k < count; ++k) {
            mbarrier_wait(full[s], flaw == CONSUMER_PARITY ? parity ^ 1 : parity);
            if (flaw == EARLY_RELEASE) {
                __syncwarp();
                if (lane == 0)
                    mbarrier_arrive(empty[s]);
            }
            sum += static_cast<volatile int*>(stage[s])[lane];
            __syncwarp();
            if (lane == 0 && flaw != EARLY_RELEASE && !(flaw == MISSING_ARRIVE && warp == 2))
                mbarrier_arrive(empty[s]);
            if (++s == stages) {
                s = 0;
                parity ^= 1;
            }
        }
        // [end]
        // [region store]
        sums[(warp - 1) * WORDS + lane] = sum;
        // [end]
    }
}
