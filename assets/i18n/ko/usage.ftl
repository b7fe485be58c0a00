# 명령줄의 도움말과 인자 오류. English: doc comments of `src/tutor-cli`, and what clap prints.

clap-words = 말:
    .usage = 사용법:
    .arguments = 인자:
    .general = 공통 옵션:
    .options = 옵션:
    .commands = 명령:
    .examples = 예:
    .help-summary = 도움말 출력(요약은 '-h')
    .help-more = 도움말 출력(자세히는 '--help')
    .help-command = 이 도움말이나 하위 명령의 도움말 출력
    .help = 도움말 출력
    .version = 버전 출력
    .default = 기본값:
    .possible = 가능한 값:
    .values = 가능한 값:

clap-says = clap:
    .error = 오류: { $what }
    .value-why = '{ $b }'에 쓸 수 없는 값입니다('{ $a }'): { $what }
    .value = '{ $b }'에 쓸 수 없는 값입니다: '{ $a }'
    .no-value = '{ $a }' 옵션에 값이 없습니다
    .argument = '{ $a }': 모르는 인자입니다
    .command = '{ $a }': 모르는 명령입니다
    .missing = 꼭 필요한 인자가 없습니다:
    .conflict = '{ $a }' 인자는 '{ $b }' 인자와 함께 쓸 수 없습니다
    .conflicts = '{ $a }' 인자는 다음 인자와 함께 쓸 수 없습니다:
    .twice = '{ $a }' 인자는 한 번만 쓸 수 있습니다
    .more = '{ $b }' 인자에 값 '{ $a }' 하나가 더 있습니다
    .no-command = '{ $a }' 뒤에 하위 명령이 있어야 합니다
    .similar-argument = 혹시 이것인가요: '{ $a }'
    .similar-command = 혹시 이것인가요: '{ $a }'
    .similar-value = 혹시 이것인가요: '{ $a }'
    .similar-arguments = 혹시 이 가운데 있나요: { $a }
    .similar-commands = 혹시 이 가운데 있나요: { $a }
    .pass = '{ $a }' 자체를 값으로 주려면 '{ $b }'처럼 쓰세요
    .information = 자세한 내용은 '{ $a }'로 볼 수 있습니다.
    .usage = 사용법: { $a }
    .possible = {"["}가능한 값: { $a }]
    .commands = {"["}하위 명령: { $a }]
    .digit = 정수가 아닙니다
    .float = 수가 아닙니다
    .large = 수가 너무 큽니다
    .range = { $a }: { $b } 범위 밖입니다
    .takes-between = { $a }부터 { $b }까지의 { $what }만 됩니다
    .takes-extent = 수는 세 개까지입니다: X,Y,Z
    .takes-numbers = `{ $a }`: 수가 아닙니다
    .takes-bytes = 1M 이상의 바이트 수만 됩니다. 예: 512M, 8G
    .takes-show = f32, s32, u32, f64, hex만 됩니다. 뒤에 개수를 붙일 수 있습니다: f32:16
    .takes-count = 개수는 정수여야 합니다: f32:16
    .takes-block = 두 수 X,Y만 됩니다. 곱해서 스레드 1024개까지입니다
    .takes-elements = f32, tf32, f16, bf16만 됩니다
    .seconds = 초
    .milliseconds = 밀리초
    .whole = 정수

usage-tutor = GPU에서 행렬을 빠르게 곱하는 법을 실제 커널을 실행하며 배웁니다.
    .long = 종료 코드: 0 성공; 1 실패(틀린 결과 등); 2 잘못된 인자나 파일; 3 디바이스나 라이브러리 없음; 130 중단.
    .after =
        튜터 없이 해 볼 것:
          matmul-tutor doctor                              이 컴퓨터 점검
          matmul-tutor run --list                          커널 목록
          matmul-tutor run sgemm_tiled --size 512          커널 하나를 검증하고 메모리 트래픽 세기
          matmul-tutor banks 'smem[lane][5]' --pitch 16    공유 메모리 접근 하나를 그림으로
        `matmul-tutor COMMAND --help`는 명령 하나를 설명합니다.
    .course = 이 디렉터리의 강좌, 또는 이 묶음 강좌를 씁니다 [기본값: 내장 강좌]
    .data = 진도를 이 디렉터리에 저장합니다 [기본값: 시스템의 데이터 디렉터리]
    .student = 학생의 이름이나 학번. 시험과 제출물에 씁니다
    .asked_lang = 강좌와 튜터의 언어 [기본값: 환경의 언어, 없으면 영어]
    .on = 커널을 실행할 곳: auto는 GPU가 있으면 GPU, cuda는 반드시 GPU, emulator는 늘 에뮬레이터
    .hold = 쉬는 워커를 남겨 두는 시간(초) [기본값: Slurm 작업에서는 60, 그 밖에는 튜터가 끝날 때까지]
    .no_color = 색을 쓰지 않습니다. 환경 변수 NO_COLOR도 같은 일을 합니다
    .ascii = ASCII 문자로만 그립니다. UTF-8이 아닌 로캘에서는 저절로 그렇게 합니다
    .theme = 튜터의 색 테마 [기본값: dark, 색이 없으면 mono]
    .no_motion = 애니메이션을 보이지 않습니다
    .plain = 전체 화면 대신 줄 단위로 출력합니다. 화면 낭독기, 로그, 단순한 터미널용입니다. TERM=dumb도 같은 일을 합니다
    .json = JSON 문서 하나를 출력합니다
    .device = GPU에서 걸릴 시간도 추정합니다: nvidia-h100, nvidia-h200, 또는 측정한 상수의 파일
    .m = A와 C의 행
    .n = B와 C의 열
    .k = A의 열, B의 행. BLAS와 달리 1 이상이어야 합니다
    .batch = 이 형상의 곱셈 수. 행렬들은 메모리에서 이어집니다. bf16_batched 같은 커널에 씁니다
    .alpha = 곱 A B에 곱할 수. BLAS와 달리 0이어도 커널은 A와 B를 읽습니다
    .beta = 원래의 C에 곱할 수
usage-banks = 공유 메모리의 뱅크가 워프의 접근을 처리하는 모습을 그립니다.
    .long = ACCESS가 없으면 표준 입력에서 접근을 JSON 줄로 읽고, 각각의 비용을 JSON 줄로 출력합니다.
    .access = 접근: 행과 열, 또는 열만 있는 배열. 각각 `lane`, `tx`, `ty`, `k`로 된 식입니다
    .pitch = 한 행의 원소 수, 패딩 제외 [기본값: 32, 또는 접근에 필요한 만큼]
    .pad = 행 끝의 패딩 원소 수
    .width = 원소 하나의 바이트 수
    .rows = 배열의 행 수 [기본값: 접근에 필요한 만큼]
    .lanes = 레인 0부터 참여하는 레인의 수
    .block = 블록의 스레드. x 방향으로 이웃한 스레드가 이웃한 레인입니다
    .warp = 블록 안에서 워프의 번호
    .k = `k` 값
    .store = 로드 대신 스토어로 합니다
    .json = JSON 문서 하나를 출력합니다. ACCESS가 없으면 언제나 JSON 줄을 출력합니다
    .after =
        예:
          matmul-tutor banks 'smem[lane][5]' --pitch 16            타일의 한 열: 뱅크 16개 간격
          matmul-tutor banks 'smem[lane][5]' --pitch 16 --pad 1    같은 접근에 행마다 패딩 한 워드
          matmul-tutor banks 'tile[tx][ty]' --pitch 32 --block 32,8 --store
          matmul-tutor banks 'smem[lane]' --width 16 --json
          echo '{"{"}"op":"ld.shared","bytes":4,"addr":[0,128,256,…]{"}"}' | matmul-tutor banks

        JSON 줄에 쓰는 것:
          op     ld.shared, st.shared, ld.global, st.global 중 하나
          bytes  레인마다 4, 8, 16
          addr   바이트 주소 32개
          mask   참여하는 레인을 나타내는 수(기본값: 모두)
        답에는 `wavefronts`(공유 메모리) 또는 `sectors`(글로벌 메모리), 그리고 `ideal`이 있습니다.
usage-emulate = PTX 파일의 아무 커널이나 에뮬레이터에서 실행합니다.
    .file = PTX 파일
    .entry = 실행할 커널. PTX나 소스에 적힌 이름 [기본값: 하나뿐이면 그것]
    .grid = 그리드의 블록
    .block = 블록의 스레드
    .shared = 동적 공유 메모리의 바이트 수 [기본값: 0]
    .cooperative = 모든 블록을 동시에 실행합니다. `grid.sync()`에 필요합니다
    .args = 매개변수를 순서대로: u32:7, s32:-1, u64:7, f32:1.5, f64:1.5, u8:1, s8:-1, u16:7, s16:-1, hex:0011…(값으로 넘기는 구조체나 배열), struct:u32:7,ptr:A+16(그 멤버, 정렬됨), buf:zeros:BYTES, buf:hex:0011…, buf:file:PATH, buf:f32:rand:COUNT:SEED, buf:u32:mod:COUNT:N(0부터 N-1까지 되풀이), ptr:NAME+BYTES(`--buffer`나 인자 NAME의 버퍼 안의 위치), map:NAME:TYPE:DIMS:BOX:SWIZZLE(`--buffer`의 텐서 맵, 예: map:A:f16:64x128:64x64:128)
    .buffers = 매개변수가 아닌 버퍼. `ptr`와 `map`에 씁니다: NAME=zeros:BYTES, 또는 `buf`의 다른 종류
    .memory = 버퍼와 해저드 검사가 함께 쓸 수 있는 메모리. 단위는 K, M, G
    .launch = 주지 않은 옵션을 읽을 YAML 파일. 키는 entry, grid, block, shared, cooperative, buffers, args
    .symbols = 출력할 `__device__`, `__constant__` 변수와 처음 값: NAME, NAME=f32:1.5, NAME=hex:0011…, NAME=file:PATH
    .no_global = `--measure all`에서 공유 메모리와 레지스터의 해저드만 찾습니다
    .measure = 결과 말고 더 잴 것
    .measure-none = 결과만
    .measure-counts = 메모리 접근의 비용
    .measure-all = 비용과 해저드
    .steps = 모든 블록을 합친 워프 명령어 수의 한도. 해저드의 증거를 찾는 데 드는 것도 셉니다
    .seconds = 이만큼의 초가 지나면 멈춥니다. 0.01부터 86400까지
    .threads = 블록을 실행할 호스트 스레드의 수 [기본값: 모두]
    .stack = 스레드당 스택의 최대 바이트 수. 재귀와 간접 호출에 씁니다
    .uninitialised = 쓰지 않은 공유 메모리나 로컬 메모리를 처음 읽을 때 멈춥니다. 이 옵션이 없으면 그런 읽기의 결과는 0입니다
    .show = 버퍼마다 처음 COUNT개의 수를 [기본값: 64] f32, s32, u32, f64, hex로 출력합니다. 예: f32:16
    .estimate = GPU에서 런치에 걸릴 시간도 추정합니다: nvidia-h100, nvidia-h200, 또는 측정한 상수의 파일
    .no_run = `--estimate`에 필요한 블록만 실행하고, 다른 것은 출력하지 않습니다
    .registers = `--estimate`에 쓸 스레드당 레지스터 수. 어셈블러가 알려 주는 값이며, 없으면 이것도 추정합니다
    .program = 에뮬레이터가 번역한 프로그램을 명령어마다 PTX 줄 번호와 함께 출력합니다. 실행하지는 않습니다
    .list = 지원하는 명령어를 형식별로, 처음 나온 PTX 버전과 디바이스와 함께 출력합니다. 실행하지는 않습니다
    .after =
        `.entry add(.param .u64 x, .param .u32 n)`의 예:
          matmul-tutor emulate add.ptx --entry add --grid 4 --block 256 \
                --arg buf:f32:rand:1024:1 --arg u32:1024 --measure all --show f32:16

        종료 코드: 0 실행됨; 1 폴트, 중단, 또는 해저드; 2 PTX나 호출이 잘못됨.
        같은 값을 쓰는 스토어 사이의 해저드는 종료 코드를 바꾸지 않습니다.
usage-race = CUDA나 PTX 파일의 커널에서 데이터 경쟁을 GPU 없이 찾습니다.
    .long = 커널을 여러 크기와 순서로 에뮬레이터에서 실행하고, 순서가 정해지지 않은 접근의 짝을 모두 알려 줍니다. `--arg`가 없으면 인자를 추측하고, 추측한 것을 보여 줍니다.
    .file = CUDA 파일(`.cu`, NVRTC 필요) 또는 PTX 파일
    .entry = 실행할 커널. PTX나 소스에 적힌 이름 [기본값: 하나뿐이면 그것]
    .include = `.cu` 파일의 헤더가 있는 디렉터리. 파일이 있는 디렉터리를 먼저 찾습니다
    .define = `.cu` 파일의 매크로
    .std = `.cu` 파일의 C++ 버전. 예: c++14 [기본값: c++17]
    .compile_commands = `.cu` 파일의 옵션이 든 `compile_commands.json` [기본값: 파일 옆에 있으면 그것]
    .host = `main.cpp` 같은 프로그램의 다른 소스. 커널 실행을 찾으려고 호스트 부분만 읽습니다
    .argv = `main`이 있는 프로그램의 인자. 무엇을 실행할지 정합니다
    .arch = `.cu` 파일을 컴파일할 GPU [기본값: sm_75, 더 새 GPU가 필요한 파일은 sm_90]
    .seeds = 크기마다 쓸 시드의 수 [기본값: 3]. 시드가 워프와 블록의 순서를 정합니다
    .control = 배리어, 펜스, 대기, 원자적 갱신을 하나씩 빼고 무엇이 보고되는지 보여 줍니다
    .steps = 모든 실행을 합친 워프 명령어 수의 한도
    .uninitialised = 쓰지 않은 공유 메모리나 로컬 메모리를 처음 읽을 때 멈춥니다. 이 옵션이 없으면 그런 읽기의 결과는 0입니다
    .same_value = 같은 자리에 같은 값을 쓰는 스레드도 알려 줍니다
    .format = 보고서의 형식
    .format-human = 문장
    .format-json = JSON 문서 하나
    .format-sarif = SARIF 2.1.0. GitHub가 줄 옆에 보여 줍니다
    .format-junit = 실행마다 JUnit 테스트 케이스 하나
    .after =
        예:
          matmul-tutor race histogram.cu
          matmul-tutor race kernel.ptx --entry sum --grid 8 --block 128 --arg buf:zeros:4096 --arg u32:1024
          matmul-tutor race kernel.cu --launch launch.yaml --format sarif > races.sarif

        종료 코드: 0 경쟁 없음; 1 경쟁이 있거나 커널이 폴트로 멈추거나 중단됨; 2 파일이나 호출이 잘못됨;
        3 파일을 컴파일할 NVRTC가 없음.
usage-bench = 커널의 시간을 cuBLAS와 번갈아 재거나, 기록을 보여 줍니다.
    .long = `--svg`는 시간을 그림으로 그립니다. `--tune`은 커널의 모든 변형을 검증하고 cuBLAS와 번갈아 시간을 재며, 가장 좋은 것들은 더 오래 다시 잽니다. 가장 좋은 변형은 데이터 디렉터리에 저장되고 `run`과 `bench`가 씁니다. GPU가 없으면 `--tune`은 기록된 비교를 보여 주고, 기록이 없거나 `--on emulator`이면 변형마다 메모리 트래픽을 셉니다.
    .level = 이 레벨의 커널만. 번호나 id
    .kernel = 이 커널만. `sgemm_sweep@64x64x32_8x8_k_outermost` 같은 변형도 되고, `run`처럼 `+padded`를 붙여도 됩니다
    .size = 정사각 행렬의 크기 [기본값: 256, 512, 1024, 2048, 4096, 8192. `--tune`은 2048, 에뮬레이터에서는 128]
    .record = 측정값을 이 파일에 기록으로 씁니다
    .elements = 원소 형식이 이것인 커널만: f32, tf32, f16, bf16, e4m3, s8, f64
    .seconds = 한 크기에서 커널 하나를 재는 최대 시간(초) [기본값: 1. 변형은 0.05이고, 가장 좋은 것들은 열 배 오래 다시 잽니다]
    .longest = 앞 크기에서 잰 시간으로 미루어 한 번 실행이 이보다 오래 걸릴 커널은 뺍니다(ms)
    .recording = 재지 않고, `--record`로 만든 이 기록을 보여 줍니다
    .svg = 시간을 SVG 그림으로도 그립니다: 레벨마다 강좌에 나오는 커널, 또는 `--kernel`로 고른 커널
    .all = 강좌에 나오는 커널뿐 아니라 올바른 커널을 모두 그립니다
    .tune = 대신 이 커널의 변형들을 비교해 이 GPU에 가장 좋은 것을 저장합니다
    .list = `--tune`과 함께: 변형의 목록만 보여 줍니다. 불가능한 것에는 이유를 붙입니다
    .forget = `--tune`과 함께: 이 커널의 결과를 지웁니다
    .after =
        예:
          matmul-tutor bench --level 2 --size 2048
          matmul-tutor bench --kernel sgemm_tiled --kernel sgemm_tuned
          matmul-tutor bench --level 2 --size 1536 --estimate nvidia-h100
          matmul-tutor bench --record mine.json --svg mine.svg
          matmul-tutor bench --tune sgemm_sweep --size 1024        GPU에서 잰 시간, 또는 기록된 시간
          matmul-tutor bench --tune sgemm_sweep --list             모든 변형과, 일부가 불가능한 이유
          matmul-tutor --on emulator bench --tune sgemm_sweep      변형마다 센 메모리 트래픽

        GPU가 없으면 내장된 기록을 디바이스 이름과 함께 보여 줍니다. 이때 `--on cuda`이면 종료 코드가 3입니다.
usage-doctor = 이 컴퓨터를 점검하고, 없는 것을 갖추는 방법을 알려 줍니다.
    .long = GPU, 드라이버, cuBLAS, NVRTC, 기록, 터미널, 강좌, 언어, 데이터 디렉터리를 점검합니다.
    .recover = 손상된 진도 파일이나 백업에서 아직 읽을 수 있는 것을 진도에 더하기만 합니다
usage-course-build = 강좌의 모든 .cu 파일을 NVRTC로 컴파일해 assets/ptx에 씁니다.
    .check = 아무것도 쓰지 않습니다. PTX 파일이 소스를 컴파일한 것과 다르면 종료 코드 1로 끝납니다
usage-run = 커널을 실행해 검증하고, 시간을 재고, 트래픽을 셉니다.
    .long = 시간은 GPU에서만 잽니다. 결과가 틀리거나 해저드가 있으면, 카탈로그가 예상한 것이라도 종료 코드 1로 끝납니다. `--copy`는 폴더에 커널이 없으면 복사합니다. 그다음 사본을 컴파일하고, 둘을 같은 데이터로 실행해 결과, 해저드, 센 값, 그리고 GPU에서는 시간을 비교합니다. 사본을 고치고 다시 비교하세요.
    .kernel = 카탈로그의 id. `--list`로 모두 볼 수 있습니다. 변형은 `ID@VARIANT`로 적습니다. 뒤에 `+padded`를 붙이면 행이 128바이트 줄 단위인 행렬의 사본에서 실행합니다
    .list = 커널을 레벨별로 기록된 속도와 함께 보여 줍니다
    .size = 정사각 행렬의 크기: M = N = K
    .seconds = 커널의 시간을 재는 최대 시간(초), 0부터 3600까지. 0이면 재지 않습니다
    .seed = 난수 행렬의 시드 [기본값: 1. 사본을 비교할 때는 매번 새로 정합니다]
    .ptx = 저장소의 PTX 대신 이 PTX를 실행합니다
    .source = 저장소의 커널 대신 이 CUDA C++를 컴파일해 실행합니다
    .copy = 이 폴더에 있는 커널의 사본을 원본과 비교합니다 [기본값: 커널의 이름을 딴 폴더]
    .watch = `--copy`와 같지만, 사본을 저장할 때마다 다시 비교합니다. Ctrl-C를 누르면 끝납니다
    .no_counts = 에뮬레이터로 메모리 트래픽을 세지 않습니다
    .limit = 실행이 이만큼의 초 동안 소식이 없으면 멈춥니다. 0.01부터 86400까지 [기본값: 일의 양에 따라 커짐]
usage-nvrtc = 직접 쓴 커널에 필요한 NVIDIA 컴파일러를 설치하거나 지웁니다.
    .long = 이 NVRTC는 튜터만 씁니다. `matmul-tutor doctor`로 튜터가 어느 NVRTC를 왜 쓰는지 볼 수 있습니다.
usage-nvrtc-install = NVRTC를 uv나 pip으로 데이터 디렉터리에 내려받아 시험합니다.
    .long = 내장 커널을 컴파일한 버전을 설치합니다. 튜터는 아무 설정 없이 그것을 찾습니다.
    .yes = 묻지 않고 설치합니다
usage-nvrtc-remove = `install`이 설치한 것을 지웁니다.
usage-status = 내 진도와 다음 할 일을 보여 줍니다.
    .long = 레벨, 퀴즈, 페이지, 예측을 봅니다.
usage-quiz = 레벨의 퀴즈를 풉니다. 퀴즈에서 푼 것은 기록에 남습니다.
    .level = 레벨의 번호나 id
    .seed = 이 시드로 문항을 뽑습니다. 모두에게 같은 문항이 나옵니다
    .answers = 이 YAML 파일에서 답을 읽습니다. 슬롯 id에 답을 적은 파일입니다(`-`: 표준 입력)
    .practice = 연습: 문항마다 바로 알려 주고, 기록에 남지 않습니다
    .show = 뽑힌 문항을 보기의 id와 함께 출력합니다. 저장하지 않습니다
    .export = 레벨의 모든 문항을 정답과 이유(피드백)까지 씁니다. 그 형식으로 나타낼 수 없는 것은 따로 알려 줍니다
    .export-gift = Moodle의 텍스트 형식 GIFT
    .export-moodle-xml = Moodle XML
    .export-qti = IMS QTI 2.1: 문항과 매니페스트의 폴더
    .out = 내보낼 파일 [기본값: 표준 출력]. qti에서는 폴더
    .restart = 풀던 응시를 기록하지 않고 버리고 새로 시작합니다
usage-review = 오늘 복습할 문항을 풉니다.
    .long = 잊을 때가 된 목표마다 새 문항 하나를 풉니다. 간격은 FSRS-6이 목표마다 따로 정합니다. 하루에 최대 여덟 문항입니다. `--json`이면 복습할 문항의 수만 알려 줍니다.
    .json = 복습할 것을 JSON 문서 하나로 출력하고, 문항은 내지 않습니다
usage-exercise = 커널을 고치고, 채우고, 직접 써서 판정을 받습니다.
usage-exercise-list = 실습을 레벨별로 보여 줍니다: 미시도, 시도함, 통과, 별
    .level = 이 레벨의 실습만 보여 줍니다. 번호나 id로 적습니다
usage-exercise-start = 시작 코드가 있는 폴더를 만들고 할 일을 알려 줍니다
    .id = 실습
usage-exercise-check = 풀이를 판정합니다.
    .long = 달성하지 못한 목표가 있으면 종료 코드 1로 끝납니다.
    .id = 실습
    .file = 풀이 [기본값: 실습 폴더의 파일]. `-`: 표준 입력
    .seed = 이 시드로 입력과 형상 하나를 뽑습니다 [기본값: 매번 새 시드]
usage-exercise-watch = 저장할 때마다 풀이를 판정합니다. Ctrl-C를 누르면 끝납니다
    .id = 실습
usage-exercise-hint = 마지막 실패에 대한 다음 힌트를 엽니다
    .id = 실습
usage-exercise-solution = 모범 풀이를 보여 줍니다. 통과한 뒤나 마지막 힌트 뒤에 볼 수 있습니다
    .id = 실습
usage-exercise-reset = 시작 코드로 되돌립니다. 쓰던 파일은 다른 이름으로 남깁니다
    .id = 실습
usage-class = 학급의 제출물을 판정하고 성적표를 출력합니다.
usage-class-grade = 학급의 제출물을 저마다 다른 프로세스에서 판정합니다.
    .long = `exercise check`와 같은 판정입니다. 모든 제출물을 판정했으면, 맞든 틀리든 종료 코드 0으로 끝납니다.
    .exercise = 실습
    .files = 제출물: 파일, 또는 실습의 형식인 파일이 있는 폴더
    .format = 결과의 형식
    .excel = CSV 표 앞에 바이트 순서 표시(BOM)를 써서 Excel이 UTF-8로 읽게 합니다
    .format-human = 제출물마다 한 줄
    .format-json = JSON 문서 하나
    .format-csv = 제목 행이 있는 표
    .format-junit = 제출물마다 JUnit 테스트 케이스 하나
    .format-gradescope = 제출물 하나에 대한 Gradescope의 results.json
    .format-autolab = 제출물 하나에 대해 Autolab이 읽는 마지막 줄
    .seconds = 제출물 하나가 쓸 수 있는 프로세서 시간(초)
    .memory = 제출물 하나가 쓸 수 있는 메모리(MiB, Linux)
    .jobs = 동시에 판정할 제출물의 수
    .seed = 이 시드로 입력과 형상 하나를 뽑습니다 [기본값: 새 시드]
    .keep = 결과를 하나씩 이 파일에 저장하고, 저장된 결과가 없는 제출물만 저장된 시드로 판정합니다
    .names = 학생의 이름을 이 표에서 찾습니다. 줄마다 파일이나 폴더, 쉼표, 이름, 또는 플랫폼의 표
    .weights = 목표마다 줄 점수. 예: `results=4,hazards=2,counts=2`
    .reports = 학생마다 보고서를 Markdown과 HTML로 이 폴더에 씁니다
    .similar = 서로 다른 학생의 구조가 비슷한 제출물을 알려 줍니다
    .part = N개로 나눈 것 중 I번째 부분만 채점합니다. 예: `3/10`. 여러 부분을 한 컴퓨터나 여러 컴퓨터에서 동시에 채점할 수 있습니다
usage-export-progress = 강좌에서 한 일을 제출할 파일로 씁니다.
    .out = 아직 없는 파일. `-`: 표준 출력
    .log = 읽을 수 있는 Markdown으로 씁니다: 예측, 설명, 응시, 실습, 실행
usage-class-results = 학급의 성적표와 문항마다의 분석을 출력합니다.
    .long = `export-progress`의 파일과 진도 파일을 읽습니다. 문항 분석에는 첫 응시만 셉니다.
    .paths = `export-progress`의 파일, 진도 파일(`….sqlite3`), 또는 그런 파일이 있는 폴더
    .format = 결과의 형식
    .excel = CSV 표 앞에 바이트 순서 표시(BOM)를 써서 Excel이 UTF-8로 읽게 합니다
    .format-markdown = Markdown 표
    .format-json = JSON 문서 하나: 성적표, 레벨, 문항
    .format-csv = 성적표를 CSV로
    .regrade = 모든 응시를 지금의 강좌로 다시 채점합니다. 맞은 답은 그대로 맞은 것이고, 통과도 그대로입니다. PATHS가 없으면 데이터 디렉터리의 응시를 다시 채점하고 달라진 것을 알려 줍니다
    .dry_run = PATHS 없이 `--regrade`를 쓸 때, 무엇이 달라질지 알려 주기만 합니다
    .exam = 이 이름의 시험에 낸 답을 채점합니다. 파일에 적힌 점수와, 그 학생에게 출제되지 않은 문항의 답은 세지 않습니다
usage-course = 강좌를 쓰고, 검사하고, 빌드하고, 펴냅니다.
usage-course-seal = 시험에 쓰도록 퀴즈의 정답을 뺀 강좌 사본을 씁니다.
    .long = 그러면 튜터는 답을 저장하되 채점하지 않습니다. 어떤 문항이 뽑히는지는 학생의 이름이 정합니다. 제출물은 `class results --exam`으로 채점합니다.
    .dir = 봉인한 강좌를 쓸 새 디렉터리. 봉인할 강좌는 `--course`로 정합니다
    .exam = 시험의 이름. 학생의 이름과 함께 문항을 정하고, `class results --exam`에 필요합니다
usage-course-pack = 오류가 없는 강좌를 `--course`에 쓸 파일 하나로 묶습니다.
    .dir = 강좌의 디렉터리
    .out = 묶음 강좌 [기본값: 지금 디렉터리의 ID-VERSION.course]
usage-course-web = 튜터를 아무 강좌와 함께 브라우저용 페이지로 씁니다.
    .long = 폴더에는 어느 웹 호스트에나 올릴 수 있는 정적 파일만 있습니다. 프로그램도 설정도 필요 없습니다. 한 번 열어 본 뒤에는 네트워크 없이도 동작합니다.
    .dir = 페이지를 쓸 폴더: 새것, 빈 것, 또는 이 명령이 전에 쓴 것
    .page = `scripts/release/web`이 만든 페이지 파일의 폴더 [기본값: 이 프로그램 옆의 것]
    .check = 쓴 페이지를 창 없는 브라우저에서 열어 튜터가 나타나는지 알려 줍니다
    .browser = `--check`에 쓸 브라우저: Chromium, Chrome, Firefox [기본값: 처음 찾은 것]
usage-course-check = 강좌의 문제점을 한 번에 모두 알려 주고, 페이지의 주장을 검증합니다.
    .dir = 강좌의 디렉터리. 그 안의 폴더나 파일이면 그것의 문제점만 알려 줍니다 [기본값: `--course`, 없으면 내장 강좌]
    .level = 이 레벨의 파일만 알려 줍니다
    .deny = 경고에도 종료 코드 1로 끝납니다
    .format = 문제점의 형식: 사람이 읽을 텍스트, JSON 문서 하나, GitHub 주석, SARIF 2.1.0
    .since = 이 디렉터리의 강좌나 이 Git 리비전 뒤로 사라진 id도 알려 줍니다
    .gpu = GPU에서 결과도 검사합니다
    .mutants = 실습의 풀이를 조금씩 바꿔, 판정이 받아들이는 것을 알려 줍니다
    .watch = 강좌의 파일이 바뀔 때마다 다시 검사합니다. Ctrl-C를 누르면 끝납니다
usage-course-new = 내 강좌를 시작할 강좌 사본을 씁니다.
    .directory = 새 디렉터리나 빈 디렉터리. `--level`, `--kernel`, `--exercise`에서는 강좌의 디렉터리
    .from = 이 디렉터리의 강좌를 커널까지 복사합니다 [기본값: `--course`, 없으면 내장 강좌]
    .minimal = 대신 주석을 단 작은 강좌를 씁니다: 레벨 하나, 커널 하나, 푸시할 때마다 실행할 검사
    .id = 진도를 저장할 때 쓰는 강좌의 id [기본값: 물어봅니다. 아니면 원본의 id]
    .title = 강좌의 제목 [기본값: 물어봅니다. 아니면 원본의 제목]
    .level = 페이지와 퀴즈가 있는 레벨을 더합니다
    .kernel = 커널을 더합니다
    .exercise = 실습을 더합니다
usage-course-preview = 만든 사람으로서 강좌를 미리 봅니다: 모든 레벨이 열리고, 저장하지 않고, 파일이 바뀌면 다시 읽습니다.
    .words = 강좌의 디렉터리 [기본값: `--course`, 없으면 내장 강좌]와 먼저 보여 줄 것: 레벨이나 페이지, 문항, 실습. id나 번호로 적습니다
usage-course-schema = 편집기에 쓸 강좌 파일의 JSON Schema를 출력합니다.
    .of = 파일의 종류
    .markdown = 대신 모든 필드와 `check`의 모든 규칙을 설명한 문서를 출력합니다
usage-completions = 셸의 자동 완성 스크립트를 출력합니다.
    .shell = 자동 완성 스크립트를 실행할 셸
usage-man = 매뉴얼 페이지를 출력합니다.
