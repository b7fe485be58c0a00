# What the words of the course mean.

glossary-title = 강좌의 용어
glossary-of-page = 이 페이지의 용어
glossary-here = 이 페이지
glossary-level = 레벨 { $level }
glossary-nothing = 그 말이 들어간 용어가 강좌에 없습니다.
