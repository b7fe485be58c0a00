# `matmul-tutor emulate`: the report about a kernel on the emulator.

emulate-not-read = `{ $file }` cannot be read: { $why }.
emulate-compiled = This is a compiled program. If it contains PTX, `cuobjdump -ptx FILE` prints it.
emulate-cuda = This is CUDA C++. Compile it to PTX with `nvcc -ptx FILE` or with NVRTC.
emulate-no-ptx = PTX begins with `.version`; `nvcc -ptx FILE.cu` writes it.

# Errors in an argument. Each follows the argument and a colon.
emulate-arg = --arg { $text }: { $why }.
emulate-arg-type = the parameter `{ $name }` has the type `{ $kind }`
emulate-arg-form = expected a kind and a value, as in u32:7
emulate-arg-kind = `{ $kind }` is not one of u8, s8, u16, s16, u32, s32, u64, f32, f64, hex, buf, ptr, struct, map
emulate-not-number = `{ $text }` is not a number of this kind
emulate-odd-digits = an odd number of hexadecimal digits
emulate-not-hexadecimal = not hexadecimal
emulate-buffer-form = a buffer is zeros:BYTES, hex:…, file:PATH, f32:rand:COUNT:SEED or u32:mod:COUNT:N
emulate-buffer-kind = `{ $kind }` is not one of zeros, hex, file, f32, u32
emulate-buffers-large = the buffers would need more memory than `--memory` allows
emulate-file-long = it is longer than { $most } MiB
emulate-no-memory = { $bytes } bytes of memory are not available
emulate-not-bytes = `{ $text }` is not a number of bytes
emulate-random-form = random numbers are f32:rand:COUNT:SEED
emulate-not-count = `{ $text }` is not a count
emulate-not-seed = `{ $text }` is not a seed
emulate-modulo-form = repeated numbers are u32:mod:COUNT:N
emulate-buffer-option = --buffer { $text }: { $why }.
emulate-buffer-name = expected a name and a value, as in A=zeros:4096
emulate-no-buffer = there is no buffer `{ $name }`; `--buffer` adds one
emulate-member = `{ $text }` cannot be a member
emulate-map-form = a tensor map is BUFFER:TYPE:DIMS:BOX, then 32, 64 or 128 for a swizzle, as in A:f16:64x128:64x64:128
emulate-map-type = `{ $kind }` is not one of u8, u16, u32, s32, u64, s64, f16, f32, f64, bf16, tf32
emulate-launch = { $file }: { $why }.
emulate-launch-extent = grid and block have one to three numbers
emulate-opt-in-shared = A GPU refuses { $bytes } bytes of dynamic shared memory until the host sets `cudaFuncAttributeMaxDynamicSharedMemorySize`.
emulate-opt-in-cluster = A GPU refuses a cluster of { $blocks } blocks until the host sets `cudaFuncAttributeNonPortableClusterSizeAllowed`.
emulate-lacks-shared = The kernel uses dynamic shared memory. `--shared BYTES` gives it to the launch.
emulate-no-kernel = The file has no kernel. `race` compiles a template only for an instance that `--entry` names, such as `sum<float>`.
emulate-no-entry = `--entry` must name the kernel. The file has: { $kernels }

emulate-symbol = --symbol { $text }: { $why }.
emulate-symbol-buffer = a variable's value is a number, hex:… or file:PATH
emulate-symbol-long = { $given } bytes do not fit into { $has }
emulate-symbol-unused = Kernel `{ $kernel }` does not use the variable `{ $name }` of its module.
emulate-symbol-is = variable { $name }, { $bytes } bytes:

emulate-took = { $warp } warp instructions, { $thread } thread instructions, { $seconds } s on this machine
emulate-counted = shared: { $shared } bytes in { $wavefronts } wavefronts (ideal { $wavefronts_ideal }); global: { $global } bytes in { $sectors } sectors (ideal { $sectors_ideal }); { $flop } FLOP; { $barriers } barriers
emulate-access = line { $line }  { $op } { $bytes } bytes  { $requests } requests
emulate-access-wavefronts = { $cost } wavefronts (ideal { $ideal })
emulate-access-sectors = { $cost } sectors    (ideal { $ideal })
emulate-buffer = buffer { $index }, { $bytes } bytes:
emulate-buffer-as = buffer { $index }, { $bytes } bytes, as { $kind }
emulate-more = { $more } more; `{ $option }` prints all

emulate-hazard = { $kind } hazard ({ $severity }) { $place }: { $first }, then { $second }; { $times } times
emulate-undefined = Undefined behaviour ({ $severity }, { $rule }) in line { $line }: { $message } This happens { $times ->
    [one] once
   *[other] { $times } times
}{ $thread }. See { $clause }.
emulate-undefined-thread = , for example in thread { $thread } of block { $block }
emulate-undefined-error = error
emulate-undefined-warning = warning
emulate-undefined-note = note
emulate-error = error
emulate-warning = warning, within a warp
emulate-volatile = volatile: strong in PTX, undetermined in CUDA C++
emulate-unfenced = a race by the memory model only: the second thread saw a signal, but ran no fence after it
emulate-same-value = warning, all store the same value
emulate-in-buffer = at byte { $byte } of `{ $buffer }` (between blocks)
emulate-in-global = at byte { $byte } of global memory (between blocks)
emulate-in-block = at byte { $byte } of `{ $buffer }`, within block { $block }
emulate-in-shared = at byte { $byte } of shared memory of block { $block }
emulate-in-registers = in registers of a `wgmma`
emulate-called = { $access } (called at line { $line })
emulate-header-line = { $line } of { $file }
emulate-read = read in line { $line } by { $thread }
emulate-write = write in line { $line } by { $thread }
emulate-of-launch = { $access } in launch { $number } (`{ $kernel }`)
emulate-overlap = The later launch may start before the earlier one ends: they are in different streams, or no `griddepcontrol.wait` (`cudaGridDependencySynchronize()`) orders them.
emulate-overlap-chain = Launch { $first } may not have ended then: they are in different streams, or the wait in launch { $second } is only for the launch just before it.
emulate-thread = thread { $thread }
emulate-thread-of-block = thread { $thread } of block { $block }

emulate-stays = if { $way }, { $wrong } stays instead of { $right }, which thread { $thread } writes in line { $line }
emulate-reads = if { $way }, thread { $thread } reads { $wrong } in line { $line } instead of { $right }
emulate-elsewhere = { $shown } (this value is at byte { $byte })
emulate-no-witness = no effect shown: { $why }
emulate-left-out-large = `emulate` did not look for the effect of hazards, because the buffers have more than { $most } MiB together.
emulate-left-out-global = Global memory was left out, as `--no-global` requests.
emulate-left-out-hazards = { $count ->
    [one] For 1 more hazard
   *[other] For { $count } more hazards
} the effect is not shown: `emulate` tries only the first { $most }.
emulate-allow-more = `{ $option }` allows more.
emulate-way-warps = warp { $first } comes before warp { $second }
emulate-way-lanes = thread { $first } runs ahead of thread { $second } of its warp
emulate-way-blocks = block { $first } comes before block { $second }
emulate-way-copy-late = the copy completes as late as possible
emulate-way-copy-at-once = the copy completes immediately
emulate-way-late-read = the asynchronous read comes after the store
emulate-way-late-store = the store becomes visible later than the signal for it

emulate-list-head = Instructions that the emulator runs. Each line has the first PTX version and the first device with this form, then the form and its operands.
emulate-list-sets = Words in capitals stand for one of these:

emulate-checked-until = Until then, { $done } of { $all } blocks were checked.
race-standard = Use c++03, c++11, c++14, c++17 or c++20.
race-database = The compilation database `{ $file }` cannot be used: { $why }
race-database-without = It has no entry for `{ $source }`.
race-stopped-line = Line { $line }, `{ $kernel }`: { $text }
race-launch-out = Line { $line }: the launch of `{ $kernel }` was left out. { $why }
race-not-launched = Not checked, because the program does not launch them: { $kernels }. `--entry { $kernel }` checks one with guessed arguments.
race-ask = Line { $line }: the program does not show these parts of the launch of `{ $kernel }`: { $unknown }. They were guessed. The options give the real ones.
race-newer = Compiled for sm_90, because the file does not compile for sm_75.
race-ended = The program ends at line { $line } before it launches a kernel. If it needs arguments, give them with `--argv`. What follows is guessed.
race-unreached = Not followed: launches of { $launches }. They are in a method, in a branch that this call does not take, or after the end of the program. `--entry` checks one of the kernels.
race-none-guessed = `{ $kernel }`: no race in { $launches ->
    [one] 1 launch, which was
   *[other] { $launches } launches, which were
} partly guessed.
race-no-launches = The program ends before it launches a kernel, or the launch is in another file. `--argv` gives the program's arguments, `--host` names the other file, and `--entry` checks one kernel.
race-read-until = The host part was followed up to line { $line }.
race-host = Left out, because it runs on the host: { $names }.
race-host-line = `{ $name }` (line { $first })
race-host-lines = `{ $name }` (lines { $first } to { $last })
race-read = Line { $line } launches `{ $kernel }`: { $grid } blocks of { $block } threads, { $shared ->
    [0] no dynamic shared memory
    *[other] { $shared } bytes of dynamic shared memory
}.
race-copied = the contents of { $buffers }
race-size = Not tried: { $size }. { $why }
race-stopped = The launch of { $grid } blocks of { $block } threads stopped: { $why }
race-guessed = Guessed arguments: { $arguments }. Options `--arg` and `--launch` give the real ones. In some launches, each thread finds a different number in a guessed buffer. In the other launches, the same few numbers repeat.
race-guessed-integers = In further launches, each guessed integer is one of these: { $integers }.
race-stopped-guessed = The arguments were guessed, so the fault may be that of a guess. Give the real ones with `--arg`.
race-overwritten = With this integer, threads overwrite each other's results. It may be a pitch.
race-not-counted = Not counted: { $launch }. { $why }
race-seeds = seeds is a number from 1 to 1000
race-one-file = `race` compiles one file. Define the function in it, or include the file that defines it.
race-argument = argument { $at } = { $value }
race-argument-of = line { $line }, argument { $at } = { $value }
race-over = The time or the steps are used up, so later launches, seeds and guesses were not tried. `--seconds` and `--steps` give more.
race-open = `{ $kernel }`: no verdict. No race was found, but { $stopped } of { $launches } launches were stopped.
race-none = `{ $kernel }`: no race in { $launches ->
    [one] 1 launch
   *[other] { $launches } launches
}.
race-some = `{ $kernel }`: { $races ->
    [one] 1 race
   *[other] { $races } races
} in { $launches } launches.
race-undefined = `{ $kernel }`: undefined behaviour at { $places ->
    [one] 1 place
   *[other] { $places } places
}, { $errors ->
    [one] 1 error
   *[other] { $errors } errors
} among them.
race-unseen = Not checked: host code, other launches and streams, textures, and code that these arguments do not reach.
race-overlaps = This kernel has `griddepcontrol`. Races with a launch that it overlaps were not checked. `race` checks them.
race-overlaps-itself = `{ $kernel }` may start before the launch before it has ended (`griddepcontrol.wait`). It was checked against an earlier launch of itself with the same arguments. To check it against another kernel, list the launches in a file for `--launch`.
race-overlaps-next = `{ $kernel }` lets the next launch start early (`griddepcontrol.launch_dependents`). Races with that launch were not checked. To check them, list both launches in a file for `--launch`.
race-compiler-time = The compiler was stopped after { $seconds } s. `--seconds` gives it more time.
race-reader-time = Reading the program took longer than { $seconds } s. `--seconds` gives it more time.
race-compiler-memory = The compiler was stopped because it needed too much memory.
race-or-ptx = Or give `-I` the directory of other headers. Or compile the file with `nvcc -ptx -lineinfo`, and give the PTX to `race`.
race-control-format = `--control` prints a table or JSON, not SARIF or JUnit.
race-control-first = `--control` needs launches without a race. Repair these first.
race-control-barrier = the barrier
race-control-fence = the fence
race-control-wait = the wait
race-control-atomic = the atomicity
race-control-race = A race is reported.
race-control-fault = The launch stops.
race-control-wrong = Nothing is reported, but the results differ.
race-control-nothing = Nothing is reported.
race-control-not-reached = The launches do not reach this line.
race-control-row = Line { $line }, without { $what } (`{ $instruction }`): { $came }
race-control-none = `{ $kernel }`: it has no barrier, fence, wait or atomic update to remove.
race-control-sum = `{ $kernel }`: { $noticed } of { $all } removals were reported.
race-rule-raw = A thread may read a value before another thread has written it
race-rule-raw-full = One thread writes bytes that another thread reads, and nothing orders the read after the write. The read may return the old value.
race-rule-war = A thread may write a value before another thread has read the old one
race-rule-war-full = One thread reads bytes that another thread writes, and nothing orders the write after the read. The read may return the new value.
race-rule-waw = Two threads write the same bytes in no order
race-rule-waw-full = Two threads write the same bytes, and nothing orders the writes. Either value may remain.
race-rule-help = Put a barrier or a fence with a signal between the two accesses, or make both accesses atomic.
race-no-launch = no launch
race-of-size = grid { $grid }, block { $block }
race-of-line = line { $line }, `{ $kernel }`, { $size }
race-case = { $size }, seed { $seed }
race-integers = { $case }, guessed integers { $integers }
race-repeated = { $case }, guessed numbers 0 to { $most }
race-only-repeated = Every race needs equal numbers in the guessed buffers (0 to { $most } again and again). Give your data if its numbers are all different.
emulate-device = the known GPUs are { $names }
emulate-limits = The limits were those of { $device }, from the emulator's tables. `--device` names another GPU.
