banks-wavefronts = { $n ->
    [one] { $n } wavefront
   *[other] { $n } wavefronts
}
banks-lanes = { $n ->
    [one] { $n } lane
   *[other] { $n } lanes
}
banks-conflict = { $degree }-way conflict
banks-broadcast = broadcast: { $words ->
    [one] { $words } word
   *[other] { $words } words
} for { $lanes } lanes
banks-no-conflict = no conflict
banks-no-conflict-half = no conflict: one wavefront per half warp
banks-no-conflict-quarter = no conflict: one wavefront per quarter warp
banks-every-lane = every lane → { $bank }
banks-even-odd = even rows → { $even }, odd rows → { $odd }
banks-rows-to = rows { $first }, { $next }, … → { $bank }
banks-lanes-to-banks = { $lanes } lanes → { $banks } different banks
banks-words-to-banks = { $lanes } lanes, { $words } words → { $banks } banks
banks-cure-broadcast = No fix needed: lanes that read the same word share it.
banks-cure-none-needed = No fix needed: no bank serves two different words in one phase.
banks-cure-pad = Fix: pad { $pad }, so a pitch of { $pitch } words{ $parity ->
    [odd] , which is odd
   *[even] { "" }
}.
banks-cure-pad-or-swizzle = Fix: pad { $pad } (pitch { $pitch }{ $parity ->
    [odd] , odd
   *[even] { "" }
}), or XOR: column { $column }.
banks-cure-swizzled = No fix needed: XOR puts the rows' elements into different banks.
banks-cure-swizzle-fails = This XOR does not separate all rows: lanes { $a } and { $b } still need different words from bank { $bank }.
banks-cure-impossible = Padding cannot fix this: lanes of the same row need different words from one bank.
banks-pitch = pitch { $pitch } words
banks-pitch-padded = pitch { $columns } + { $pad } = { $pitch } words
banks-formula = { $pitch }; bank = { $formula }: { $pattern }
banks-padding-keys = [ and ] change the padding.
banks-preset-of = Preset { $number } of 9: { $title }
banks-preset-1 = 16 threads read smem[ty][5]
banks-preset-2 = the tiled kernel reads A_tile
banks-preset-3 = the tiled kernel reads B_tile
banks-preset-4 = the tiled kernel stores A_tile
banks-preset-5 = the padded kernel stores A_tile
banks-preset-6 = 32×32, a warp walks down a column
banks-preset-7 = 32×32 padded, a warp walks down a column
banks-preset-8 = 32×32 by column, the columns XORed with the row
banks-preset-9 = 16-byte loads along a row
banks-field-rows = rows
banks-field-columns = columns
banks-field-pad = pad
banks-field-width = width
banks-field-access = access
banks-field-block = block
banks-field-warp = warp
banks-field-lanes = lanes
banks-load = load
banks-store = store
banks-change-or-preset = Change { $field }, or take a preset: 1 to 9.
banks-wavefront-short = wf
banks-more-wavefronts = { $n } more: ← and → step through them
banks-memory = The array, 32 words per line: a column is a bank.
banks-byte-zero = byte 0
banks-legend-letters = lanes 10–31
banks-legend-broadcast = one word for several lanes
banks-legend-row = a row begins
banks-legend-padding = padding
banks-legend-now = this wavefront
banks-real = In { $kernel }, n = { $size }: counted by the emulator, per PTX instruction
banks-real-counting = counting
banks-real-stopped = The launch was stopped before anything was counted.
banks-real-none = This kernel makes no such access to shared memory.
banks-real-requests = { $n } requests
banks-real-wavefronts = { $n } wavefronts
banks-real-each = { $n } each
banks-thread = thread
banks-byte = byte
banks-bank = bank
banks-table-more = { $shown } of { $all } rows; ← and → show the rest
banks-array = The array has { $rows } rows of { $columns } elements. An element has { $width } bytes, and a row { $pad } elements of padding.
banks-block = Block { $x }×{ $y }, warp { $warp }, k = { $k }, { $lanes } lanes.
banks-one-wavefront = Wavefront { $n }: { $served }.
banks-lane-in-bank = lane { $lane } in bank { $bank }
banks-lanes-in-bank = lanes { $lanes } in bank { $bank }
banks-sign-lane = a lane; lanes 10 and up are the letters a to v
banks-sign-broadcast = several lanes that read one word
banks-sign-empty = a bank that serves no lane in this wavefront
banks-sign-row = the first word of a row
banks-sign-padding = a word of padding
banks-sign-now = the wavefront that was served last
banks-sign-collides = a lane that shares its bank with another word
