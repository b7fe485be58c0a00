# `course pack`, and `--course` with a packed course

pack-there = { $file } already exists and is not a packed course.
pack-replaced = The packed course that { $file } contained before is replaced.
pack-written = Wrote { $file }: { $files } files, { $kib } KiB. `--course` accepts it.
pack-io = `{ $file }` cannot be read or written: { $why }.
pack-no-course = `{ $directory }` has no readable `{ $file }`.
pack-errors = { $errors ->
    [one] The course has an error
   *[other] The course has { $errors } errors
}, so it is not packed.
pack-errors-help = `matmul-tutor course check { $directory }` lists them with their places.
pack-circular = The base course `{ $course }` extends this course again. Remove `extends` in one of them.
pack-extends = The course `{ $course }` cannot be included: write `extends: { $course }` on a separate line. At most four courses may extend one another.
pack-too-much = The course has more than { $bytes } MiB or { $files } files.
pack-damaged = `{ $file }` cannot be used as a course: { $why }.
pack-why-large = it has more than { $most } MiB
pack-why-other = it is neither a directory nor a file that `matmul-tutor course pack` wrote
pack-why-digest = its content does not match its digest, so it was truncated or changed
pack-why-much = it claims to contain more than a course may
pack-why-path = it contains `{ $path }`, which is not the path of a course file
pack-why-length = its content is shorter or longer than it claims
