"""One row of each data set, written for these tests in exactly the shape of its card, with two programs each.

A sample is (shape, row, a right program, a wrong one).
"""

from __future__ import annotations

import base64
import json
import pickle
import zlib
from typing import Any, NamedTuple


class Sample(NamedTuple):
    """See above."""

    shape: str
    row: dict[str, Any]
    right: str
    wrong: str


DOUBLE = "print(int(input()) * 2)"
ADD = "def add(a, b):\n    return a + b"
SUBTRACT = "def add(a, b):\n    return a - b"
CASES = {"inputs": ["2\n", "21\n"], "outputs": ["4\n", "42\n"]}
CALLS = {"fn_name": "add", "inputs": [[1, 2], [2, 2]], "outputs": [[3], [4]]}
SOLUTION = "class Solution:\n    def add(self, a: int, b: int) -> int:\n        return a {} b"

_CHECK = "\n\nMETADATA = {'author': 'x'}\n\n\ndef check(candidate):\n    assert candidate(1, 2) == 3\n    assert candidate(2, 2) == 4\n"
HUMANEVAL = {
    "task_id": "HumanEval/900",
    "prompt": 'from typing import List\n\n\ndef add(a: int, b: int) -> int:\n    """ Add two numbers. """\n',
    "canonical_solution": "    return a + b\n",
    "test": _CHECK,
    "entry_point": "add",
}
_PLUS = """
import numpy as np

def is_floats(x) -> bool:
    # check if it is float; List[float]; Tuple[float]
    if isinstance(x, float):
        return True
    if isinstance(x, (list, tuple)):
        return all(isinstance(i, float) for i in x)
    if isinstance(x, np.ndarray):
        return x.dtype == np.float64 or x.dtype == np.float32
    return False


def assertion(out, exp, atol):
    exact_match = out == exp

    if atol == 0 and is_floats(exp):
        atol = 1e-6
    if not exact_match and atol != 0:
        assert np.allclose(out, exp, rtol=1e-07, atol=atol)
    else:
        assert exact_match
"""
HUMANEVAL_PLUS = {
    **{key: HUMANEVAL[key] for key in ("prompt", "entry_point", "canonical_solution")},
    "task_id": "HumanEval/901",
    "prompt": 'def third(x: float) -> float:\n    """ A third of x. """\n',
    "canonical_solution": "\n    return x / 3\n",
    "entry_point": "third",
    "test": _PLUS
    + """

def check(candidate):
    inputs = [[1], [2.5], [0]]
    results = [0.3333333333, 0.8333333333, 0.0]
    for i, (inp, exp) in enumerate(zip(inputs, results)):
        assertion(candidate(*inp), exp, 0)
""",
}
EVALPLUS = {
    **HUMANEVAL,
    "contract": "\n    assert isinstance(a, int)\n",
    "base_input": [[1, 2], [2, 2]],
    "plus_input": [[-1, 5], [0, 7]],
    "atol": 0,
}
MBPP = {
    "task_id": 902,
    "text": "Write a function to add two numbers.",
    "code": ADD,
    "test_list": ["assert add(1, 2) == 3", "assert add(2, 2) == 4", "assert add(0, 1) == 1"],
    "test_setup_code": "",
    "challenge_test_list": [],
}
MBPP_PLUS = {
    "task_id": 903,
    "code": "def add(a, b):\n    return a + b",
    "prompt": "Write a function to add two numbers.",
    "source_file": "Benchmark Questions Verification V2.ipynb",
    "test_imports": [],
    "test_list": ["assert add(2, 2) == 4"],
    "test": _PLUS
    + """

inputs = [[2, 2], [5, 7]]
results = [4, 12]
for i, (inp, exp) in enumerate(zip(inputs, results)):
    assertion(add(*inp), exp, 0)
""",
}
APPS = {
    "problem_id": 904,
    "question": "Double a number.",
    "solutions": json.dumps([DOUBLE]),
    "input_output": json.dumps(CASES),
    "difficulty": "interview",
    "url": "https://example.org/904",
    "starter_code": "",
}
TACO = {
    **{key: value for key, value in APPS.items() if key != "problem_id"},
    "raw_tags": "['Arithmetic']",
    "name": None,
    "source": "geeksforgeeks",
    "tags": "[]",
    "skill_types": "[]",
    "Expected Auxiliary Space": "O(1)",
    "Expected Time Complexity": "O(1)",
    "time_limit": "2.0 seconds",
    "memory_limit": "256.0 megabytes",
    "date": "2019-01-01",
    "picture_num": "0",
}
CODECONTESTS = {
    "name": "905_A. Double",
    "description": "Double a number.",
    "public_tests": {"input": ["2\n"], "output": ["4\n"]},
    "private_tests": {"input": ["21\n"], "output": ["42\n"]},
    "generated_tests": {"input": ["-1\n"], "output": ["-2\n"]},
    "source": 2,
    "difficulty": 7,
    "solutions": {"language": [3], "solution": [DOUBLE]},
    "incorrect_solutions": {"language": [], "solution": []},
    "cf_contest_id": 905,
    "cf_index": "A",
    "cf_points": 0.0,
    "cf_rating": 800,
    "cf_tags": ["math"],
    "is_description_translated": False,
    "untranslated_description": "",
    "time_limit": {"seconds": 2, "nanos": 500_000_000},
    "memory_limit_bytes": 256_000_000,
    "input_file": "",
    "output_file": "",
}
CODEFORCES = {
    "id": "906/A",
    "aliases": None,
    "contest_id": "906",
    "contest_name": "Round",
    "contest_type": "CF",
    "contest_start": 1_500_000_000,
    "contest_start_year": 2017,
    "index": "A",
    "time_limit": 1.0,
    "memory_limit": 256.0,
    "title": "A pair",
    "description": "Two numbers whose sum is n.",
    "input_format": "n",
    "output_format": "Two numbers.",
    "interaction_format": None,
    "note": None,
    "examples": [{"input": "5", "output": "2 3"}],
    "editorial": None,
    "rating": 800,
    "tags": ["math"],
    "testset_size": 2,
    "official_tests": [{"input": "5", "output": "2 3"}, {"input": "9", "output": "4 5"}],
    "official_tests_complete": True,
    "input_mode": "stdio",
    "generated_checker": (
        "import sys\n\ndef main():\n    n = int(open(sys.argv[1]).read())\n"
        "    said = open(sys.argv[3]).read().split()\n    good = len(said) == 2 and sum(map(int, said)) == n\n"
        "    print(1 if good else 0)\n\nif __name__ == '__main__':\n    main()\n"
    ),
    "executable": True,
    "generated_tests": 0,
}


def packed(cases: Any) -> str:
    """Test cases as LiveCodeBench packs its private ones."""
    return base64.b64encode(zlib.compress(pickle.dumps(json.dumps(cases)))).decode()


_LCB = {
    "question_title": "Double",
    "question_content": "Double a number.",
    "platform": "atcoder",
    "question_id": "abc907_a",
    "contest_id": "abc907",
    "contest_date": "2024-08-04T00:00:00",
    "starter_code": "",
    "difficulty": "easy",
}
LIVECODEBENCH = {
    **_LCB,
    "public_test_cases": json.dumps([{"input": "2\n", "output": "4\n", "testtype": "stdin"}]),
    "private_test_cases": packed([{"input": "21\n", "output": "42\n", "testtype": "stdin"}]),
    "metadata": "{}",
}
LIVECODEBENCH_CALLS = {
    **_LCB,
    "platform": "leetcode",
    "starter_code": "class Solution:\n    def power(self, n: int) -> int:\n        ",
    "public_test_cases": json.dumps([{"input": "3", "output": "1", "testtype": "functional"}]),
    "private_test_cases": packed([{"input": "4", "output": "2", "testtype": "functional"}]),
    "metadata": json.dumps({"func_name": "power"}),
}
KODCODE = {
    "version": "v1.1",
    "style": "instruct",
    "subset": "Leetcode",
    "question_id": "Leetcode_908_I",
    "question": "Add two numbers.",
    "solution": ADD,
    "test": "import pytest\nfrom solution import add\n\n@pytest.mark.parametrize('a, b, total', [(1, 2, 3), (2, 2, 4)])\n"
    "def test_rows(a, b, total):\n    assert add(a, b) == total\n\ndef test_zero():\n    assert add(0, 0) == 0\n\n"
    "def test_floats():\n    assert add(0.1, 0.2) == pytest.approx(0.3)\n\n"
    "def test_type_error():\n    with pytest.raises(TypeError):\n        add(1, 'a')\n",
    "test_info": [
        {
            "docstring": "Add.",
            "function_declaration": "def add(a, b):",
            "function_name": "add",
            "parameter_list": "(a, b)",
        }
    ],
    "gpt_pass_sequence": [1, 0],
    "gpt_pass_trial_num": 1,
    "gpt_difficulty": "hard",
    "gpt_pass_percentage": 0.5,
    "trials": {},
    "metadata": {},
    "benchmark_similarity": 0.1,
    "filter_reason": None,
}
ACECODE = {
    "id": "oss_909",
    "source": "oss",
    "question": "Add two numbers.",
    "test_cases": ["assert add(1, 2) == 3", "assert add(2, 2) == 4", "assert add('a', 'b') == 'ab'"],
    "inferences": [{"model_name": "m", "completion_id": 0, "completion": ADD, "pass_rate": 1.0}],
    "context_messages": [{"content": "Add two numbers.", "role": "user"}],
}
BIGCODEBENCH = {
    "task_id": "BigCodeBench/910",
    "complete_prompt": 'import json\n\ndef task_func(text):\n    """ Sum of a JSON list. """\n',
    "instruct_prompt": "Sum of a JSON list. You should write self-contained code starting with: ...",
    "canonical_solution": "    return sum(json.loads(text))\n",
    "code_prompt": "import json\ndef task_func(text):\n",
    "test": "import unittest\n\nclass TestCases(unittest.TestCase):\n    def setUp(self):\n        self.text = json.dumps([1, 2])\n"
    "    def test_case_1(self):\n        self.assertEqual(task_func(self.text), 3)\n"
    "    def test_case_2(self):\n        with self.assertRaises(ValueError):\n            task_func('no')\n"
    "    def test_case_3(self):\n        self.assertAlmostEqual(task_func('[0.1, 0.2]'), 0.3)\n\n"
    "if __name__ == '__main__':\n    unittest.main()\n",
    "entry_point": "task_func",
    "doc_struct": "{}",
    "libs": "['json']",
}
LEETCODE = {
    "task_id": "add-two",
    "question_id": 911,
    "difficulty": "Easy",
    "tags": ["Math"],
    "problem_description": "Add two numbers.",
    "starter_code": "class Solution:\n    def add(self, a: int, b: int) -> int:\n        ",
    "estimated_date": "2015-08-07",
    "prompt": "import random\nimport functools\nimport collections\nfrom typing import *\nfrom functools import *\n"
    "from collections import *\nfrom itertools import *\nfrom heapq import *\nfrom bisect import *\n"
    "from string import *\nfrom operator import *\nfrom math import *\n\ninf = float('inf')\n",
    "completion": SOLUTION.format("+"),
    "entry_point": "Solution().add",
    "test": "def check(candidate):\n    assert candidate(a = 1, b = 2) == 3\n    assert candidate(a = 2,b = 2) == 4\n",
    "input_output": [
        {"input": "a = 1, b = 2", "output": "3"},
        {"input": "a = 2, b = 'x'", "output": "Error: unsupported operand"},
    ],
    "query": "Add two numbers.",
    "response": "```python\n...\n```",
}
_NODES = (
    "from typing import *\n\n\nclass ListNode:\n    def __init__(self, val=0, next=None):\n        self.val = val\n"
    "        self.next = next\n\n\ndef list_node(values: list):\n    made = None\n    for value in reversed(values):\n"
    "        made = ListNode(value, made)\n    return made\n\n\ndef is_same_list(p1, p2):\n"
    "    while p1 is not None and p2 is not None and p1.val == p2.val:\n        p1, p2 = p1.next, p2.next\n"
    "    return p1 is None and p2 is None\n\n\nclass TreeNode:\n    def __init__(self, val=0, left=None, right=None):\n"
    "        self.val, self.left, self.right = val, left, right\n\n\ndef tree_node(values: list):\n"
    "    if not values:\n        return None\n    root = TreeNode(values[0])\n    queue, rest = [root], list(values[1:])\n"
    "    while rest:\n        node = queue.pop(0)\n        for side in ('left', 'right'):\n"
    "            value = rest.pop(0) if rest else None\n            if value is not None:\n"
    "                child = TreeNode(value)\n                setattr(node, side, child)\n                queue.append(child)\n"
    "    return root\n\n\ndef is_same_tree(p, q):\n    if p is None or q is None:\n        return p is q\n"
    "    return p.val == q.val and is_same_tree(p.left, q.left) and is_same_tree(p.right, q.right)\n"
)
LEETCODE_LIST = {
    **LEETCODE,
    "task_id": "reverse",
    "prompt": _NODES,
    "entry_point": "Solution().reverse",
    "test": "def check(candidate):\n"
    "    assert is_same_list(candidate(head = list_node([1, 2, 3])), list_node([3, 2, 1]))\n"
    "    assert candidate(head = list_node([])) == None\n",
}
LEETCODE_TREE = {
    **LEETCODE,
    "task_id": "invert",
    "prompt": _NODES,
    "entry_point": "Solution().invert",
    "test": "def check(candidate):\n"
    "    assert is_same_tree(candidate(root = tree_node([4, 2, 7, 1, None, 6])), tree_node([4, 7, 2, None, 6, None, 1]))\n",
}
REVERSE = (
    "class Solution:\n    def reverse(self, head: Optional[ListNode]) -> Optional[ListNode]:\n        made = None\n"
    "        while head:\n            head.next, made, head = made, head, head.next\n        return made"
)
INVERT = (
    "class Solution:\n    def invert(self, root):\n        if root:\n"
    "            root.left, root.right = self.invert(root.right), self.invert(root.left)\n        return root"
)
DEEPCODER = {
    "problem": "Double a number.",
    "solutions": [DOUBLE],
    "tests": json.dumps(
        [
            {"type": "stdin_stdout", "input": "2\n", "output": "4\n"},
            {"type": "stdin_stdout", "input": "21", "output": "42"},
        ]
    ),
}
DEEPCODER_TACO = {"problem": "Add.", "solutions": [ADD], "tests": json.dumps(CALLS)}
DEEPCODER_LCB = {
    "problem": "Add.",
    "starter_code": "class Solution: ...",
    "tests": json.dumps(
        [
            {"input": "1\n2", "output": "3", "testtype": "functional", "metadata": {"func_name": "add"}},
            {"input": "2\n2", "output": "4", "testtype": "functional", "metadata": {"func_name": "add"}},
        ]
    ),
    "metadata": {},
}
OPEN_R1 = {
    "source": "apps",
    "task_type": "verifiable_code",
    "in_source_id": "912",
    "prompt": "Double a number.",
    "gold_standard_solution": f"```python\n{DOUBLE}\n```",
    "verification_info": {
        "language": "python",
        "test_cases": [
            {"fn_name": None, "input": "2\n", "output": "4\n", "type": "stdin_stdout"},
            {"fn_name": None, "input": "21\n", "output": "42\n", "type": "stdin_stdout"},
        ],
    },
    "metadata": {"difficulty": "EASY", "memory_limit": None, "problem_url": "u", "time_limit": None},
    "problem_id": "vcp_912",
    "problem_statement": "Double a number.",
}
SYNTHETIC_1 = {
    "response_id": "r",
    "problem_id": "vcp_913",
    "task_type": "verifiable_code",
    "prompt": "Add.",
    "gold_standard_solution": ADD,
    "llm_response": "...",
    "verification_info": str(
        {
            "language": "python",
            "test_cases": [
                {"type": "function_call", "fn_name": "add", "input": [1, 2], "output": [3]},
                {"type": "function_call", "fn_name": "add", "input": [2, 2], "output": [4]},
            ],
        }
    ),
    "score": 1.0,
    "metadata": "{}",
    "hf_dataset_name": None,
}
RSTAR = {
    "question_id": "seed_914",
    "question": "Double a number.",
    "starter_code": "",
    "inputs": json.dumps(CASES["inputs"]),
    "outputs": json.dumps(CASES["outputs"]),
    "is_synthesized": "[false, false]",
    "test_case_type": "stdin_stdout",
    "func_name": "",
    "class_name": "",
}
VERL = {
    "data_source": "taco",
    "prompt": [{"role": "user", "content": "Double a number."}],
    "ability": "code",
    "reward_model": {"style": "rule", "ground_truth": json.dumps(CASES)},
    "extra_info": {"split": "train", "index": 0},
}
EURUS = {"source": "taco", "task": "Coding", "instruction": "Double.", "reference": json.dumps(CASES)}

SAMPLES = {
    "humaneval": Sample("humaneval", HUMANEVAL, ADD, SUBTRACT),
    "humaneval, continued": Sample("humaneval", HUMANEVAL, "    return a + b", "    return a"),
    "humaneval+": Sample(
        "humaneval", HUMANEVAL_PLUS, "def third(x):\n    return x / 3", "def third(x):\n    return x * 0.3333"
    ),
    "evalplus": Sample("humaneval", EVALPLUS, ADD, "def add(a, b):\n    return a + b if a > 0 else 0"),
    "mbpp": Sample("mbpp", MBPP, ADD, SUBTRACT),
    "mbpp+": Sample("mbpp", MBPP_PLUS, ADD, "def add(a, b):\n    return 4"),
    "apps": Sample("apps", APPS, DOUBLE, "print(4)"),
    "apps, functions": Sample(
        "apps", {**APPS, "solutions": json.dumps([ADD]), "input_output": json.dumps(CALLS)}, ADD, SUBTRACT
    ),
    "taco": Sample("taco", TACO, DOUBLE, "print(4)"),
    "codecontests": Sample("codecontests", CODECONTESTS, DOUBLE, "print(4)"),
    "codeforces": Sample("codeforces", CODEFORCES, "n = int(input())\nprint(n - 1, 1)", "print(2, 3)"),
    "livecodebench": Sample("livecodebench", LIVECODEBENCH, DOUBLE, "print(4)"),
    "livecodebench, functions": Sample(
        "livecodebench",
        LIVECODEBENCH_CALLS,
        "class Solution:\n    def power(self, n: int) -> int:\n        return pow(2, n, 7)",
        "class Solution:\n    def power(self, n):\n        return 1",
    ),
    "kodcode": Sample("kodcode", KODCODE, ADD, "def add(a, b):\n    return a + b if a != 2 else 5"),
    "acecode": Sample("acecode", ACECODE, ADD, SUBTRACT),
    "bigcodebench": Sample(
        "bigcodebench",
        BIGCODEBENCH,
        "def task_func(text):\n    return sum(json.loads(text))",
        "def task_func(text):\n    return 3",
    ),
    "leetcode": Sample("leetcode", LEETCODE, SOLUTION.format("+"), SOLUTION.format("-")),
    "leetcode, lists": Sample(
        "leetcode",
        LEETCODE_LIST,
        REVERSE,
        "class Solution:\n    def reverse(self, head):\n        return head",
    ),
    "leetcode, trees": Sample(
        "leetcode", LEETCODE_TREE, INVERT, "class Solution:\n    def invert(self, root):\n        return root"
    ),
    "deepcoder": Sample("deepcoder", DEEPCODER, DOUBLE, "print(4)"),
    "deepcoder, taco": Sample("deepcoder", DEEPCODER_TACO, ADD, SUBTRACT),
    "deepcoder, livecodebench": Sample(
        "deepcoder", DEEPCODER_LCB, SOLUTION.format("+"), SOLUTION.format("-")
    ),
    "open-r1": Sample("verification_info", OPEN_R1, DOUBLE, "print(4)"),
    "synthetic-1": Sample("verification_info", SYNTHETIC_1, ADD, SUBTRACT),
    "rstar": Sample("rstar", RSTAR, DOUBLE, "print(4)"),
    "rstar, functions": Sample(
        "rstar",
        {
            **RSTAR,
            "inputs": ["1\n2", "2\n2"],
            "outputs": ["3", "4"],
            "func_name": "add",
            "class_name": "Solution",
        },
        SOLUTION.format("+"),
        SOLUTION.format("-"),
    ),
    "verl": Sample("verl", VERL, DOUBLE, "print(4)"),
    "eurus": Sample("eurus", EURUS, DOUBLE, "print(4)"),
    "inputs and outputs": Sample("apps", CASES, DOUBLE, "print(4)"),
}
