"""[remote]: a program runs on a server that speaks SandboxFusion's protocol."""

from __future__ import annotations


def main() -> None:
    """One that is right and one that is not, on a server of this machine."""
    from tests.verifiers.code.engine.run_code_server import serving
    from verifiers import CodePassRate

    tests = {"stdio": [{"input": "2\n", "output": "4\n"}]}
    with serving() as server:
        judge = CodePassRate(engine=server.url)
        right, wrong = judge.verify_batch(
            ["```python\nprint(int(input()) * 2)\n```", "```python\nprint(5)\n```"], [tests] * 2
        )
    assert (right.score, wrong.score) == (1.0, 0.0), (right, wrong)
    assert "remote" in right.detail, right.detail
    print("the server ran a right program and a wrong one")


if __name__ == "__main__":
    main()
