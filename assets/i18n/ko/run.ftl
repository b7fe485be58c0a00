# The run: kernels launched, timed, verified and counted.

run-several = 커널 { $count }개
# A kernel beside others that have something more in their names.
run-plain = 기본

# Before the first launch.
run-before = 답하거나 정답 보기를 고르면 실행할 수 있습니다.
run-plan-gpu = Enter를 누르면 { $count ->
    [1] 커널을
   *[other] 커널 { $count }개를
  } { $device }에서 n = { $n } 크기로 실행합니다. cuBLAS와 번갈아 시간을 재고, C의 모든 원소를 비교하고, 에뮬레이터로 접근을 셉니다.
run-plan-recorded = Enter를 누르면 { $device }에서 n = { $n } 크기로 기록된 시간({ $date })을 보여 줍니다. 여기에는 GPU가 없습니다.
run-plan-no-time = 여기에는 GPU가 없고, n = { $n } 크기로 기록된 시간도 없습니다.
run-plan-emulator = 에뮬레이터가 { $count ->
    [1] 커널을
   *[other] 커널 { $count }개를
  } n = { $n } 크기로 실행해서 C의 모든 원소를 비교하고 접근을 셉니다.
run-plan-smaller = 에뮬레이터가 { $count ->
    [1] 커널을
   *[other] 커널 { $count }개를
  } n = { $n } 크기로 실행하고 접근을 셉니다. 이 크기면 C의 모든 원소를 비교할 수 있지만, n = { $wanted } 크기는 너무 오래 걸립니다.
run-device-unknown = 찾은 디바이스
run-sizes = n: { $sizes }
run-why-no-gpu = GPU가 없는 이유: { $why }

# Times.
run-device = { $device }, 드라이버 { $driver }
run-live = 측정 중
run-measured = 방금 측정
run-recorded = 기록: { $device }, 드라이버 { $driver }, { $date }
run-no-gpu = GPU 없음
run-not-this-gpu = 이 GPU 아님
run-estimated = { $device }, n = { $n }에서 추정한 시간(측정한 것이 아님)
run-data-pipe = 데이터 파이프, 사이클
run-issue-slots = 발행 슬롯, 사이클
run-arithmetic = 산술, 사이클
run-busy = 바쁜 비율
run-bounds-how = 한계: FMA 32번에 SM이 쓰는 사이클 수와 바쁜 비율. { $mark } 표시가 가장 가까운 한계입니다.
run-timeline = { $kernel }의 사이클(시뮬레이션)
run-timeline-cycle = 사이클 { $cycle }
run-timeline-scheduler = 스케줄러 { $number }
run-timeline-warps = 스케줄러 { $number }의 워프(위: 시작하는 워프의 번호)
run-timeline-tensor = 텐서 코어
run-timeline-own = 워프 { $number }
run-timeline-block = 블록 { $number }
run-timeline-warp = 블록 { $block }의 워프 { $warp }: { $does }.
run-timeline-starts = 워프 { $warp }의 명령어와 그 전에 기다린 사이클
run-timeline-ptx = PTX { $line }번 줄
run-timeline-legend = { $step ->
    [1] {""}
   *[other] 한 칸: { $step }사이클.{" "}
  }# 시작 또는 작동, L 글로벌 메모리, S 공유 메모리, w 결과, M G 큐, P 파이프, T 텐서 코어, B 배리어, . 다른 워프가 선택됨
run-no-time = n = { $n } 크기로 기록된 시간이 없습니다. 에뮬레이터에서 걸린 시간으로는 GPU의 속도를 알 수 없습니다.
run-of-cublas = { $cublas }의 { $share }
run-past-cublas = cuBLAS는 상한이 아니라 기준입니다. 이 크기에서는 다른 커널이 더 빠를 수 있습니다.
run-the-same = 1% 이내로 같음
run-slower = { $ratio }배 느림
run-faster = { $ratio }배 빠름
run-but-wrong = { $compared }, 결과는 틀림
run-best = 여기서 가장 빨랐던 실행: { $title }, { $time }, { $speed }.

# Results.
run-all-right = { $of }개 모두 맞음
run-wrong = { $of }개 중 { $wrong }개 틀림
run-emulated = 에뮬레이터, n = { $n }: 모든 원소 비교
run-again = 다시 실행해 보세요. A와 B의 수와 워프의 순서가 달라지고, 틀린 원소의 개수도 달라집니다.

# Counts.
run-counted = 센 값, n = { $n }: FMA 32번당
run-step-row = { $what }, { $unit }
run-request-row = 요청당
run-at-best = 최소 { $best }
run-best-row = 최소
run-global-loads = 글로벌 로드
run-global-stores = 글로벌 스토어
run-shared-loads = 공유 로드
run-shared-stores = 공유 스토어
run-intensity = 산술 강도, FLOP/byte
run-flop-per-byte = FLOP/byte
run-hazards = 해저드
run-sectors = 섹터
run-wavefronts = 웨이브프론트
run-none = 없음
run-lines = 조회한 글로벌 라인
run-cycles = SM의 사이클
run-cycles-recorded = 사이클, 기록 n = { $n }
run-cycles-how = FMA 32번이 워프의 한 단계입니다. 사이클: SM { $count }개 × { $mhz } MHz × 시간을 n·n·n / 32단계로 나눈 값.
run-fused = 웨이브프론트가 사이클보다 많습니다. 웨이브프론트는 PTX 명령어마다 세지만, 어셈블러는 이웃한 로드 네 개를 16바이트 로드 하나로 합치기 때문입니다.
run-wider = 넓은 로드는 요청당 웨이브프론트가 더 많고 단계당으로는 더 적습니다. 중요한 것은 단계당 값입니다.
run-wgmma-reads = 공유 로드가 “없음”인 곳에서는 wgmma가 타일을 직접 읽습니다. 로드 명령어가 없으니 웨이브프론트도 세지 않습니다.
run-totals = 합계, n = { $n }: 요청 수와 그 비용
run-no-requests = 이 페이지에서는 요청을 세지 않습니다.
run-blocks = 블록 { $blocks }개 중 { $counted }개
run-total = 요청 { $requests } { $arrow } { $cost } { $unit }
run-why = 필요한 것보다 비싼 곳, 요청당
run-nothing-above = 최소보다 많이 드는 곳이 없습니다
run-excess = { $op }: { $unit } { $cost }, 최소 { $best }

# What is going on.
run-begins = 시작합니다.
run-stopped = 멈췄습니다. Enter를 누르면 다시 실행합니다.
run-instead = { $kernel } 커널은 이 형상을 받지 않습니다({ $why }). 대신 { $other } 커널을 실행했습니다.

# The kernels as code.
run-sources = { $count ->
    [1] 커널
   *[other] 커널, 서로 다른 줄은 표시됨
  }

# Signs.
run-sign-bar = 시간. 모든 막대는 같은 눈금
run-sign-interval = 시간의 95% 구간의 절반
run-sign-above = 최소보다 많이 듦
run-sign-right = 맞음, 또는 가장 좋은 상태
run-sign-own = 다른 커널에는 없는 줄
run-sign-wrong = C의 원소가 틀림

run-printed = 커널이 출력한 것
run-printed-more = … { $lines }줄 더
run-printed-cut = … 그 밖에 생략된 { $bytes }바이트
run-variant = 변형 { $variant }
