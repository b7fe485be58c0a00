// A warp reaches a branch: lanes whose condition holds add `then_steps` times, the others multiply `else_steps` times.

// [region signature]
extern "C" __global__ void __launch_bounds__(32) branch(
    const int* __restrict__ condition, float* __restrict__ out, int then_steps, int else_steps)
// [end]
{
    // [region indices]
    const int lane = threadIdx.x;
    // [end]
    float x = out[lane];
    if (condition[lane]) {
        // [region then]
#pragma unroll 1
        for (int i = 0; i < then_steps; ++i)
            asm volatile("add.f32 %0, %0, 0f3F800000;" : "+f"(x));
        // [end]
    } else {
        // [region else]
#pragma unroll 1
        for (int i = 0; i < else_steps; ++i)
            asm volatile("mul.f32 %0, %0, 0f3F000000;" : "+f"(x));
        // [end]
    }
    // [region store]
    out[lane] = x;
    // [end]
}
