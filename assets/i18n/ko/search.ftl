# Finding pages by their words.

search-how = 페이지에 있는 단어를 순서 없이 입력하세요.
search-nothing = 열려 있는 페이지 중에 이 단어를 모두 담은 것이 없습니다.
search-not-searched = { $locked ->
        [0] 찾지 않은 것: 예측과 돌아보기 질문이 아직 감춘 내용.
       *[other] 찾지 않은 것: 잠긴 레벨 { $locked }개, 그리고 예측과 돌아보기 질문이 아직 감춘 내용.
    }
