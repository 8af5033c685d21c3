"""A reward for the template of a Korean contest, "문장"이/가 옳다. 이유: what each part of it earns.

python examples/korean_template.py

Half for the right sentence, up to 0.4 for a reason with the reference's content, 0.1 for the template. Nothing has
to be downloaded; docs/korean.md says what each part looks at.
"""

from __future__ import annotations

from rewards import load_recipe

GOLD = '"이 옷은 한번 입어 볼 만하다."가 옳다. 본용언과 보조 용언은 띄어 쓰는 것이 원칙이다.'
COMPLETIONS = {
    "the reference itself": GOLD,
    "in other words": '<think>띄어쓰기 문제.</think>"이 옷은 한번 입어 볼 만하다."가 옳다. 보조 용언은 본용언과 띄어 쓰는 것이 원칙이기 때문이다.',
    "the other sentence": '"이옷은 한번 입어볼만하다."가 옳다. 본용언과 보조 용언은 띄어 쓰는 것이 원칙이다.',
    "no reason": '"이 옷은 한번 입어 볼 만하다."가 옳다.',
    "no template": "이 옷은 한번 입어 볼 만하다.",
}

reward = load_recipe("malpyeong_rouge")
values = reward(list(COMPLETIONS.values()), answer=[GOLD] * len(COMPLETIONS))
for what, value in zip(COMPLETIONS, values, strict=True):
    print(f"{value:.3f}  {what}")

print("\nWhy the second one earns what it does:")
print(reward.explain(COMPLETIONS["in other words"], answer=GOLD))
