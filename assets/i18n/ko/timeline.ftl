# The timeline: cycles of a simulated multiprocessor.

timeline-idle = Enter를 누르면 SM 하나에서 이 실행을 시뮬레이션합니다. GPU는 필요 없습니다.
timeline-running = n = { $n } 실행을 시뮬레이션하는 중: { $share }. X를 누르면 멈춥니다.
timeline-stopped = 멈췄습니다. Enter를 누르면 다시 시뮬레이션합니다.
timeline-for = { $device }, n = { $n }에서 예측한 것이며 측정한 것이 아닙니다. SM 하나에 블록 { $blocks }개가 들어갑니다.
timeline-blocks = 블록 { $blocks }개씩: { $time }({ $interval })
