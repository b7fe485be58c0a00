# The sweep: every variant of a kernel as a heat map.

sweep-no-variants = 그런 커널이 없거나, 변형이 하나뿐입니다.
sweep-variants = 변형 { $count }개
sweep-of = { $at }/{ $count }: o로 다음
sweep-device-unknown = 아직 모르는 디바이스
sweep-no-gpu = GPU 없음
sweep-measured = 방금 측정
sweep-counted = 센 값, 작을수록 좋음
sweep-not-run = 실행 전
sweep-unit-speed = TFLOP/s
sweep-unit-bytes = bytes/FMA
sweep-bytes = 곱셈-덧셈 하나에 메모리 { $bytes }바이트
sweep-here = { $name }: { $figure }
sweep-here-share = { $name }: { $figure }, { $cublas }의 { $share }
sweep-nothing-yet = 아직 수치 없음
sweep-wrong = 결과가 틀리므로 속도는 의미가 없습니다.
sweep-share = { ", " }{ $cublas }의 { $share }
sweep-best = 최고: { $variant }, { $figure }{ $share }
sweep-launch-counts = Enter를 누르면 에뮬레이터에서 모두 실행해 메모리에 얼마나 요청하는지 셉니다.
sweep-launch-times = Enter를 누르면 이 GPU에서 모두 번갈아 실행해 시간을 잽니다.
sweep-sign-bar = 왼쪽의 수치, 가장 나쁜 변형부터 가장 좋은 변형까지
sweep-sign-best = 모든 변형 중 최고
sweep-sign-wrong = 결과가 틀림
sweep-sign-impossible = 불가능한 변형
sweep-sign-cursor = 아래에서 설명하는 변형
