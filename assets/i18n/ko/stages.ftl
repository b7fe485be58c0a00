stages-what = 스테이지 { $n }개, 타일 { $tiles }개
stages-cycles = { $n }사이클
stages-stages = 스테이지
stages-load = 로드, 사이클
stages-multiply = 곱셈, 사이클
stages-l1 = L1
stages-l2 = L2
stages-memory = 메모리
stages-page-s = 페이지가 정한 값
stages-recorded = { $memory }, 기록: { $device }
stages-stage = 스테이지 { $n }
stages-multiplies = 곱셈
stages-waited = { $total }사이클 중 { $waiting }사이클은 아무것도 곱하지 않습니다: { $share }.
stages-faster = 스테이지 하나일 때의 { $times }배 속도입니다.
stages-added = 로드와 곱셈이 번갈아 진행됩니다: 타일마다 { $period }사이클.
stages-load-bound = { $n ->
    [1] 타일 하나를 미리 로드하는 것으로는 모자랍니다: 로드가 끝나야 하므로 타일마다 { $period }사이클.
   *[other] 타일 { $n }개를 미리 로드하는 것으로는 모자랍니다: 타일마다 평균 { $period }사이클.
}
stages-hidden = 첫 로드만 빼고 모두 숨었습니다: 타일마다 { $period }사이클.
stages-tile-said = 타일 { $n }: 요청 { $load }, 도착 { $there }, 곱셈 { $begin }~{ $end }.
stages-sign-load = 오는 중인 타일. 숫자는 타일 번호
stages-sign-there = 도착해서 기다림
stages-sign-multiply = 곱하는 중
stages-sign-wait = 곱하는 것이 없음
