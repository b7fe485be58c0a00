# Running kernels: the worker's progress, notes and errors.

exec-interrupted = Interrupted.
exec-recorded = recorded on { $device }, { $date }
exec-recorded-driver = recorded on { $device }, driver { $driver }, { $date }
exec-taken-tuned = { $variant }: the fastest on this GPU when `matmul-tutor bench --tune` ran at n = { $n }, { $date }.
exec-taken-model = { $variant }: { $checked ->
    [true] chosen for this shape by a model fitted to this kind of GPU (blocks per SM { $blocks }, waves { $waves }, steps { $steps }).
   *[false] chosen for this shape by a model fitted to an H100 and an H200. The model has not been checked on this GPU (blocks per SM { $blocks }, waves { $waves }, steps { $steps }).
}
exec-taken-line = { $variant }: chosen by a model fitted to measured times. C has one row or few columns, so the time is that of reading the larger matrix.
exec-taken-default = { $variant }: the catalogue's default.
exec-bytes = { $bytes ->
    [one] 1 byte
   *[other] { $bytes } bytes
}

# Requests
exec-programs = A launch takes 1 to { $most } kernels, not { $given }.
exec-seconds = The number of seconds must be 0 or more.
exec-factors = Alpha and beta must be finite in FP32, the type in which this kernel takes them.
exec-not-finite = Alpha, beta and seconds must be finite numbers.
exec-mixed-types = The kernels of one launch share their matrices, but `{ $other }` multiplies { $known } and `{ $kernel }` multiplies { $elements }.
exec-mixed-types-help = Launch kernels of different element types one after the other.
exec-no-kernel = There is no kernel `{ $kernel }`.
exec-no-kernel-help = `matmul-tutor run --list` lists them.
exec-no-kernel-nearest = Did you mean `{ $nearest }`? `matmul-tutor run --list` lists them all.
exec-no-variant = There is no variant `{ $variant }`.
exec-no-variant-help = `matmul-tutor bench --tune { $kernel } --list` lists them.
exec-impossible-variant = The variant `{ $variant }` is impossible: { $why }
exec-shape = `{ $kernel }` does not support this shape: { $why }.
exec-shape-help = Choose another size, or another kernel.
exec-one-product = `{ $kernel }` computes one product, not a batch.
exec-one-product-help = Leave out `--batch`, or choose a kernel for batches, such as `bf16_batched`.
exec-otherwise = `{ $otherwise }`, which replaces `{ $kernel }` at other shapes, does not support every shape.
exec-not-built = `{ $kernel }` has no compiled PTX ({ $file }).
exec-not-built-help = Build it with `matmul-tutor course build`.
exec-ptx-nul = The PTX of `{ $kernel }` contains a NUL byte.
exec-no-ptx = `{ $kernel }` has no PTX compiled from its current source.
exec-no-ptx-help = Build it with `matmul-tutor --course DIR course build`.
exec-entry = `{ $entry }` is not a valid entry name.
exec-grid = The grid of `{ $kernel }`: { $why }
exec-arch = `{ $arch }` is not an architecture.
exec-arch-of = `{ $arch }` of `{ $kernel }` is not an architecture.
exec-arch-help = Write it like `sm_75` or `sm_90a`.
exec-scales = The scales of kernel { $kernel } have a block with an extent of 0 or beyond 2^30.
exec-tensor-map = The tensor map of { $matrix } of `{ $kernel }`: { $why }

# Memory
exec-memory = This shape needs { $needed } of { $place } (A { $a }, B { $b }, C { $c }). Only { $free } are free.
exec-memory-help = Choose a smaller size or fewer products, or close other programs that use the memory.
exec-memory-host = this computer's memory
exec-memory-gpu = GPU memory

# The current step; also after "While", as in `exec-cuda`
exec-doing-emulate = emulating { $kernel }
exec-doing-count = counting { $kernel }
exec-doing-compile = compiling
exec-doing-judge = judging
exec-doing-load = loading { $kernel }
exec-doing-launch = launching { $kernel }
exec-doing-run = running { $kernel }
exec-doing-run-reference = running the reference { $kernel }
exec-doing-reference = computing the reference
exec-doing-inputs = generating random matrices
exec-doing-copy = copying the matrices to the GPU
exec-doing-free-memory = querying free memory
exec-doing-map = creating the tensor map of { $matrix } for { $kernel }
exec-doing-event = creating an event
exec-doing-time = timing
exec-doing-time-kernel = timing { $kernel }
exec-doing-warm-up = warming up { $kernel }

# Notes
exec-not-counted = Not counted: { $why }
exec-not-counted-failed = Not counted: the emulator failed.
exec-program-not-counted = { $kernel } was not counted: { $why }
exec-block-too-long = a single block takes the emulator too long at this size. Choose a smaller one.
exec-some-counted = The emulator counted { $counted } of { $blocks } blocks: the first, the last and some in between. Totals are for these blocks only.
exec-padded = `{ $kernel }` first copies A and B to rows of whole 128-byte lines, and at the end copies C back. The copies take { $bytes } of memory. The time includes them, and the counts do not.
exec-padded-whole = `{ $kernel }` has nothing to copy: all rows of this shape are whole 128-byte lines. Run the kernel without `+padded`.
exec-padded-further = `{ $kernel }` cannot run on padded copies, because its parameters after `beta` are for the given shape.
exec-padded-further-help = Leave out `+padded`.
exec-second = `{ $kernel }` launches a second kernel, which loads C and stores it again: { $bytes }. The times include it. The counts do so only if every block is counted.
exec-moduli = `{ $kernel }` launches four kernels. Two convert A and B to residues, one multiplies them for each of { $moduli } moduli, and one computes C. The residues and the remainders take { $bytes } of memory. The times include all four kernels. The counts do so only if every block is counted.
exec-moduli-long = `{ $kernel }` adds { $k } products of 8-bit residues, and their sum may not fit into 32 bits. K can be at most { $most }.
exec-moduli-long-help = Split the product along K, or run `f64_mma`.
exec-not-compared-batch = The emulator does not compute a whole batch of this size, so the result was not checked. It does so up to about { $products ->
    [one] one product
   *[other] { $products } products
} of this shape.
exec-not-compared-size = The emulator does not compute a whole product of this size, so the result was not checked. It does so up to about n = { $n }.
exec-against-host = float64 on the host
exec-against-cublas = cuBLAS { $version } in { $elements }, itself checked in float64 on { $rows } rows
exec-against-kernel = { $kernel }, itself checked in float64 on { $rows } rows
exec-reference-cublas-wrong = cuBLAS's result differs from float64 by more than FP32 rounding explains, so it was not used as the reference.
exec-reference-wrong = The reference { $kernel } is wrong on this GPU. The result is compared with float64 on the host, which takes longer.
exec-times-vary = The times of { $kernel } vary: the interval is wider than ±1 % ({ $outliers } of { $batches } batches are outliers). Close other programs that use the GPU and run again, or allow more seconds.

# The emulator
exec-in-emulator = In the emulator: { $why }
exec-no-witness = The emulator finds no hazard of `{ $kernel }` that changes a value.
exec-witness-cut = The emulator could not show the effect of the hazards of `{ $kernel }`: { $why }.
exec-unsupported-help = A GPU that has this feature can run it: `--on cuda`.
exec-endless-help = Look for a loop that never ends.
exec-budget-help = Look for a loop that never ends, or a grid that is larger than the product needs.
exec-fault-help = Look at this line: the index, the bounds check before it, or the barrier.

# cuBLAS
exec-math = { $elements ->
    [FP32] plain FP32, neither TF32 nor emulated
    [TF32] CUBLAS_COMPUTE_32F_FAST_TF32: inputs rounded to TF32, FP32 sums
    [FP16] CUDA_R_16F with CUBLAS_COMPUTE_32F: FP16 in and out, FP32 sums
    [BF16] CUDA_R_16BF with CUBLAS_COMPUTE_32F: BF16 in and out, FP32 sums
    [FP64] CUDA_R_64F with CUBLAS_COMPUTE_64F: FP64 in and out, FP64 sums
    [INT8] CUDA_R_8I with CUBLAS_COMPUTE_32I: 8-bit integers in, exact 32-bit integers out
   *[E4M3] CUDA_R_8F_E4M3 with CUBLAS_COMPUTE_32F and fast accumulation: E4M3 in, BF16 out, sums in the tensor core
}
exec-no-cublas = Not compared with cuBLAS: { $why }
exec-cublas-needs-gpu = cuBLAS needs a GPU.
exec-cublas-none = cuBLAS was not found. Install the CUDA toolkit, or `pip install nvidia-cublas-cu12` in an active virtual environment.
exec-cublas-broken = cuBLAS was found, but it cannot be opened: { $why }. It may not match the driver.
exec-cublas-lacks = cuBLAS was found, but it lacks a function that the tutor needs.
exec-cublas-failed = { $function } failed: { $why }.
exec-cublas-default = { $name } default
exec-doing-baseline = looking for cuBLAS's fastest choice
exec-no-cublaslt = The tutor compares only with cuBLAS's default choice, because cuBLASLt or the memory for its workspace is missing.
exec-cublas-8-bit = cuBLAS multiplies 8-bit matrices only through cuBLASLt.
exec-integers-long = The sum of { $k } products of 8-bit integers may not fit into 32 bits. K can be at most { $most }.
exec-integers-long-help = Split the product along K, and add the results in 64 bits.
exec-integers-scaled = Kernels for 8-bit integers compute C = A·B exactly. They apply neither alpha nor beta.
exec-integers-scaled-help = Leave out alpha and beta, so that they are 1 and 0.
exec-judge-further = The judge passes no scales and no bias. Choose a kernel without `scales` and `epilogue` for the exercise.
exec-judge-far = The judge needs a matrix of 8 GB here, and a page in a browser has at most 4 GB. Use the native program for this exercise.
exec-cublas-wrong = { $wrong ->
    [one] One of cuBLASLt's candidates gives
   *[other] { $wrong } of cuBLASLt's candidates give
  } an incorrect product of this shape. The tutor compares with the fastest correct choice.
exec-cublas-default-wrong = cuBLAS's default choice gives an incorrect product of this shape. The tutor compares with the fastest correct candidate.
exec-cublas-rounds = cuBLAS's fastest choice for this shape rounds the sums of parts of K to { $elements } before it adds them, so its error is larger than with FP32 sums.
exec-cublas-all-wrong = All of cuBLAS's choices give an incorrect product of this shape, so there is no comparison.
exec-host = A launch costs the host { $own }. The times are from CUDA graphs and do not contain it.
exec-host-both = A launch costs the host { $own }, and one of cuBLAS { $cublas }. The times are from CUDA graphs and do not contain it.
exec-no-graph = The launches of { $kernel } cannot be captured in a CUDA graph. All times are from a stream, and the times of short launches contain the host's work.

# This build, the driver, the GPU
exec-built-without-gpu = This build has no GPU support.
exec-built-without-nvrtc = This build has no support for NVRTC.
exec-built-without-help = Build it with the feature `cuda`, which is on by default.
exec-driver-static = This program is linked statically, and cannot load the NVIDIA driver's library.
exec-driver-static-help = To use a GPU, install the Python wheel, or build it with `cargo install` for glibc. The emulator needs neither.
exec-driver-none = No NVIDIA driver was found (its library libcuda is missing).
exec-driver-none-help = To use a GPU, install NVIDIA's driver 525 or newer; in a container, start it with GPU access. The emulator needs neither.
exec-driver-old = The NVIDIA driver is too old: it supports CUDA { $cuda }, but the tutor needs 12.0.
exec-driver-lacks = The NVIDIA driver's library lacks a function that the tutor needs.
exec-driver-no-events = The NVIDIA driver has no cuEventElapsedTime.
exec-driver-install = Install NVIDIA's driver 525 or newer.
exec-gpu-none = The NVIDIA driver is installed, but it reports no GPU.
exec-gpu-none-help-container = Check `nvidia-smi` and the variable CUDA_VISIBLE_DEVICES; in a container, start it with GPU access.
exec-gpu-old = { $device } has compute capability { $has }; the kernels need 7.5 or newer.
exec-gpu-old-help = Use a GPU of the Turing generation or newer, or the emulator.
exec-gpu-not-opened = { $error ->
    [CUDA_ERROR_NO_DEVICE] The NVIDIA driver is installed, but it reports no GPU.
    [CUDA_ERROR_DEVICE_UNAVAILABLE] The GPU is busy: another program is using it exclusively ({ $error }).
    [CUDA_ERROR_OUT_OF_MEMORY] The GPU has no free memory to start with ({ $error }).
    [CUDA_ERROR_SYSTEM_DRIVER_MISMATCH] The driver's library and its kernel module do not match ({ $error }).
    [CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE] The driver's library and its kernel module do not match ({ $error }).
    [CUDA_ERROR_STUB_LIBRARY] The libcuda that was found is a stub for linking ({ $error }).
    [CUDA_ERROR_SYSTEM_NOT_READY] The driver says that the system is not ready ({ $error }).
    [CUDA_ERROR_OPERATING_SYSTEM] The operating system refuses a call of the driver ({ $error }).
    [CUDA_ERROR_ECC_UNCORRECTABLE] The GPU has an error in its memory ({ $error }).
    [CUDA_ERROR_MPS_CONNECTION_FAILED] The driver cannot connect to MPS ({ $error }).
   *[other] The GPU cannot be opened: { $error }.
}
exec-gpu-not-opened-help = { $error ->
    [CUDA_ERROR_NO_DEVICE] Check `nvidia-smi` and the variable CUDA_VISIBLE_DEVICES.
    [CUDA_ERROR_DEVICE_UNAVAILABLE] Wait until it ends (`nvidia-smi` shows it), or use the emulator.
    [CUDA_ERROR_OUT_OF_MEMORY] Close programs that use its memory (`nvidia-smi` shows them), or use the emulator.
    [CUDA_ERROR_SYSTEM_DRIVER_MISMATCH] Restart the computer after a driver update; in a container, use its host's driver libraries.
    [CUDA_ERROR_STUB_LIBRARY] Remove the CUDA toolkit's `stubs` directory from LD_LIBRARY_PATH.
    [CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE] Remove the package `cuda-compat` and its directory from LD_LIBRARY_PATH. This GPU needs the driver's own libcuda.
    [CUDA_ERROR_SYSTEM_NOT_READY] GPUs with NVSwitch need the fabric manager. Ask the administrator to start `nvidia-fabricmanager` in the driver's version.
    [CUDA_ERROR_OPERATING_SYSTEM] Check the permission of `/dev/nvidia*`, and in a container, that these devices are there.
    [CUDA_ERROR_ECC_UNCORRECTABLE] Ask the administrator. `nvidia-smi -q -d ECC` shows errors of the memory, and a reset or a restart may clear them.
    [CUDA_ERROR_MPS_CONNECTION_FAILED] Ask the administrator to restart `nvidia-cuda-mps-control`, or unset CUDA_MPS_PIPE_DIRECTORY.
   *[other] Check that `nvidia-smi` shows it.
}

# A kernel on this GPU
exec-too-new = `{ $kernel }` needs { $demand }; { $device } has { $has }.
exec-too-new-help = Choose another kernel, or run it with `--on emulator`.
exec-threads = `{ $kernel }` can run { $most } threads per block on this GPU, not { $block }.
exec-threads-help = Its threads use too many registers. Use fewer.
exec-shared = `{ $kernel }` needs { $needed } of shared memory per block; { $device } has { $has }.
exec-no-block-fits = No block of `{ $kernel }` fits on an SM of { $device }: too many registers or threads.
exec-smaller-tiles = Choose a kernel with smaller tiles.
exec-map-help = Each row must be a multiple of 16 bytes, and the box must fit the swizzle.

# The driver's errors during a step
exec-cuda = While { $doing }: { $error ->
    [CUDA_ERROR_ILLEGAL_ADDRESS] a thread accessed memory outside the buffers ({ $error }).
    [CUDA_ERROR_INVALID_ADDRESS_SPACE] a thread accessed memory outside the buffers ({ $error }).
    [CUDA_ERROR_INVALID_PC] a thread accessed memory outside the buffers ({ $error }).
    [CUDA_ERROR_MISALIGNED_ADDRESS] an address is not a multiple of the access size ({ $error }).
    [CUDA_ERROR_LAUNCH_FAILED] the kernel faulted ({ $error }).
    [CUDA_ERROR_HARDWARE_STACK_ERROR] the kernel faulted ({ $error }).
    [CUDA_ERROR_ILLEGAL_INSTRUCTION] the kernel faulted ({ $error }).
    [CUDA_ERROR_ASSERT] an assertion in the kernel failed ({ $error }).
    [CUDA_ERROR_LAUNCH_TIMEOUT] the driver stopped the kernel, because the GPU also drives a screen ({ $error }).
    [CUDA_ERROR_OUT_OF_MEMORY] the GPU has no memory left ({ $error }).
    [CUDA_ERROR_UNSUPPORTED_PTX_VERSION] this PTX is newer than the driver supports ({ $error }).
    [CUDA_ERROR_INVALID_PTX] the driver refuses the PTX ({ $error }).
    [CUDA_ERROR_INVALID_CLUSTER_SIZE] the grid is not a whole number of clusters, or the GPU cannot run clusters of this size ({ $error }).
    [CUDA_ERROR_NO_BINARY_FOR_GPU] the PTX is for a newer GPU than this one ({ $error }).
    [CUDA_ERROR_NOT_FOUND] the PTX has no such entry ({ $error }).
    [CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES] a block needs more registers or shared memory than the GPU has ({ $error }).
    [CUDA_ERROR_ECC_UNCORRECTABLE] the GPU's memory is faulty ({ $error }).
   *[other] the driver reports { $error }.
}
exec-cuda-help = { $error ->
    [CUDA_ERROR_LAUNCH_TIMEOUT] Choose a smaller size.
    [CUDA_ERROR_OUT_OF_MEMORY] Choose a smaller size, or close other programs that use the GPU (`nvidia-smi` shows them).
    [CUDA_ERROR_UNSUPPORTED_PTX_VERSION] Update NVIDIA's driver, or compile with an older NVRTC: `pip install nvidia-cuda-nvrtc-cu12==12.0.140`.
    [CUDA_ERROR_INVALID_PTX] Correct it, or compile it again.
    [CUDA_ERROR_INVALID_CLUSTER_SIZE] Make each extent of the grid a multiple of the cluster's.
    [CUDA_ERROR_NO_BINARY_FOR_GPU] Choose a kernel whose architecture this GPU has.
    [CUDA_ERROR_NOT_FOUND] Do not rename the kernel's function.
    [CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES] Use fewer threads per block, or fewer registers or less shared memory.
    [CUDA_ERROR_ECC_UNCORRECTABLE] Restart the computer; if it happens again, the GPU is broken.
   *[other] Run it with `--on emulator`: it names the thread, the address and the source line.
}

# The worker process
exec-compiler-silent = The compiler did not finish within { $seconds } s, so it was stopped.
exec-compiler-silent-help = Look for a macro or a template that expands without end, or for a very large initialized array.
exec-silent = It has sent nothing for { $seconds } s, so it was stopped.
exec-silent-help = The kernel may never end, or the GPU may be stuck. `--on emulator` finds endless loops.
exec-worker-silent = The worker did not answer for { $seconds } s, so it was stopped. Its command is `{ $worker }`.
exec-worker-check = Check that this command works by itself; MATMUL_TUTOR_WORKER sets it.
exec-driver-ended = NVIDIA's driver ended the process that opened it: { $how }.
exec-driver-silent = NVIDIA's driver did not answer for { $seconds } s.
exec-driver-help = `nvidia-smi` should answer at once. If it fails, install the driver again. If it takes long, switch the driver's persistence mode on: `nvidia-smi -pm 1`.
exec-worker-ended = The worker process ended unexpectedly: { $how }.
exec-worker-ended-help = The next run starts a new one.
exec-worker-never-spoke = The worker ended before it sent anything: { $how }. Its command is `{ $worker }`.
exec-worker-stopped = it closed its standard output, so it was stopped
exec-worker-babbles = The worker wrote something other than replies on its standard output, so it was stopped. Its command is `{ $worker }`.
exec-worker-strays = The worker sent replies to requests that do not exist, so it was stopped. Its command is `{ $worker }`.
exec-worker-floods = The worker sent more output than any run needs, so it was stopped. Its command is `{ $worker }`.
exec-waiting-slurm = waiting for Slurm
exec-waiting-job = waiting for Slurm: job { $job }, { $state }
exec-waiting-reason = waiting for Slurm: job { $job }, { $state }, { $reason }
exec-slurm-lost = The Slurm job { $job } was lost: { $state ->
    [TIMEOUT] its time was over
    [DEADLINE] its deadline was over
    [NODE_FAIL] its node failed
    [BOOT_FAIL] its node did not start
    [CANCELLED] it was cancelled
    [PREEMPTED] another job took its place
    [REVOKED] it was revoked
    [OUT_OF_MEMORY] it used more memory than allowed
   *[other] it does not run
} ({ $state }).
exec-slurm-lost-help = The next run requests another Slurm job.
exec-ssh-lost = The connection could not be made, or it was lost: `{ $worker }`.
exec-ssh-lost-help = The next run connects again. `ssh` must connect without asking for anything.
exec-worker-said = Its output:
exec-worker-not-started = The worker cannot be started: { $why }. Its command is `{ $worker }`.
exec-worker-start-help = Check the command. MATMUL_TUTOR_WORKER sets it; without it the tutor starts itself as the worker.
exec-worker-no-stream = a stream is missing
exec-worker-no-command = the command is empty
exec-worker-chain = This process was started as a worker, and a worker must not start another worker.
exec-worker-chain-help = The command in { $variable } must end with `matmul-tutor worker`.
exec-worker-quote = { $variable } has an unmatched quote: { $command }.
exec-worker-quote-help = Write it like `ssh gpu-box matmul-tutor worker`.
exec-worker-own-file = This program cannot find its executable file: { $why }.
exec-worker-request = The worker cannot read a request: { $why }.
exec-worker-request-long = it is longer than { $bytes } bytes
exec-worker-request-help = The tutor and its worker may have different versions.
exec-worker-panicked = The worker failed: { $what }
exec-worker-no-thread = No thread can be started for the worker: { $why }.
exec-worker-no-ctrl-c = Ctrl-C cannot be caught: { $why }.
exec-worker-supervisor = The worker's supervisor has ended.
exec-signal = signal { $signal }
exec-signal-kill = signal { $signal } (killed; the system does so when memory runs out)
exec-signal-segv = signal { $signal } (segmentation fault)
exec-signal-abort = signal { $signal } (aborted)
exec-signal-bus = signal { $signal } (bus error)
exec-exit-code = exit code { $code }
exec-no-exit-code = no exit code
exec-count-late = `{ $kernel }` was not counted within { $seconds } s.

# The judge. `launch` is the text of `exec-judge-shape` or of one of the two after it.
exec-judge-shape = M { $m }, N { $n }, K { $k }
exec-judge-strides = , lda { $a }, ldb { $b }, ldc { $c }
exec-judge-scales = , alpha { $alpha }, beta { $beta }
exec-judge-no-entry = The file has no kernel: no function is `extern "C" __global__ void { $entry }(…)`.
exec-limits-table = NVIDIA's assembler has not seen this text. The emulator's tables of the limits of an { $device } decided.
exec-judge-mangled = The kernel is not `extern "C"`, so C++ has changed its name from `{ $entry }`.
exec-judge-mangled-help = Write `extern "C" __global__ void { $entry }(…)`.
exec-judge-other-entry = There is no kernel `{ $entry }`, only { $names }.
exec-judge-signature = `{ $entry }` has { $count } parameters of the types { $types }. The launch passes other parameters.
exec-judge-signature-help = The launch passes, in this order: { $names }. Matrices are pointers, extents and leading dimensions are `int`, alpha and beta are `{ $factor }`.
exec-judge-fault = { $launch }: { $what }
exec-judge-out-of-bounds-help = Which index of that thread is too large here, and which test should have prevented this access?
exec-judge-before-help = Which index of that thread is negative here: a difference, or a product that is too large for an int?
exec-judge-misaligned-help = A load of 8 or 16 bytes needs an address that is a multiple of its size. Is the beginning of each row such a multiple, with these leading dimensions?
exec-judge-barrier-help = Every thread of a block must reach the same `__syncthreads()`. Which branch around it do some threads not take?
exec-judge-mask-help = The mask must contain the lane that passes it. Name exactly the lanes that reach this instruction, each with the same mask.
exec-judge-undefined = { $launch }: { $what } This is line { $line }. See { $clause }.
exec-judge-undefined-help = { $rule ->
    [absent-lane] Every lane that the mask names must reach the same instruction. Move it out of the branch, or name only the lanes that reach it.
    [missing-lane] Every lane that the mask names must reach the same instruction. Move it out of the branch, or name only the lanes that reach it.
    [unnamed-lane] The mask must also name the lane that the shuffle reads.
    [unwritten-register] Give the variable a value where it is declared.
    [unwritten-shared] Which thread writes these bytes, and is the barrier between the write and the read?
    [written-read-only] Read what the kernel writes without `__ldg`, from a pointer without `const` and `__restrict__`.
    [matrix-address] Let every lane of the warp pass the address of a row.
    [barrier-places] Every thread of a block must reach the same `__syncthreads()`. Move it behind the branch.
    [barrier-skipped] Every thread of a block must reach the same `__syncthreads()`. Move it behind the branch.
    [cluster-exit] Let the blocks wait for each other at the end: `cluster.sync()`.
    [unordered-init] Put a barrier between `mbarrier.init` and the first use.
   *[bulk-source] Wait for the copy before the kernel ends.
}
exec-judge-mbarrier-help = Which threads arrive at this barrier, how often in each phase, and which parity does the kernel wait for? The number of announced bytes must also match the number that arrives.
exec-judge-endless-help = Which loop has a condition that never becomes false here?
exec-judge-meant = That would be row { $row }, column { $column } of { $matrix }, which is { $rows } × { $columns }. Rows and columns are counted from 0.
exec-judge-meant-either = That would be row { $row }, column { $column } of { $matrix }, or column { $beyond } of row { $last }. { $matrix } is { $rows } × { $columns }. Rows and columns are counted from 0.
exec-judge-changed = { $launch }: the kernel writes to { $matrix }, in row { $row }, column { $column }. It may change only C.
exec-judge-wrong = { $launch }: { $wrong } of { $of } elements are wrong. C[{ $row }][{ $column }] is { $value }, but should be { $expected }.
exec-judge-unwritten = The kernel never wrote them.
exec-judge-everywhere = All elements are wrong.
exec-judge-range = { $kind ->
    [row] row { $from }
    [rows] rows { $from } to { $to }
    [column] column { $from }
   *[columns] columns { $from } to { $to }
}
exec-judge-whole = They fill { $range } completely.
exec-judge-box = They fill { $rows } of { $columns }.
exec-judge-all-nan = All of them are NaN: the kernel computed with something that is not a number, such as a gap between rows, C where beta is 0, or a difference of infinities.
exec-judge-no-beta = Each wrong element lacks `beta` times the old C.
exec-judge-no-alpha = Each wrong element is the product without `alpha`.
exec-judge-first-products = Each wrong element is the sum of the first { $first } of { $k } products.
exec-judge-last-products = Each wrong element is the sum of the { $k } products without the first { $missing }.
exec-judge-missing-product = Each wrong element is the sum without the product of k = { $l }.
exec-judge-twice = Each wrong element is the sum with the product of k = { $l } twice.
exec-judge-special-help = Here, a few elements of A, B and C are 0, infinite or NaN. 0 times infinity is NaN, and so is 0 times NaN. Does the kernel leave out a product, or multiply an element that is not part of the sum?
exec-judge-again-help = This launch is correct if the module is newly loaded, and not after other launches of the same module. What does the kernel keep between launches?
exec-judge-condition = It depends on { $properties }: the same launch is correct with { $others }.
exec-judge-value = { $what } { $value }
exec-judge-gaps = { $has ->
    [gaps] gaps between the rows of { $matrix }
   *[none] no gaps between the rows of { $matrix }
}
exec-judge-numbers = { $kind ->
    [large-has] large numbers
    [large-lacks] numbers below 1
    [special-has] infinities and NaN
    [special-lacks] finite numbers
    [old-has] numbers in the old C
   *[old-lacks] NaN in the old C
}
exec-judge-and = { $first } and { $second }
exec-judge-or = { $first } or { $second }
exec-judge-gap = { $launch }: the kernel writes to row { $row } of C at column { $column }, but C has { $n } columns. That memory does not belong to C.
exec-judge-gap-help = Test the column as well before the store. If `ldc` is larger than N, the next row of C begins later.
exec-judge-thread = thread { $thread }
exec-judge-thread-of = thread { $thread } of block { $block }
exec-judge-access = { $access ->
    [Read] { $thread } reads it in line { $line }
   *[Write] { $thread } writes it in line { $line }
}
exec-judge-called = { $access } (called at line { $line })
exec-judge-space = { $space ->
    [Shared] shared memory
    [Global] global memory
   *[Registers] registers of a `wgmma`
}
exec-judge-hazard = { $launch }: { $kind } hazard on a word of { $space }: { $first }, { $second }, and nothing orders the two accesses.
exec-judge-hazard-help = { $kind ->
    [RAW] The read may come before the write whose value it needs.
    [WAR] The write may come before the read of the old value.
    [WAW] Either value may remain.
   *[blocks] `__syncthreads()` does not order threads of different blocks. Use atomics, or a flag with a fence on each side.
}
exec-judge-count = { $launch }: { $count ->
    [GlobalSectors] the kernel moves { $has } sectors of global memory; at most { $may } pass.
    [GlobalBytes] the kernel requests { $has } bytes of global memory; at most { $may } pass.
    [SharedWavefronts] shared memory takes { $has } wavefronts; at most { $may } pass.
    [Barriers] blocks pass { $has } barriers; at most { $may } pass.
   *[LocalAccesses] warps access local memory { $has } times; at most { $may } pass. An array that the kernel indexes at run time is not in registers.
}
exec-judge-longest-warp = { $launch }: one warp executes { $has } instructions; at most { $may } pass. Other warps wait for it, or each thread does unnecessary work.
exec-judge-local = { $launch }: threads move { $has } bytes to and from local memory; the solution moves { $theirs } bytes to and from all memories. An array that the kernel indexes at run time is not in registers.
exec-judge-unused = { $launch }: warps execute `{ $name }` { $has } times; the solution executes it { $theirs } times. The exercise asks for this instruction.

# What the emulator says, in exactly its words. Other languages translate a message by them.
exec-says = The emulator:
    .whole = { $place }: thread { $a } of block { $b } { $what }.
    .called = { $a }, called at line { $b } (PTX line { $c })
    .place = { $a } (PTX line { $b })
    .ptx = PTX line { $a }
    .misaligned = { $what }; the address is not a multiple of { $a }
    .multiple = { $what }; that is not a multiple of { $a }
    .constant = writes to the constant { $a }
    .unwritten = reads byte { $a } of buffer { $b }, which has not been written
    .unwritten-shared = reads byte { $a } of shared memory, which the block has not written
    .no-mbarrier = uses byte { $a } of shared memory as an `mbarrier`, which was not initialised
    .reads = reads { $a } bytes { $what }
    .writes = writes { $a } bytes { $what }
    .copies-bulk = copies { $a } bytes in bulk
    .copies = copies { $a } bytes { $what }
    .stores = stores { $a } bytes { $what }
    .in-shared-of = at byte { $a } of shared memory, which has { $b } bytes
    .in-local = at byte { $a } of its local memory, which has { $b } bytes
    .in-local-calls = at byte { $a } of its local memory, which has { $b } bytes for its current calls
    .in-buffer = at byte { $a } of buffer { $b }, which has { $c } bytes
    .outside = at address { $a }, outside all buffers
    .in-shared = at byte { $a } of shared memory
    .barrier-number = uses barrier { $a } for { $b } threads; barriers are 0 to 15, and take whole warps
    .barrier-counts = waits at barrier { $a } for { $b } threads, others for { $c }
    .barrier-two = waits at barrier { $a } and thread { $b } at barrier { $c }: neither can continue
    .barrier-short = waits at barrier { $a } for { $b } threads, but only { $c } can arrive
    .barrier-skipped = waits at a barrier that other threads of its warp skip
    .warp-never = waits for threads of its warp that never arrive
    .barrier-alone = waits at a barrier, which { $a } other threads of its warp do not reach with it
    .alone = waits at { $a }, which { $b } other threads of its warp do not reach with it
    .missing = executes { $a }, which needs all 32 threads of a warp; { $b } are missing
    .skipped = executes { $a }, which other threads of its warp skip
    .elsewhere = { $what } while { $a } threads of its warp do something else
    .shuffle = shuffles from lane { $a } of its warp, which is in the mask { $b } but does not reach this instruction
    .spins = spins on global memory for a value that never arrives, and { $what }
    .no-other = there is no other block
    .all-spin = all other running blocks spin, too
    .not-begun = the other blocks that have begun spin too, and { $a } more cannot begin before one ends: { $b } fit on the GPU at once
    .arrives = arrives { $a } times at the `mbarrier` at byte { $b } of shared memory, whose phase waits for { $c } more
    .no-arrivals = waits for arrivals that can no longer happen
    .lacks = waits for the `mbarrier` at byte { $a } of shared memory, whose phase { $b } lacks { $c } of { $d } arrivals and { $e } bytes, and no thread that could bring them can go on
    .block-steps = was running when its block had executed { $a } warp instructions, the most that one may: probably an endless loop
    .running = was running when { $what }: { $a }
    .steps = the budget of { $a } warp instructions was used up
    .seconds = the time of { $a } s was over
    .endless = probably an endless loop
    .endless-or = a loop may be endless, or a grid of { $a } blocks too large
    .begun = Block { $a } had not begun when { $what }: { $b }.
    .ended = Block { $a } had not ended when { $what }: { $b }.
    .hazard-memory = Block { $a } needs more memory to find hazards than it may take: allow more, or take a smaller problem.
    .hazard-many = Block { $a } has too many accesses for the hazard search: run it without the search, or with a smaller problem.
    .trap = executes `trap`
    .assertion = finds that an assertion does not hold: { $a }
    .threads = A block of { $a } is { $b } threads; { $c } takes at most { $d }, and 64 in z.
    .shared-bytes = { $a } needs { $b } bytes of shared memory per block; { $c } has at most { $d }.
    .load = Line { $a }, column { $b }: { $what }
    .unknown-near = unknown instruction { $a }; the nearest known one is { $b }.
    .unknown = unknown instruction { $a }.
    .expected = expected { $a }, found { $b }.
    .undeclared = { $a } is not declared.
    .no-predicate = { $a } is not a predicate register.
    .no-register = { $a } is not a register.
    .no-label = there is no label { $a }.
    .label-twice = the label { $a } is defined twice.
    .declared-twice = { $a } is declared twice in one scope.
    .character = the character { $a } is not allowed in PTX.
    .operand-missing = an operand is missing.
    .operands-wrong = { $a } has the wrong number of operands.
    .operands-not = { $a } takes { $b } operands, not { $c }.
    .operands = { $a } takes { $b } operands.
    .operands-many = { $a } has too many operands.
    .operand-register = the operand must be a register.
    .operand-predicate = the operand must be a predicate.
    .destination = the destination must be a register.
    .brackets = an address in brackets is expected.
    .braces = a vector in braces is expected.
    .vector = the vector has the wrong length.
    .narrow = the register is too narrow for the type.
    .bits-takes = { $a } has { $b } bits where the instruction takes { $c }.
    .bits-gives = { $a } has { $b } bits where the instruction gives { $c }.
    .floats = { $a } takes floating-point numbers: { $b }, not { $c }.
    .no-type = { $a } has no type.
    .no-instruction = { $a } is not an instruction.
    .no-number = { $a } is not a number.
    .unclosed = the statement is not closed by `;`.
    .no-version = the text has no `.version`, so it is not PTX.
    .unsupported = the emulator does not support { $a }.
    .a-number = a number
    .a-name = a name
    .a-label = a label
    .an-instruction = an instruction
    .an-operand = an operand
    .a-register = a register
    .a-register-name = a register name
    .a-predicate = a predicate register
    .an-address = an address
    .a-type = a register type
    .end = the end of the text
    .a-string = a string
