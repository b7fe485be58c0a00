# `matmul-tutor doctor`: what was found, and the one thing to do about what was not.

doctor-worker = 워커
doctor-sandbox = 샌드박스
doctor-driver = 드라이버
doctor-emulator = 에뮬레이터
doctor-recorded = 기록
doctor-terminal = 터미널
doctor-data = 데이터
doctor-course = 강좌
doctor-languages = 언어
doctor-unknown = 알 수 없음
doctor-built-in = 내장

doctor-worker-do = `matmul-tutor worker` 명령을 직접 실행해 이유를 확인하세요.
doctor-gpu = { $device }, compute capability { $capability }
doctor-gpu-do = GPU가 없으면 할 일이 없습니다. 모든 커널이 에뮬레이터에서 실행됩니다. GPU가 있으면: { $own }
doctor-driver-is = { $driver }, CUDA { $cuda }
doctor-cublas-do = cuBLAS와 비교하려면 활성화된 가상 환경에서 `pip install nvidia-cublas-cu12`를 실행하세요.
doctor-cublas-idle = 할 일 없음: GPU가 없으면 쓰지 않습니다.
doctor-nvrtc-do = 편집한 커널을 컴파일하려면 `matmul-tutor nvrtc install`을 실행하세요.
doctor-static-do = 편집한 커널을 컴파일하거나 GPU에서 실행하려면 Python 휠이나 `cargo install`로 설치하세요.

doctor-sandbox-emulator = 워커는 파일을 쓸 수 없고, 연결을 열거나 프로그램을 시작할 수 없습니다. 라이브러리와 프로세서·메모리 정보만 읽으며, 컴파일러는 어떤 파일도 읽지 못합니다.
doctor-sandbox-gpu = 워커는 드라이버가 쓰는 곳에만 쓸 수 있고, 다른 컴퓨터로 연결을 열거나 프로그램을 시작할 수 없습니다. 컴파일러는 어떤 파일도 읽지 못합니다.
doctor-sandbox-files-only = 워커의 파일 접근은 막혀 있지만 연결과 프로그램 실행은 막혀 있지 않습니다.
doctor-sandbox-calls-only = 워커의 연결과 프로그램 실행은 막혀 있지만 파일 접근은 막혀 있지 않습니다.
doctor-sandbox-none = 에뮬레이터와 드라이버 말고는 커널이 이 시스템의 파일과 네트워크에 닿는 것을 막는 것이 없습니다.
doctor-sandbox-do = 믿을 수 있는 커널만 실행하거나, Landlock과 seccomp이 켜져 있고 드라이버의 디바이스 파일이 제자리에 있는 Linux 5.13 이상을 쓰세요.
doctor-sandbox-off = MATMUL_TUTOR_SANDBOX=off 때문에 워커가 제한 없이 실행됩니다.
doctor-sandbox-off-do = 워커 안을 들여다보는 도구가 필요한 때가 아니면 이 변수를 지우세요.
doctor-sandbox-not-here = 워커가 스스로를 가두는 수단은 Linux에만 있습니다.
doctor-sandbox-not-here-do = 믿을 수 있는 커널만 실행하세요.
doctor-sandbox-unknown = 워커가 무엇을 할 수 있는지 알려 주지 않습니다.
doctor-sandbox-unknown-do = 버전이 다릅니다. 두 컴퓨터에 같은 버전을 설치하세요.

doctor-recording = { $device }, 드라이버 { $driver }, { $date }
doctor-no-recording = 내장된 시간 기록이 없습니다.
doctor-no-recording-do = 시간을 보려면 GPU에서 실행하세요.

doctor-no-terminal = 표준 출력이 터미널이 아닙니다.
doctor-no-terminal-do = 튜터는 터미널에서 시작하세요. 하위 명령에는 터미널이 필요 없습니다.
doctor-terminal-is = { $size }, { $name }, { $colours }, { $characters }
doctor-no-colours = 색 쓰지 않음
doctor-true-colour = 1600만 색
doctor-256-colours = 256색
doctor-16-colours = 16색
doctor-utf8 = UTF-8
doctor-no-utf8 = UTF-8 로캘 아님
doctor-no-utf8-do = 상자와 화살표가 깨져 보이면 `--ascii` 옵션이나 LANG=C.UTF-8 같은 로캘을 쓰세요.
doctor-size-unknown = 크기를 알 수 없습니다: { $why }.
doctor-size-unknown-do = 다른 터미널을 써 보세요.
doctor-small = { $size }: 너무 작습니다.
doctor-small-do = { $columns }칸, { $rows }줄 이상으로 키우세요.

doctor-course-is = { $place }, 레벨 { $levels }개
doctor-course-problems = { $place }: 문제점 { $count }개
doctor-course-do = `{ $command }` 명령이 파일과 줄까지 알려 줍니다.
doctor-languages-are = 강좌: { $course }; 인터페이스: { $interface }; 지금: { $chosen }

doctor-data-do = --data DIR 옵션으로 쓸 수 있는 디렉터리를 정하세요.
doctor-data-closed = { $place }에 쓸 수 없습니다: { $why }.
doctor-data-none = { $place }: 만들 수 없습니다.

# The places of NVRTC.
doctor-nvrtc-variable = MATMUL_TUTOR_NVRTC
doctor-nvrtc-own-wheel = 튜터의 휠 옆
doctor-nvrtc-private = 튜터 전용
doctor-nvrtc-environment = 활성 Python
doctor-nvrtc-toolkit = CUDA_HOME, CUDA_PATH
doctor-nvrtc-system = 시스템의 CUDA
doctor-nvrtc-not-set = 설정되지 않음
doctor-nvrtc-no-wheel = 튜터를 pip로 설치하지 않음
doctor-nvrtc-no-environment = 활성 환경 없음
doctor-nvrtc-none-in = { $root }에 없음
doctor-nvrtc-none-loader = 시스템 로더에도 { $root }에도 없음
doctor-nvrtc-version = { $version }, { $path }
doctor-nvrtc-taken = { $version }, { $path } (사용: 동작하는 첫 번째)
doctor-nvrtc-taken-variable = { $version }, { $path } (사용: 다른 것보다 우선)
doctor-nvrtc-broken = { $path }: 쓸 수 없음: { $why }
doctor-nvrtc-is = { $release }, { $path }
doctor-nvrtc-compiles-not = { $version }, { $path }, 컴파일되지 않음: { $why }

doctor-recovered = 같은 것을 두 번 더하지 않으며, 파일은 그대로입니다.
doctor-unreadable = { $file } 파일에서 읽을 수 있는 것이 없습니다.
