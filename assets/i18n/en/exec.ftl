# Running kernels: what the worker does, notes, and says where it cannot.

exec-interrupted = Interrupted.
exec-recorded = recorded on { $device }, { $date }
exec-recorded-driver = recorded on { $device }, driver { $driver }, { $date }
exec-taken-tuned = { $variant }: found best on this GPU by `matmul-tutor tune` at n = { $n }, { $date }.
exec-taken-model = { $variant }: chosen for this shape by a model fitted on this kind of GPU (blocks a multiprocessor { $blocks }, waves { $waves }, steps { $steps }).
exec-taken-model-unchecked = { $variant }: chosen for this shape by a model fitted on an H100 and an H200 and not checked on this GPU (blocks a multiprocessor { $blocks }, waves { $waves }, steps { $steps }).
exec-taken-default = { $variant }: the catalogue's default.
exec-bytes = { $bytes ->
    [one] 1 byte
   *[other] { $bytes } bytes
}

# What is asked for
exec-programs = A launch takes 1 to { $most } kernels, not { $given }.
exec-seconds = The seconds are not a number from 0 up.
exec-not-finite = Alpha, beta and seconds must be finite numbers.
exec-mixed-types = The kernels of one launch share their matrices: `{ $other }` multiplies { $known }, `{ $kernel }` { $elements }.
exec-mixed-types-help = Launch kernels of different element types one after the other.
exec-no-kernel = There is no kernel `{ $kernel }`.
exec-no-kernel-help = `matmul-tutor kernels` lists them.
exec-no-kernel-nearest = Did you mean `{ $nearest }`? `matmul-tutor kernels` lists them all.
exec-no-variant = There is no variant `{ $variant }`.
exec-no-variant-help = `matmul-tutor tune { $kernel } --list` lists them.
exec-impossible-variant = The variant `{ $variant }` is impossible: { $why }
exec-shape = `{ $kernel }` does not take this shape: { $why }.
exec-shape-help = Choose another size, or another kernel.
exec-otherwise = `{ $otherwise }`, which takes the shapes that `{ $kernel }` does not, does not take every shape.
exec-not-built = `{ $kernel }` has no compiled PTX ({ $file }).
exec-not-built-help = Build it with `matmul-tutor kernels build`.
exec-ptx-nul = The PTX of `{ $kernel }` holds a NUL byte.
exec-no-ptx = `{ $kernel }` has no PTX that was made of its source.
exec-no-ptx-help = Build it with `matmul-tutor --course DIR kernels build`.
exec-entry = `{ $entry }` is no name of an entry.
exec-grid = The grid of `{ $kernel }`: { $why }
exec-arch = `{ $arch }` is no architecture.
exec-arch-of = `{ $arch }` of `{ $kernel }` is no architecture.
exec-arch-help = Write it like `sm_75` or `sm_90a`.
exec-tensor-map = The tensor map of { $matrix } of `{ $kernel }`: { $why }

# Memory
exec-memory = This shape needs { $needed } of { $place } (A { $a }, B { $b }, C { $c }), and { $free } are free.
exec-memory-help = Choose a smaller size, or close what else uses the memory.
exec-memory-host = this computer's memory
exec-memory-gpu = GPU memory

# What is being done; also behind "While", as in `exec-cuda-while`
exec-doing-emulate = emulating { $kernel }
exec-doing-count = counting { $kernel }
exec-doing-compile = compiling
exec-doing-judge = judging
exec-doing-load = loading { $kernel }
exec-doing-launch = launching { $kernel }
exec-doing-run = running { $kernel }
exec-doing-run-reference = running the reference { $kernel }
exec-doing-reference = computing the reference
exec-doing-inputs = making random matrices
exec-doing-copy = copying the matrices to the GPU
exec-doing-free-memory = asking for free memory
exec-doing-map = making the tensor map of { $matrix } for { $kernel }
exec-doing-event = making an event
exec-doing-time = timing
exec-doing-time-kernel = timing { $kernel }
exec-doing-warm-up = warming up { $kernel }

# Notes
exec-not-counted = Not counted: { $why }
exec-not-counted-failed = Not counted: the emulator failed.
exec-program-not-counted = { $kernel } was not counted: { $why }
exec-block-too-long = a single block of it takes the emulator too long at this size. Choose a smaller one.
exec-some-counted = { $counted } of { $blocks } blocks were counted: the first, the last and some between. Totals are theirs alone.
exec-not-compared-size = The emulator does not compute a product of this size as a whole, so the result was not compared. Up to about n = { $n } it does.
exec-against-host = float64 on the host
exec-against-cublas = cuBLAS { $version } in FP32, itself checked in float64 on { $rows } rows
exec-against-kernel = { $kernel }, itself checked in float64 on { $rows } rows
exec-reference-cublas-wrong = cuBLAS's own result is not within FP32 accuracy of float64, so it was not used as the reference.
exec-reference-wrong = The reference { $kernel } is wrong on this GPU; comparing with float64 on the host, which takes longer.
exec-times-vary = The times of { $kernel } vary: the interval is wider than ±1 % ({ $outliers } of { $batches } batches are outliers). Close what else uses the GPU and run again, or give more seconds.

# The emulator
exec-in-emulator = In the emulator: { $why }
exec-no-witness = The emulator finds no hazard of `{ $kernel }` that changes a value.
exec-witness-cut = The emulator has not shown what the hazards of `{ $kernel }` do: { $why }.
exec-unsupported-help = A GPU that has it runs it: `--on cuda`.
exec-endless-help = Look for a loop that does not end.
exec-budget-help = Look for a loop that does not end, or a grid that is larger than the product needs.
exec-fault-help = Look at this line: the index, the bounds test before it, or the barrier.

# cuBLAS
exec-math-f32 = cublasSgemm, CUBLAS_DEFAULT_MATH: plain FP32, neither TF32 nor emulated
exec-math-tf32 = cublasGemmEx, CUBLAS_COMPUTE_32F_FAST_TF32: inputs rounded to TF32, FP32 sums
exec-math-f16 = cublasGemmEx, CUDA_R_16F with CUBLAS_COMPUTE_32F: FP16 in and out, FP32 sums
exec-math-bf16 = cublasGemmEx, CUDA_R_16BF with CUBLAS_COMPUTE_32F: BF16 in and out, FP32 sums
exec-no-cublas = Not compared with cuBLAS: { $why }
exec-cublas-needs-gpu = cuBLAS needs a GPU.
exec-cublas-none = cuBLAS was not found. Install the CUDA toolkit, or `pip install nvidia-cublas-cu12` in an active virtual environment.
exec-cublas-broken = cuBLAS is there, but it cannot be opened: { $why }. It may not fit the driver.
exec-cublas-lacks = cuBLAS is there, but it lacks a function that is needed.
exec-cublas-failed = { $function } failed: { $why }.

# This build, the driver, the GPU
exec-built-without-gpu = This build has no GPU support.
exec-built-without-nvrtc = This build has no support for NVRTC.
exec-built-without-help = Build it with the feature `cuda`, which is on by default.
exec-driver-static = This program is linked statically, and cannot load the NVIDIA driver's library.
exec-driver-static-help = To use a GPU, install the Python wheel, or build it with `cargo install` for glibc. The emulator needs neither.
exec-driver-none = No NVIDIA driver was found (its library libcuda is not there).
exec-driver-none-help = To use a GPU, install NVIDIA's driver 525 or newer; in a container, start it with GPU access. The emulator needs neither.
exec-driver-old = The NVIDIA driver is too old: it supports CUDA { $cuda }, and 12.0 is needed.
exec-driver-lacks = The NVIDIA driver's library lacks a function that this program needs.
exec-driver-no-events = The NVIDIA driver has no cuEventElapsedTime.
exec-driver-install = Install NVIDIA's driver 525 or newer.
exec-driver-mismatch = The driver's library and its kernel module do not fit each other ({ $error }).
exec-driver-mismatch-help = Restart the computer after a driver update; in a container, use its host's driver libraries.
exec-driver-stub = The libcuda that was found is a stub for linking ({ $error }).
exec-driver-stub-help = Take the CUDA toolkit's `stubs` directory out of LD_LIBRARY_PATH.
exec-gpu-none = The NVIDIA driver is there, but it shows no GPU.
exec-gpu-none-help = Check `nvidia-smi` and the variable CUDA_VISIBLE_DEVICES.
exec-gpu-none-help-container = Check `nvidia-smi` and the variable CUDA_VISIBLE_DEVICES; in a container, start it with GPU access.
exec-gpu-old = { $device } has compute capability { $has }; the kernels need 7.5 or newer.
exec-gpu-old-help = Use a GPU of the Turing generation or newer, or the emulator.
exec-gpu-busy = The GPU is busy: another program has it for itself ({ $error }).
exec-gpu-busy-help = Wait until it ends (`nvidia-smi` shows it), or use the emulator.
exec-gpu-full = The GPU has no memory left to start with ({ $error }).
exec-gpu-full-help = Close what uses its memory (`nvidia-smi` shows it), or use the emulator.
exec-gpu-not-opened = The GPU cannot be opened: { $error }.
exec-gpu-not-opened-help = Check that `nvidia-smi` shows it.

# A kernel on this GPU
exec-too-new = `{ $kernel }` needs { $demand }; { $device } has { $has }.
exec-too-new-help = Choose another kernel, or run it with `--on emulator`.
exec-threads = `{ $kernel }` can run { $most } threads a block on this GPU, not { $block }.
exec-threads-help = It uses too many registers: use fewer.
exec-shared = `{ $kernel }` needs { $needed } of shared memory a block; { $device } has { $has }.
exec-no-block-fits = No block of `{ $kernel }` fits on a multiprocessor of { $device }: too many registers or threads.
exec-smaller-tiles = Choose a kernel with smaller tiles.
exec-map-help = Its row must be a multiple of 16 bytes, and its box fit its swizzle.

# What the driver says in the middle of a step
exec-cuda-while = While { $doing }: { $what } ({ $error }).
exec-cuda-other = While { $doing }: the driver says { $error }.
exec-cuda-emulate = Run it with `--on emulator`: it names the thread, the address and the source line.
exec-cuda-illegal = a thread accessed memory that is not its own
exec-cuda-misaligned = an address is not a multiple of the access size
exec-cuda-faulted = the kernel faulted
exec-cuda-assertion = an assertion in the kernel failed
exec-cuda-timeout = the driver stopped the kernel, because the GPU also drives a screen
exec-cuda-timeout-help = Choose a smaller size.
exec-cuda-memory = the GPU has no memory left
exec-cuda-memory-help = Choose a smaller size, or close what else uses the GPU (`nvidia-smi` shows it).
exec-cuda-ptx-new = this PTX is newer than the driver understands
exec-cuda-ptx-new-help = Update NVIDIA's driver, or compile with an older NVRTC: `pip install nvidia-cuda-nvrtc-cu12==12.0.140`.
exec-cuda-ptx = the driver refuses the PTX
exec-cuda-ptx-help = Correct it, or compile it again.
exec-cuda-cluster = the grid is no whole number of clusters, or the GPU cannot run clusters of this size
exec-cuda-cluster-help = Make each extent of the grid a multiple of the cluster's.
exec-cuda-arch = the PTX is for a newer GPU than this one
exec-cuda-arch-help = Choose a kernel whose architecture this GPU has.
exec-cuda-entry = the PTX has no such entry
exec-cuda-entry-help = Do not rename the kernel's function.
exec-cuda-resources = a block needs more registers or shared memory than the GPU has
exec-cuda-resources-help = Use fewer threads a block, or less of either.
exec-cuda-ecc = the GPU's memory is faulty
exec-cuda-ecc-help = Restart the computer; if it happens again, the GPU is broken.

# The worker process
exec-silent = Nothing was heard of it for { $seconds } s, so it was stopped.
exec-silent-help = The kernel may never end, or the GPU may be stuck. `--on emulator` finds an endless loop.
exec-worker-silent = The worker gave no answer for { $seconds } s, so it was stopped. Its command is `{ $worker }`.
exec-worker-check = Check that this command works by itself; MATMUL_TUTOR_WORKER sets it.
exec-worker-ended = The worker process ended in the middle: { $how }.
exec-worker-ended-help = The next run starts a new one.
exec-worker-never-spoke = The worker ended before it said anything: { $how }. Its command is `{ $worker }`.
exec-worker-stopped = it closed its standard output, and was stopped for that
exec-worker-babbles = The worker writes what is no reply on its standard output, so it was stopped. Its command is `{ $worker }`.
exec-worker-strays = The worker answers what nobody asked, so it was stopped. Its command is `{ $worker }`.
exec-worker-floods = The worker says more than any run has to say, so it was stopped. Its command is `{ $worker }`.
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
    [OUT_OF_MEMORY] it took more memory than it may
   *[other] it does not run
} ({ $state }).
exec-slurm-lost-help = The next run asks Slurm for another.
exec-ssh-lost = There is no connection, or it was lost: `{ $worker }`.
exec-ssh-lost-help = The next run connects anew; `ssh` must come through without asking anything.
exec-worker-said = It said:
exec-worker-not-started = The worker cannot be started: { $why }. Its command is `{ $worker }`.
exec-worker-start-help = Check the command; MATMUL_TUTOR_WORKER sets it, and without it the tutor uses itself.
exec-worker-no-stream = a stream is missing
exec-worker-no-command = the command is empty
exec-worker-chain = This process was started as a worker, and a worker starts no other.
exec-worker-chain-help = The command in { $variable } must end with `matmul-tutor worker`.
exec-worker-quote = { $variable } has a quote without its partner: { $command }.
exec-worker-quote-help = Write it like `ssh gpu-box matmul-tutor worker`.
exec-worker-own-file = This program cannot find its own file: { $why }.
exec-worker-request = The worker cannot read a request: { $why }.
exec-worker-request-long = it is longer than { $bytes } bytes
exec-worker-request-help = The tutor and its worker may be of different versions.
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

# Judging what a student wrote. `launch` is what `exec-judge-shape` and the two after it make.
exec-judge-shape = M { $m }, N { $n }, K { $k }
exec-judge-strides = , lda { $a }, ldb { $b }, ldc { $c }
exec-judge-scales = , alpha { $alpha }, beta { $beta }
exec-judge-too-slow = The launches of the judge took more than { $seconds } s together.
exec-judge-no-entry = There is no kernel in it: no function is `extern "C" __global__ void { $entry }(…)`.
exec-judge-mangled = The kernel is not `extern "C"`, so that its name is not `{ $entry }` but one that C++ made of it.
exec-judge-mangled-help = Write `extern "C" __global__ void { $entry }(…)`.
exec-judge-other-entry = There is no kernel `{ $entry }`, only { $names }.
exec-judge-signature = `{ $entry }` has { $count } parameters of the types { $types }: not those that it is launched with.
exec-judge-signature-help = It gets, in this order: { $names }. Pointers are to matrices, extents and leading dimensions `int`, alpha and beta `float`.
exec-judge-fault = { $launch }: { $what }
exec-judge-out-of-bounds-help = Which index of that thread is too large here, and which test should have kept it from this line?
exec-judge-misaligned-help = A load of 8 or 16 bytes needs an address that is a multiple of that. Is each row's beginning one, with these leading dimensions?
exec-judge-barrier-help = Every thread of a block must come to the same `__syncthreads()`. Which branch around it is not taken by all?
exec-judge-shuffle-help = Every lane that the mask names must come to the same `__shfl_sync()`. Move it out of the branch, or name only the lanes that come.
exec-judge-mbarrier-help = Who arrives at this barrier, how often in a phase, and which parity is waited for? The bytes that are announced and those that come must agree, too.
exec-judge-endless-help = Which loop has a condition that never becomes false here?
exec-judge-meant = That would be row { $row }, column { $column } of { $matrix }, whose { $rows } rows and { $columns } columns are counted from 0.
exec-judge-changed = { $launch }: the kernel writes to { $matrix }, in row { $row }, column { $column }. Only C is to be changed.
exec-judge-wrong = { $launch }: { $wrong } of { $of } elements are wrong. C[{ $row }][{ $column }] is { $value }, and should be { $expected }.
exec-judge-unwritten = They were never written.
exec-judge-everywhere = It is all of them.
exec-judge-rows = They are the rows { $from } to { $to }, whole.
exec-judge-columns = They are the columns { $from } to { $to }, whole.
exec-judge-box = They fill the rows { $top } to { $bottom } of the columns { $left } to { $right }.
exec-judge-all-nan = All of these are NaN: something that is no number was read, such as a gap between rows or C where beta is 0.
exec-judge-no-beta = That is the product without `beta` times the old C.
exec-judge-no-alpha = That is the product without `alpha`.
exec-judge-first-products = That is the sum of the first { $first } of { $k } products.
exec-judge-last-products = That is the sum of the { $k } products without the first { $missing }.
exec-judge-missing-product = That is the sum without the product of k = { $l }.
exec-judge-twice = That is the sum with the product of k = { $l } twice.
exec-judge-special-help = A few elements of A, B and C are 0, infinite or NaN here. What multiplies an element that should not be in the sum?
exec-judge-again-help = The first launch was right, and the second, of the same loaded module, is not. What does the kernel keep between launches?
exec-judge-gap = { $launch }: the kernel writes to row { $row } of C at column { $column }, and C has { $n } columns. What lies there is somebody else's.
exec-judge-gap-help = Test the column before the store, too. With `ldc` larger than N, the next row does not begin there.
exec-judge-reads = thread { $thread } reads it in line { $line }
exec-judge-writes = thread { $thread } writes it in line { $line }
exec-judge-called = { $access } (called at line { $line })
exec-judge-shared = shared memory
exec-judge-global = global memory
exec-judge-registers = registers of a `wgmma`
exec-judge-hazard = { $launch }: { $kind } hazard on a word of { $space }: { $first }, { $second }, and nothing says which comes first.
exec-judge-raw-help = The read may come before the write that it waits for.
exec-judge-war-help = The write may come before the read of what was there.
exec-judge-waw-help = Either value may stay.
exec-judge-sectors = { $launch }: { $has } sectors of global memory are moved; { $may } are enough.
exec-judge-bytes = { $launch }: { $has } bytes of global memory are asked for; { $may } are enough.
exec-judge-wavefronts = { $launch }: shared memory takes { $has } wavefronts; { $may } are enough.
exec-judge-barriers = { $launch }: blocks pass { $has } barriers; { $may } are enough.

exec-fault-is-out-of-bounds = access out of bounds
exec-fault-is-misaligned = misaligned address
exec-fault-is-uninitialised = read of what nothing wrote
exec-fault-is-barrier = not all threads come to one barrier
exec-fault-is-absent-lane = value of a lane that does not take part
exec-fault-is-mbarrier = mbarrier that cannot be so
exec-fault-is-steps = more instructions than it may execute
exec-fault-is-time = more time than it may take
exec-fault-is-hazards = more accesses than hazards can be told apart for
exec-fault-is-livelock = all wait for what nobody brings
exec-fault-is-trap = trap
exec-fault-is-assertion = assertion that does not hold
exec-fault-is-stack = stack overflow
exec-fault-is-free = invalid free
exec-fault-is-launch = launch that does not fit the kernel
