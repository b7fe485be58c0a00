# What is wrong with a course, for whoever writes it.

problems-title = 강좌의 문제점
problems-count = { $errors ->
        [0] { "" }
       *[other] 오류 { $errors }개{ $warnings ->
            [0] { "" }
           *[other] { ", " }
        }
    }{ $warnings ->
        [0] { "" }
       *[other] 경고 { $warnings }개
    }
problems-edit = 편집
problems-unbuilt = { $file } { $why }. 여기 보이는 것과 실행되는 것이 다릅니다. `matmul-tutor course build` 명령으로 컴파일하세요.
