// Runs one kernel of a PTX file: host FILE.ptx NAME GRID BLOCK [OUT_FILE] [raw]
//
// Parameters: (unsigned *out, const unsigned *in, int n), 4096 words each; in[i] = i * 2654435761 >> 7, n = the
// threads of a block. `out` is zero, or as it was allocated with `raw`. OUT_FILE gets the words of `out`.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda.h>
#include <vector>

static void check(CUresult code, const char *what) {
    if (code == CUDA_SUCCESS) return;
    const char *name = "?";
    cuGetErrorName(code, &name);
    printf("FAILED %s: %s\n", what, name);
    exit(3);
}

int main(int argc, char **argv) {
    if (argc < 5) return 2;
    const unsigned words = 4096;
    CUdevice device;
    CUcontext context;
    CUmodule module;
    CUfunction function;
    CUdeviceptr in, out;
    check(cuInit(0), "init");
    check(cuDeviceGet(&device, 0), "device");
    check(cuDevicePrimaryCtxRetain(&context, device), "context");
    check(cuCtxSetCurrent(context), "context");
    // What a thread may have for its calls; by default that is 1 KiB, less than some of the recursions take.
    check(cuCtxSetLimit(CU_LIMIT_STACK_SIZE, 16384), "stack");
    check(cuModuleLoad(&module, argv[1]), "load");
    check(cuModuleGetFunction(&function, module, argv[2]), "function");
    std::vector<unsigned> data(words);
    for (unsigned i = 0; i < words; ++i) data[i] = i * 2654435761u >> 7;
    check(cuMemAlloc(&in, words * 4), "alloc");
    check(cuMemAlloc(&out, words * 4), "alloc");
    check(cuMemcpyHtoD(in, data.data(), words * 4), "copy");
    if (argc < 7) check(cuMemsetD32(out, 0, words), "set");
    int n = atoi(argv[4]);
    void *params[] = {&out, &in, &n};
    check(cuLaunchKernel(function, atoi(argv[3]), 1, 1, n, 1, 1, 0, nullptr, params, nullptr), "launch");
    check(cuCtxSynchronize(), "run");
    if (argc > 5 && strcmp(argv[5], "-") != 0) {
        check(cuMemcpyDtoH(data.data(), out, words * 4), "copy");
        FILE *file = fopen(argv[5], "wb");
        if (!file) return 4;
        fwrite(data.data(), 4, words, file);
        fclose(file);
    }
    printf("RAN %s\n", argv[2]);
    return 0;
}
