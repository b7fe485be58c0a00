# Errors in an access that a student typed into a simulator.

access-no-row = The array needs at least one row.
access-no-element = A row needs at least one element.
access-too-large = The array takes { $bytes } bytes; a block has at most { $most } of shared memory.
access-no-pitch = The leading dimension must be at least one element.
access-far = An address does not fit into 64 bits.
access-width = An element has { $width } bytes, but it must have 4, 8 or 16.
access-block = A block of { $x }×{ $y } threads must have between 1 and { $most } threads.
access-warp = { $warps ->
        [one] A { $x }×{ $y } block has only warp { $last }, not warp { $warp }.
       *[other] A { $x }×{ $y } block has warps 0 to { $last }, not warp { $warp }.
    }
access-lanes = The number of lanes is { $lanes }, but it must be between 1 and { $most }.
access-name = Unknown name `{ $name }`; the names here are lane, tx, ty and k.
access-in-lane = In lane { $lane }: { $error }
access-outside = In lane { $lane }, the { $field } is { $index }, but it must be between 0 and { $last }.
