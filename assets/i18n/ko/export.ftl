# `quiz --export`: 형식이 표현하지 못하는 것. 문항 이름 뒤에 나온다.

export-only-the-term = 문장이 아니라 용어만 쓰세요.
export-which-line = 결함이 있는 줄의 번호는 무엇인가요?
export-which-consequence = 그 결과 무슨 일이 일어나나요?

export-no-pair-replies = { $name }: 이 형식은 짝마다 답글을 달 수 없습니다. 틀린 답에는 모두 공통 설명이 나옵니다.
export-counted-now = { $name }: 수는 지금 셌습니다. 채점할 때 다시 세지 않습니다.
export-not-counted = { $name }: 셀 수 없어 뺐습니다. { $why }
export-two-questions = { $name }: 줄을 묻는 문항과 결과를 묻는 문항 두 개로 내보냈습니다.
export-sets = { $name }: 수의 조합 { $all }개 가운데 { $sets }개를 문항으로 내보냈습니다.
export-not-finite = 답이 유한한 수가 아니어서 뺐습니다.

export-partial-marks = Moodle은 맞는 보기를 일부만 골라도 부분 점수를 줍니다. 이 프로그램은 모두 맞아야 점수를 줍니다.
export-one-unit = Moodle은 수 뒤의 `{ $unit }`만 단위로 압니다. 다른 단위는 무시하고 환산하지 않습니다.
export-letter-by-letter = Moodle은 빈칸을 토큰이 아니라 글자 단위로 비교합니다. 답마다 적힌 그대로와 띄어쓰기를 모두 뺀 것만 맞습니다.
export-ordering = Moodle 4.4부터 순서 문항이 있습니다. 그 전 버전에는 플러그인 `qtype_ordering`이 필요합니다.

export-no-units = GIFT에는 단위가 없습니다. 문항에 `{ $unit }` 단위를 적었고, 단위를 붙인 답은 수로 읽지 않습니다.
export-arrow = GIFT가 답 `{ $text }`의 `->`를 짝의 기호로 읽으므로 뺐습니다. Moodle XML에는 있습니다.
export-mark = Moodle이 GIFT를 읽을 때 쓰는 `{ $mark }`가 들어 있어 뺐습니다. Moodle XML에는 있습니다.
export-no-blanks = GIFT에는 코드 빈칸이 없어 뺐습니다. Moodle XML에는 있습니다.
export-order-as-pairs = GIFT에는 순서 문항이 없습니다. 자리와 사건의 짝을 묻고, 이유는 전체 피드백에 있습니다.
export-no-pair-reasons = GIFT에는 짝마다 이유를 달 수 없습니다. 이유는 전체 피드백에 있습니다.

export-qti-tolerance = 답에서 { $within } 이내의 수를 맞는 것으로 합니다. QTI `equal`의 허용 오차를 무시하는 프로그램도 있습니다.
export-qti-unit = QTI는 수를 비교합니다. `1 { $unit }`처럼 단위를 붙인 답은 수가 아니므로 점수가 없습니다.
export-qti-blanks = 한 항목의 응답은 하나인데 이 문항은 빈칸이 여럿이라 뺐습니다. Moodle XML에는 있습니다.
