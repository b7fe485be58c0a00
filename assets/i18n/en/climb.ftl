# The speed contest of the levels' kernels.

climb-what = one product, one kernel of each level
climb-live-now = Enter runs it on your GPU
climb-nothing = No time of these kernels was recorded, and there is no GPU here.
climb-runs = runs, { $percent }
climb-begins = begins
climb-slower = slower than cuBLAS
climb-faster = faster than cuBLAS
climb-failed = cannot run here
climb-failed-why = Level { $level }: { $why }
climb-share = A bar is speed relative to cuBLAS on the same numbers.
climb-question = What changed? Each level explains its bar.
climb-sign-bar = speed as a share of cuBLAS's; another colour where it is faster
climb-sign-cublas = as fast as cuBLAS
