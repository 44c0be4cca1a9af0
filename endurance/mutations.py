"""What can be changed in a Python module: one operator, number, word, condition or statement at a time.

Only what runs is changed: no documentation, no types, no decorators, no assertions, and no wording of messages.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

COMPARED: dict[type[ast.cmpop], tuple[str, str]] = {
    ast.Lt: ("<", "<="), ast.LtE: ("<=", "<"), ast.Gt: (">", ">="), ast.GtE: (">=", ">"),
    ast.Eq: ("==", "!="), ast.NotEq: ("!=", "=="), ast.In: ("in", "not in"), ast.NotIn: ("not in", "in"),
    ast.Is: ("is", "is not"), ast.IsNot: ("is not", "is"),
}  # fmt: skip
CALCULATED: dict[type[ast.operator], tuple[str, str]] = {
    ast.Add: ("+", "-"), ast.Sub: ("-", "+"), ast.Mult: ("*", "+"), ast.Div: ("/", "*"), ast.FloorDiv: ("//", "*"),
    ast.Mod: ("%", "+"), ast.Pow: ("**", "*"), ast.LShift: ("<<", ">>"), ast.RShift: (">>", "<<"),
    ast.BitAnd: ("&", "|"), ast.BitOr: ("|", "&"), ast.BitXor: ("^", "|"),
    ast.MatMult: ("@", "*"),
}  # fmt: skip
JOINED: dict[type[ast.boolop], tuple[str, str]] = {ast.And: ("and", "or"), ast.Or: ("or", "and")}
CALLED = {"min": "max", "max": "min", "any": "all", "all": "any"}
MOST_WORDS = 2  # a text of more is a message


@dataclass(frozen=True, slots=True)
class Mutant:
    """One change in a source, from byte to byte."""

    source: bytes
    start: int
    end: int
    becomes: str

    def mutated(self) -> bytes:
        """The source with the change."""
        return self.source[: self.start] + self.becomes.encode() + self.source[self.end :]

    def line(self) -> int:
        """The number of the line, from 1."""
        return self.source[: self.start].count(b"\n") + 1

    def function(self) -> int | None:
        """The first line of the innermost function that it is in; none for what runs when the module is imported."""
        line, found = self.line(), None
        for node in ast.walk(ast.parse(self.source)):  # from the outside to the inside
            if isinstance(node, ast.FunctionDef) and node.lineno < line <= (node.end_lineno or 0):
                found = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
        return found

    def shown(self) -> str:
        """The line with the change in it; one of several lines is shown in one."""
        source = self.source
        first, last = source.rfind(b"\n", 0, self.start) + 1, source.find(b"\n", self.end)
        was = source[self.start : self.end].decode()
        text = f"{source[first : self.start].decode()}[{was} -> {self.becomes}]{source[self.end : last].decode()}"
        return " ".join(text.split())


def mutants_of(path: Path) -> list[Mutant]:
    """Every change that is tried, in the order of the file."""
    source = path.read_bytes()
    found = {Mutant(source, *change) for change in _Changes(source).all()}
    return sorted(found, key=lambda mutant: (mutant.start, mutant.end, mutant.becomes))


Change = tuple[int, int, str]


class _Changes:
    def __init__(self, source: bytes) -> None:
        self.source = source
        self.starts = [0]
        for line in source.splitlines(keepends=True):
            self.starts.append(self.starts[-1] + len(line))

    def all(self) -> Iterator[Change]:
        yield from self._in(ast.parse(self.source))

    def _start(self, node: ast.expr | ast.stmt) -> int:
        return self.starts[node.lineno - 1] + node.col_offset

    def _end(self, node: ast.expr | ast.stmt) -> int:
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        return self.starts[node.end_lineno - 1] + node.end_col_offset

    def _in(self, node: ast.AST) -> Iterator[Change]:
        """The changes in a part of the module, and in its parts."""
        if _is_left_alone(node):
            return
        if isinstance(node, ast.Raise):
            yield self._start(node), self._end(node), "pass"
            return
        yield from self._of(node)
        for name, part in ast.iter_fields(node):
            if name in ("annotation", "returns", "decorator_list", "type_comment"):
                continue
            for each in part if isinstance(part, list) else [part]:
                if isinstance(each, ast.AST):
                    yield from self._in(each)

    def _of(self, node: ast.AST) -> Iterator[Change]:
        """The changes of this very part."""
        match node:
            case ast.Compare(left, ops, comparators):
                for before, compared, after in zip([left, *comparators], ops, comparators, strict=False):
                    yield self._between(before, after, *COMPARED[type(compared)])
            case ast.BinOp(left, calculated, right) if not (_is_text(left) or _is_text(right)):
                yield self._between(left, right, *CALCULATED[type(calculated)])
            case ast.BoolOp(joined, values):
                for before, after in pairwise(values):
                    yield self._between(before, after, *JOINED[type(joined)])
            case ast.UnaryOp(ast.Not()):
                yield self._start(node), self._start(node) + len("not "), ""
            case ast.UnaryOp(ast.USub() | ast.Invert()):
                yield self._start(node), self._start(node) + 1, ""
            case ast.Constant():
                for becomes in _other_values(node):
                    yield self._start(node), self._end(node), becomes
            case ast.Call(ast.Name(name) as function) if name in CALLED:
                yield self._start(function), self._end(function), CALLED[name]
            case ast.If(test) | ast.While(test) | ast.IfExp(test):
                yield from self._negated(test)
            case ast.comprehension(ifs=tests):
                for test in tests:
                    yield from self._negated(test)
            case ast.AugAssign(target, calculated, value):
                was, becomes = CALCULATED[type(calculated)]
                yield self._between(target, value, was + "=", becomes + "=")
                yield self._start(node), self._end(node), "pass"
            case ast.Expr(ast.Call()) | ast.Continue() | ast.Break():
                yield self._start(node), self._end(node), "pass"
            case ast.Assign(targets=[ast.Attribute() | ast.Subscript()]):
                yield self._start(node), self._end(node), "pass"
        if isinstance(node, ast.If) and isinstance(node.body[-1], ast.Return):
            yield self._start(node.body[-1]), self._end(node.body[-1]), "pass"

    def _between(self, before: ast.expr, after: ast.expr, was: str, becomes: str) -> Change:
        start = self._end(before)
        sign = re.search(r"\s+".join(map(re.escape, was.split())).encode(), self.source[start : self._start(after)])
        assert sign is not None
        return start + sign.start(), start + sign.end(), becomes

    def _negated(self, test: ast.expr) -> Iterator[Change]:
        """A condition the other way round, if it has no operator of its own that is changed."""
        if not isinstance(test, ast.Compare | ast.BoolOp | ast.UnaryOp):
            start, end = self._start(test), self._end(test)
            yield start, end, f"not ({self.source[start:end].decode()})"


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str))


def _is_left_alone(node: ast.AST) -> bool:
    """Imports, types, messages, assertions, documentation, and arguments that only guard against mistakes."""
    match node:
        case ast.Import() | ast.ImportFrom() | ast.JoinedStr() | ast.Assert():
            return True
        case ast.Expr(ast.Constant()):
            return True
        case ast.If(ast.Name("TYPE_CHECKING")) | ast.Assign([ast.Name("TYPE_CHECKING" | "__slots__" | "__hash__")]):
            return True
        case ast.keyword(arg="strict" | "repr" | "slots" | "frozen"):
            return True
    return False


def _other_values(node: ast.Constant) -> list[str]:
    match node.value:
        case bool():
            return [str(not node.value)]
        case int():
            return [str(node.value + 1), *([str(node.value - 1)] if node.value > 0 else [])]
        case float():
            return [str(node.value * 2 or 1.0)]
        case str() if len(node.value.split()) <= MOST_WORDS:
            return [repr(node.value + "x")]
        case bytes():
            return [repr(node.value + b"x")]
    return []
