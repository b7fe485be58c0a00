# Kernels: what a launch needs, why a shape or a variant is impossible, the compiler.

kernels-grid-name = `{ $formula }`에 `{ $name }` 이름이 나옵니다. 그리드는 M, N, K, SMS와 상수로 된 식입니다.
kernels-grid-count = 그리드의 식은 하나에서 셋까지입니다(지금 { $count }개).
kernels-grid-not-computed = 이 형상의 그리드를 계산할 수 없습니다: { $why }
kernels-grid-size = 그리드의 블록이 { $axis } 방향으로 { $blocks }개입니다. CUDA는 1개에서 { $most }개까지 실행합니다.
kernels-extent = { $name } = { $extent }: 1부터 { $most }까지여야 합니다.
kernels-block = 스레드 { $block }개의 블록은 실행할 수 없습니다. 모두 { $most }개까지, z는 64까지이며 각 방향으로 1 이상이어야 합니다.
kernels-epilogue = 에필로그 { $number }번은 없습니다. 번호는 0부터 { $most }까지입니다.
kernels-moduli = 정수로 계산하는 곱의 법은 { $least }개부터 { $most }개까지입니다. { $number }개는 쓸 수 없습니다.
kernels-shared = 공유 메모리 { $bytes }바이트는 어느 블록에도 없는 크기입니다({ $most }까지).
kernels-not-whole = { $formula } = { $value }: 1 이상의 정수가 아닙니다.
kernels-no-multiple = { $name } = { $value }, { $by }의 배수가 아님
kernels-map-of = { $matrix }의 텐서 맵: { $why }
kernels-map-box = 원소 { $extent }개의 상자는 복사할 수 없습니다. 각 크기는 1부터 256까지입니다.
kernels-map-row = 상자의 행이 { $bytes }바이트입니다. 16의 배수가 아닙니다.
kernels-map-swizzle = 상자의 행이 { $bytes }바이트입니다. { $span } 스위즐에서는 { $span }까지 됩니다.
kernels-demands = compute capability { $capability } 이상
kernels-demands-exactly = 정확히 compute capability { $capability }

kernels-nvrtc-none = CUDA 컴파일러 라이브러리 NVRTC를 쓸 수 없습니다. 라이브러리를 찾지 못했습니다.
kernels-nvrtc-unavailable = CUDA 컴파일러 라이브러리 NVRTC를 쓸 수 없습니다: { $why }
kernels-nvrtc-failed = NVRTC가 실패했습니다: { $why }
kernels-nvrtc-no-release = 만든 PTX에 버전이 적혀 있지 않습니다.
kernels-nvrtc-nul = 소스에 NUL 바이트가 있습니다.
kernels-nvrtc-help = `matmul-tutor nvrtc install` 명령이 튜터 전용으로 받아 줍니다. 아니면 { $variable } 변수에 libnvrtc.so의 전체 경로를 정하세요. 내장 커널은 NVRTC가 없어도 실행됩니다.
kernels-nvrtc-static = CUDA 컴파일러 라이브러리 NVRTC를 쓸 수 없습니다. 이 프로그램은 정적으로 링크되어 라이브러리를 읽어 들이지 않습니다.
kernels-too-many-headers = include하는 헤더가 { $headers }개 또는 { $most }MiB를 넘습니다.
kernels-host-code = 이 컴파일러는 GPU에서 실행되는 코드만 컴파일합니다. `main`처럼 호스트에서 실행되는 코드는 모두 빼세요.
kernels-not-compiled = 커널이 컴파일되지 않습니다:

# Each stands after the name of a PTX file.
kernels-unbuilt-missing = 파일이 없습니다
kernels-unbuilt-unstated = 파일에 무엇으로 만들었는지 적혀 있지 않습니다
kernels-unbuilt-another = 파일은 지금 있는 것과 다른 소스, 다른 상수, 또는 다른 GPU용으로 만들어졌습니다
kernels-unbuilt-changed = 파일은 만든 뒤에 바뀌었습니다
kernels-no-header = include할 수 있는 파일: { $names }, 그리고 `cuda_fp16.h`처럼 GPU용 CUDA 헤더. 다른 헤더에서는 필요한 부분을 파일에 옮겨 적으세요.
kernels-no-cuda-headers = CUDA 헤더 `{ $name }`: 지금 쓰는 NVRTC { $version } 옆에 CUDA 헤더가 설치되어 있지 않습니다. `matmul-tutor nvrtc install` 명령이 NVRTC와 그 헤더를 받아 줍니다.
kernels-other-headers = CUDA 헤더 `{ $name }`: 설치된 헤더의 버전({ $found })이 NVRTC의 버전({ $version })과 달라 함께 쓸 수 없습니다. `matmul-tutor nvrtc install` 명령이 맞는 헤더를 받아 줍니다.
kernels-not-assembled = NVIDIA의 어셈블러({ $by })가 { $arch }용 커널을 거부합니다:
kernels-assembled = NVIDIA의 어셈블러({ $by }, { $arch }): 스레드당 레지스터 { $registers }개, 블록당 정적 공유 메모리 { $shared }바이트, { $spilled ->
    [0] 스필 없음
   *[other] 스레드당 스필 스토어 { $spilled }바이트
}.
kernels-too-much-shared = 정적 공유 메모리의 한도는 블록당 48 KiB(49,152바이트)입니다. 배열을 줄이거나, 실행 전에 호스트가 허용해야 하는 동적 공유 메모리를 쓰세요. PTX에서라면 드라이버가 더 받아 줄 수도 있지만(H200의 580이 그렇습니다), `nvcc`는 컴파일하지 않습니다.
kernels-other-target = 이 명령어가 필요로 하는 아키텍처용으로 컴파일하거나, 지금 아키텍처에 있는 명령어를 쓰세요.
