# `course pack`, and `--course` with a packed course

pack-there = { $file }: 이미 있고, 묶은 강좌 파일이 아닙니다.
pack-replaced = { $file }에 있던 강좌를 새 강좌로 바꾸었습니다.
pack-written = { $file }: 파일 { $files }개, { $kib } KiB를 썼습니다. `--course`로 쓸 수 있습니다.
pack-io = `{ $file }` 파일을 읽거나 쓸 수 없습니다: { $why }.
pack-no-course = `{ $directory }`에 읽을 수 있는 `{ $file }` 파일이 없습니다.
pack-circular = 바탕 강좌 `{ $course }`도 이 강좌를 다시 바탕으로 삼습니다. 둘 중 하나에서 `extends`를 지우세요.
pack-extends = 강좌 `{ $course }`: 함께 묶을 수 없습니다. `extends: { $course }`를 한 줄에 따로 쓰고, 한 강좌 밑에 강좌를 넷까지만 두세요.
pack-too-much = 강좌가 { $bytes } MiB 또는 파일 { $files }개를 넘습니다.
pack-damaged = `{ $file }` 파일을 강좌로 쓸 수 없습니다: { $why }.
pack-why-large = { $most } MiB보다 큽니다
pack-why-other = 디렉터리도, `matmul-tutor course pack`이 쓴 파일도 아닙니다
pack-why-digest = 내용이 다이제스트와 다릅니다. 잘렸거나 바뀌었습니다
pack-why-much = 강좌가 담을 수 있는 것보다 많이 담았다고 적혀 있습니다
pack-why-path = `{ $path }`, 즉 강좌의 파일 경로가 아닌 것이 들어 있습니다
pack-why-length = 내용의 길이가 적힌 것과 다릅니다
pack-errors = 강좌에 오류가 { $errors }개 있어서 묶지 않았습니다.
pack-errors-help = 무엇이 어디에 있는지는 `matmul-tutor course check { $directory }`로 볼 수 있습니다.
