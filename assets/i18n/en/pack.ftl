# `pack`, and `--course` with a packed course

pack-there = { $file } is there already, and it is no packed course.
pack-written = Wrote { $file }: { $files } files, { $kib } KiB. `--course` takes it.
pack-io = `{ $file }` cannot be read or written: { $why }.
pack-no-course = `{ $directory }` has no `{ $file }` that can be read.
pack-errors = { $errors ->
    [one] The course has an error
   *[other] The course has { $errors } errors
}, so it is not packed.
pack-errors-help = `matmul-tutor check { $directory }` says which and where.
pack-extends = The course `{ $course }` cannot be packed along: write `extends: { $course }` on a line of its own, and let at most four courses lie beneath one.
pack-too-much = The course has more than { $bytes } MiB or { $files } files.
pack-damaged = `{ $file }` cannot be used as a course: { $why }.
pack-why-large = it has more than { $most } MiB
pack-why-other = it is no directory, and no file that `matmul-tutor pack` wrote
pack-why-digest = its content is not what its digest says, so it was cut or changed
pack-why-much = it says that it holds more than a course may
pack-why-path = it holds `{ $path }`, which is no path of a course's file
pack-why-length = its content is not as long as it says
