### 예측한 시간.

estimate-heading = { $device }에서 걸릴 시간을 예측했습니다. 예측은 H100에서만 시험했습니다. 행렬 곱 실행 { $kernels }개 가운데 열에 아홉이 { $factor }배 안에서 맞았습니다. 다른 커널과 다른 GPU에서는 더 벗어날 수 있습니다.
estimate-time = { $ms } ms({ $low }~{ $high } ms). 이 가운데 { $launch } µs는 실행 자체에 드는 시간(가정)이며, 어셈블러의 명령어는 PTX로 추정했습니다
estimate-speed = { $gflops } GFLOP/s
estimate-launch = { $source ->
    [estimated] 스레드마다 레지스터 { $registers }개(추정)
   *[other] 스레드마다 레지스터 { $registers }개
}, 멀티프로세서에 동시에 들어가는 블록 { $resident }개, 블록 웨이브 { $waves }번
estimate-stalls = 워프의 시간이 쓰이는 곳: { $shares }(배리어의 비율은 대개 너무 크고 MIO 스로틀의 비율은 너무 작습니다. 이런 비율 126개 가운데 100개가 Nsight Compute와 10포인트 안에서 맞았습니다)
estimate-without-shared = 공유 메모리에 시간이 들지 않는다면: { $times }배 빠름
estimate-without-global = 글로벌 메모리에 시간이 들지 않는다면: { $times }배 빠름
estimate-without-arithmetic = 계산에 시간이 들지 않는다면: { $times }배 빠름
estimate-without-barriers = 배리어에 시간이 들지 않는다면: { $times }배 빠름
estimate-none = { $device }에 대한 예측은 없습니다. { $why }
estimate-no-device = `{ $name }`의 상수가 없습니다. 쓸 수 있는 것: { $known }, 또는 측정한 상수를 담은 파일.
estimate-bad-device = `{ $name }`의 상수를 읽을 수 없습니다: { $why }.
estimate-no-error = 다른 예측의 오차를 알 수 없습니다.
estimate-instruction = 모델이 모르는 명령어입니다: `{ $name }`(PTX { $line }번 줄).
estimate-unreadable = 모델이 PTX { $line }번 줄을 따라갈 수 없습니다. 한 줄에 명령어 하나만 있고 함수 호출이 없어야 합니다.
estimate-cluster = 서로 기다리거나 클러스터를 이루는 블록은 모델이 다루지 못합니다.
estimate-spills = 이 커널은 스레드마다 레지스터가 { $needs }개 필요해 보이는데 { $most }개까지만 쓸 수 있습니다. 나머지를 로컬 메모리에 두는 비용은 모델이 모릅니다.
estimate-too-large = 멀티프로세서에 블록이 하나도 들어가지 않습니다.
estimate-faulted = 에뮬레이터가 커널을 멈췄습니다: { $why }
estimate-cancelled = 취소되었습니다.
