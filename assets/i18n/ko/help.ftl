# The keys that work here, every action, and the page that says what went wrong.

help-title = 키와 기호
help-page = 이 페이지에서
help-moving = 이동
help-everywhere = 어디서나
help-signs = 이 화면의 기호

palette-title = 모든 기능
palette-not-here = 여기선 불가
palette-not-now = 지금은 불가
palette-elsewhere = { $part ->
    [quiz] 퀴즈에서
    [outcome] 퀴즈 뒤에
    [map] 지도에서
    [page] 페이지에서
    [picture] 그림에서
   *[exercise] 실습에서
  }

problem-happened = 무슨 일이 있었나
problem-help = 어떻게 하면 되나
problem-go-on = Enter를 누르면 계속합니다. 다른 기능은 모두 정상입니다.
