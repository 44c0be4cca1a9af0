"""CSV, JSON Lines, PGN and transcripts of a report."""

from __future__ import annotations

import csv
import io
import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from played_games import EVIDENCE, HOSTILE, four_games, with_everything

from maxconnect4 import GREEN, RED, CannotSave, board_from_moves
from maxconnect4.referee.game import FOUR, GameResult, PlayedGame, ScheduledGame
from maxconnect4.referee.move_validation import Fault
from maxconnect4.referee.players import parse_player
from maxconnect4.referee.report import Event, games_csv, games_jsonl, games_pgn, save_transcripts, standings_csv
from maxconnect4.referee.report.exports import transcript
from maxconnect4.referee.standings import standings

NAMES = ["ada", HOSTILE, '=1+"2"', "Zoë 漢字"]
EVENT = Event(
    "Class",
    format="match",
    openings="2 openings",
    seed=7,
    began="2026-11-16 14:05",
    players=(parse_player("name=ada depth:2"), parse_player("name=bob random:seed=7")),
)
FOUR_GAMES = four_games()
TWO = standings(FOUR_GAMES, ["ada", "bob"])
#: The second with a player's fault that the referee replaced, which is worth nothing.
CLASSIC = [
    PlayedGame(
        ScheduledGame(1, 1, 1, "ada", "bob", "12"), GameResult(1, "1212121", FOUR, 1.0, (18, 0), (0.01,) * 5, 1.0)
    ),
    PlayedGame(
        ScheduledGame(2, 1, 1, "bob", "ada", ""),
        GameResult(
            2, "1212121", FOUR, 1.0, (18, 0), (0.01,) * 7, 1.0, "",
            (Fault("crash", GREEN, 2, "oh"),), (), (0, 3, 0, 4, 0, 0, 0),
        ),
    ),
]  # fmt: skip


@pytest.fixture(scope="module")
def results() -> list[PlayedGame]:
    return with_everything(NAMES)


def test_the_standings_as_csv_parse_back(results: list[PlayedGame]) -> None:
    table = standings(results, NAMES)
    rows = list(csv.DictReader(io.StringIO(standings_csv(table))))
    assert len(rows) == len(table)
    for row, standing in zip(rows, table, strict=True):
        assert row["name"].lstrip("'") == standing.name
        assert float(row["score"]) == standing.score
        assert int(row["points_for"]) == standing.points_for
        assert standing.rating is not None
        assert float(row["rating"]) == pytest.approx(standing.rating.elo, abs=0.01)
        assert int(row["faults: illegal move"]) == standing.faults.get("illegal move", 0)


def test_no_cell_of_the_csv_is_a_formula(results: list[PlayedGame]) -> None:
    for text in (standings_csv(standings(results, NAMES)), games_csv(results)):
        cells = [cell for row in csv.reader(io.StringIO(text)) for cell in row]
        assert '\'=1+"2"' in cells
        assert not any(re.match(r"[=@+]|-[^0-9]", cell) for cell in cells)


def test_the_games_as_csv_parse_back(results: list[PlayedGame]) -> None:
    rows = list(csv.DictReader(io.StringIO(games_csv(results))))
    for row, played in zip(rows, results, strict=True):
        result = played.result
        assert row["moves"].replace(" ", "") == result.moves
        assert row["score"] == ("" if result.score is None else str(result.score))
        assert (int(row["red_points"]), int(row["green_points"])) == result.points
        for colour, player in (("red", RED), ("green", GREEN)):
            own = [mover == player for mover in played.movers()]
            cpu = sum(seconds for mine, seconds in zip(own, result.cpu, strict=True) if mine)
            assert float(row[f"{colour}_cpu"]) == pytest.approx(cpu, abs=1e-6)
            if result.regrets is not None:
                lost = sum(points for mine, points in zip(own, result.regrets, strict=True) if mine)
                assert int(row[f"{colour}_regret"]) == lost


def test_json_lines_hold_everything_as_it_was(results: list[PlayedGame]) -> None:
    records = [json.loads(line) for line in games_jsonl(results).splitlines()]
    assert len(records) == len(results)
    for record, played in zip(records, results, strict=True):
        assert record["red"] == played.game.red
        assert record["cpu"] == list(played.result.cpu)
    assert records[0]["faults"][0]["output"] == EVIDENCE
    assert records[0]["faults"][0]["name"] == results[0].game.red
    assert records[1]["notes"][0] == {"kind": "exit code", "player": "green", "ply": 6, "name": results[1].game.green}


def test_the_moves_of_the_pgn_lead_to_the_same_points(results: list[PlayedGame]) -> None:
    texts = games_pgn(EVENT, results).split("\n\n[")
    assert len(texts) == len(results)
    for text, played in zip(texts, results, strict=True):
        head, _, moves = text.partition("\n\n")
        tags = dict(re.findall(r'^\[?(\w+) "(.*)"\]$', head, re.MULTILINE))
        assert tags["Points"] == f"{played.result.points[0]}-{played.result.points[1]}"
        assert tags["Red"].replace("\\", "") == played.game.red
        assert tags["Date"] == "2026.11.16"
        words = re.sub(r"\{[^}]*\}|\d+\.", " ", moves).split()
        board = board_from_moves("".join(words[:-1]))
        assert (board.points(RED), board.points(GREEN)) == played.result.points
        assert words[-1] == tags["Result"]
    assert "1. " in texts[0]
    assert "{red: illegal move: column 3 is full}" in texts[0].replace("\n", " ")


def test_a_student_gets_all_games_with_the_evidence_of_the_faults(tmp_path: Path, results: list[PlayedGame]) -> None:
    paths = save_transcripts(str(tmp_path / "new" / "texts"), EVENT, standings(results, NAMES), results)
    assert len(paths) == len(NAMES)
    assert {Path(path).parent for path in paths} == {tmp_path / "new" / "texts"}
    text = (tmp_path / "new" / "texts" / "ada.txt").read_text()
    own = [played for played in results if "ada" in (played.game.red, played.game.green)]
    assert len(re.findall(r"^Game \d+, round", text, re.MULTILINE)) == len(own)
    for played in own:
        assert f"Moves: {played.result.moves}\n" in text
    assert "Fault, ply 21: illegal move: column 3 is full" in text
    assert r"    | \x00\x1b[31mred" in text
    assert "\x1b" not in text
    opponent = Path(next(path for path in paths if "script" in path)).read_text()
    assert "Fault of the opponent, ply 21: illegal move" in opponent
    assert "[31m" not in opponent


def test_a_folder_that_cannot_be_made_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(CannotSave, match="cannot be created"):
        save_transcripts(str(tmp_path / "file"), EVENT, [], [])


# To the letter


def test_every_number_of_a_game_has_its_column() -> None:
    opening, moves = " ".join(FOUR_GAMES[3].game.opening), " ".join(FOUR_GAMES[3].result.moves)
    assert games_csv(FOUR_GAMES).splitlines() == [
        "number,round,pair,red,green,result,score,red_points,green_points,ending,opening,moves,line,red_cpu,green_cpu,"
        "seconds,red_regret,green_regret,faults,notes",
        "1,1,1,ada,bob,1-0,1.0,0,0,forfeit,4 4 3,4 4 3 5 1,,0.003000,1.750000,2.000,1,2,bob: illegal move,1",
        "2,1,1,bob,ada,*,,0,0,void,4 4 3,4 4 3 5,,0.100000,0.500000,1.000,,,bob: no output,0",
        f"3,2,2,ada,bob,1-0,1.0,13,11,adjudicated,{opening},{moves[:-4]},7 7,0.004000,0.006000,1.235,3,1,,0",
        f"4,2,2,bob,ada,1/2-1/2,0.5,12,12,full,{opening},{moves},,0.009000,0.012000,0.500,,,,3",
    ]
    rows = list(csv.DictReader(io.StringIO(games_csv(CLASSIC, "classic"))))
    assert [row["red_points"] + row["green_points"] for row in rows] == ["", ""]
    assert (rows[1]["red_regret"], rows[1]["green_regret"]) == ("0", "4")


def test_two_faults_of_a_game_stand_in_one_cell() -> None:
    faults = (Fault("crash", RED, 4, ""), Fault("no output", GREEN, 5, ""))
    game = replace(FOUR_GAMES[0], result=replace(FOUR_GAMES[0].result, faults=faults))
    (row,) = csv.DictReader(io.StringIO(games_csv([game])))
    assert row["faults"] == "ada: crash; bob: no output"


def test_every_number_of_a_player_has_its_column() -> None:
    assert standings_csv(TWO).splitlines() == [
        "rank,by,name,games,wins,draws,losses,score,points_for,points_against,rating,rating_bar,margin,margin_low,"
        "margin_high,cpu,most_cpu,regret,notes,faults: illegal move,faults: no output",
        "1,,ada,3,2,1,0,2.5,25,23,130.74,284.39,1.0,,,0.003167,0.006,1.333333,3,0,0",
        "2,,bob,3,0,1,2,0.5,23,25,-130.74,284.39,-1.0,,,0.252143,1.5,1.0,1,1,1",
    ]
    ranked = [replace(TWO[0], merit="2 (1.5)", rating=None)]
    assert standings_csv(ranked).splitlines()[1].startswith("1,2 (1.5),ada,3,2,1,0,2.5,25,23,,,1.0")


def test_a_record_has_all_of_a_game() -> None:
    first, *_, last = (json.loads(line) for line in games_jsonl(FOUR_GAMES).splitlines())
    assert first == {
        "number": 1, "round": 1, "pair": 1, "red": "ada", "green": "bob", "opening": "443", "game": "max",
        "moves": "44351", "line": "", "ending": "forfeit", "score": 1.0, "points": [0, 0], "cpu": [0.25, 0.003, 1.5],
        "seconds": 2.0, "regrets": [2, 1],
        "faults": [
            {
                "kind": "illegal move", "player": "green", "ply": 6, "detail": "column {3} is full", "name": "bob",
                "input": "0000000\n", "output": " \n", "printed": "first\n\nlast\n",
            }
        ],
        "notes": [{"kind": "exit code", "player": "red", "ply": 5, "name": "ada"}],
    }  # fmt: skip
    assert last["notes"][2] == {"kind": "line ends", "player": "red", "ply": 41, "name": "bob"}
    classic = [json.loads(line) for line in games_jsonl(CLASSIC, "classic").splitlines()]
    assert {(record["game"], record["points"]) for record in classic} == {("classic", None)}


def test_a_game_is_written_with_its_tags_and_the_columns_in_pairs() -> None:
    forfeit, void, adjudicated, full = games_pgn(EVENT, FOUR_GAMES).split("\n\n[Event")
    assert forfeit.splitlines() == [
        '[Event "Class"]',
        '[Date "2026.11.16"]',
        '[Round "1"]',
        '[Game "1"]',
        '[Red "ada"]',
        '[Green "bob"]',
        '[Variant "max"]',
        '[Result "1-0"]',
        '[Points "0-0"]',
        '[Opening "443"]',
        '[Termination "forfeit"]',
        '[RedCPU "0.003"]',
        '[GreenCPU "1.750"]',
        "",
        "1. 4 4 2. 3 5 3. 1 {green: illegal move: column (3) is full} 1-0",
    ]
    assert void.splitlines()[-1] == "1. 4 4 2. 3 5 {red: no output: no file} *"
    assert adjudicated.endswith("20. 7 7\n{adjudicated: moves of the solver} 21. 7 7 1-0")
    assert '[Points "13-11"]' in adjudicated
    assert full.endswith(" 20. 7 7 21. 7 7\n1/2-1/2\n")
    lost = replace(FOUR_GAMES[3], result=replace(FOUR_GAMES[3].result, score=0.0))
    assert games_pgn(EVENT, [lost]).endswith(" 20. 7 7 21. 7 7\n0-1\n")
    assert "Points" not in games_pgn(Event("Class", "classic"), CLASSIC)


def with_detail(detail: str) -> PlayedGame:
    fault = Fault("crash", RED, 6, detail)
    return replace(FOUR_GAMES[0], result=replace(FOUR_GAMES[0].result, faults=(fault,)))


def test_a_line_has_eighty_letters_at_most_unless_a_word_is_longer() -> None:
    *_, line = games_pgn(EVENT, [with_detail("x" * 43)]).splitlines()
    assert len(line) == 80
    *_, line, played = games_pgn(EVENT, [with_detail("x" * 44)]).splitlines()
    assert (line[-3:], played) == ("xx}", "1-0")
    assert f"\n{'a-b' * 50}}}\n1-0\n" in games_pgn(EVENT, [with_detail("a-b" * 50)])


def test_quotes_stay_what_they_are() -> None:
    text = games_pgn(Event('a "b" \\ c', began="today"), FOUR_GAMES[:1])
    assert text.startswith('[Event "a \\"b\\" \\\\ c"]\n[Date "????.??.??"]\n')


def test_a_text_has_all_of_the_games_of_a_player() -> None:
    ada, bob = (transcript(EVENT, standing, FOUR_GAMES) for standing in TWO)
    head, *games = ada.split("\n\n\n")
    assert (
        f"{head}\n"
        == """\
ada
Class
Format: match
Openings: 2 openings
Seed: 7
Began: 2026-11-16 14:05
Plays: built in: depth 2, evaluation best

Rank 1: 2.5 of 3 games; won 2, drawn 1, lost 0; points 25 to 23.
Elo +131 ±284.
CPU time per move: 3.17 ms.
Regret: 1.33 points.

In the diagrams O is red and X is green.

Game 1, round 1: red against bob
--------------------------------
Won, points 0 to 0; forfeit.
Opening: 443. Moves: 44351
    .......
    .......
    .......
    .......
    ...X...
    O.OOX..
Moves by ply: column, CPU time, (regret).
     5. 1 3.00 ms (1)
Fault of the opponent, ply 6: illegal move: column {3} is full
Note: exit code, ply 5
"""
    )
    assert games[0].endswith("    4. 5 500 ms\nFault of the opponent, ply 5: no output: no file")
    assert games[1].startswith(
        "Game 3, round 2: red against bob\n--------------------------------\nWon, points 13 to 11;"
    )
    assert "\nMoves of the solver: 77\n    XXXXXXX\n    OOOOOOO\n" in games[1]
    assert games[1].endswith("\n    37. 7 1.00 ms           39. 7 3.00 ms (3)")
    assert "\nDrawn, points 12 to 12; full.\n" in games[2]
    assert games[2].rstrip().endswith("    42. 7 6.00 ms\nNote: exit code, ply 38, 40")
    assert "Plays: built in: random, seed 7\n" in bob
    assert "Elo -131 ±284.\n" in bob
    assert "\nFaults: 1 × illegal move.\nFaults: 1 × no output.\n\n" in bob
    for words in ("Lost, points 0 to 0; forfeit.", "Void, points 0 to 0; void.", "Lost, points 11 to 13; adjudicated."):
        assert f"\n{words}\n" in bob
    evidence = ["  Input file:", "    | 0000000", "  Output file:", "    |  "]
    evidence += ["  Printed:", "    | first", "    | ", "    | last", ""]
    fault = "Fault, ply 6: illegal move: column {3} is full"
    assert "\n".join(["     4. 5 250 ms (2)", fault, *evidence]) in bob
    assert "    ..OOX..\nFault, ply 5: no output: no file\n" in bob  # it made no move


def test_five_moves_of_a_player_take_two_lines() -> None:
    moves = "12" * 5
    game = PlayedGame(
        ScheduledGame(1, 1, 1, "ada", "bob", ""), GameResult(1, moves, "void", None, (0, 0), (0.01,) * 10, 1.0)
    )
    text = transcript(EVENT, TWO[0], [game])
    first = "".join(f"     {ply}. 1 10.0 ms       " for ply in (1, 3, 5, 7)).rstrip()
    assert f"\n{first}\n     9. 1 10.0 ms\n" in text
    assert "\nOpening: none. Moves: 1212121212\n" in text
    nobody = replace(game, result=replace(game.result, moves="", cpu=()))
    assert "Moves, by ply" not in transcript(EVENT, TWO[0], [nobody])


def test_a_text_has_the_games_of_its_player_alone() -> None:
    cem = replace(TWO[0], name="cem", rating=None, regret=None, cpu_seconds=None, merit="2 points", rank=3)
    text = transcript(EVENT, cem, FOUR_GAMES)
    assert "Game 1" not in text
    assert "Plays" not in text
    assert "Elo" not in text
    assert "Regret" not in text
    assert "\nRank 3 by 2 points: 2.5 of" in text
    assert "\nCPU time per move: –.\n" in text


def test_a_text_of_the_classic_game_has_no_points() -> None:
    first, second = standings(CLASSIC, ["ada", "bob"], "classic")
    text = transcript(replace(EVENT, game="classic"), replace(first, regret=0.5), CLASSIC)
    assert "points" not in text
    assert "\nRegret: 0.50.\n" in text
    assert f"lost {first.losses}.\n" in text
    assert "\nWon; four.\n" in text
    ada = transcript(EVENT, first if first.name == "ada" else second, CLASSIC)
    assert " 2. 2 10.0 ms " in ada  # which the referee made
    assert " 4. 2 10.0 ms (4) " in ada


def test_evidence_is_cut_where_it_is_endless() -> None:
    fault = Fault("crash", RED, 6, "x" * 1_001, printed="y" * 20_001, output="the last letter is x\n")
    game = replace(FOUR_GAMES[0], result=replace(FOUR_GAMES[0].result, faults=(fault,)))
    text = transcript(EVENT, TWO[0], [game])
    assert f"{'x' * 1_000}… (1 more)\n" in text
    assert f"    | {'y' * 20_000}… (1 more)\n" in text
    assert "    | the last letter is x\n" in text
    event = Event("t" * 201, settings={"Room": "z" * 1_001})
    assert f"{'t' * 200}… (1 more)\nRoom: {'z' * 1_000}… (1 more)\n" in transcript(event, TWO[0], [])
    many = replace(EVENT, players=(replace(EVENT.players[0], built_in=None, command=("w" * 1_001,)),))
    assert f"Plays: {'w' * 1_000}… (1 more)\n" in transcript(many, TWO[0], [])
