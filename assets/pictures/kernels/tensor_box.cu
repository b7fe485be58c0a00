// The engine copies a box of a matrix as its tensor map says; then the warp copies it out as it is in shared memory.

constexpr int ROWS = 8;
constexpr int COLUMNS = 64;
constexpr int BYTES = ROWS * COLUMNS * 2;

typedef unsigned short element;
typedef unsigned long long mbarrier;
struct alignas(64) CUtensorMap { unsigned long long opaque[16]; };

// [region ptx]
__device__ unsigned shared_address(const void* pointer)
{
    return static_cast<unsigned>(__cvta_generic_to_shared(pointer));
}
// [end]

// [region signature]
extern "C" __global__ void __launch_bounds__(32) tensor_box(
    const __grid_constant__ CUtensorMap map, element* __restrict__ out, int column, int row)
// [end]
{
    __shared__ __align__(1024) element box[ROWS * COLUMNS];
    __shared__ mbarrier arrived;
    // [region indices]
    const int lane = threadIdx.x;
    // [end]
    if (lane == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" :: "r"(shared_address(&arrived)) : "memory");
        asm volatile("fence.mbarrier_init.release.cluster;\nfence.proxy.async.shared::cta;" ::: "memory");
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;"
            :: "r"(shared_address(&arrived)), "n"(BYTES) : "memory");
        asm volatile(
            "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];"
            :: "r"(shared_address(box)), "l"(&map), "r"(column), "r"(row), "r"(shared_address(&arrived)) : "memory");
    }
    __syncwarp();
    int complete = 0;
    while (!complete) {
        asm volatile(
            "{\n"
            ".reg .pred done;\n"
            "mbarrier.try_wait.parity.shared::cta.b64 done, [%1], 0;\n"
            "selp.b32 %0, 1, 0, done;\n"
            "}" : "=r"(complete) : "r"(shared_address(&arrived)) : "memory");
    }
    // [region store]
    for (int i = lane; i < ROWS * COLUMNS; i += 32)
        out[i] = box[i];
    // [end]
}
