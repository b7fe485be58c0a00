// Two blocks a cluster: each writes its half into the other's shared memory, and block 0 loads a row for both.
__device__ unsigned shared_address(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }
__device__ void cluster_sync() { asm volatile("barrier.cluster.arrive.release;\nbarrier.cluster.wait.acquire;" ::: "memory"); }

extern "C" __global__ void __cluster_dims__(2, 1, 1) exchange(const int *in, int *out) {
    __shared__ __align__(128) int own[32], row[32];
    __shared__ __align__(8) unsigned long long bar;
    unsigned rank, remote, b = shared_address(&bar);
    asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(b) : "memory");
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 128;" ::"r"(b) : "memory");
    }
    cluster_sync();
    asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(remote) : "r"(shared_address(&own[threadIdx.x])), "r"(rank ^ 1));
    asm volatile("st.shared::cluster.u32 [%0], %1;" ::"r"(remote), "r"(in[blockIdx.x * 32 + threadIdx.x]) : "memory");
    if (rank == 0 && threadIdx.x == 0)
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1], 128, [%2], %3;"
                     ::"r"(shared_address(row)), "l"(in + gridDim.x * 32), "r"(b), "h"((unsigned short)3) : "memory");
    int done = 0;
    while (!done)
        asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0; selp.b32 %0, 1, 0, p; }"
                     : "=r"(done) : "r"(b) : "memory");
    cluster_sync();
    out[blockIdx.x * 32 + threadIdx.x] = own[threadIdx.x] + row[threadIdx.x];
}
