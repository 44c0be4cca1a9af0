"""
The searching core. Boards are two integers, a bit for each stone of red and of green: bit column * (rows + 1) + row, both counted from 0.
"""



class Choice:
    @property
    def column(self) -> int: ...

    @property
    def value(self) -> int: ...

    @property
    def depth(self) -> int: ...

    @property
    def exact(self) -> bool: ...

    @property
    def nodes(self) -> int: ...

    @property
    def scores(self) -> list[int | None]: ...

class Analysis:
    @property
    def value(self) -> int: ...

    @property
    def scores(self) -> list[int | None]: ...

    @property
    def line(self) -> list[int]: ...

    @property
    def nodes(self) -> int: ...

class Solver:
    def __init__(self, columns: int, rows: int, table_bytes: int, threads: int) -> None: ...

    def analyse(self, red: int, green: int, only_value: bool, progress: object | None) -> Analysis: ...

def choose(columns: int, rows: int, classic: bool, red: int, green: int, evaluation: str, depth: int, seconds: float, all_scores: bool, table_bytes: int) -> Choice: ...

def evaluate(columns: int, rows: int, red: int, green: int, evaluation: str, for_red: bool) -> int: ...

def perft(columns: int, rows: int, classic: bool, red: int, green: int, depth: int) -> int: ...

CLASSIC_WIN: int = 1000000000
