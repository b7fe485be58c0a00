# `matmul-tutor emulate`: what a kernel did on the emulator.

emulate-not-read = `{ $file }` cannot be read: { $why }.
emulate-compiled = This is a compiled program. `cuobjdump -ptx FILE` shows the PTX in it, if it has any.
emulate-cuda = This is CUDA C++. `nvcc -ptx FILE`, or NVRTC, compiles it to PTX.
emulate-no-ptx = PTX begins with `.version`; `nvcc -ptx FILE.cu` writes it.

# What is wrong with an argument, behind the argument and a colon
emulate-arg = --arg { $text }: { $why }.
emulate-arg-form = a kind and a value are expected, as in u32:7
emulate-arg-kind = `{ $kind }` is not one of u8, s8, u16, s16, u32, s32, u64, f32, f64, hex, buf
emulate-not-number = `{ $text }` is not such a number
emulate-odd-digits = an odd number of hexadecimal digits
emulate-not-hexadecimal = not hexadecimal
emulate-buffer-form = a buffer is zeros:BYTES, hex:…, file:PATH or f32:rand:COUNT:SEED
emulate-buffer-kind = `{ $kind }` is not one of zeros, hex, file, f32
emulate-buffers-large = the buffers would need more than { $most } GiB
emulate-file-long = it is longer than { $most } MiB
emulate-no-memory = there is no memory for { $bytes } bytes
emulate-not-bytes = `{ $text }` is not a number of bytes
emulate-random-form = random numbers are f32:rand:COUNT:SEED
emulate-not-count = `{ $text }` is not a count
emulate-not-seed = `{ $text }` is not a seed

emulate-symbol = --symbol { $text }: { $why }.
emulate-symbol-buffer = a variable's value is a number, hex:… or file:PATH
emulate-symbol-long = { $given } bytes do not fit into its { $has }
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
emulate-in-buffer = at byte { $byte } of `{ $buffer }` (between blocks)
emulate-in-global = at byte { $byte } of global memory (between blocks)
emulate-in-shared = at byte { $byte } of shared memory of block { $block }
emulate-in-registers = in registers of a `wgmma`
emulate-called = { $access } (called at line { $line })
emulate-read = read in line { $line } by { $thread }
emulate-write = write in line { $line } by { $thread }
emulate-thread = thread { $thread }
emulate-thread-of-block = thread { $thread } of block { $block }

emulate-stays = if { $way }, { $wrong } stays instead of { $right }, which thread { $thread } writes in line { $line }
emulate-reads = if { $way }, thread { $thread } reads { $wrong } in line { $line } instead of { $right }
emulate-no-witness = not shown: { $why }
emulate-left-out-large = Neither hazards between blocks nor what hazards do was looked for: the buffers have more than { $most } MiB together.
emulate-left-out-hazards = { $count ->
    [one] For 1 more hazard
   *[other] For { $count } more hazards
} it was not looked for what it does: only the first { $most } are tried.
emulate-allow-more = `{ $option }` allows more.
emulate-way-warps = warp { $first } comes before warp { $second }
emulate-way-lanes = thread { $first } runs ahead of thread { $second } of its warp
emulate-way-blocks = block { $first } comes before block { $second }
emulate-way-copy-late = the copy completes as late as it may
emulate-way-copy-at-once = the copy completes at once
emulate-way-late-read = the asynchronous read comes after the store
emulate-way-late-store = the store is seen later than what tells of it
