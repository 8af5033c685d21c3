"""[instructions]: each of the packages counts once, by the official counting."""

from __future__ import annotations


def main() -> None:
    """Sentences, words in capitals, the language, Japanese words, syllables."""
    from verifiers import InstructionFollowing

    judge = InstructionFollowing(counting="official")
    asked = {
        "length_constraints:number_sentences": ("Dr. Lee came. He left.", {"num_sentences": 3, "relation": "less than"}),
        "change_case:capital_word_frequency": ("NASA flew.", {"capital_frequency": 1, "capital_relation": "at least"}),
        "language:response_language": ("Das Wetter ist heute sehr schön.", {"language": "de"}),
        "ja:keywords:existence": ("夢は大切です。", {"keywords": ["夢"]}),
        "words:odd_even_syllables": ("cat table dog water", {}),
    }  # fmt: skip
    for name, (completion, parameters) in asked.items():
        verdict = judge.verify(completion, {"instruction_id_list": [name], "kwargs": [parameters]})
        assert verdict.score == 1.0, (name, verdict, verdict.detail)
    print(f"{len(asked)} kinds by the official counting")


if __name__ == "__main__":
    main()
