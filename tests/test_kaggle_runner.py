"""Agent files for Kaggle's ConnectX as players."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from external_programs import PATIENT
from terminal import maxconnect4

from maxconnect4 import Board, board_from_moves
from maxconnect4.errors import BadSetup
from maxconnect4.referee.limits import ResourceLimits
from maxconnect4.referee.move_validation import MoveResult
from maxconnect4.referee.players import parse_player, player_spec
from maxconnect4.referee.program import Program

LEFTMOST = """
import json

def columns_with_room(board, configuration):
    return [column for column in range(configuration.columns) if board[column] == 0]

def agent(observation, configuration):
    print("thinking")
    return columns_with_room(observation.board, configuration)[0]
"""


def asked(folder: Path, text: str, board: Board, limits: ResourceLimits = PATIENT) -> MoveResult:
    """What the agent in a file with this text answers."""
    (folder / "mine.py").write_text(text)
    return Program(parse_player(f"kaggle:{folder / 'mine.py'}", limits=limits)).move(board)


def test_the_last_function_of_the_file_is_the_agent(tmp_path: Path) -> None:
    answer = asked(tmp_path, LEFTMOST, board_from_moves("111111"))
    assert (answer.column, answer.fault, answer.notes) == (2, None, ())
    assert answer.printed == "thinking\n"


def test_an_agent_gets_the_observation_of_kaggle(tmp_path: Path) -> None:
    text = "def agent(observation, configuration):\n"
    text += "    import json\n    print(json.dumps([observation, configuration]))\n    return 3\n"
    board = board_from_moves("4435")
    observation, configuration = json.loads(asked(tmp_path, text, board).printed)
    assert observation == {
        "board": [cell for row in board.rows() for cell in row],
        "mark": 1,
        "step": 4,
        "remainingOverageTime": PATIENT.seconds - 2,
    }
    assert observation["board"][35:] == [0, 0, 1, 1, 2, 0, 0]
    assert configuration == {
        "columns": 7,
        "rows": 6,
        "inarow": 4,
        "timeout": 2,
        "actTimeout": 2,
        "agentTimeout": 60,
        "episodeSteps": 1000,
        "runTimeout": 1200,
    }
    board.drop(1)
    hurried = json.loads(asked(tmp_path, text, board, ResourceLimits(seconds=1.5)).printed)
    assert (hurried[0]["mark"], hurried[0]["remainingOverageTime"], hurried[1]["actTimeout"]) == (2, 0, 1.5)


@pytest.mark.parametrize(
    ("text", "column"),
    [
        ("agent = lambda observation: observation.mark + 2", 4),
        ("def agent():\n    return 6", 7),
        ("class Agent:\n    def __call__(self, observation, configuration):\n        return 1\nagent = Agent()", 2),
        ("import numpy\ndef agent(observation, configuration):\n    return numpy.int64(5)", 6),
        ("def agent(o, c):\n    return o['board'].index(0) + c['inarow']\nif __name__ == '__main__':\n    1 / 0", 5),
        ("import copy\ndef agent(o, c):\n    return getattr(copy.deepcopy(o), 'depth', 2) + hasattr(c, 'rows')", 4),
        ("import beside\ndef agent(observation, configuration):\n    return beside.COLUMN", 3),
    ],
)
def test_agents_are_written_in_many_ways(text: str, column: int, tmp_path: Path) -> None:
    (tmp_path / "beside.py").write_text("COLUMN = 2\n")
    assert asked(tmp_path, text, Board()).column == column
    assert sorted(path.name for path in tmp_path.iterdir()) == ["beside.py", "mine.py"]


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        (
            "def agent(observation, configuration):\n    return 0",
            "the agent returned 0: the open columns, from 0, are [1, 2",
        ),
        ("def agent(observation, configuration):\n    return -1", "the agent returned -1: "),
        ("def agent(observation, configuration):\n    return 7", "the agent returned 7: "),
        ("def agent(observation, configuration):\n    return None", "TypeError"),
        ("def agent(observation, configuration):\n    return 1.5", "TypeError"),
        ("def agent(observation, configuration):\n    1 / 0", "ZeroDivisionError"),
        ("agent = 3", "defines no function"),
        ("def agent(", "SyntaxError"),
    ],
)
def test_an_agent_that_fails_commits_a_fault_with_its_reason(text: str, printed: str, tmp_path: Path) -> None:
    answer = asked(tmp_path, text, board_from_moves("111111"))
    assert answer.column is None
    assert answer.fault is not None
    assert answer.fault.kind == "crash"
    assert printed in answer.fault.printed


def test_an_agent_has_the_limits_of_any_program(tmp_path: Path) -> None:
    text = "import time\ndef agent(observation, configuration):\n    time.sleep(60)"
    answer = asked(tmp_path, text, Board(), ResourceLimits(seconds=0.5))
    assert answer.fault is not None
    assert answer.fault.kind == "time-out"


def test_it_is_named_after_its_file_or_its_folder(tmp_path: Path) -> None:
    for name in ("alice/main.py", "bob.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(LEFTMOST)
    made = [player_spec([f"kaggle:{name}"], base=str(tmp_path)) for name in ("alice/main.py", "bob.py")]
    assert [each.name for each in made] == ["alice", "bob"]
    assert [Program(each).move(Board()).column for each in made] == [1, 1]
    whole = parse_player(f"folder={tmp_path / 'alice'} kaggle:main.py")
    assert (whole.name, whole.whole_folder, Program(whole).move(Board()).column) == ("alice", True, 1)
    assert whole.command[0] == sys.executable


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("kaggle:", "'kaggle:': file '' not found"),
        ("kaggle:not-there.py", "'kaggle:not-there.py': file 'not-there.py' not found"),
        (f"kaggle:{__file__} fast", "is an agent file and takes no argument"),
    ],
)
def test_an_invalid_agent_file_is_refused(text: str, message: str) -> None:
    with pytest.raises(BadSetup) as refusal:
        parse_player(text)
    assert message in str(refusal.value)


@pytest.mark.parametrize(("game", "plies"), [("max", 36), ("classic", 30)])
def test_a_match_has_an_agent_file_as_a_player(game: str, plies: int, tmp_path: Path) -> None:
    (tmp_path / "leftmost.py").write_text(LEFTMOST)
    words = ("--game", game, "--openings", f"random:plies={plies},count=1", "--processes", "1", "--json")
    done = maxconnect4("match", "kaggle:leftmost.py", "depth:1", *words, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    faults = {each["name"]: each["faults"] for each in json.loads(done.stdout)["standings"]}
    assert faults == {"leftmost": {}, "depth:1": {}}
