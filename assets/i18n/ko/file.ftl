# 사용자가 적은 파일과 데이터 디렉터리의 파일.

file-not-read = { $file } 파일을 읽을 수 없습니다: { $why }.
file-not-text = 텍스트 파일이 아닙니다
file-encoding = { $at }번째 바이트부터 UTF-8이 아니고 인코딩을 알 수 없습니다. UTF-8로 저장하세요
file-too-long = { $file } 파일이 { $most } MiB보다 큽니다.
file-is-directory = 디렉터리입니다
file-is-pipe = 파일이 아니라 파이프입니다
file-is-socket = 파일이 아니라 소켓입니다
file-is-device = 파일이 아니라 장치입니다
