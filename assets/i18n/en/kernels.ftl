# Kernels: what a launch needs, why a shape or a variant is impossible, the compiler.

kernels-grid-name = `{ $formula }` uses `{ $name }`. A grid formula may use M, N, K, SMS and the constants.
kernels-grid-count = A grid has one to three formulas, not { $count }.
kernels-grid-not-computed = The grid of this shape cannot be computed: { $why }
kernels-grid-size = The grid would have { $blocks } blocks in { $axis }. CUDA allows 1 to { $most }.
kernels-extent = { $name } is { $extent }; it must be from 1 to { $most }.
kernels-block = A block of { $block } threads cannot be launched. A block has at most { $most } threads, at most 64 in z, and at least 1 in each direction.
kernels-epilogue = There is no epilogue { $number }. They have the numbers 0 to { $most }.
kernels-moduli = A product by integers can have { $least } to { $most } moduli, not { $number }.
kernels-shared = { $bytes } bytes of shared memory are more than a block can have ({ $most }).
kernels-not-whole = { $formula } is { $value }, which is not a positive whole number.
kernels-no-multiple = { $name } = { $value } is not a multiple of { $by }
kernels-map-of = The tensor map of { $matrix }: { $why }
kernels-map-box = A box of { $extent } elements cannot be copied: each extent must be from 1 to 256.
kernels-map-row = A row of the box has { $bytes } bytes, which is not a multiple of 16.
kernels-map-swizzle = A row of the box has { $bytes } bytes; a swizzle of { $span } allows at most { $span }.
kernels-demands = compute capability { $capability } or newer
kernels-demands-exactly = compute capability { $capability } exactly

kernels-nvrtc-none = NVRTC, the CUDA compiler library, cannot be used: no library was found.
kernels-nvrtc-unavailable = NVRTC, the CUDA compiler library, cannot be used: { $why }
kernels-nvrtc-failed = NVRTC failed: { $why }
kernels-nvrtc-no-release = its PTX does not name its release.
kernels-nvrtc-nul = the source holds a NUL byte.
kernels-nvrtc-help = `matmul-tutor nvrtc install` installs it for the tutor alone. Or set { $variable } to the full path of libnvrtc.so. The kernels that come with the tutor run without it.
kernels-nvrtc-static = NVRTC, the CUDA compiler library, cannot be used: this program is linked statically and cannot load libraries.
kernels-too-many-headers = The source includes more than { $headers } headers, or more than { $most } MiB of them.
kernels-no-header = These files can be included: { $names }, and CUDA's headers for the GPU, such as `cuda_fp16.h`. Copy what you need from other headers into your file.
kernels-no-cuda-headers = `{ $name }` is one of CUDA's headers. They are not installed next to the NVRTC in use, { $version }. `matmul-tutor nvrtc install` brings NVRTC and its headers.
kernels-other-headers = `{ $name }` is one of CUDA's headers. The installed headers have version { $found } and cannot be used with NVRTC { $version }. `matmul-tutor nvrtc install` brings headers that fit.
kernels-host-code = This compiler takes only code that runs on the GPU. Leave out `main` and everything else that runs on the host.
kernels-not-compiled = The kernel does not compile:
# { $by } is a library and its version, such as nvJitLink 12.9; { $arch } an architecture, such as sm_90.
kernels-not-assembled = NVIDIA's assembler ({ $by }) refuses the kernel for { $arch }:
kernels-assembled = NVIDIA's assembler ({ $by }, { $arch }): { $registers } registers per thread, { $shared } bytes of static shared memory per block, { $spilled ->
    [0] no spills
   *[other] { $spilled } bytes of spill stores per thread
}.
kernels-too-much-shared = The limit of static shared memory is 48 KiB (49,152 bytes) per block. Use smaller arrays, or dynamic shared memory, which the host must allow before the launch. A driver may load more from PTX (580 on an H200 does), but `nvcc` does not compile it.
kernels-other-target = Compile it for the architecture that the instruction needs, or use an instruction that this one has.

# Each follows the name of a PTX file.
kernels-unbuilt-missing = does not exist
kernels-unbuilt-unstated = does not state which source it was compiled from
kernels-unbuilt-another = was compiled from a different source, with different constants, or for a different GPU
kernels-unbuilt-changed = has been changed since it was compiled
