# `matmul-tutor run`: what one run came to.

run-cli-emulator = SIMT 에뮬레이터
run-cli-on = { $device }에서
run-cli-on-driver = { $device }에서, 드라이버 { $driver }
run-cli-emulated = 에뮬레이터에서 실행합니다: { $why }
run-cli-instead = `{ $asked }` 커널은 이 형상을 받지 않습니다({ $why }). 대신 `{ $runs }` 커널을 실행합니다.

run-cli-result = 결과
run-cli-not-compared = 비교하지 않음
run-cli-right = C의 원소 { $elements }개 모두 맞음. 최대 상대 오차 { $error }
run-cli-wrong = C의 원소 { $elements }개 중 { $wrong }개 틀림
run-cli-wrong-expected = C의 원소 { $elements }개 중 { $wrong }개 틀림(이 커널이 보여 주려는 것)
run-cli-against = 비교 기준: { $what }

run-cli-time = 시간
run-cli-no-time = 없음: 에뮬레이터에서 걸린 시간으로는 GPU의 속도를 알 수 없습니다
run-cli-interval = (중앙값의 95% 구간: { $low }~{ $high }, 실행 { $launches }번)
run-cli-speed = 속도
run-cli-of-cublas = { $name }의 { $share } ({ $speed })
run-cli-recorded = 기록: { $device }, 드라이버 { $driver }, { $date }

run-cli-counted-all = 에뮬레이터가 모든 블록에서 PTX 명령어별로 센 것
run-cli-counted-some = 에뮬레이터가 블록 { $all }개 중 { $part }개에서 PTX 명령어별로 센 것
run-cli-counted-some-checked = 에뮬레이터가 블록 { $all }개 중 { $part }개에서 PTX 명령어별로 센 것. 결과는 모든 블록에서 확인
run-cli-global-loads = 글로벌 로드
run-cli-global-stores = 글로벌 스토어
run-cli-copies = 비동기 복사
run-cli-shared-loads = 공유 로드
run-cli-shared-stores = 공유 스토어
run-cli-requests = 요청 { $count }
run-cli-sectors = 섹터
run-cli-wavefronts = 웨이브프론트
run-cli-each = (요청당 { $each }, 최소 { $best })
run-cli-intensity = 산술 강도
run-cli-intensity-is = { $flop } FLOP / 글로벌 메모리에 요청한 { $bytes }바이트: { $ratio } FLOP/byte

run-cli-hazard = 해저드
run-cli-by-luck = 해저드가 있는데 결과가 맞았다면 운이 좋았던 것입니다. 검증된 것으로 치지 않습니다.
run-cli-beyond = 카탈로그의 `{ $kernel }` 커널은 이 형상을 받지 않습니다({ $why }). 제출한 것은 그래도 실행합니다.
run-cli-called = { $place } ({ $line }번 줄에서 호출)
run-cli-read = 스레드 { $thread }의 읽기 { $place }
run-cli-write = 스레드 { $thread }의 쓰기 { $place }
run-cli-times = { $n ->
   *[other] { $count }번
}

run-cli-printed = 커널이 출력한 것
run-cli-printed-cut = … 그 밖에 생략된 { $bytes }바이트.
run-cli-host = 실행
run-cli-variant = 변형
run-cli-undefined = 정의되지 않음
