// Each block loads one box by the tensor map, adds 1 to each element and stores it by the other map.
struct alignas(64) CUtensorMap { unsigned long long opaque[16]; };
__device__ unsigned shared_address(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }

extern "C" __global__ void tile(const __grid_constant__ CUtensorMap from, const __grid_constant__ CUtensorMap to, float *raw,
                                int x, int y, int bytes) {
    extern __shared__ __align__(1024) float box[];
    __shared__ __align__(8) unsigned long long bar;
    unsigned b = shared_address(&bar), s = shared_address(box);
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(b) : "memory");
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(b), "r"(bytes) : "memory");
        asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];"
                     ::"r"(s), "l"(&from), "r"(x), "r"(y), "r"(b) : "memory");
    }
    __syncthreads();
    int done = 0;
    while (!done)
        asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0; selp.b32 %0, 1, 0, p; }"
                     : "=r"(done) : "r"(b) : "memory");
    for (int i = threadIdx.x; i < bytes / 4; i += blockDim.x) {
        raw[i] = box[i];
        box[i] += 1;
    }
#ifndef NO_FENCE
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
#endif
    __syncthreads();
    if (threadIdx.x == 0) {
        asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%0, {%1, %2}], [%3];"
                     ::"l"(&to), "r"(x), "r"(y), "r"(s) : "memory");
        asm volatile("cp.async.bulk.commit_group;" ::: "memory");
        asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
    }
}
