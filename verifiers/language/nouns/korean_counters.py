"""Counter words (단위성 의존 명사) and nouns that are counted without one."""

from __future__ import annotations

from ...runtime.patterns import lazy

COUNTERS = """
    개 명 번 살 세 시 주 월 달 배 점 권 장 자루 대 마리 그루 송이 병 잔 컵 상자 봉지 켤레 쌍 가지 종류 칸 층 도 회 차례 페이지 쪽 줄 문제 조각 모 알 채 톤
    평 인분 통 판 세트 그릇 포기 다발 묶음 벌 척 사람 학생 번째 째 위 등 가구 곳 팀 바퀴 걸음 방울 군데 자리 가닥 토막 두름 끼 박 호 편 곡 건 분 초 시간 일 년
    개월 주일 원 달러 엔 유로 위안 미터 센티미터 밀리미터 킬로미터 그램 킬로그램 리터 밀리리터 개년 학년 학급 표 글자 자 칼로리 행 열 차 마디 포대 가마
    되 말 홉 근 관 냥 돈 자 척 리
    """.split()

COUNTER = lazy("|".join(sorted(set(COUNTERS), key=len, reverse=True)))
"""One counter word."""
JOINED = {
    "한두세네석넉서너": "개 명 번 살 시 달 배 권 장 병 잔 컵 쌍 칸 줄 곳 팀",
    "일이삼사오육륙칠팔구": "년 월 일 분 초 층 등 세",
    "십백천": "개 명 번 배 년 월 일 시 분 초 원 점 살 세 권 층 등 회",
    "만": "개 명 번 배 원",
}
"""Counters of one syllable that are written together with a numeral of one; with any other such pair it is a word.

So 두개 and 삼년 are counted, and 칠판, 네모, 공원 and 사회 are not. 칠 판 with a blank is.
"""
