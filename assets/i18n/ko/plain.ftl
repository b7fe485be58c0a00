# The tutor line by line.

plain-welcome = 한 줄씩 진행하는 튜터입니다. 괄호 안의 키 이름이나 낱말을 입력하고 Enter를 누르세요. ?를 입력하면 쓸 수 있는 것이 모두 나옵니다. 답을 적는 곳에서는 명령인 낱말 앞에 쌍점을 붙입니다(예: :다음).
plain-more = 레벨 { $level }, 페이지 { $page } 더 보기: { $title }
plain-page = 레벨 { $level }, 페이지 { $page }/{ $of }: { $title }
plain-picture = 그림: { $name }
plain-use-picture = tab을 입력하면 그림을 조작합니다.
plain-locked = 잠김. 퀴즈 { $gate } 통과 뒤에 열림
plain-no-gate = 퀴즈 없음
plain-exercise-left = 퀴즈 통과, 실습 하나(아무거나) 필요
plain-passed = 퀴즈 통과
plain-needs = 퀴즈 기준 { $questions }개 중 { $required }개
plain-pages = { $total }페이지 중 { $read }페이지 마침, { $gate }
plain-help = 여기서 입력할 수 있는 것
plain-gate = 퀴즈
plain-palette = 여기서 되는 모든 것: 번호나 찾을 단어를 입력하세요
plain-glossary = 용어집: 찾을 단어를 입력하세요
plain-list = 페이지: 번호를 입력하세요
plain-search = 검색: 단어를 입력한 다음 번호를 입력하세요
plain-unknown = “{ $typed }”: 여기서는 뜻이 없습니다. ?를 입력하면 쓸 수 있는 것이 나옵니다.
plain-take-line = 번호를 입력해 코드의 줄을 고르세요.
plain-no-row = { $number }번 줄은 없습니다. 목록은 { $rows }줄입니다.
plain-running = { $doing } …
