# What the command line says to everybody.

cli-students = 학생용:
cli-engineers = 엔지니어용:
cli-teachers = 선생님용:
cli-no-command = 명령 없이 실행하면 터미널에서 튜터가 열립니다.
cli-former = `matmul-tutor { $former }` 명령은 없습니다. 새 명령: `matmul-tutor { $now }`

cli-tutor-no-terminal = 튜터에는 터미널이 필요합니다. 터미널이 없으면 `matmul-tutor --plain`, `matmul-tutor status`, `matmul-tutor run KERNEL`, `matmul-tutor quiz LEVEL`, `matmul-tutor --help` 중 하나를 쓰세요.
cli-banks-nothing = 접근이 없습니다. 인자로 적거나 표준 입력으로 JSON 줄을 넣으세요.
cli-banks-nothing-help = 예: matmul-tutor banks 'smem[lane][5]' --pitch 16     더 보기: matmul-tutor banks --help
cli-banks-no-access = `{ $text }`: 접근이 아닙니다. 인덱스가 하나나 둘인 배열을 따옴표 안에 쓰세요.

cli-kernels-recorded = 속도와 { $cublas } 대비 비율은 { $device }, 드라이버 { $driver }, { $date }, n = { $n }의 기록입니다.
cli-kernels-level = 레벨 { $number }: { $title }
cli-kernels-wrong = { $title } (일부러 틀리게 만든 커널)
cli-kernels-no-gpu = 여기서는 커널을 에뮬레이터로 실행합니다. { $why }
cli-kernels-unavailable = { $why } ({ $kernels })

cli-bench-no-gpu = 커널의 시간을 재려면 GPU가 필요합니다. { $why }
cli-bench-emulator = 에뮬레이터에서 걸린 시간으로는 GPU의 속도를 알 수 없습니다.
cli-bench-recorded = 다른 컴퓨터에서 기록한 것입니다:
cli-bench-nothing-recorded = 이 크기에서 이 커널들의 기록도 없습니다.
cli-bench-no-cublas = 없음
cli-bench-heading = { $device }, 드라이버 { $driver }, CUDA { $cuda }, cuBLAS { $cublas }
cli-bench-heading-recorded = 기록: { $device }, 드라이버 { $driver }, CUDA { $cuda }, cuBLAS { $cublas }, { $date }
cli-bench-unit = 시간의 중앙값으로 구한 TFLOP/s와 cuBLAS 대비 비율
cli-bench-type = { $elements }. cuBLAS: { $math }
cli-bench-graphs = n = { $sizes }에서는 CUDA 그래프로 쟀으므로, 실행 한 번이 호스트에 드는 시간은 들어 있지 않습니다.
cli-bench-wrong = 이 커널은 결과가 틀립니다
cli-bench-clock = SM 클럭, MHz
cli-bench-power = 전력, W
cli-bench-left-out = 시간을 재지 않음: { $kernel }, n = { $n }: { $why }

cli-tune-no-gpu = 튜닝할 GPU가 없습니다. { $why }
cli-tune-recorded = 튜닝할 GPU가 없습니다. { $why } 다른 컴퓨터에서 기록한 것입니다:
cli-tune-kept = n = { $n } 최고: { $variant }. 이 GPU에서 쓸 변형으로 저장했습니다.
cli-tune-forgot = { $kernel }: 저장했던 선택 { $count }개를 지웠습니다.
cli-tune-again = { $count ->
    [1] 가장 좋은 것의 시간을 다시 재는 중
   *[other] 가장 좋은 { $count }개의 시간을 다시 재는 중
}
cli-tune-part = n = { $n }: 변형 { $first }~{ $last }, 전체 { $all }
cli-tune-progress = { $done }/{ $all }: { $doing }
cli-tune-driver = { $device }, 드라이버 { $driver }
cli-tune-heading = { $device }에서, { $date }
cli-tune-heading-recorded = 기록: { $device }, { $date }
cli-tune-heading-counted = 에뮬레이터에서 셈
cli-tune-unit-timed = TFLOP/s, 클수록 좋음
cli-tune-unit-counted = FMA당 메모리에 요청한 바이트(센 값), 작을수록 좋음
cli-tune-best = 최고: { $variant }  { $speed }
cli-tune-of-cublas = { $name }의 { $share } ({ $speed })
cli-tune-least = 가장 적게 요청: { $variant }  FMA당 { $bytes }바이트
cli-tune-equals-timed = 변형 { $count }개가 같은 최고 속도입니다: { $speed } TFLOP/s.
cli-tune-equals-counted = 변형 { $count }개가 똑같이 가장 적게, FMA당 { $bytes }바이트를 요청합니다. 이 수로는 어느 것이 가장 빠른지 알 수 없습니다.
cli-tune-none = `{ $kernel }`의 변형은 모두 실행할 수 없습니다: { $why }.
cli-tune-unlike = 변형마다 계산하는 내용이나 정확도가 다르므로 가장 좋은 변형은 없습니다.
cli-tune-impossible = 불가능: 조합 { $all }개 중 { $count }개. `--list`로 이유를 볼 수 있습니다
cli-tune-wrong-one = 틀림
cli-tune-wrong = 결과가 틀림: 변형 { $count }개

cli-no-edition = 이 강좌에는 `{ $asked }` 판이 없어 `{ $shown }` 판을 보여 줍니다.
cli-no-language = `{ $asked }` 언어는 없습니다.
cli-languages = 있는 언어: { $known }.


cli-check-no-directory = { $directory } 디렉터리가 없습니다.
cli-check-no-directory-help = `modules/`와 `quizzes/`가 있는 디렉터리를 적으세요.
cli-check-running = 실행 { $count }: { $kernel }
cli-check-judging = 실습의 코드 { $count }: { $text }
cli-check-no-level = 강좌에 `{ $level }` 레벨이 없습니다.
cli-new-there = `{ $name }`: 이미 있습니다.
cli-new-name = `{ $name }`: 이름이 될 수 없습니다. 소문자로 시작해 소문자와 숫자, 그리고 `-`를 쓰세요. 커널에는 `_`를 씁니다.
cli-new-not-added = { $file }: 형식이 달라 여기에 덧붙일 수 없습니다. docs/authoring.md를 보고 직접 추가하세요.
cli-new-ask-id = 진도를 저장할 때 쓰는 id(Enter를 누르면 그대로):
cli-new-ask-title = 제목(Enter를 누르면 그대로):
cli-new-id = my-course
cli-new-title = 나의 강좌
cli-preview-no-level = 강좌에 `{ $name }` 레벨이 없습니다.
cli-preview-no-page = 레벨에 `{ $name }` 페이지가 없습니다.
cli-preview-no-slot = 레벨의 퀴즈에 `{ $name }` 슬롯이 없습니다.
cli-preview-no-variant = 슬롯에 `{ $name }` 변형이 없습니다.
cli-preview-no-exercise = 강좌에 `{ $name }` 실습이 없습니다.
cli-preview-what = `{ $name }`: 강좌의 디렉터리도 강좌에 있는 것도 아닙니다. LEVEL, LEVEL/PAGE, `quiz LEVEL/SLOT/VARIANT`, `exercise ID` 중 하나를 적으세요.
cli-preview-near = 혹시 이것인가요: `{ $name }`?
cli-preview-known = 있는 것: { $names }.

cli-check-found = 오류 { $errors }개, 경고 { $warnings }개.
cli-check-allowed = `course.yaml`이 허용한 것이 { $count }개 더 있습니다.
cli-check-watch-what = 내장 강좌는 바뀌지 않습니다. 강좌의 디렉터리를 적으세요.
cli-check-watching = { $directory }의 파일이 바뀔 때마다 다시 검사합니다. Ctrl-C를 누르면 끝납니다.
cli-check-claims = 주장: { $held }개 성립, { $failed }개 실패, { $skipped }개 검사 안 함.
cli-check-cause = { $kernel }({ $size }, { $from }와 비교): { $bound ->
    [DataPipe] 데이터 파이프
    [SharedLoads] 공유 로드
    [SharedStores] 공유 스토어
    [GlobalLoads] 글로벌 로드
    [GlobalStores] 글로벌 스토어
    [Copies] 복사
    [IssueSlots] 발행 슬롯
   *[Arithmetic] 산술
} FMA 32개당 { $to } → { $of } 사이클. 시간 예측 { $predicted }배, 기록 { $recorded }배.
cli-check-kernels = 커널 { $run }개 실행: { $differ }개가 카탈로그와 다름, { $skipped }개 실행 안 함.
cli-check-kernels-skipped = 참고: 커널 { $count }개를 실행하지 않음: { $why }
cli-check-exercises = 실습 { $exercises }개: 코드 { $judged }개 판정, { $differ }개가 적힌 것과 다름.
cli-check-mutants = 변이 { $mutants }개를 만듦. 판정이 찾은 것 { $killed }개, 면제 { $excused }개.
cli-check-exercises-skipped = 실습 { $count }개를 판정하지 않음: { $why }
cli-check-skipped = 참고: 주장 { $count }개를 검사하지 않음: { $why }

cli-worker-waiting = { $text }… (Ctrl-C를 누르면 그만둡니다)
cli-worker-silent = 워커가 { $seconds }초째 아무것도 보내지 않습니다. { $limit }초가 되면 중단합니다. 컴퓨터가 바쁘면 더 기다립니다.

cli-interrupted = 명령을 중단했습니다.
cli-failed = 명령이 실패했습니다. 이유는 표준 오류에 있습니다.
cli-unwritten = 표준 출력에 쓸 수 없습니다: { $why }.
cli-note = 참고: { $text }
cli-error = 오류: { $text }
cli-wrote = { $file } 파일을 썼습니다
cli-link = { $file }: 링크입니다. 파일 자체만 받습니다.
cli-needs = 필요한 것: { $demand }.
cli-no-directory = { $directory } 디렉터리가 없습니다. `modules/`와 `quizzes/`가 있는 디렉터리를 적으세요.
cli-no-level = `{ $name }` 레벨은 없습니다. 있는 레벨: { $known }.
cli-no-level-in = { $directory } 강좌에 읽을 수 있는 레벨이 없습니다. `matmul-tutor course check { $directory }` 명령으로 이유를 볼 수 있습니다.
cli-no-level-built-in = 강좌에 읽을 수 있는 레벨이 없습니다. `matmul-tutor course check` 명령으로 이유를 볼 수 있습니다.

cli-no-course = { $directory }: 강좌가 아닙니다. `modules/course.yaml`이 없습니다.
cli-run-not-finite = alpha와 beta는 유한한 수여야 합니다.
cli-run-unbuilt = { $file } { $why }.
cli-run-unbuilt-help = `matmul-tutor{ $course } course build` 명령을 실행하세요.

cli-banks-line-long = 줄이 { $most }바이트보다 깁니다.
cli-banks-line-broken = 접근이 아닙니다: { $why }.
cli-banks-line-bytes = `bytes` 값이 { $bytes }입니다. 접근은 레인당 4, 8, 16바이트 중 하나입니다.
cli-banks-line-address = 레인 { $lane }의 주소 { $address }: { $bytes }의 배수가 아닙니다.
cli-banks-line-beyond = 레인 { $lane }의 주소 { $address }: 공유 메모리 밖입니다.

cli-bench-turns = { $elements }, n = { $n }: 커널 { $count }개와 cuBLAS를 번갈아
cli-bench-kernel-wrong = n = { $n } 크기에서 { $kernel } 커널의 결과가 틀립니다.
cli-bench-size = 이 크기를 받지 않습니다: { $why }.
cli-bench-long = 한 번 실행에 { $expected } ms쯤 걸립니다. { $most }보다 깁니다.
cli-bench-no-time = 워커가 시간을 알려 주지 않았습니다.
cli-bench-no-kernel-help = `matmul-tutor run --list`는 커널 목록을, `matmul-tutor bench --tune KERNEL --list`는 커널의 변형 목록을 보여 줍니다.
cli-bench-no-level = 이 레벨과 원소 형식에 맞는 커널이 없습니다.
cli-bench-no-level-help = `matmul-tutor run --list` 명령으로 레벨별 커널을 볼 수 있습니다.
cli-bench-too-many = 커널 { $count }개는 번갈아 잴 수 없습니다. { $most }개까지 됩니다.
cli-bench-too-many-help = `--level`로 레벨을, `--kernel`로 커널을 고르세요.

cli-tune-nearest = 혹시 이것인가요: `{ $nearest }`?
cli-tune-one-variant = `{ $kernel }` 커널은 변형이 하나뿐입니다.
cli-tune-one-variant-help = 변형이 여럿인 커널: { $kernels }.
cli-tune-wrong-variant = { $variant } 변형의 결과가 틀립니다.
cli-tune-list-impossible = 불가능: { $why }
cli-tune-possible = 조합 { $all }개 중 { $count }개가 가능합니다

cli-kernels-not-built = { $file } { $why }. `matmul-tutor course build` 명령으로 만드세요.
cli-kernels-not-emulated = 에뮬레이터에서 실행할 수 없습니다: { $why }

cli-build-no-catalog = { $directory }에 kernels/catalog.yaml이 없습니다.
cli-build-no-catalog-help = --course로 강좌의 디렉터리를 적으세요. `matmul-tutor course new DIR --kernel NAME` 명령이 첫 커널을 만들어 줍니다.
cli-build-release = 이 NVRTC는 { $release }({ $path })이고, 커밋된 PTX는 { $pinned } 버전으로 만든 것입니다.
cli-build-release-help = 가상 환경에서 `pip install { $wheel }` 명령을 실행하고, 그 libnvrtc.so.12를 MATMUL_TUTOR_NVRTC로 정하세요.
cli-build-not-compared = { $message } 다른 버전과는 비교할 수 없습니다.
cli-build-to-commit = { $message } 만든 것을 커밋하려면: { $help }
cli-build-built = { $file } 만듦
cli-build-removed = { $file } 지움. 어느 변형에도 속하지 않습니다
cli-build-fresh = PTX 파일 { $count }개가 모두 NVRTC { $release } 버전이 소스로 만드는 것과 같습니다.
cli-build-stale = 낡음: { $files }.
cli-build-stale-more = 낡음: { $files } 외 { $more }개.
cli-build-stale-help = `matmul-tutor course build` 명령으로 다시 컴파일하세요.

cli-new-wrote = { $directory }에 파일 { $count }개를 썼습니다. 다음 할 일:
cli-new-see = 만든 사람의 눈으로 보기
cli-new-check = 모든 문제점을 한 번에, 주장까지 검사
cli-new-not-empty = { $directory } 디렉터리가 비어 있지 않아 아무것도 건드리지 않았습니다. 새 디렉터리를 적으세요.
cli-new-not-written = { $path }에 쓸 수 없습니다: { $why }. 쓸 수 있고 공간이 있는 디렉터리를 적으세요.

cli-plot-title = 행렬 곱, { $recorded }
cli-plot-note = { $recorded }; 중앙값, 같은 데이터로 cuBLAS와 번갈아 측정
cli-plot-axes = n = M = N = K에 따른 TFLOP/s
cli-plot-roof = FMA만
cli-plot-no-recording = { $file }: 기록이 아닙니다: { $why }.
cli-plot-no-recording-help = GPU가 있는 컴퓨터에서 `matmul-tutor bench --record FILE` 명령으로 만드세요.
cli-plot-nothing = 이 형식들의 기록이 없습니다.
cli-kernels-variant = { $title } (기록된 변형: { $variant })
cli-bench-variants = { $kernel }: { $variants }
cli-bench-variant = { $variant } (n = { $sizes })
cli-bench-own-run = { $kernel } 커널은 따로 잰 것입니다. 위의 클럭과 전력은 그때의 값이 아니고, 비율은 그때 잰 cuBLAS의 속도에 대한 것입니다: { $speeds }
