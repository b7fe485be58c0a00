# `matmul-tutor nvrtc`: NVIDIA's compiler for the tutor alone.

nvrtc-about = NVRTC { $release }: NVIDIA의 CUDA C++ 컴파일러로, NVIDIA의 라이선스를 따릅니다. 받는 도구: { $installer }. CUDA 헤더와, NVIDIA의 어셈블러가 든 nvJitLink 12.9도 함께 받습니다. 약 87 MB를 받고, { $folder }에서 180 MB를 차지합니다.
nvrtc-ask = 받을까요? [y/N]
# What counts as yes: words, in small letters.
nvrtc-yes = y yes 예 네 응 ㅇ
nvrtc-declined = 아무것도 받지 않았습니다.
nvrtc-nobody-to-ask = 받아도 되는지 물어볼 사람이 없습니다.
nvrtc-nobody-to-ask-help = `{ $command }` 명령은 묻지 않습니다.
nvrtc-progress = 받아서 푸는 중: { $mb } MB
nvrtc-installed = NVRTC { $release } 설치 완료. 컴파일이 되며 이제부터 찾아 씁니다: { $path }. 열려 있는 튜터는 편집하거나 저장할 때 찾습니다.
nvrtc-already = NVRTC { $release } 버전이 이미 있고 컴파일도 됩니다: { $path }
nvrtc-overruled = { $variable } 변수가 있어 그 변수가 가리키는 라이브러리를 대신 씁니다.
nvrtc-removed = { $path } 지움.
nvrtc-not-there = { $path }에는 아무것도 없습니다.
nvrtc-not-ours = { $folder }: NVRTC 설치 프로그램이 두지 않은 파일이 있습니다.
nvrtc-not-ours-help = 다른 곳으로 옮기세요.
nvrtc-busy = 다른 프로세스가 설치하거나 지우는 중입니다.
nvrtc-offline = NVRTC를 받지 못했습니다. 여기서는 { $installer } 명령이 패키지 인덱스에 연결되지 않습니다.
nvrtc-not-fetched = NVRTC를 받지 못했습니다. { $installer }의 출력: { $why }
nvrtc-does-not-work = 받은 것이 동작하지 않아 지웠습니다: { $why }
nvrtc-unwritten = { $folder }에 NVRTC를 설치하지 못했습니다: { $why }.
nvrtc-no-library = { $folder }에 NVRTC 라이브러리가 없습니다.
nvrtc-other-release = { $pinned } 버전이 아니라 { $release } 버전입니다.
nvrtc-no-installer = NVRTC를 받는 데 쓸 uv도, pip나 venv가 있는 Python도 없습니다.
nvrtc-no-installer-help = 둘 중 하나를 설치하거나, 여기에 있는 libnvrtc.so의 전체 경로를 MATMUL_TUTOR_NVRTC로 정하세요.
nvrtc-not-here = NVIDIA는 NVRTC { $release } 버전의 Python 휠을 x86-64용 Linux와 Windows에만 제공합니다.
nvrtc-not-here-help = CUDA 툴킷이 설치되어 있으면 그 NVRTC를 찾아 씁니다. 아니면 라이브러리의 전체 경로를 MATMUL_TUTOR_NVRTC로 정하세요.
