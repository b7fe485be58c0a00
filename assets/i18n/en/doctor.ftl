# `matmul-tutor doctor`: what was found, and the one thing to do about what was not.

doctor-worker = worker
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
doctor-nvrtc-do = `pip install nvidia-cuda-nvrtc-cu12` in an active virtual environment, to compile kernels that you edit.

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
