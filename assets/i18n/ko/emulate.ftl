# `matmul-tutor emulate`: what a kernel did on the emulator.

emulate-not-read = `{ $file }` 파일을 읽을 수 없습니다: { $why }.
emulate-compiled = 컴파일된 프로그램입니다. 안에 PTX가 있으면 `cuobjdump -ptx FILE` 명령으로 볼 수 있습니다.
emulate-cuda = CUDA C++입니다. `nvcc -ptx FILE` 명령이나 NVRTC로 PTX로 컴파일하세요.
emulate-no-ptx = PTX는 `.version`으로 시작합니다. `nvcc -ptx FILE.cu` 명령으로 만들 수 있습니다.

# What is wrong with an argument, behind the argument and a colon
emulate-arg = --arg { $text }: { $why }.
emulate-arg-type = 매개변수 `{ $name }`의 타입은 `{ $kind }`입니다
emulate-arg-form = u32:7처럼 종류와 값이 있어야 합니다
emulate-arg-kind = `{ $kind }`: u8, s8, u16, s16, u32, s32, u64, f32, f64, hex, buf, ptr, struct, map 중 하나여야 합니다
emulate-not-number = `{ $text }`: 그런 수가 아닙니다
emulate-odd-digits = 16진 숫자의 개수가 홀수입니다
emulate-not-hexadecimal = 16진수가 아닙니다
emulate-buffer-form = 버퍼는 zeros:BYTES, hex:…, file:PATH, f32:rand:COUNT:SEED, u32:mod:COUNT:N 중 하나입니다
emulate-buffer-kind = `{ $kind }`: zeros, hex, file, f32, u32 중 하나여야 합니다
emulate-buffers-large = 버퍼에 `--memory`가 허용하는 것보다 많은 메모리가 필요합니다
emulate-file-long = 파일이 { $most } MiB보다 큽니다
emulate-no-memory = { $bytes }바이트를 담을 메모리가 없습니다
emulate-not-bytes = `{ $text }`: 바이트 수가 아닙니다
emulate-random-form = 난수는 f32:rand:COUNT:SEED처럼 씁니다
emulate-not-count = `{ $text }`: 개수가 아닙니다
emulate-not-seed = `{ $text }`: 시드가 아닙니다
emulate-modulo-form = 되풀이되는 수는 u32:mod:COUNT:N처럼 씁니다
emulate-buffer-option = --buffer { $text }: { $why }.
emulate-buffer-name = A=zeros:4096처럼 이름과 값이 있어야 합니다
emulate-no-buffer = `{ $name }` 버퍼가 없습니다. `--buffer` 옵션으로 추가합니다
emulate-member = `{ $text }`: 구조체의 멤버가 될 수 없습니다
emulate-map-form = 텐서 맵은 A:f16:64x128:64x64:128처럼 BUFFER:TYPE:DIMS:BOX로 쓰고, 스위즐이 있으면 32, 64, 128을 덧붙입니다
emulate-map-type = `{ $kind }`: u8, u16, u32, s32, u64, s64, f16, f32, f64, bf16, tf32 중 하나여야 합니다
emulate-launch = { $file }: { $why }.
emulate-launch-extent = grid와 block에는 수가 하나에서 셋까지 있어야 합니다
emulate-no-kernel = 파일에 커널이 없습니다. 템플릿은 `--entry`에 `sum<float>`처럼 인스턴스를 적어야 `race`가 컴파일합니다.
emulate-no-entry = `--entry` 옵션으로 커널을 정해야 합니다. 파일에 있는 커널: { $kernels }

emulate-symbol = --symbol { $text }: { $why }.
emulate-symbol-buffer = 변수의 값은 수, hex:…, file:PATH 중 하나입니다
emulate-symbol-long = { $given }바이트는 변수의 크기({ $has })에 들어가지 않습니다
emulate-symbol-unused = 커널 `{ $kernel }`에서 쓰지 않는 모듈 변수: `{ $name }`
emulate-symbol-is = 변수 { $name }, { $bytes }바이트:

emulate-took = 워프 명령어 { $warp }개, 스레드 명령어 { $thread }개, 이 컴퓨터에서 { $seconds }초
emulate-counted = 공유: { $shared }바이트, 웨이브프론트 { $wavefronts }(최선 { $wavefronts_ideal }); 글로벌: { $global }바이트, 섹터 { $sectors }(최선 { $sectors_ideal }); { $flop } FLOP; 배리어 { $barriers }
emulate-access = { $line }번 줄  { $op } { $bytes }바이트  요청 { $requests }
emulate-access-wavefronts = 웨이브프론트 { $cost } (최선 { $ideal })
emulate-access-sectors = 섹터 { $cost }    (최선 { $ideal })
emulate-buffer = 버퍼 { $index }, { $bytes }바이트:
emulate-buffer-as = 버퍼 { $index }, { $bytes }바이트, { $kind } 형식
emulate-more = { $more }개 더. `{ $option }` 옵션을 주면 모두 출력합니다

emulate-hazard = { $kind } 해저드({ $severity }) { $place }: { $first }, 다음에 { $second }; { $times }번
emulate-error = 오류
emulate-warning = 경고, 한 워프 안
emulate-unfenced = 메모리 모델에서만 경쟁: 둘째 스레드가 신호를 보았지만 그 뒤에 펜스를 실행하지 않음
emulate-same-value = 경고, 모두 같은 값을 저장
emulate-in-buffer = `{ $buffer }`의 바이트 { $byte } (블록 사이)
emulate-in-global = 글로벌 메모리의 바이트 { $byte } (블록 사이)
emulate-in-block = 블록 { $block } 안에서 `{ $buffer }`의 바이트 { $byte }
emulate-in-shared = 블록 { $block }의 공유 메모리 바이트 { $byte }
emulate-in-registers = `wgmma`의 레지스터
emulate-called = { $access } ({ $line }번 줄에서 호출)
emulate-read = { $line }번 줄의 읽기({ $thread })
emulate-write = { $line }번 줄의 쓰기({ $thread })
emulate-thread = 스레드 { $thread }
emulate-thread-of-block = 블록 { $block }의 스레드 { $thread }

emulate-stays = { $way }: { $line }번 줄에서 스레드 { $thread }의 값 { $right } 대신 { $wrong } 값이 남음
emulate-reads = { $way }: { $line }번 줄에서 스레드 { $thread }의 읽기가 { $right } 대신 { $wrong } 값을 얻음
emulate-elsewhere = { $shown }(이 값은 바이트 { $byte }에 있음)
emulate-no-witness = 보여 주지 못함: { $why }
emulate-left-out-large = 해저드가 일으키는 일은 찾아보지 않았습니다. 버퍼가 모두 { $most } MiB보다 큽니다.
emulate-left-out-global = `--no-global` 옵션에 따라 글로벌 메모리는 확인하지 않았습니다.
emulate-left-out-hazards = 해저드 { $count }개는 무엇을 일으키는지 찾아보지 않았습니다. 처음 { $most }개만 해 봅니다.
emulate-allow-more = `{ $option }` 옵션으로 늘릴 수 있습니다.
emulate-way-warps = 워프 { $first } 다음에 워프 { $second } 순서
emulate-way-lanes = 같은 워프에서 스레드 { $first } 다음에 스레드 { $second } 순서
emulate-way-blocks = 블록 { $first } 다음에 블록 { $second } 순서
emulate-way-copy-late = 복사가 가장 늦게 끝나는 경우
emulate-way-copy-at-once = 복사가 바로 끝나는 경우
emulate-way-late-read = 비동기 읽기가 스토어 뒤에 오는 경우
emulate-way-late-store = 스토어를 알리는 신호보다 스토어가 늦게 보이는 경우

emulate-list-head = 에뮬레이터가 실행하는 명령어: 각 형식이 처음 나온 PTX 버전과 디바이스, 형식, 피연산자.
emulate-list-sets = 대문자로 쓴 말은 다음 중 하나를 뜻합니다:

emulate-checked-until = 그때까지 블록 { $all }개 가운데 { $done }개를 확인했습니다.
race-size = 실행하지 않음: { $size }. { $why }
race-stopped = 블록 { $grid }, 블록당 스레드 { $block } 실행이 중간에 멈췄습니다: { $why }
race-guessed = 추측한 인자: { $arguments }. 실제 인자는 `--arg`, `--launch` 옵션으로 줍니다. 추측한 버퍼에는 스레드마다 다른 수가 있고, 다른 실행에서는 같은 몇 개의 수가 되풀이됩니다.
race-open = `{ $kernel }`: 판정할 수 없음. 경쟁은 없었지만 실행 { $launches }번 가운데 { $stopped }번이 중단되었습니다.
race-none = `{ $kernel }`: { $launches }번 실행에서 경쟁 없음.
race-some = `{ $kernel }`: { $launches }번 실행에서 경쟁 { $races }개.
race-unseen = 확인하지 않음: 호스트 코드, 다른 실행과 스트림, 텍스처, 이 인자로 실행되지 않는 코드.
race-overlaps = 이 커널에는 `griddepcontrol` 명령어가 있습니다. 겹쳐서 실행되는 다른 커널과의 경쟁은 확인하지 않았습니다.
race-compiler-time = 컴파일러를 { $seconds }초 뒤에 멈췄습니다. `--seconds`로 시간을 더 줄 수 있습니다.
race-compiler-memory = 컴파일러가 메모리를 너무 많이 써서 멈췄습니다.
race-or-ptx = 또는 CUDA 헤더가 있는 디렉터리를 `--include` 옵션으로 주세요(예: `/usr/local/cuda/include`). 또는 `nvcc -ptx -lineinfo`로 컴파일한 PTX를 `race`에 주세요.
race-no-launch = 실행 없음
race-case = 그리드 { $grid }, 블록 { $block }, 시드 { $seed }
race-repeated = { $case }, 추측한 수 0~{ $most }
race-only-repeated = 모든 경쟁은 추측한 버퍼에 같은 수(0~{ $most } 반복)가 있을 때만 생깁니다. 데이터의 수가 모두 다르면 실제 데이터를 주세요.
