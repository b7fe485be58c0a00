### 추정한 시간.

estimate-heading = { $device }에서 걸릴 시간을 추정했습니다(측정한 것이 아님).
estimate-time = { $ms } ms({ $low }~{ $high } ms). 이 가운데 { $launch } µs는 실행 자체에 드는 시간(가정)이며, 어셈블러의 명령어는 PTX로 추정했습니다
estimate-speed = { $gflops } GFLOP/s
estimate-launch = { $source ->
    [estimated] 스레드마다 레지스터 { $registers }개(추정)
   *[other] 스레드마다 레지스터 { $registers }개(확인된 수)
}, SM에 동시에 들어가는 블록 { $resident }개, 블록 웨이브 { $waves }번
estimate-stalls = 워프의 시간이 쓰이는 곳: { $shares }(배리어의 비율은 대개 너무 크고 MIO throttle의 비율은 너무 작습니다. 이런 비율 126개 가운데 100개가 Nsight Compute와 10포인트 안에서 맞았습니다)
estimate-without = { $part ->
    [SharedMemory] 공유 메모리에 시간이 들지 않는다면: { $times }배 빠름
    [GlobalMemory] 글로벌 메모리에 시간이 들지 않는다면: { $times }배 빠름
    [Arithmetic] 계산에 시간이 들지 않는다면: { $times }배 빠름
    [Barriers] 배리어에 시간이 들지 않는다면: { $times }배 빠름
    [BlockStarts] 블록을 시작하는 데 시간이 들지 않는다면: { $times }배 빠름
   *[Tail] 모든 SM이 끝까지 차 있다면: { $times }배 빠름
}
estimate-none = { $device }에서 걸릴 시간을 추정한 값이 없습니다. { $why }
estimate-unmet = 먼저 커널이 모든 목표를 달성해야 합니다.
estimate-no-device = `{ $name }`의 상수가 없습니다. 쓸 수 있는 것: { $known }, 또는 측정한 상수를 담은 파일.
estimate-bad-device = `{ $name }`의 상수를 읽을 수 없습니다: { $why }.
estimate-impossible = `{ $name }`의 상수는 어떤 GPU에도 맞지 않습니다: { $constant }.
estimate-no-error = 다른 추정의 오차를 알 수 없습니다.
estimate-instruction = 모델이 모르는 명령어입니다: `{ $name }`(PTX { $line }번 줄).
estimate-unreadable = 모델이 PTX { $line }번 줄을 따라갈 수 없습니다. 한 줄에 명령어 하나만 있고 함수 호출이 없어야 합니다.
estimate-spilled = 어셈블러가 스레드마다 { $bytes }바이트를 로컬 메모리에 둡니다. 모델은 그 로드와 스토어를 세지 않습니다.
estimate-may-spill = 이 커널이 쓸 수 있는 레지스터가 모델이 센 것보다 적을 수 있습니다. 어셈블러가 값을 로컬 메모리에 두더라도 모델은 그것을 세지 않습니다.
estimate-cluster = 협력 실행과, 블록 세 개 이상의 클러스터는 모델이 다루지 못합니다.
estimate-spills = 이 커널은 스레드마다 레지스터가 { $needs }개 필요해 보이는데 { $most }개까지만 쓸 수 있습니다. 나머지를 로컬 메모리에 두는 비용은 모델이 모릅니다.
estimate-stuck = 시뮬레이션에서 워프가 서로 끝없이 기다립니다.
estimate-too-large = SM에 블록이 하나도 들어가지 않습니다.
estimate-faulted = 에뮬레이터가 커널을 멈췄습니다: { $why }
estimate-cancelled = 취소되었습니다.
estimate-doing = { $kernel } 시간 추정
estimate-accuracy = SM 하나를 시뮬레이션해 추정한 시간입니다{ $source ->
    [assembler] (어셈블러가 쓰는 레지스터 수를 압니다)
   *[ptx] {""}
}. { $device }에서 잰 다른 행렬 곱 실행 { $kernels }개 가운데 열에 아홉은 잰 시간이 추정한 시간과 { $factor }배 넘게 차이 나지 않았습니다.{ $here ->
    [other] { " " }이 가운데 이 GPU에서 잰 실행은 없습니다.
   *[here] {""}
}
estimate-interval = { $low }~{ $high }
estimate-brief = { $device }에서 추정한 시간, { $row }
estimate-row = { $shape }: { $time }({ $interval }), { $speed }.
estimate-share = { $choice ->
    [best] 기록된 cuBLAS 최고 속도의 { $share }입니다.
   *[other] 기록된 cuBLAS 기본 커널 속도의 { $share }입니다.
}
estimate-near = 가장 가까운 한계는 { $bound ->
    [DataPipe] L1의 데이터 파이프
    [Schedulers] 발행 슬롯
    [L2] L2
    [Memory] 글로벌 메모리
   *[Float] 산술
}입니다. 전체 시간의 { $share } 동안 바쁩니다.
estimate-far = 가까운 한계가 없습니다. 가장 가까운 것은 { $bound ->
    [DataPipe] L1의 데이터 파이프
    [Schedulers] 발행 슬롯
    [L2] L2
    [Memory] 글로벌 메모리
   *[Float] 산술
}이며, 전체 시간의 { $share } 동안 바쁩니다.
estimate-latency = 나머지는 지연 시간입니다. 워프는 시간의 { $share }를 { $stall ->
    [LongScoreboard] L2나 글로벌 메모리에서 데이터가 오기를 기다리는 데 씁니다.
    [ShortScoreboard] 공유 메모리에서 데이터가 오기를 기다리는 데 씁니다.
    [MioThrottle] 데이터 파이프의 대기열에 자리가 나기를 기다리는 데 씁니다.
    [LgThrottle] L2로 가는 대기열에 자리가 나기를 기다리는 데 씁니다.
    [Barrier] 배리어에서 다른 워프를 기다리는 데 씁니다.
    [Tensor] 텐서 코어의 곱을 기다리는 데 씁니다.
    [MathPipeThrottle] 바쁜 산술 파이프를 기다리는 데 씁니다.
   *[other] 자기 명령어의 결과를 기다리는 데 씁니다.
}
estimate-bounds = FMA 32개당 사이클: 데이터 파이프 { $pipe }({ $pipe_busy } 바쁨), 발행 슬롯 { $issue }({ $issue_busy }), 산술 { $arithmetic }({ $arithmetic_busy })
estimate-data-pipe = 데이터 파이프의 웨이브프론트: 공유 로드 { $loads }, 공유 스토어 { $stores }, 글로벌 라인 { $global }, 복사 { $copies }, 배리어와 대기 { $others }
estimate-idle = SM이 놉니다. 블록이 GPU를 { $waves }번 채웁니다.
estimate-starts = 블록마다 할 일이 적어서, 블록을 시작하는 데 시간의 일부가 듭니다.
estimate-does = { $stall ->
    [Selected] 명령어를 시작합니다
    [LongScoreboard] 글로벌 메모리를 기다립니다(long scoreboard)
    [ShortScoreboard] 공유 메모리를 기다립니다(short scoreboard)
    [Wait] 결과가 나오는 정해진 시간을 기다립니다(wait)
    [MioThrottle] 데이터 파이프의 대기열에 자리가 나기를 기다립니다(MIO throttle)
    [LgThrottle] L2로 가는 큐에 자리가 나기를 기다립니다(LG throttle)
    [MathPipeThrottle] 바쁜 파이프를 기다립니다(math pipe throttle)
    [Tensor] 텐서 코어의 곱을 기다립니다(tensor)
    [Barrier] 배리어에서 다른 워프나 복사를 기다립니다(barrier)
    [NotSelected] 명령어를 시작할 수 있지만 다른 워프가 선택되었습니다(not selected)
   *[other] 아직 시작하지 않았거나 이미 끝났습니다
}
