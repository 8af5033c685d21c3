"""A script with a function of every kind, each of which faults, here and in a worker process.

Workers import it, so it imports nothing that needs a folder to work in, as pytest does.
"""

from __future__ import annotations

HEAD = '''\
"""A script of a user's."""
import dataclasses, functools, json, linecache, sys
from dataclasses import dataclass
from rewards import Pay
from tests.verifiers.core import faulty_script
from verifiers import Verifier, verifier
from verifiers.runtime.pool import shared_pool

made = {}


def logged(function):
    @functools.wraps(function)
    def inner(*given, **named):
        return function(*given, **named)
    return inner


def keep(name, function):
    made[name] = verifier(function), verifier(isolate=True)(function)
'''
KINDS = {
    "function": '''
def plain(response):
    return {}["missing"]

keep("function", plain)
''',
    "lambda": '''
keep("lambda", lambda response: {}["missing"])
''',
    "closure": '''
def maker(key):
    def closing(response):
        return {}[key]
    return closing

keep("closure", maker("missing"))
''',
    "deep": '''
def third(text): return {}["missing"]
def second(text):
    return [third(each) for each in text]
def first(response):
    return (lambda text: second(text))(response)

keep("deep", first)
''',
    "method": '''
class Judge:
    def grade(self, response):
        return {}["missing"]

keep("method", Judge().grade)
''',
    "nested": '''
class Outer:
    class Inner:
        @staticmethod
        def grade(response):
            return {}["missing"]

keep("nested", Outer.Inner.grade)
''',
    "called": '''
class Called:
    def __call__(self, response):
        return {}["missing"]

keep("called", Called())
''',
    "dataclass": '''
@dataclass
class Row:
    text: str
    size: int = dataclasses.field(default_factory=lambda: {}["missing"])

def builds(response):
    return Row(response)

keep("dataclass", builds)
''',
    "post_init": '''
@dataclass(frozen=True)
class Checked:
    text: str
    def __post_init__(self):
        raise KeyError("missing")

keep("post_init", lambda response: Checked(response))
''',
    "decorated": '''
@logged
def wrapped(response):
    return {}["missing"]

keep("decorated", wrapped)
''',
    "partial": '''
def of_two(key, response):
    return {}[key]

keep("partial", functools.partial(of_two, "missing"))
''',
    "generator": '''
def grades(response):
    yield {}["missing"]

keep("generator", lambda response: next(grades(response)))
''',
    "coroutine": '''
async def waits(response):
    return {}["missing"]

keep("coroutine", waits)
''',
    "class": '''
@dataclass(frozen=True, repr=False)
class Own(Verifier):
    needs_reference = False
    def check(self, sample):
        return {}["missing"]

made["class"] = Own(), Own(isolate=True)
''',
    "executed": '''
source = "def inside(response): return {}['missing']"
linecache.cache["<cell 1>"] = (len(source), None, source.splitlines(True), "<cell 1>")
exec(compile(source, "<cell 1>", "exec"))
keep("executed", inside)
''',
}  # fmt: skip
TAIL = """
if __name__ == "__main__":
    faulty_script.FORGETFUL[sys.argv[1]]()
    told = {}
    for name, (here, apart) in made.items():
        one, other = here.verify("x"), apart.verify("x")
        seen = shared_pool().run("tests.verifiers.core.faulty_script:identity", (apart,))
        told[name] = [one.detail, other.detail, one.trace, other.trace, apart.identity(), seen.value or seen.detail]
    print(json.dumps(told))
"""


def identity(component: object) -> str:
    """What a worker takes it for, reading it anew."""
    vars(component).pop("_taken", None)
    return component.identity()  # type: ignore[attr-defined, no-any-return]


def _forget() -> None:
    """Have cloudpickle forget all places, as it forgets the file's from 3.1.3 on."""
    from types import CodeType

    from cloudpickle import cloudpickle

    kept = cloudpickle.Pickler._dispatch_table[CodeType]

    def forgets(code: CodeType) -> object:
        return kept(
            code.replace(co_filename="<dynamic-code>", co_name="f", co_qualname="f", co_firstlineno=1)
        )

    cloudpickle.Pickler._dispatch_table[CodeType] = forgets


FORGETFUL = {"as it is": lambda: None, "forgetful": _forget}
