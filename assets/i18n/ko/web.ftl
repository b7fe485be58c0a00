# The tutor as a page in a browser.

web-no-gpu = 웹 페이지에서는 CUDA를 쓸 수 없습니다
web-not-here = 브라우저에서는 할 수 없습니다. 이 기능은 설치한 프로그램에서 쓰세요.
web-worker-crashed = 에뮬레이터가 예기치 않게 끝났습니다: { $why }. 새 에뮬레이터를 시작했습니다.
web-storage = 브라우저 저장소
web-imported = 파일의 진도를 열었습니다.
web-set-aside = 읽을 수 없는 파일은 브라우저에 다른 이름으로 남겨 둡니다. 이제 새 파일로 시작합니다.
web-no-place = 이 강좌에는 “{ $link }” 위치가 없습니다.
web-not-begun = 아직 쓴 것이 없습니다. 파일은 브라우저에 저장되고, e를 누르면 편집기가 열립니다.
web-elsewhere = 설치한 프로그램
web-about-elsewhere = 웹 페이지에서는 이 실습을 판정할 수 없습니다. 설치한 프로그램에서 하세요.
web-no-compiler = 웹 페이지에는 CUDA C++ 컴파일러가 없어서, 이 실습에는 설치한 프로그램이 필요합니다. 실습 폴더를 내려받아 압축을 풀고, 그 안의 파일에 커널을 쓰세요. 폴더가 있는 곳에서 `matmul-tutor exercise check { $id }`를 실행하면 판정합니다.
web-do-download = { $enter }: 폴더 내려받기
web-do-elsewhere = 설치한 프로그램이 필요합니다
web-downloaded = 브라우저가 { $file } 파일을 저장합니다. 압축을 풀고 설치한 프로그램에서 이어서 하세요.
web-replace = 이 브라우저의 진도를 파일의 진도로 바꿀까요?
web-export = 진도 내보내기
web-import = 진도 가져오기
web-plain = 텍스트 모드
web-screen = 화면 모드
web-about = 이 페이지의 한계
web-back = 뒤로
web-field = 튜터 입력란
web-no-progress = 진도 파일이 아닙니다. 바뀐 것은 없습니다.
web-nothing-changed = 바뀐 것은 없습니다.
web-drafted = 쓰던 내용은 초안으로 남아 있지만 아직 저장되지 않았습니다. 편집기를 다시 열면 이어서 쓸 수 있습니다.
web-drop = 저장된 내용으로 되돌리기
web-save = 저장하고 판정하기
web-close = 닫기
web-quit = 탭을 닫거나, 아무 키나 눌러 계속하세요.
web-line = 명령 또는 줄 번호. ?를 입력하면 명령 목록이 나옵니다
web-broken = 페이지에 문제가 생겼습니다. 진도는 저장되어 있습니다. 페이지를 다시 불러오세요. 원인:
web-unsaved = 페이지에 문제가 생겼고, 브라우저가 진도를 저장하지 않습니다. 다시 불러오기 전에 진도를 내보내세요. 원인:
web-memory = 브라우저가 이 페이지의 저장을 허용하지 않습니다. 진도는 탭을 닫을 때까지만 남습니다. 닫기 전에 내보내세요.
web-wiped = 페이지가 열려 있는 동안 브라우저의 진도 사본이 지워졌습니다. 페이지가 다시 저장했습니다.
web-late = 연습과 변형의 커널을 불러오지 못했습니다. 연결되면 페이지를 새로 고치세요.
web-canvas = 여기에 화면을 그립니다. 화면 낭독기를 쓴다면 텍스트 모드를 쓰세요. F6을 누르면 그 버튼으로 갑니다.
web-shared = 다른 탭에서 진도가 바뀌어 이 탭에도 반영했습니다.
web-limits =
    설치해서 쓰는 프로그램과 같은 튜터입니다. 강좌, 화면, 키, 퀴즈, 진도 파일이 모두 같습니다. 커널은 이 컴퓨터의 프로세서에서 에뮬레이터로 실행됩니다. 다음 기능은 설치한 프로그램에서만 쓸 수 있습니다.
    • 내 GPU로 잰 시간과 cuBLAS 비교
    • CUDA C++ 실습: 페이지에는 컴파일러가 없습니다. 대신 실습 폴더를 내려받을 수 있습니다.
    • emulate, race, bench, grade, check 같은 명령, 강좌를 쓰면서 보는 미리 보기
    • 직접 고른 편집기
    { "" }
    Ctrl-N, Ctrl-T, Ctrl-W 같은 키는 브라우저가 쓰므로, 터미널에서 Ctrl과 함께 누르는 키를 여기서는 Alt와 함께 누릅니다. 예를 들어 Alt-N은 다음 문제로 갑니다. 마우스로 끌면 글자를 선택할 수 있고, Ctrl-C로 복사합니다. F6을 누르면 화면에서 텍스트 모드 버튼으로 갑니다. 터치 화면에서는 키가 버튼으로 나옵니다.
    { "" }
    이 페이지는 아무것도 보내지 않습니다. 진도는 이 브라우저에 이 주소로만 저장되며, 같은 주소의 다른 페이지가 읽을 수 있습니다. 보관하거나 설치한 프로그램에서 이어서 하려면 진도를 내보내고, `matmul-tutor doctor`가 알려 주는 폴더에 파일을 넣으세요.

# `matmul-tutor course web`.
web-no-page = 페이지 파일이 없습니다.
web-no-page-help = 소스 폴더에서 `scripts/release/web dist/web`로 만든 다음, 그 폴더를 지정하세요: `--page dist/web`.
web-not-a-page = 버전이 적힌 { $file } 파일이 없습니다
web-long-name = 강좌 파일의 경로가 100자보다 깁니다.
web-not-written = 페이지를 { $dir }에 쓸 수 없습니다: { $why }
web-foreign = 폴더에 다른 파일이 있습니다
web-written = 페이지를 { $dir }에 썼습니다: 파일 { $files }개, { $kib } KiB. 폴더를 아무 웹 호스트에나 올리면 됩니다.
web-opens = 브라우저에서 페이지가 열립니다.
web-opens-not = 페이지가 열리지 않습니다: { $why }
web-silent = { $seconds }초 안에 페이지가 열리지 않았습니다.
web-no-browser = 브라우저를 찾지 못했습니다.
web-no-browser-help = Chromium이나 Firefox를 설치하거나, `--browser`로 프로그램을 지정하세요.
