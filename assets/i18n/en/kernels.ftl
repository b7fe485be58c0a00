# Kernels: what a launch needs, why a shape or a variant is impossible, the compiler.

kernels-grid-name = `{ $formula }` names `{ $name }`; a grid is a formula of M, N, K, SMS and the constants.
kernels-grid-count = A grid has one to three formulas, not { $count }.
kernels-grid-not-computed = The grid of this shape cannot be computed: { $why }
kernels-grid-size = The grid would have { $blocks } blocks in { $axis }; CUDA launches 1 to { $most }.
kernels-extent = { $name } is { $extent }; it must be from 1 to { $most }.
kernels-block = A block of { $block } threads cannot be launched: at most { $most } threads, at most 64 in z, at least 1 in each.
kernels-shared = { $bytes } bytes of shared memory are more than any block has ({ $most }).
kernels-not-whole = { $formula } is { $value }, not a whole number from 1.
kernels-no-multiple = { $name } = { $value } is no multiple of { $by }
kernels-map-of = The tensor map of { $matrix }: { $why }
kernels-map-box = A box of { $extent } elements cannot be copied: each extent is from 1 to 256.
kernels-map-row = A row of the box has { $bytes } bytes, which is no multiple of 16.
kernels-map-swizzle = A row of the box has { $bytes } bytes; a swizzle of { $span } allows at most { $span }.
kernels-demands = compute capability { $capability } or newer
kernels-demands-exactly = compute capability { $capability } exactly

kernels-nvrtc-none = NVRTC, the CUDA compiler library, cannot be used: no library was found.
kernels-nvrtc-unavailable = NVRTC, the CUDA compiler library, cannot be used: { $why }
kernels-nvrtc-failed = NVRTC failed: { $why }
kernels-nvrtc-no-release = its PTX does not name its release.
kernels-nvrtc-nul = the source holds a NUL byte.
kernels-nvrtc-help = `matmul-tutor nvrtc install` gets it for the tutor alone; or set { $variable } to the full path of libnvrtc.so. The committed kernels run without it.
kernels-nvrtc-static = NVRTC, the CUDA compiler library, cannot be used: this program is linked statically, and loads no library.
kernels-no-header = There are no files to include but these: { $names }. Write what you need of others into your own.
kernels-host-code = Hand in what runs on the GPU alone: leave out `main` and all else that runs on the host.
kernels-not-compiled = The kernel does not compile:

# Each stands after the name of a PTX file.
kernels-unbuilt-missing = is not there
kernels-unbuilt-unstated = does not state what it was made of
kernels-unbuilt-another = was made of another source than the one that is there, with other constants, or for another GPU
kernels-unbuilt-changed = was changed after it had been built
