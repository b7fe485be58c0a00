# 레벨별 커널의 속도 비교.

climb-what = 같은 곱셈을 레벨마다 커널 하나로
climb-live-now = Enter로 여러분의 GPU에서 실행
climb-nothing = 이 커널들을 기록한 시간이 없고, 여기에는 GPU가 없습니다.
climb-runs = 실행 중, { $percent }
climb-begins = 시작
climb-slower = cuBLAS보다 느림
climb-faster = cuBLAS보다 빠름
climb-failed = 여기서 실행할 수 없음
climb-failed-why = 레벨 { $level }: { $why }
climb-share = 막대: 같은 수를 곱하는 cuBLAS 대비 속도.
climb-question = 곱은 모두 같습니다. 무엇이 달라졌을까요? 답은 각 레벨에.
climb-sign-bar = cuBLAS 대비 속도. cuBLAS를 넘으면 색이 바뀜
climb-sign-cublas = cuBLAS와 같은 속도
