# Kernels: what a launch needs, why a shape or a variant is impossible, the compiler.

kernels-grid-name = `{ $formula }`에 `{ $name }` 이름이 나옵니다. 그리드는 M, N, K, SMS와 상수로 된 식입니다.
kernels-grid-count = 그리드의 식은 하나에서 셋까지입니다(지금 { $count }개).
kernels-grid-not-computed = 이 형상의 그리드를 계산할 수 없습니다: { $why }
kernels-grid-size = 그리드의 블록이 { $axis } 방향으로 { $blocks }개입니다. CUDA는 1개에서 { $most }개까지 실행합니다.
kernels-extent = { $name } = { $extent }: 1부터 { $most }까지여야 합니다.
kernels-block = 스레드 { $block }개의 블록은 실행할 수 없습니다. 모두 { $most }개까지, z는 64까지이며 각 방향으로 1 이상이어야 합니다.
kernels-epilogue = 에필로그 { $number }번은 없습니다. 번호는 0부터 { $most }까지입니다.
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
kernels-nvrtc-help = `matmul-tutor nvrtc install` 명령이 튜터 전용으로 받아 줍니다. 아니면 { $variable } 변수에 libnvrtc.so의 전체 경로를 정하세요. 커밋된 커널은 없어도 실행됩니다.
kernels-nvrtc-static = CUDA 컴파일러 라이브러리 NVRTC를 쓸 수 없습니다. 이 프로그램은 정적으로 링크되어 라이브러리를 읽어 들이지 않습니다.
kernels-too-many-headers = include하는 헤더가 { $headers }개 또는 { $most }MiB를 넘습니다.
kernels-no-header = include할 수 있는 파일은 다음뿐입니다: { $names }. 다른 것에서 필요한 부분은 직접 써 넣으세요.
kernels-host-code = 이 컴파일러는 GPU에서 실행되는 코드만 컴파일합니다. `main`처럼 호스트에서 실행되는 코드는 모두 빼세요.
kernels-not-compiled = 커널이 컴파일되지 않습니다:

# Each stands after the name of a PTX file.
kernels-unbuilt-missing = 파일이 없습니다
kernels-unbuilt-unstated = 파일에 무엇으로 만들었는지 적혀 있지 않습니다
kernels-unbuilt-another = 파일은 지금 있는 것과 다른 소스, 다른 상수, 또는 다른 GPU용으로 만들어졌습니다
kernels-unbuilt-changed = 파일은 만든 뒤에 바뀌었습니다
