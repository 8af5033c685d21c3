"""What hostile texts are made of: heads that patterns nearly match, and pieces repeated after them."""

from __future__ import annotations

HEADS = (
    *("", "B", "B\n", "①\n", "(A", "The answer is ", "The answer is B", "정답은 ", "정답은 ③"),
    *("答案是", "Answer:", "\\boxed{", "\\boxed{42}", "\\text{", "\\frac{1}{", "$", "#### "),
    *("<think>", "<answer>", "<answer>42", "1 + 1 = ", "so 42", "42 cm", "I cannot ", "as an AI,"),
    *("{", "{\"a\": \"", "\"", "「", "x = 3, ", "Step 1: ", "- ", "```python\n"),
)  # fmt: skip
"""What a pattern nearly matches before the rest."""
TAGS = (
    *("<think>", "</think>", "<answer>", "</answer>", "<b>", "<br>", "&nbsp;", "&", "<", ">"),
    *("```", "`", "|", "#", "<|channel|>final<|message|>", "#### x\n", "\n- ", "\n1. "),
    *("<answer>x</answer>", "<think></think>", "```\n"),
)  # fmt: skip
LATEX = (
    *("\\boxed{", "\\frac{1}{2}", "\\text{", "\\begin{cases}", "\\end{cases}", "\\\\", "\\", "{"),
    *("}", "$", "$$", "\\(", "\\)", "\\[", "\\]", "(", ")", "[", "]", "_", "^", "~", "*", "**"),
    *("\"", "“", "=", "+", "-", "±", "%", "\\sqrt{", "\\left(", "x^2", "\\{", "\\}", "$x$, "),
    *("a_1", "\\boxed ", "\\boxed{42},", "\\a{", "\\begin{a}\n", "$a ", "$a( ", "([{"),
)  # fmt: skip
BLANKS = (
    *(" ", "\n", "\t", "\xa0", "\u3000", "\n \n", "$\n", "\n\\)$}", " \\\\ ", "\r\n", ",\n", ".\n"),
    *(") ", "」 ", "!" + 50 * " "),
)  # fmt: skip
"""Blanks of every kind, alone and beside what closes something."""
WORDS = (
    *("42", "1,", "3.5", "1/", "x", "A", "B)", "①", "or", "and", "not", "is", "cm", "°", ".", "a "),
    *("A, ", "B or ", "The answer is ", "answer:", "if ", "maybe ", "either ", "because "),
    *("http://", "def f(", "{\"a\":", "analysis", "정답은 ", "번 ", "이 ", "답 ", "그래서 "),
    *("3개 ", "옳다 ", "세 ", "아니라 ", "答案", "是", "不", "三", "1분 ", "I can't ", "sorry, "),
    *("Wait, ", "no, ", "1 + 1 = 2 ", "= ", "so ", "the option ", "이/가 ", "the ", "sq. a ", "A "),
    *("7", "7 ", "1,234", "1.", "(A)", "ㄱ, "),
)  # fmt: skip
SIGNS = (
    *("\u200b", "\u0301", "\ud800", "\U0001d7d8", "\uff21", "\u3164", "\u1100", "\u1161", "ㅏ"),
    *("ㄱ", "é", "\x01", "…", "—"),
)  # fmt: skip
PIECES = (*TAGS, *LATEX, *BLANKS, *WORDS, *SIGNS)
"""What is repeated."""
TAILS = ("", " \\boxed{42}", " The answer is A.", "\x00")
