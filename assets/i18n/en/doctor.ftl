# `matmul-tutor doctor`: findings, and one remedy for each missing part.

doctor-worker = worker
doctor-sandbox = sandbox
doctor-driver = driver
doctor-emulator = emulator
doctor-recorded = recorded
doctor-terminal = terminal
doctor-data = data
doctor-course = course
doctor-languages = languages
doctor-unknown = unknown
doctor-built-in = built in

doctor-worker-do = Run `matmul-tutor worker` by itself to see why.
doctor-gpu = { $device }, compute capability { $capability }
doctor-gpu-do = Nothing, if you have no GPU: every kernel runs on the emulator. Otherwise: { $own }
doctor-driver-is = { $driver }, CUDA { $cuda }
doctor-cublas-do = To compare with cuBLAS, run `pip install nvidia-cublas-cu12` in an active virtual environment.
doctor-cublas-idle = Nothing: the tutor uses it only with a GPU.
doctor-nvrtc-do = To compile kernels that you edit, run `matmul-tutor nvrtc install`.
doctor-static-do = To compile kernels that you edit, or to run on a GPU, use the Python wheel or `cargo install`.

doctor-sandbox-emulator = The worker cannot write files, open connections or start programs. It reads only libraries and data about processor and memory. Its compiler reads no files.
doctor-sandbox-gpu = The worker writes only where the driver does. It cannot open connections to other machines or start programs. Its compiler reads no files.
doctor-sandbox-files-only = The worker cannot reach files, but it could open connections and start programs.
doctor-sandbox-calls-only = The worker cannot open connections or start programs, but it could reach files.
doctor-sandbox-none = Only the emulator and the driver keep a kernel away from this system's files and network.
doctor-sandbox-do = Run only kernels that you trust, or use Linux 5.13 or newer with Landlock and seccomp and the driver's devices in place.
doctor-sandbox-off = MATMUL_TUTOR_SANDBOX=off turns the sandbox off.
doctor-sandbox-off-do = Unset it, unless a tool needs to reach into the worker.
doctor-sandbox-not-here = The worker's sandbox exists only on Linux.
doctor-sandbox-not-here-do = Run only kernels that you trust.
doctor-sandbox-unknown = The worker does not report whether it has a sandbox.
doctor-sandbox-unknown-do = It has a different version: install the same version on both machines.

doctor-recording = { $device }, driver { $driver }, { $date }
doctor-no-recording = No recorded timings are built in.
doctor-no-recording-do = Run on a GPU to see times.

doctor-no-terminal = Standard output is not a terminal.
doctor-no-terminal-do = Start the tutor in a terminal; the subcommands need none.
doctor-terminal-is = { $size }, { $name }, { $colours }, { $characters }
doctor-no-colours = colours are switched off
doctor-true-colour = 16 million colours
doctor-256-colours = 256 colours
doctor-16-colours = 16 colours
doctor-utf8 = UTF-8
doctor-no-utf8 = no UTF-8 locale
doctor-no-utf8-do = If boxes and arrows look broken, use `--ascii` or a locale such as LANG=C.UTF-8.
doctor-size-unknown = Its size is unknown: { $why }.
doctor-size-unknown-do = Try another terminal.
doctor-small = { $size } is too small.
doctor-small-do = Make it at least { $columns } columns wide and { $rows } rows high.

doctor-course-is = { $levels ->
    [one] { $place }, one level
   *[other] { $place }, { $levels } levels
}
doctor-course-problems = { $count ->
    [one] { $place }: one problem
   *[other] { $place }: { $count } problems
}
doctor-course-do = `{ $command }` reports them with file and line.
doctor-languages-are = course: { $course }; interface: { $interface }; now: { $chosen }

doctor-data-do = Give a directory that can be written to with --data DIR.
doctor-data-closed = { $place } cannot be written to: { $why }.
doctor-data-none = { $place } cannot be made.

# Where NVRTC was found.
doctor-nvrtc-variable = MATMUL_TUTOR_NVRTC
doctor-nvrtc-own-wheel = with the tutor's wheel
doctor-nvrtc-private = the tutor's own
doctor-nvrtc-environment = active Python
doctor-nvrtc-toolkit = CUDA_HOME, CUDA_PATH
doctor-nvrtc-system = the system's CUDA
doctor-nvrtc-not-set = not set
doctor-nvrtc-no-wheel = the tutor was not installed with pip
doctor-nvrtc-no-environment = no environment is active
doctor-nvrtc-none-in = not in { $root }
doctor-nvrtc-none-loader = neither the system's loader nor { $root } has it
doctor-nvrtc-version = { $version }, { $path }
doctor-nvrtc-taken = { $version }, { $path } (used: the first one that works)
doctor-nvrtc-taken-variable = { $version }, { $path } (used: the variable overrides the others)
doctor-nvrtc-broken = { $path } cannot be used: { $why }
doctor-nvrtc-is = { $release }, { $path }
doctor-nvrtc-compiles-not = { $version }, { $path }, which fails to compile: { $why }

doctor-recovered = Nothing is added twice, and the file is unchanged.
doctor-unreadable = Nothing can be read in { $file }.
