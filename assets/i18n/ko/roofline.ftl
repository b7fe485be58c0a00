# The roofline: arithmetic intensity against a device's limits.

roofline-source = { $device }, 기록, 드라이버 { $driver }, { $date }
roofline-unmeasured = { $device }: 한계를 측정하지 않음
roofline-no-room = 그래프를 그릴 자리가 모자랍니다. z를 누르면 화면 전체를 씁니다.
roofline-no-roof = 지붕 없음: 이 디바이스의 FMA 속도와 대역폭을 측정하지 않았습니다.
roofline-measured = { $speed }, 측정
roofline-recorded = { $speed }, 기록
roofline-no-time = 시간 없음
roofline-arithmetic = 연산 쪽
roofline-memory = 메모리 쪽
roofline-counting = 세는 중
roofline-enter = 아직 세지 않았습니다. 그림을 열면 커널마다 얼마나 계산하고 얼마나 요청하는지 에뮬레이터가 셉니다.
roofline-above = { $count ->
    *[other] 메모리 경사보다 위: { $names }. 요청의 대부분에 캐시가 답하기 때문입니다.
  }
roofline-balance = 연산 { $speed }, 복사 { $bandwidth } TB/s: 균형점은 { $balance } FLOP/byte입니다.
roofline-sign-slope = 이 강도에서 디바이스의 메모리가 댈 수 있는 속도
roofline-sign-flat = 디바이스의 연산이 낼 수 있는 속도
roofline-sign-letter = 커널의 강도와 속도
roofline-sign-line = 시간을 모르는 커널의 강도
