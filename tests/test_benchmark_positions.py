"""Position sets of benchmarks."""

from __future__ import annotations

from pathlib import Path
from tempfile import NamedTemporaryFile

import pytest
from hypothesis import given
from hypothesis import strategies as st
from positions import SAMPLE, exact_positions

import maxconnect4
from maxconnect4 import BadFile, BadPosition, Board, board_from_moves
from maxconnect4.benchmark import positions
from maxconnect4.benchmark.positions import EXACT, PositionSet, parse_position_set, parse_position_sets

HEADER = "moves\tvalue\tc1\tc2\tc3\tc4\tc5\tc6\tc7\n"
LATE = "2756123436524411664737177634534612325152"  # columns 5 and 7 have room, worth 1 and 0
LINE = f"{LATE}\t1\t.\t.\t.\t.\t1\t.\t0\n"
FULL = "121212121212343434343434565656565656777777"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def from_file(path: Path, content: str | bytes) -> PositionSet:
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return parse_position_set(str(path))


# By a name, and by moves


def test_empty_is_the_empty_board() -> None:
    empty = parse_position_set("empty")
    assert (empty.name, [position.board for position in empty.positions]) == ("empty", [Board()])
    assert not empty.has_scores
    assert empty.positions[0].regret(4) is None


def test_samples_are_the_two_of_the_assignment() -> None:
    samples = parse_position_set("samples")
    assert samples.name == "samples"
    assert [str(position.board) for position in samples.positions] == [str(Board()), SAMPLE[:-3].replace("0", ".")]


def test_exact_are_the_276_positions_with_their_scores() -> None:
    exact = parse_position_set("exact")
    assert exact.name == "exact"
    assert exact.has_scores
    found = [(position.board.moves, position.scores) for position in exact.positions]
    assert len(found) == 276
    assert found == [(moves, tuple(scores)) for moves, _, scores in exact_positions()]


def test_the_exact_positions_come_with_the_package() -> None:
    assert Path(EXACT).is_relative_to(Path(maxconnect4.__file__).parent)


def test_regret_is_the_best_score_minus_the_score_of_the_move() -> None:
    position = next(position for position in parse_position_set("exact").positions if position.board.moves == LATE)
    assert (position.regret(5), position.regret(7)) == (0, 1)


def test_moves_are_a_set_of_one_position() -> None:
    found = parse_position_set("4453")
    assert (found.name, [position.board for position in found.positions]) == ("4453", [board_from_moves("4453")])


def test_moves_that_are_illegal_are_refused() -> None:
    with pytest.raises(BadPosition, match="^move 7 of '4444444': column 4 is full$"):
        parse_position_set("4444444")


def test_a_finished_game_cannot_be_measured() -> None:
    with pytest.raises(BadPosition, match="^'1212.*' is a finished game: choose a position with a legal move$"):
        parse_position_set(FULL)


@pytest.mark.parametrize("word", ["", "-", "exacts", "no/such.tsv", "a\0b", "x" * 5000, "44 53"])
def test_a_word_that_means_nothing_is_refused_in_a_line(word: str, here: Path) -> None:
    with pytest.raises(BadFile, match="there is no such file, and it is not a set: choose empty, ") as refused:
        parse_position_set(word)
    assert str(refused.value).isprintable()


# From a file


def test_a_set_has_the_name_of_its_file_without_the_ending(here: Path) -> None:
    assert from_file(here / "my late ones.v2.tsv", HEADER + LINE).name == "my late ones.v2"


def test_a_file_with_scores_is_read_whatever_its_comments_and_line_ends(here: Path) -> None:
    text = f"# two lines\n#\n\n{HEADER}{LINE}  \n12\t-2\t-2\t-3\t-4\t-5\t-4\t-3\t-2  # the second\n-\t{'+0	' * 7}0"
    for ends in ("\n", "\r\n", "\r"):
        found = from_file(here / "set.tsv", b"\xef\xbb\xbf" + text.replace("\n", ends).encode())
        assert [position.board.moves for position in found.positions] == [LATE, "12", ""]
        assert found.positions[0].scores == (None, None, None, None, 1, None, 0)
        assert found.positions[1].scores == (-2, -3, -4, -5, -4, -3, -2)
        assert found.has_scores


def test_a_plain_list_of_moves_has_no_scores(here: Path) -> None:
    found = from_file(here / "list.txt", "# three\n-\n44535 # the second\n\n1271\n")
    assert [position.board.moves for position in found.positions] == ["", "44535", "1271"]
    assert not found.has_scores
    assert from_file(here / "list.txt", "moves\n12\n").positions[0].board.moves == "12"


def test_a_position_file_is_a_set_of_one(here: Path) -> None:
    found = from_file(here / "input2.txt", SAMPLE.replace("\n", "\r\n"))
    assert found.name == "input2"
    assert [position.board for position in found.positions] == [parse_position_set("samples").positions[1].board]


def test_a_file_comes_before_moves_and_a_name_before_a_file(here: Path) -> None:
    (here / "4453").write_text("12\n")
    (here / "exact").write_text("12\n34\n")
    assert parse_position_set("4453").positions[0].board == board_from_moves("12")
    assert len(parse_position_set("exact").positions) == 276
    assert len(parse_position_set("./exact").positions) == 2


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("", "bad.tsv has no positions"),
        ("# nothing\n\n" + HEADER, "bad.tsv has no positions"),
        (HEADER + LINE.replace("\t0\n", "\n"), "bad.tsv, line 2: 8 fields instead of 9: moves, value, c1 to c7"),
        (HEADER + LINE.replace("\n", "\t3\n"), "bad.tsv, line 2: 10 fields instead of 9"),
        (HEADER + "12\n", "bad.tsv, line 2: 1 field instead of 9"),
        ("12\n" + LINE, "bad.tsv, line 2: 9 fields, but only moves on the lines before"),
        (
            "moves\tvalue\n12\t3\n",
            "bad.tsv, line 1: the fields must be moves value c1 c2 c3 c4 c5 c6 c7, separated by tabs",
        ),
        (HEADER + LINE + HEADER, "bad.tsv, line 3: 'moves' is not a move string"),
        (HEADER + LINE.replace(f"{LATE}\t1", f"{LATE}\t2"), "bad.tsv, line 2: the value is 2, but the best score is 1"),
        (HEADER + LINE.replace(f"{LATE}\t1", f"{LATE}\tx"), "bad.tsv, line 2: 'x' is not a score, such as -2"),
        (HEADER + LINE.replace("\t0\n", "\t0.5\n"), "bad.tsv, line 2: '0.5' is not a score, such as -2"),
        (HEADER + LINE.replace("\t0\n", "\t100\n"), "bad.tsv, line 2: '100' is not a score, such as -2"),
        (HEADER + LINE.replace("\t0\n", "\t.\n"), "bad.tsv, line 2: column 7 is not full, but its score is missing"),
        (HEADER + LINE.replace("1\t.", "1\t4"), "bad.tsv, line 2: column 1 is full, but has the score '4'"),
        (HEADER + "\t" + LINE, "bad.tsv, line 2: 10 fields instead of 9"),
        (HEADER + LINE.removeprefix(LATE), "bad.tsv, line 2: the moves are missing: write -"),
        ("12\n4444444\n", "bad.tsv, line 2: move 7 of '4444444': column 4 is full"),
        ("12\n18\n", "bad.tsv, line 2: move 2 of '18': there is no column 8: choose 1 to 7"),
        ("12\nhello\n", "bad.tsv, line 2: 'hello' is not a move string"),
        ("12\n" + FULL + "\n", "bad.tsv, line 2: '1212.*' is a finished game: choose a position with a legal move"),
        ("12\n1234\n3214\n", "bad.tsv, line 3: '3214' is the same position as line 2"),
        (SAMPLE[:-2] + "2\n", "bad.tsv, line 7: 2 .green. cannot be to move"),
        (SAMPLE[8:], "bad.tsv, line 7: the file has 6 lines instead of 7"),
        ("1212121\n" * 3 + "2121212\n" * 3 + "1\n", "bad.tsv: the board is full: choose a position with a legal move"),
        (b"\xff\xfe1\x002\x00\n\x00", "bad.tsv is not UTF-8 text"),
        (b"\0" * 100, "bad.tsv, line 1: '.*' is not a move string"),
    ],
)
def test_an_invalid_file_is_one_line(content: str | bytes, words: str, here: Path) -> None:
    with pytest.raises((BadPosition, BadFile), match="^" + words) as refused:
        from_file(Path("bad.tsv"), content)
    assert str(refused.value).isprintable()


PARTS = st.sampled_from(
    [HEADER, LINE, LATE, "\t", "\n", "12", "-", ".", "#", "0", "7", SAMPLE, "1212121\n", "x", "\r", "é"]
)


@given(st.lists(PARTS, max_size=12).map("".join))
def test_whatever_is_in_a_file_it_is_a_set_or_one_line(text: str) -> None:
    with NamedTemporaryFile(suffix=".tsv") as file:
        file.write(text.encode())
        file.flush()
        try:
            found = parse_position_set(file.name)
        except (BadPosition, BadFile) as error:
            assert str(error).isprintable()
        else:
            assert found.positions
            assert all(position.board.columns() for position in found.positions)


def test_a_file_that_is_too_large_is_not_read_on(here: Path) -> None:
    with open(here / "large.tsv", "wb") as file:
        file.truncate(1 << 40)
    with pytest.raises(BadFile, match="^large.tsv is too large for a set of positions: more than 16,777,216 bytes$"):
        parse_position_set("large.tsv")


def test_a_path_that_is_not_a_file_is_refused(here: Path) -> None:
    with pytest.raises(BadFile, match="cannot be read: it is not a regular file$"):
        parse_position_set(str(here))
    (here / "gone.tsv").symlink_to("nowhere")
    with pytest.raises(BadFile, match="^gone.tsv: there is no such set of positions$"):
        parse_position_set("gone.tsv")


# Several of them


def test_sets_of_one_name_get_different_names_and_the_same_set_is_used_once(here: Path) -> None:
    for folder, moves in (("a", "12"), ("b", "34")):
        (here / folder).mkdir()
        (here / folder / "set.tsv").write_text(moves)
    found = parse_position_sets("a/set.tsv,empty,b/set.tsv,a/set.tsv,empty,b/set.tsv")
    boards = [(each.name, each.positions[0].board.moves) for each in found]
    assert boards == [("set", "12"), ("empty", ""), ("set 2", "34")]


def test_no_file_is_taken_for_a_set_of_ours(here: Path) -> None:
    for name in ("empty", "samples", "exact.tsv", "sample 1.tsv"):
        (here / name).write_text("12\n34\n")
    found = parse_position_sets("./empty,./samples,exact.tsv,sample 1.tsv")
    assert [each.name for each in found] == ["./empty", "./samples", "exact.tsv", "sample 1.tsv"]
    assert {len(each.positions) for each in found} == {2}
    assert [each.name for each in parse_position_sets("empty,samples,exact")] == [
        "empty",
        "sample 1",
        "sample 2",
        "exact",
    ]


# Whether it is still the same


def test_the_fingerprint_of_a_set_depends_on_its_content(here: Path) -> None:
    first = from_file(here / "first.tsv", HEADER + LINE).fingerprint
    assert from_file(here / "again.tsv", "# as before\n" + LINE).fingerprint == first
    other_scores = LINE.replace("\t0\n", "\t-1\n")
    others = [LATE, other_scores, LINE + "12\t" + "1\t" * 7 + "1", "12\n34\n", "34\n12\n", "12\n", "21\n", SAMPLE]
    prints = [from_file(here / "other.tsv", text).fingerprint for text in others]
    assert len({first, *prints}) == 1 + len(others)
    assert {len(each) for each in prints} == {16}


def test_a_set_that_is_written_reads_the_same() -> None:
    exact = parse_position_set("exact")
    entries = [(position.board.moves or "", position.scores or ()) for position in exact.positions]
    text = Path(EXACT).read_text()
    comments = [line[2:] for line in text.splitlines() if line.startswith("# ")]
    assert positions.format_position_set(comments, entries) == text
