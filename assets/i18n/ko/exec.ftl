# Running kernels: what the worker does, notes, and says where it cannot.

exec-interrupted = 중단했습니다.
exec-recorded = 기록: { $device }, { $date }
exec-recorded-driver = 기록: { $device }, 드라이버 { $driver }, { $date }
exec-taken-tuned = { $variant }: 이 GPU에서 `matmul-tutor bench --tune`이 찾은 최고, n = { $n }, { $date }.
exec-taken-model = { $variant }: { $checked ->
    [true] 이 종류의 GPU에 맞춘 모델이 이 형상에 고른 것(SM당 블록 { $blocks }, 웨이브 { $waves }, 단계 { $steps }).
   *[false] H100과 H200에 맞춘 모델이 이 형상에 고른 것. 이 GPU에서는 확인하지 않음(SM당 블록 { $blocks }, 웨이브 { $waves }, 단계 { $steps }).
}
exec-taken-line = { $variant }: 측정한 시간에 맞춘 모델이 고른 것. C가 한 행이거나 열이 몇 개뿐이므로, 걸리는 시간은 더 큰 행렬을 읽는 시간입니다.
exec-taken-default = { $variant }: 카탈로그의 기본값.
exec-bytes = { $bytes }바이트

# What is asked for
exec-programs = 한 번에 커널 1개에서 { $most }개까지 실행할 수 있습니다(지금 { $given }개).
exec-seconds = 초는 0 이상의 수여야 합니다.
exec-factors = 이 커널은 alpha와 beta를 FP32로 받으므로, FP32에서 유한한 수여야 합니다.
exec-not-finite = alpha, beta, 초는 유한한 수여야 합니다.
exec-mixed-types = 한 번에 실행하는 커널은 행렬을 같이 씁니다. `{ $other }` 커널은 { $known }, `{ $kernel }` 커널은 { $elements } 행렬을 곱합니다.
exec-mixed-types-help = 원소 형식이 다른 커널은 따로 실행하세요.
exec-no-kernel = `{ $kernel }` 커널은 없습니다.
exec-no-kernel-help = `matmul-tutor run --list` 명령으로 목록을 볼 수 있습니다.
exec-no-kernel-nearest = 혹시 이것인가요: `{ $nearest }`? `matmul-tutor run --list` 명령으로 전체 목록을 볼 수 있습니다.
exec-no-variant = `{ $variant }` 변형은 없습니다.
exec-no-variant-help = `matmul-tutor bench --tune { $kernel } --list` 명령으로 목록을 볼 수 있습니다.
exec-impossible-variant = `{ $variant }` 변형은 불가능합니다: { $why }
exec-shape = `{ $kernel }` 커널은 이 형상을 받지 않습니다: { $why }.
exec-shape-help = 다른 크기나 다른 커널을 고르세요.
exec-one-product = `{ $kernel }`: 이 커널은 곱 하나만 계산하며 배치를 받지 않습니다.
exec-one-product-help = `--batch`를 빼거나, `bf16_batched`처럼 배치를 받는 커널을 고르세요.
exec-otherwise = `{ $kernel }` 커널이 받지 않는 형상을 대신 맡는 `{ $otherwise }` 커널도 모든 형상을 받지는 않습니다.
exec-not-built = `{ $kernel }` 커널의 컴파일된 PTX가 없습니다({ $file }).
exec-not-built-help = `matmul-tutor course build` 명령으로 만드세요.
exec-ptx-nul = `{ $kernel }` 커널의 PTX에 NUL 바이트가 있습니다.
exec-no-ptx = `{ $kernel }` 커널의 소스로 만든 PTX가 없습니다.
exec-no-ptx-help = `matmul-tutor --course DIR course build` 명령으로 만드세요.
exec-entry = `{ $entry }`: 진입 함수의 이름이 될 수 없습니다.
exec-grid = `{ $kernel }` 커널의 그리드: { $why }
exec-arch = `{ $arch }`: 아키텍처가 아닙니다.
exec-arch-of = `{ $kernel }` 커널의 `{ $arch }`: 아키텍처가 아닙니다.
exec-arch-help = `sm_75`나 `sm_90a`처럼 쓰세요.
exec-scales = 커널 { $kernel }: 스케일 블록의 크기가 0이거나 2^30보다 큽니다.
exec-tensor-map = `{ $kernel }` 커널에서 { $matrix }의 텐서 맵: { $why }

# Memory
exec-memory = 이 형상에 필요한 { $place }: { $needed }(A { $a }, B { $b }, C { $c }). 남은 것: { $free }.
exec-memory-help = 더 작은 크기나 더 적은 곱셈을 고르거나, 메모리를 쓰는 다른 것을 닫으세요.
exec-memory-host = 이 컴퓨터의 메모리
exec-memory-gpu = GPU 메모리

# What is being done; also behind "While", as in `exec-cuda`
exec-doing-emulate = { $kernel } 에뮬레이션
exec-doing-count = { $kernel } 접근 세기
exec-doing-compile = 컴파일
exec-doing-judge = 판정
exec-doing-load = { $kernel } 읽어 들이기
exec-doing-launch = { $kernel } 실행 요청
exec-doing-run = { $kernel } 실행
exec-doing-run-reference = 기준 { $kernel } 실행
exec-doing-reference = 기준값 계산
exec-doing-inputs = 난수 행렬 생성
exec-doing-copy = GPU로 행렬 복사
exec-doing-free-memory = 빈 메모리 조회
exec-doing-map = { $kernel } 커널에 쓸 { $matrix }의 텐서 맵 생성
exec-doing-event = 이벤트 생성
exec-doing-time = 시간 측정
exec-doing-time-kernel = { $kernel } 시간 측정
exec-doing-warm-up = { $kernel } 워밍업

# Notes
exec-not-counted = 세지 않음: { $why }
exec-not-counted-failed = 세지 않음: 에뮬레이터가 실패했습니다.
exec-program-not-counted = { $kernel } 커널은 세지 않음: { $why }
exec-block-too-long = 이 크기에서는 블록 하나도 에뮬레이터로 너무 오래 걸립니다. 더 작은 크기를 고르세요.
exec-some-counted = 블록 { $blocks }개 중 { $counted }개를 셌습니다. 처음과 끝, 그리고 그 사이의 일부입니다. 합계는 이 블록들만의 것입니다.
exec-padded = `{ $kernel }`: 먼저 A와 B를 행이 128바이트 라인으로 딱 나뉘는 복사본에 복사하고, 끝나면 C를 되돌려 복사합니다. 복사본에 메모리 { $bytes }가 듭니다. 시간에는 복사가 들어가고, 횟수에는 들어가지 않습니다.
exec-padded-whole = `{ $kernel }`: 이 형상의 행은 모두 128바이트 라인으로 딱 나뉘므로 복사할 것이 없습니다. `+padded` 없이 실행하세요.
exec-padded-further = `{ $kernel }`: `beta` 다음의 매개변수가 원래 형상에 맞춘 것이라 복사본에서 실행할 수 없습니다.
exec-padded-further-help = `+padded`를 빼세요.
exec-second = `{ $kernel }`: 두 번째 커널이 C를 로드하고 다시 저장합니다({ $bytes }). 시간과 횟수에 두 번째 커널도 들어갑니다. 블록 몇 개만 셀 때의 횟수는 예외입니다.
exec-moduli = `{ $kernel }`: 커널 네 개를 실행합니다. 두 개는 A와 B를 나머지로 바꾸고, 하나는 모듈러스 { $moduli }개마다 나머지를 곱하며, 하나는 C를 계산합니다. 나머지들에 메모리 { $bytes }가 듭니다. 시간과 횟수에 네 커널이 모두 들어갑니다. 블록 몇 개만 셀 때의 횟수는 예외입니다.
exec-moduli-long = `{ $kernel }`: 8비트 나머지의 곱 { $k }개를 더한 합은 32비트에 들어가지 않을 수 있습니다. K는 최대 { $most }입니다.
exec-moduli-long-help = 곱을 K 방향으로 나누거나 `f64_mma`를 실행하세요.
exec-not-compared-batch = 에뮬레이터는 이 크기의 배치 전체를 계산하지 않으므로 결과를 비교하지 않았습니다. 이 형상의 곱 { $products }개 정도까지는 비교합니다.
exec-not-compared-size = 에뮬레이터는 이 크기의 곱 전체를 계산하지 않으므로 결과를 비교하지 않았습니다. n = { $n } 정도까지는 비교합니다.
exec-against-host = 호스트의 float64
exec-against-cublas = cuBLAS { $version } { $elements }, 그 자체는 { $rows }행을 float64로 확인
exec-against-kernel = { $kernel }, 그 자체는 { $rows }행을 float64로 확인
exec-reference-cublas-wrong = cuBLAS의 결과가 float64와 FP32 정밀도 안에서 맞지 않아 기준으로 쓰지 않았습니다.
exec-reference-wrong = 이 GPU에서는 기준 커널({ $kernel })의 결과가 틀립니다. 시간이 더 걸리지만 호스트의 float64와 비교합니다.
exec-times-vary = { $kernel } 커널의 시간이 들쭉날쭉합니다. 구간이 ±1%보다 넓습니다(묶음 { $batches }개 중 { $outliers }개가 이상값). GPU를 쓰는 다른 것을 닫고 다시 실행하거나 시간을 더 주세요.

# The emulator
exec-in-emulator = 에뮬레이터에서: { $why }
exec-no-witness = 에뮬레이터가 찾은 `{ $kernel }` 커널의 해저드 가운데 값을 바꾸는 것이 없습니다.
exec-witness-cut = `{ $kernel }` 커널의 해저드가 무엇을 일으키는지 에뮬레이터가 보여 주지 못했습니다: { $why }.
exec-unsupported-help = 이것을 지원하는 GPU에서는 실행됩니다: `--on cuda`.
exec-endless-help = 끝나지 않는 루프가 있는지 보세요.
exec-budget-help = 끝나지 않는 루프가 있는지, 그리드가 곱에 필요한 것보다 크지 않은지 보세요.
exec-fault-help = 이 줄을 보세요. 인덱스, 그 앞의 경계 검사, 배리어 중에 원인이 있습니다.

# cuBLAS
exec-math = { $elements ->
    [FP32] 순수 FP32, TF32도 에뮬레이션도 아님
    [TF32] CUBLAS_COMPUTE_32F_FAST_TF32: 입력을 TF32로 반올림, 합은 FP32
    [FP16] CUDA_R_16F, CUBLAS_COMPUTE_32F: 입출력 FP16, 합은 FP32
    [BF16] CUDA_R_16BF, CUBLAS_COMPUTE_32F: 입출력 BF16, 합은 FP32
    [FP64] CUDA_R_64F, CUBLAS_COMPUTE_64F: 입력·출력·합 모두 FP64
    [INT8] CUDA_R_8I, CUBLAS_COMPUTE_32I: 입력 8비트 정수, 출력 정확한 32비트 정수
   *[E4M3] CUDA_R_8F_E4M3, CUBLAS_COMPUTE_32F, 빠른 누산: 입력 E4M3, 출력 BF16, 합은 텐서 코어 안에서
}
exec-no-cublas = cuBLAS와 비교하지 않음: { $why }
exec-cublas-needs-gpu = cuBLAS에는 GPU가 필요합니다.
exec-cublas-none = cuBLAS를 찾지 못했습니다. CUDA 툴킷을 설치하거나, 활성화된 가상 환경에서 `pip install nvidia-cublas-cu12`를 실행하세요.
exec-cublas-broken = cuBLAS가 있지만 열 수 없습니다: { $why }. 드라이버와 맞지 않을 수 있습니다.
exec-cublas-lacks = cuBLAS가 있지만 필요한 함수가 없습니다.
exec-cublas-failed = { $function } 실패: { $why }.
exec-cublas-default = { $name } 기본
exec-doing-baseline = cuBLAS의 가장 빠른 선택 찾기
exec-no-cublaslt = cuBLASLt나 그 작업 메모리를 쓸 수 없어서 cuBLAS의 기본 선택하고만 비교합니다.
exec-cublas-8-bit = cuBLAS는 cuBLASLt를 거쳐야만 8비트 행렬을 곱합니다.
exec-integers-long = 8비트 정수의 곱 { $k }개를 더한 합은 32비트에 들어가지 않을 수 있습니다. K는 최대 { $most }입니다.
exec-integers-long-help = 곱을 K 방향으로 나누고, 결과를 64비트로 더하세요.
exec-integers-scaled = 8비트 정수 커널은 C = A·B를 정확하게 계산합니다. alpha와 beta는 적용하지 않습니다.
exec-integers-scaled-help = alpha와 beta를 빼서 1과 0이 되게 하세요.
exec-judge-further = 판정에서는 스케일과 바이어스를 넘기지 않습니다. 실습에는 `scales`와 `epilogue`가 없는 커널을 쓰세요.
exec-judge-far = 여기서 판정하려면 8 GB짜리 행렬이 필요한데, 웹 페이지가 쓸 수 있는 메모리는 많아야 4 GB입니다. 이 실습은 설치한 프로그램에서 하세요.
exec-cublas-wrong = 이 형상에서는 cuBLASLt의 후보 { $wrong }개가 틀린 곱을 냅니다. 올바른 선택 가운데 가장 빠른 것과 비교합니다.
exec-cublas-default-wrong = 이 형상에서는 cuBLAS의 기본 선택이 틀린 곱을 냅니다. 올바른 후보 가운데 가장 빠른 것과 비교합니다.
exec-cublas-rounds = 이 형상에서 cuBLAS의 가장 빠른 선택은 K의 부분 합을 { $elements } 형식으로 반올림한 뒤 더하므로, FP32 합보다 오차가 큽니다.
exec-cublas-all-wrong = 이 형상에서는 cuBLAS의 모든 선택이 틀린 곱을 내므로 비교하지 않습니다.
exec-host = 실행 한 번에 드는 호스트의 시간: { $own }. 시간은 CUDA 그래프로 쟀으므로 그것이 들어 있지 않습니다.
exec-host-both = 실행 한 번에 드는 호스트의 시간: { $own }, cuBLAS는 { $cublas }. 시간은 CUDA 그래프로 쟀으므로 그것이 들어 있지 않습니다.
exec-no-graph = { $kernel } 커널의 실행을 CUDA 그래프로 만들 수 없습니다. 모든 시간은 스트림에서 쟀고, 짧은 실행의 시간에는 호스트의 일이 들어 있습니다.

# This build, the driver, the GPU
exec-built-without-gpu = 이 빌드는 GPU를 지원하지 않습니다.
exec-built-without-nvrtc = 이 빌드는 NVRTC를 지원하지 않습니다.
exec-built-without-help = `cuda` 기능을 켜고 빌드하세요. 기본값은 켜짐입니다.
exec-driver-static = 이 프로그램은 정적으로 링크되어 NVIDIA 드라이버의 라이브러리를 읽어 들일 수 없습니다.
exec-driver-static-help = GPU를 쓰려면 Python 휠로 설치하거나 `cargo install`로 glibc용을 빌드하세요. 에뮬레이터에는 둘 다 필요 없습니다.
exec-driver-none = NVIDIA 드라이버가 없습니다(libcuda 라이브러리를 찾지 못했습니다).
exec-driver-none-help = GPU를 쓰려면 NVIDIA 드라이버 525 이상을 설치하세요. 컨테이너라면 GPU 접근을 켜고 시작하세요. 에뮬레이터에는 둘 다 필요 없습니다.
exec-driver-old = NVIDIA 드라이버가 너무 오래되었습니다: CUDA { $cuda }까지 지원하며, 12.0이 필요합니다.
exec-driver-lacks = NVIDIA 드라이버의 라이브러리에 이 프로그램이 쓰는 함수가 없습니다.
exec-driver-no-events = NVIDIA 드라이버에 cuEventElapsedTime이 없습니다.
exec-driver-install = NVIDIA 드라이버 525 이상을 설치하세요.
exec-gpu-none = GPU가 보이지 않습니다(NVIDIA 드라이버는 있습니다).
exec-gpu-none-help-container = `nvidia-smi` 명령과 CUDA_VISIBLE_DEVICES 변수를 확인하세요. 컨테이너라면 GPU 접근을 켜고 시작하세요.
exec-gpu-old = { $device }의 compute capability는 { $has }입니다. 커널에는 7.5 이상이 필요합니다.
exec-gpu-old-help = Turing 세대 이후의 GPU나 에뮬레이터를 쓰세요.
exec-gpu-not-opened = { $error ->
    [CUDA_ERROR_NO_DEVICE] GPU가 보이지 않습니다(NVIDIA 드라이버는 있습니다).
    [CUDA_ERROR_DEVICE_UNAVAILABLE] 다른 프로그램이 GPU를 혼자 쓰고 있습니다({ $error }).
    [CUDA_ERROR_OUT_OF_MEMORY] GPU에 시작할 메모리가 남아 있지 않습니다({ $error }).
    [CUDA_ERROR_SYSTEM_DRIVER_MISMATCH] 드라이버의 라이브러리와 커널 모듈이 서로 맞지 않습니다({ $error }).
    [CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE] 드라이버의 라이브러리와 커널 모듈이 서로 맞지 않습니다({ $error }).
    [CUDA_ERROR_STUB_LIBRARY] 찾은 libcuda가 링크용 스텁입니다({ $error }).
    [CUDA_ERROR_SYSTEM_NOT_READY] 드라이버가 시스템이 준비되지 않았다고 합니다({ $error }).
    [CUDA_ERROR_OPERATING_SYSTEM] 운영 체제가 드라이버의 호출을 거부합니다({ $error }).
    [CUDA_ERROR_ECC_UNCORRECTABLE] GPU 메모리에 오류가 있습니다({ $error }).
    [CUDA_ERROR_MPS_CONNECTION_FAILED] 드라이버가 MPS에 연결하지 못합니다({ $error }).
   *[other] GPU를 열 수 없습니다: { $error }.
}
exec-gpu-not-opened-help = { $error ->
    [CUDA_ERROR_NO_DEVICE] `nvidia-smi` 명령과 CUDA_VISIBLE_DEVICES 변수를 확인하세요.
    [CUDA_ERROR_DEVICE_UNAVAILABLE] 그 프로그램이 끝날 때까지 기다리거나(`nvidia-smi`로 볼 수 있습니다) 에뮬레이터를 쓰세요.
    [CUDA_ERROR_OUT_OF_MEMORY] 메모리를 쓰는 것을 닫거나(`nvidia-smi`로 볼 수 있습니다) 에뮬레이터를 쓰세요.
    [CUDA_ERROR_SYSTEM_DRIVER_MISMATCH] 드라이버를 업데이트했다면 컴퓨터를 다시 시작하세요. 컨테이너에서는 호스트의 드라이버 라이브러리를 쓰세요.
    [CUDA_ERROR_STUB_LIBRARY] CUDA 툴킷의 `stubs` 디렉터리를 LD_LIBRARY_PATH에서 빼세요.
    [CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE] `cuda-compat` 패키지를 지우고 LD_LIBRARY_PATH에서 그 디렉터리를 빼세요. 이 GPU에는 드라이버의 libcuda가 필요합니다.
    [CUDA_ERROR_SYSTEM_NOT_READY] NVSwitch가 있는 GPU에는 패브릭 매니저가 필요합니다. 드라이버와 같은 버전의 `nvidia-fabricmanager`를 시작하도록 관리자에게 요청하세요.
    [CUDA_ERROR_OPERATING_SYSTEM] `/dev/nvidia*`의 권한을 확인하세요. 컨테이너라면 이 장치들이 있는지도 확인하세요.
    [CUDA_ERROR_ECC_UNCORRECTABLE] 관리자에게 알리세요. `nvidia-smi -q -d ECC`가 메모리 오류를 보여 주며, 리셋이나 재시작으로 없어질 수 있습니다.
    [CUDA_ERROR_MPS_CONNECTION_FAILED] 관리자에게 `nvidia-cuda-mps-control`을 다시 시작하도록 요청하거나, CUDA_MPS_PIPE_DIRECTORY 변수를 지우세요.
   *[other] `nvidia-smi`에 GPU가 보이는지 확인하세요.
}

# A kernel on this GPU
exec-too-new = `{ $kernel }` 커널에 필요한 것: { $demand }. { $device }: { $has }.
exec-too-new-help = 다른 커널을 고르거나 `--on emulator`로 실행하세요.
exec-threads = `{ $kernel }` 커널은 이 GPU에서 블록당 스레드 { $most }개까지 실행할 수 있습니다. { $block }개는 안 됩니다.
exec-threads-help = 레지스터를 너무 많이 씁니다. 줄여 보세요.
exec-shared = `{ $kernel }` 커널에는 블록당 공유 메모리가 { $needed }만큼 필요합니다. { $device }: { $has }.
exec-no-block-fits = { $device }의 SM에는 `{ $kernel }` 커널의 블록이 하나도 들어가지 않습니다. 레지스터나 스레드가 너무 많습니다.
exec-smaller-tiles = 타일이 더 작은 커널을 고르세요.
exec-map-help = 행은 16바이트의 배수여야 하고, 상자는 스위즐에 맞아야 합니다.

# What the driver says in the middle of a step
exec-cuda = { $doing } 중: { $error ->
    [CUDA_ERROR_ILLEGAL_ADDRESS] 스레드가 버퍼 밖의 메모리에 접근했습니다({ $error }).
    [CUDA_ERROR_INVALID_ADDRESS_SPACE] 스레드가 버퍼 밖의 메모리에 접근했습니다({ $error }).
    [CUDA_ERROR_INVALID_PC] 스레드가 버퍼 밖의 메모리에 접근했습니다({ $error }).
    [CUDA_ERROR_MISALIGNED_ADDRESS] 주소가 접근 크기의 배수가 아닙니다({ $error }).
    [CUDA_ERROR_LAUNCH_FAILED] 커널에서 폴트가 났습니다({ $error }).
    [CUDA_ERROR_HARDWARE_STACK_ERROR] 커널에서 폴트가 났습니다({ $error }).
    [CUDA_ERROR_ILLEGAL_INSTRUCTION] 커널에서 폴트가 났습니다({ $error }).
    [CUDA_ERROR_ASSERT] 커널의 assert가 실패했습니다({ $error }).
    [CUDA_ERROR_LAUNCH_TIMEOUT] GPU가 화면도 그리고 있어서 드라이버가 커널을 멈췄습니다({ $error }).
    [CUDA_ERROR_OUT_OF_MEMORY] GPU 메모리가 남아 있지 않습니다({ $error }).
    [CUDA_ERROR_UNSUPPORTED_PTX_VERSION] 드라이버가 아는 것보다 새로운 PTX입니다({ $error }).
    [CUDA_ERROR_INVALID_PTX] 드라이버가 PTX를 거부했습니다({ $error }).
    [CUDA_ERROR_INVALID_CLUSTER_SIZE] 그리드가 클러스터로 나누어떨어지지 않거나, GPU가 이 크기의 클러스터를 실행할 수 없습니다({ $error }).
    [CUDA_ERROR_NO_BINARY_FOR_GPU] 이 GPU보다 새로운 GPU용 PTX입니다({ $error }).
    [CUDA_ERROR_NOT_FOUND] PTX에 그런 진입 함수가 없습니다({ $error }).
    [CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES] 블록 하나가 GPU에 있는 것보다 많은 레지스터나 공유 메모리를 씁니다({ $error }).
    [CUDA_ERROR_ECC_UNCORRECTABLE] GPU의 메모리에 오류가 있습니다({ $error }).
   *[other] 드라이버가 알린 오류: { $error }.
}
exec-cuda-help = { $error ->
    [CUDA_ERROR_LAUNCH_TIMEOUT] 더 작은 크기를 고르세요.
    [CUDA_ERROR_OUT_OF_MEMORY] 더 작은 크기를 고르거나, GPU를 쓰는 다른 것을 닫으세요(`nvidia-smi`로 볼 수 있습니다).
    [CUDA_ERROR_UNSUPPORTED_PTX_VERSION] NVIDIA 드라이버를 업데이트하거나 더 오래된 NVRTC로 컴파일하세요: `pip install nvidia-cuda-nvrtc-cu12==12.0.140`.
    [CUDA_ERROR_INVALID_PTX] 고치거나 다시 컴파일하세요.
    [CUDA_ERROR_INVALID_CLUSTER_SIZE] 그리드의 각 크기를 클러스터 크기의 배수로 하세요.
    [CUDA_ERROR_NO_BINARY_FOR_GPU] 이 GPU의 아키텍처에 맞는 커널을 고르세요.
    [CUDA_ERROR_NOT_FOUND] 커널 함수의 이름을 바꾸지 마세요.
    [CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES] 블록당 스레드를 줄이거나, 레지스터나 공유 메모리를 줄이세요.
    [CUDA_ERROR_ECC_UNCORRECTABLE] 컴퓨터를 다시 시작하세요. 또 일어나면 GPU가 고장 난 것입니다.
   *[other] `--on emulator`로 실행해 보세요. 스레드, 주소, 소스 줄까지 알려 줍니다.
}

# The worker process
exec-compiler-silent = 컴파일러가 { $seconds }초 안에 끝나지 않아 중단했습니다.
exec-compiler-silent-help = 끝없이 펼쳐지는 매크로나 템플릿, 또는 아주 큰 초기화 배열이 있는지 보세요.
exec-silent = { $seconds }초 동안 아무 소식이 없어 중단했습니다.
exec-silent-help = 커널이 끝나지 않거나 GPU가 멈췄을 수 있습니다. `--on emulator`로 끝나지 않는 루프를 찾을 수 있습니다.
exec-worker-silent = 워커가 { $seconds }초 동안 답하지 않아 중단했습니다. 워커의 명령: `{ $worker }`.
exec-worker-check = 이 명령이 혼자서도 동작하는지 확인하세요. MATMUL_TUTOR_WORKER로 정합니다.
exec-driver-ended = NVIDIA 드라이버를 여는 프로세스가 끝나 버렸습니다: { $how }.
exec-driver-silent = NVIDIA 드라이버가 { $seconds }초 동안 답하지 않았습니다.
exec-driver-help = `nvidia-smi`는 바로 답해야 합니다. 실패하면 드라이버를 다시 설치하고, 오래 걸리면 드라이버의 지속 모드를 켜세요: `nvidia-smi -pm 1`.
exec-worker-ended = 워커 프로세스가 도중에 끝났습니다: { $how }.
exec-worker-ended-help = 다음 실행 때 새로 시작합니다.
exec-worker-never-spoke = 워커가 아무것도 보내지 못하고 끝났습니다: { $how }. 워커의 명령: `{ $worker }`.
exec-worker-stopped = 표준 출력을 닫아서 중단됨
exec-worker-babbles = 워커가 표준 출력에 답이 아닌 것을 써서 중단했습니다. 워커의 명령: `{ $worker }`.
exec-worker-strays = 워커가 묻지 않은 것에 답해서 중단했습니다. 워커의 명령: `{ $worker }`.
exec-worker-floods = 워커가 어떤 실행에 필요한 것보다도 많은 출력을 보내서 중단했습니다. 워커의 명령: `{ $worker }`.
exec-waiting-slurm = Slurm 기다리는 중
exec-waiting-job = Slurm 기다리는 중: 작업 { $job }, { $state }
exec-waiting-reason = Slurm 기다리는 중: 작업 { $job }, { $state }, { $reason }
exec-slurm-lost = Slurm 작업 { $job }번을 잃었습니다: { $state ->
    [TIMEOUT] 시간이 다 됨
    [DEADLINE] 기한이 지남
    [NODE_FAIL] 노드가 고장 남
    [BOOT_FAIL] 노드가 시작되지 않음
    [CANCELLED] 취소됨
    [PREEMPTED] 다른 작업에 자리를 내줌
    [REVOKED] 철회됨
    [OUT_OF_MEMORY] 허용된 것보다 많은 메모리를 씀
   *[other] 실행되지 않음
} ({ $state }).
exec-slurm-lost-help = 다음 실행 때 Slurm에 새 작업을 요청합니다.
exec-ssh-lost = 연결할 수 없거나 연결이 끊겼습니다: `{ $worker }`.
exec-ssh-lost-help = 다음 실행 때 다시 연결합니다. `ssh`가 아무것도 묻지 않고 연결되어야 합니다.
exec-worker-said = 워커의 출력:
exec-worker-not-started = 워커를 시작할 수 없습니다: { $why }. 워커의 명령: `{ $worker }`.
exec-worker-start-help = 명령을 확인하세요. MATMUL_TUTOR_WORKER로 정하며, 없으면 튜터 자신을 씁니다.
exec-worker-no-stream = 스트림이 없습니다
exec-worker-no-command = 명령이 비어 있습니다
exec-worker-chain = 이 프로세스는 워커로 시작되었습니다. 워커는 다른 워커를 시작하지 않습니다.
exec-worker-chain-help = { $variable } 변수의 명령은 `matmul-tutor worker`로 끝나야 합니다.
exec-worker-quote = { $variable }: 짝이 없는 따옴표가 있습니다: { $command }.
exec-worker-quote-help = `ssh gpu-box matmul-tutor worker`처럼 쓰세요.
exec-worker-own-file = 이 프로그램이 자신의 파일을 찾지 못합니다: { $why }.
exec-worker-request = 워커가 요청을 읽을 수 없습니다: { $why }.
exec-worker-request-long = { $bytes }바이트보다 깁니다
exec-worker-request-help = 튜터와 워커의 버전이 다를 수 있습니다.
exec-worker-panicked = 워커에서 오류가 났습니다: { $what }
exec-worker-no-thread = 워커의 스레드를 시작할 수 없습니다: { $why }.
exec-worker-no-ctrl-c = Ctrl-C를 받을 수 없습니다: { $why }.
exec-worker-supervisor = 워커를 감시하던 프로세스가 종료되었습니다.
exec-signal = 시그널 { $signal }
exec-signal-kill = 시그널 { $signal }(강제 종료. 메모리가 모자라면 시스템이 이렇게 합니다)
exec-signal-segv = 시그널 { $signal }(세그멘테이션 폴트)
exec-signal-abort = 시그널 { $signal }(abort)
exec-signal-bus = 시그널 { $signal }(버스 오류)
exec-exit-code = 종료 코드 { $code }
exec-no-exit-code = 종료 코드 없음
exec-count-late = `{ $kernel }` 커널을 { $seconds }초 안에 다 세지 못했습니다.

# Judging what a student wrote. `launch` is what `exec-judge-shape` and the two after it make.
exec-judge-shape = M { $m }, N { $n }, K { $k }
exec-judge-strides = , lda { $a }, ldb { $b }, ldc { $c }
exec-judge-scales = , alpha { $alpha }, beta { $beta }
exec-judge-no-entry = 커널이 없습니다. `extern "C" __global__ void { $entry }(…)` 함수가 없습니다.
exec-judge-mangled = 커널이 `extern "C"`가 아니어서 이름이 `{ $entry }` 그대로가 아니라 C++가 바꾼 이름입니다.
exec-judge-mangled-help = `extern "C" __global__ void { $entry }(…)`처럼 쓰세요.
exec-judge-other-entry = `{ $entry }` 커널이 없습니다. 있는 것: { $names }.
exec-judge-signature = `{ $entry }` 커널의 매개변수는 { $count }개이고 형식은 { $types }입니다. 실행할 때 넘기는 것과 다릅니다.
exec-judge-signature-help = 이 순서로 받습니다: { $names }. 행렬은 포인터, 크기와 선행 차원은 `int`, alpha와 beta는 `{ $factor }`입니다.
exec-judge-fault = { $launch }: { $what }
exec-judge-out-of-bounds-help = 그 스레드의 어느 인덱스가 여기서 너무 클까요? 어떤 검사가 이 줄에 오지 못하게 막아야 했을까요?
exec-judge-before-help = 여기서 그 스레드의 어느 인덱스가 음수인가요? 뺄셈의 결과인가요, int에 들어가지 않는 곱인가요?
exec-judge-misaligned-help = 8바이트나 16바이트 로드에는 그 배수인 주소가 필요합니다. 이 선행 차원이면 모든 행이 그런 주소에서 시작할까요?
exec-judge-barrier-help = 블록의 모든 스레드가 같은 `__syncthreads()`에 와야 합니다. 그 둘레에 모두가 함께 가지 않는 분기가 있나요?
exec-judge-mbarrier-help = 이 배리어에 누가, 한 페이즈에 몇 번 도착하고, 어느 패리티를 기다리나요? 예고한 바이트와 실제로 오는 바이트도 같아야 합니다.
exec-judge-endless-help = 어느 루프의 조건이 여기서 끝내 거짓이 되지 않을까요?
exec-judge-meant = 그 자리는 { $matrix }의 행 { $row }, 열 { $column }입니다. { $matrix }의 크기는 { $rows } × { $columns }이고, 행과 열은 0부터 셉니다.
exec-judge-meant-either = 그 자리는 { $matrix }의 행 { $row }, 열 { $column }, 또는 행 { $last }의 열 { $beyond }입니다. { $matrix }의 크기는 { $rows } × { $columns }이고, 행과 열은 0부터 셉니다.
exec-judge-changed = { $launch }: 커널이 { $matrix }의 행 { $row }, 열 { $column }에 씁니다. C만 바꾸어야 합니다.
exec-judge-wrong = { $launch }: 원소 { $of }개 중 { $wrong }개가 틀립니다. C[{ $row }][{ $column }] 값은 { $value }, 맞는 값은 { $expected }입니다.
exec-judge-unwritten = 그 원소들에는 한 번도 쓰지 않았습니다.
exec-judge-everywhere = 모두 틀립니다.
exec-judge-range = { $kind ->
    [row] 행 { $from }
    [rows] 행 { $from }~{ $to }
    [column] 열 { $from }
   *[columns] 열 { $from }~{ $to }
}
exec-judge-whole = { $range } 전체가 틀립니다.
exec-judge-box = { $columns }의 { $rows } 전부가 틀립니다.
exec-judge-all-nan = 모두 NaN입니다. 수가 아닌 것으로 계산했습니다. 행 사이의 틈, beta가 0일 때의 C, 무한대끼리의 차 같은 것입니다.
exec-judge-no-beta = 틀린 원소는 모두 옛 C에 `beta`를 곱해 더하지 않은 값입니다.
exec-judge-no-alpha = 틀린 원소는 모두 `alpha`를 곱하지 않은 값입니다.
exec-judge-first-products = 틀린 원소는 모두 곱 { $k }개 중 처음 { $first }개의 합입니다.
exec-judge-last-products = 틀린 원소는 모두 곱 { $k }개 가운데 처음 { $missing }개를 빠뜨린 합입니다.
exec-judge-missing-product = 틀린 원소는 모두 k = { $l }의 곱이 빠진 합입니다.
exec-judge-twice = 틀린 원소는 모두 k = { $l }의 곱을 두 번 더한 합입니다.
exec-judge-special-help = 여기서는 A, B, C의 원소 몇 개가 0, 무한대, NaN입니다. 0에 무한대나 NaN을 곱하면 NaN입니다. 커널이 곱을 빼먹거나, 합에 들어가지 않는 원소를 곱하나요?
exec-judge-again-help = 첫 실행은 맞았는데, 같은 모듈의 두 번째 실행은 틀립니다. 커널이 실행 사이에 무엇을 남겨 둘까요?
exec-judge-gap = { $launch }: 커널이 C의 행 { $row }, 열 { $column }에 쓰는데 C의 열은 { $n }개입니다. 그 자리는 다른 데이터의 것입니다.
exec-judge-gap-help = 저장하기 전에 열도 검사하세요. `ldc`가 N보다 크면 다음 행이 바로 거기서 시작하지 않습니다.
exec-judge-thread = 스레드 { $thread }
exec-judge-thread-of = 블록 { $block }의 스레드 { $thread }
exec-judge-access = { $access ->
    [Read] { $thread }의 읽기({ $line }번 줄)
   *[Write] { $thread }의 쓰기({ $line }번 줄)
}
exec-judge-called = { $access }({ $line }번 줄에서 호출)
exec-judge-space = { $space ->
    [Shared] 공유 메모리
    [Global] 글로벌 메모리
   *[Registers] `wgmma`의 레지스터
}
exec-judge-hazard = { $launch }: { $kind } 해저드, { $space }의 한 워드: { $first }, { $second }. 어느 쪽이 먼저인지 정하는 것이 없습니다.
exec-judge-hazard-help = { $kind ->
    [RAW] 기다려야 할 쓰기보다 읽기가 먼저일 수 있습니다.
    [WAR] 전에 있던 값을 읽기도 전에 쓸 수 있습니다.
    [WAW] 두 값 중 어느 것이 남을지 알 수 없습니다.
   *[blocks] `__syncthreads()`는 서로 다른 블록의 스레드 사이의 순서를 정하지 않습니다. 원자적 연산을 쓰거나, 플래그를 세우는 쪽과 기다리는 쪽에 모두 펜스를 두세요.
}
exec-judge-count = { $launch }: { $count ->
    [GlobalSectors] 글로벌 메모리의 섹터 { $has }개를 옮깁니다. { $may }개까지 통과합니다.
    [GlobalBytes] 글로벌 메모리에 { $has }바이트를 요청합니다. { $may }바이트까지 통과합니다.
    [SharedWavefronts] 공유 메모리에 웨이브프론트 { $has }개가 듭니다. { $may }개까지 통과합니다.
    [Barriers] 블록들이 배리어를 { $has }번 지납니다. { $may }번까지 통과합니다.
   *[LocalAccesses] 워프가 로컬 메모리에 { $has }번 접근합니다. { $may }번까지 통과합니다. 실행 중에 정해지는 인덱스를 쓰는 배열은 레지스터에 있지 않습니다.
}
exec-judge-unused = { $launch }: 워프가 `{ $name }` 명령어를 { $has }번 실행합니다. 풀이는 { $theirs }번 실행합니다. 이 실습에서는 그 명령어를 써야 합니다.

# What the emulator says.
exec-says = 에뮬레이터:
    .whole = { $place }: { $b } 블록의 { $a } 스레드가 { $what }.
    .called = { $a }({ $b }번 줄에서 호출, PTX { $c }번 줄)
    .place = { $a }(PTX { $b }번 줄)
    .ptx = PTX { $a }번 줄
    .misaligned = { $what }. 주소가 { $a }의 배수가 아닙니다
    .multiple = { $what }. { $a }의 배수여야 합니다
    .constant = 상수 { $a }에 씁니다
    .unwritten = { $b } 버퍼에서 아무도 쓰지 않은 곳(바이트 { $a })을 읽습니다
    .unwritten-shared = 공유 메모리에서 블록이 쓰지 않은 곳(바이트 { $a })을 읽습니다
    .no-mbarrier = 공유 메모리에서 초기화하지 않은 곳(바이트 { $a })을 `mbarrier`로 씁니다
    .reads = { $what }에서 { $a }바이트를 읽습니다
    .writes = { $what }에 { $a }바이트를 씁니다
    .copies-bulk = { $a }바이트를 한꺼번에 복사합니다
    .copies = { $what }에서 { $a }바이트를 복사합니다
    .stores = { $what }에서 { $a }바이트를 내보냅니다
    .in-shared-of = 공유 메모리({ $b }바이트)의 바이트 { $a }
    .in-local = 로컬 메모리({ $b }바이트)의 바이트 { $a }
    .in-local-calls = 로컬 메모리(지금의 호출에 { $b }바이트)의 바이트 { $a }
    .in-buffer = { $b } 버퍼({ $c }바이트)의 바이트 { $a }
    .outside = 어느 버퍼에도 없는 주소 { $a }
    .in-shared = 공유 메모리의 바이트 { $a }
    .barrier-number = 배리어 { $a }번을 스레드 { $b }개로 씁니다. 배리어는 0번부터 15번까지이고, 워프 단위로만 받습니다
    .barrier-counts = 배리어 { $a }번에서 스레드 { $b }개를 기다리는데, 다른 스레드는 { $c }개를 기다립니다
    .barrier-two = 배리어 { $a }번에서, { $b } 스레드는 배리어 { $c }번에서 기다려 둘 다 더 나아갈 수 없습니다
    .barrier-short = 배리어 { $a }번에서 스레드 { $b }개를 기다리지만, 올 수 있는 것은 { $c }개뿐입니다
    .barrier-skipped = 같은 워프의 다른 스레드가 건너뛰는 배리어에서 기다립니다
    .warp-never = 끝내 오지 않는 같은 워프의 스레드를 기다립니다
    .barrier-alone = 같은 워프의 다른 스레드 { $a }개가 오지 않는 배리어에서 기다립니다
    .alone = 같은 워프의 다른 스레드 { $b }개가 오지 않는 { $a }에서 기다립니다
    .missing = 워프의 스레드 32개가 모두 있어야 하는 { $a } 명령어를 실행하는데 { $b }개가 없습니다
    .skipped = 같은 워프의 다른 스레드가 건너뛰는 { $a } 명령어를 실행합니다
    .elsewhere = { $what }(같은 워프의 스레드 { $a }개는 다른 일을 합니다)
    .shuffle = 같은 워프의 레인 { $a }에서 값을 받으려 합니다. 그 레인은 마스크 { $b }에 있지만 이 명령어에 오지 않습니다
    .spins = 끝내 오지 않는 값을 글로벌 메모리에서 되풀이해 읽습니다. { $what }
    .no-other = 다른 블록은 없습니다
    .all-spin = 실행 중인 다른 블록도 모두 기다리기만 합니다
    .not-begun = 시작한 다른 블록도 기다리기만 하고, 나머지 { $a }개는 하나가 끝나야 시작합니다. GPU에는 한 번에 { $b }개가 들어갑니다
    .arrives = 공유 메모리의 바이트 { $b }에 있는 `mbarrier`에 { $a }번 도착합니다. 이 페이즈는 { $c }번만 더 기다립니다
    .no-arrivals = 더는 있을 수 없는 도착을 기다립니다
    .lacks = 공유 메모리의 바이트 { $a }에 있는 `mbarrier`를 기다립니다. 페이즈 { $b }에 도착 { $d }번 가운데 { $c }번과 { $e }바이트가 모자라는데, 그만큼 채워 줄 스레드가 모두 멈춰 있습니다
    .block-steps = 블록이 워프 명령어를 한도인 { $a }개까지 실행했을 때도 끝나지 않았습니다. 끝나지 않는 루프인 듯합니다
    .running = { $what } 아직 실행 중이었습니다. { $a }
    .steps = 워프 명령어 한도 { $a }개를 다 썼을 때
    .seconds = 시간 한도 { $a }초가 지났을 때
    .endless = 끝나지 않는 루프인 듯합니다
    .endless-or = 끝나지 않는 루프가 있거나, 블록 { $a }개인 그리드가 너무 큽니다
    .begun = { $what } { $a } 블록은 시작하지도 않았습니다. { $b }.
    .ended = { $what } { $a } 블록이 끝나지 않았습니다. { $b }.
    .hazard-memory = 블록 { $a }에서 해저드를 찾는 데 허용된 것보다 많은 메모리가 필요합니다. 한도를 늘리거나 더 작은 크기를 고르세요.
    .hazard-many = 블록 { $a }의 접근이 해저드를 가려낼 수 있는 것보다 많습니다. 해저드를 찾지 않거나 더 작은 크기를 고르세요.
    .trap = `trap` 명령어를 실행합니다
    .assertion = 성립하지 않는 assert를 만났습니다: { $a }
    .threads = { $a } 블록은 스레드가 { $b }개입니다. { $c } 커널은 최대 { $d }개, z 방향으로는 64개까지 받습니다.
    .shared-bytes = { $a } 커널에는 블록당 공유 메모리 { $b }바이트가 필요합니다. { $c }: 최대 { $d }바이트.
    .load = { $a }번 줄, { $b }번 열: { $what }
    .unknown-near = { $a }: 모르는 명령어입니다. 가장 비슷한 것은 { $b }입니다.
    .unknown = { $a }: 모르는 명령어입니다.
    .expected = { $a } 자리에 다른 것이 있습니다: { $b }.
    .undeclared = { $a }: 선언되지 않았습니다.
    .no-predicate = { $a }: 프레디케이트 레지스터가 아닙니다.
    .no-register = { $a }: 레지스터가 아닙니다.
    .no-label = { $a } 레이블이 없습니다.
    .label-twice = { $a } 레이블이 두 번 나옵니다.
    .declared-twice = { $a }: 같은 범위에서 두 번 선언되었습니다.
    .character = { $a }: PTX에 쓸 수 없는 문자입니다.
    .operand-missing = 피연산자가 빠졌습니다.
    .operands-wrong = { $a }: 피연산자의 수가 틀립니다.
    .operands-not = { $a }: 피연산자는 { $c }개가 아니라 { $b }개입니다.
    .operands = { $a }: 피연산자는 { $b }개입니다.
    .operands-many = { $a }: 피연산자가 너무 많습니다.
    .operand-register = 이 피연산자는 레지스터여야 합니다.
    .operand-predicate = 이 피연산자는 프레디케이트여야 합니다.
    .destination = 결과를 받는 피연산자는 레지스터여야 합니다.
    .brackets = 대괄호로 묶은 주소가 와야 합니다.
    .braces = 중괄호로 묶은 벡터가 와야 합니다.
    .vector = 벡터의 길이가 틀립니다.
    .narrow = 레지스터가 타입보다 좁습니다.
    .bits-takes = { $a }: { $b }비트입니다. 명령어는 { $c }비트를 받습니다.
    .bits-gives = { $a }: { $b }비트입니다. 명령어의 결과는 { $c }비트입니다.
    .floats = { $a }: 부동소수점 수만 받습니다. { $c } 대신 { $b }처럼 씁니다.
    .no-type = { $a }: 타입이 없습니다.
    .no-instruction = { $a }: 명령어가 아닙니다.
    .no-number = { $a }: 수가 아닙니다.
    .unclosed = 문장이 `;`로 끝나지 않았습니다.
    .no-version = `.version`이 없으므로 PTX가 아닙니다.
    .unsupported = 에뮬레이터가 지원하지 않습니다: { $a }.
    .a-number = 수
    .a-name = 이름
    .a-label = 레이블
    .an-instruction = 명령어
    .an-operand = 피연산자
    .a-register = 레지스터
    .a-register-name = 레지스터 이름
    .a-predicate = 프레디케이트 레지스터
    .an-address = 주소
    .a-type = 레지스터 타입
    .end = 텍스트의 끝
    .a-string = 문자열
exec-limits-table = NVIDIA 어셈블러로 어셈블한 기록이 없는 코드라, 에뮬레이터에 든 { $device }의 한도로 확인했습니다.
exec-judge-mask-help = 마스크를 넘기는 레인도 그 마스크에 들어 있어야 합니다. 이 명령어에 오는 레인을 빠짐없이, 그 레인만, 모두 같은 마스크로 적으세요.
exec-judge-undefined = { $launch }: { $what } { $line }번 줄입니다. 출처: { $clause }.
exec-judge-undefined-help = { $rule ->
    [absent-lane] 마스크에 적힌 레인은 모두 같은 명령어에 와야 합니다. 명령어를 분기 밖으로 옮기거나, 오는 레인만 적으세요.
    [missing-lane] 마스크에 적힌 레인은 모두 같은 명령어에 와야 합니다. 명령어를 분기 밖으로 옮기거나, 오는 레인만 적으세요.
    [unnamed-lane] 셔플이 읽는 레인도 마스크에 들어 있어야 합니다.
    [unwritten-register] 변수를 선언할 때 값을 주세요.
    [unwritten-shared] 이 바이트는 어느 스레드가 쓰고, 그 쓰기와 이 읽기 사이에 배리어가 있나요?
    [written-read-only] 커널이 쓰는 것은 `__ldg` 없이, `const`와 `__restrict__`가 없는 포인터로 읽으세요.
    [matrix-address] 워프의 모든 레인이 행의 주소를 넘기게 하세요.
    [barrier-places] 블록의 모든 스레드가 같은 `__syncthreads()`에 와야 합니다. 분기 뒤로 옮기세요.
    [barrier-skipped] 블록의 모든 스레드가 같은 `__syncthreads()`에 와야 합니다. 분기 뒤로 옮기세요.
    [cluster-exit] 끝에서 블록이 서로를 기다리게 하세요: `cluster.sync()`.
    [unordered-init] `mbarrier.init`과 첫 사용 사이에 배리어를 두세요.
   *[bulk-source] 커널이 끝나기 전에 복사를 기다리세요.
}
exec-judge-condition = 조건은 { $properties }입니다. { $others }이면 같은 실행이 맞습니다.
exec-judge-value = { $what } { $value }
exec-judge-gaps = { $has ->
    [gaps] { $matrix }의 행 사이에 틈이 있는 것
   *[none] { $matrix }의 행 사이에 틈이 없는 것
}
exec-judge-numbers = { $kind ->
    [large-has] 큰 수
    [large-lacks] 1보다 작은 수
    [special-has] 무한대와 NaN
    [special-lacks] 유한한 수
    [old-has] 옛 C의 수
   *[old-lacks] 옛 C의 NaN
}
exec-judge-and = { $first }, { $second }
exec-judge-or = { $first } 또는 { $second }
exec-judge-longest-warp = { $launch }: 한 워프가 명령어 { $has }개를 실행합니다. { $may }개까지 통과합니다. 다른 워프가 그 워프를 기다리거나, 스레드마다 필요 없는 일을 합니다.
exec-judge-local = { $launch }: 스레드가 로컬 메모리와 { $has }바이트를 주고받습니다. 풀이는 모든 메모리와 { $theirs }바이트를 주고받습니다. 실행 중에 정해지는 인덱스로 쓰는 배열은 레지스터에 있지 않습니다.
