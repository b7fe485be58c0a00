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
emulate-error = error
emulate-warning = warning, within a warp
emulate-unfenced = a race by the memory model only: the second thread saw a signal, but ran no fence after it
emulate-same-value = warning, all store the same value
emulate-in-buffer = at byte { $byte } of `{ $buffer }` (between blocks)
emulate-in-global = at byte { $byte } of global memory (between blocks)
emulate-in-block = at byte { $byte } of `{ $buffer }`, within block { $block }
emulate-in-shared = at byte { $byte } of shared memory of block { $block }
emulate-in-registers = in registers of a `wgmma`
emulate-called = { $access } (called at line { $line })
emulate-read = read in line { $line } by { $thread }
emulate-write = write in line { $line } by { $thread }
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
race-size = Not tried: { $size }. { $why }
race-stopped = The launch of { $grid } blocks of { $block } threads stopped: { $why }
race-guessed = Guessed arguments: { $arguments }. Options `--arg` and `--launch` give the real ones. In some launches, each thread finds a different number in a guessed buffer. In the other launches, the same few numbers repeat.
race-open = `{ $kernel }`: no verdict. No race was found, but { $stopped } of { $launches } launches were stopped.
race-none = `{ $kernel }`: no race in { $launches ->
    [one] 1 launch
   *[other] { $launches } launches
}.
race-some = `{ $kernel }`: { $races ->
    [one] 1 race
   *[other] { $races } races
} in { $launches } launches.
race-unseen = Not checked: host code, other launches and streams, textures, and code that these arguments do not reach.
race-overlaps = This kernel has `griddepcontrol`. Races with a launch that it overlaps were not checked.
race-compiler-time = The compiler was stopped after { $seconds } s. `--seconds` gives it more time.
race-compiler-memory = The compiler was stopped because it needed too much memory.
race-or-ptx = Or give `--include` the directory of CUDA's headers, for example `/usr/local/cuda/include`. Or compile the file with `nvcc -ptx -lineinfo`, and give the PTX to `race`.
race-no-launch = no launch
race-case = grid { $grid }, block { $block }, seed { $seed }
race-repeated = { $case }, guessed numbers 0 to { $most }
race-only-repeated = Every race needs equal numbers in the guessed buffers (0 to { $most } again and again). Give your data if its numbers are all different.
