# `matmul-tutor doctor`: what was found, and the one thing to do about what was not.

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
doctor-gpu-do = Nothing, if you have none: every kernel runs on the emulator. Else install NVIDIA's driver 525 or newer.
doctor-driver-is = { $driver }, CUDA { $cuda }
doctor-cublas-do = `pip install nvidia-cublas-cu12` in an active virtual environment, to compare with it.
doctor-cublas-idle = Nothing: without a GPU it is not used.
doctor-nvrtc-do = `matmul-tutor nvrtc install`, to compile kernels that you edit.
doctor-static-do = Use the Python wheel or `cargo install`, to compile kernels that you edit or to run on a GPU.

doctor-sandbox-emulator = The worker can write no file, open no connection and start no program. It reads only libraries and data about processor and memory, and its compiler no file.
doctor-sandbox-gpu = The worker can write only where the driver does, open no connection to other machines and start no program. Its compiler reads no file.
doctor-sandbox-files-only = The worker is kept from files, but not from connections and programs.
doctor-sandbox-calls-only = The worker is kept from connections and programs, but not from files.
doctor-sandbox-none = Nothing but the emulator and the driver themselves keeps a kernel from this system's files and network.
doctor-sandbox-do = Run only kernels that you trust, or use Linux 5.13 or newer with Landlock and seccomp and the driver's devices in place.
doctor-sandbox-off = MATMUL_TUTOR_SANDBOX=off leaves the worker free.
doctor-sandbox-off-do = Unset it, unless a tool needs to reach into the worker.
doctor-sandbox-not-here = Only Linux has the means that the worker uses to fence itself in.
doctor-sandbox-not-here-do = Run only kernels that you trust.
doctor-sandbox-unknown = The worker does not say what it can do.
doctor-sandbox-unknown-do = It is of another version: install the same one on both machines.

doctor-recording = { $device }, driver { $driver }, { $date }
doctor-no-recording = No recorded timings are built in.
doctor-no-recording-do = Run on a GPU to see times.

doctor-no-terminal = Standard output is no terminal.
doctor-no-terminal-do = Start the tutor in a terminal; the subcommands need none.
doctor-terminal-is = { $size }, { $name }, { $colours }, { $characters }
doctor-no-colours = no colours wanted
doctor-true-colour = 16 million colours
doctor-256-colours = 256 colours
doctor-16-colours = 16 colours
doctor-utf8 = UTF-8
doctor-no-utf8 = no UTF-8 locale
doctor-no-utf8-do = If boxes and arrows look broken: `--ascii`, or a locale such as LANG=C.UTF-8.
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

# The places of NVRTC.
doctor-nvrtc-variable = MATMUL_TUTOR_NVRTC
doctor-nvrtc-own-wheel = beside the tutor's wheel
doctor-nvrtc-private = the tutor's own
doctor-nvrtc-environment = active Python
doctor-nvrtc-toolkit = CUDA_HOME, CUDA_PATH
doctor-nvrtc-system = the system's CUDA
doctor-nvrtc-not-set = not set
doctor-nvrtc-no-wheel = the tutor was not installed with pip
doctor-nvrtc-no-environment = no environment is active
doctor-nvrtc-none-in = none in { $root }
doctor-nvrtc-none-loader = neither the system's loader nor { $root } has one
doctor-nvrtc-version = { $version }, { $path }
doctor-nvrtc-taken = { $version }, { $path } (taken: the first that works)
doctor-nvrtc-taken-variable = { $version }, { $path } (taken: it rules the others out)
doctor-nvrtc-broken = { $path } cannot be used: { $why }
doctor-nvrtc-is = { $release }, { $path }
doctor-nvrtc-compiles-not = { $version }, { $path }, which does not compile: { $why }
