"""External programs that attack: the referee, other programs, the user's files, the machine."""

from __future__ import annotations

import json
import os
import resource
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
import terminal
from dask_cluster import DaskCluster
from external_programs import PLAYERS, player
from terminal import PROGRAM, maxconnect4
from tournaments import games, tournament_file

import maxconnect4 as package
from maxconnect4.board import GREEN
from maxconnect4.errors import IsolationUnavailable
from maxconnect4.notation import board_from_moves
from maxconnect4.referee import isolation, program, sandbox
from maxconnect4.referee.isolation import BUBBLEWRAP, LANDLOCK, NONE, FileAccess, Isolation, isolation_for
from maxconnect4.referee.limits import Cgroup, ResourceLimits, parent_cgroup
from maxconnect4.referee.move_validation import MoveResult
from maxconnect4.referee.players import player_spec
from maxconnect4.referee.program import Program

BOARD = board_from_moves("44535")  # green is to move, and an honest player drops into column 4
PACKAGE = Path(package.__file__).parent
LIMITS = ResourceLimits(seconds=60, cpu_seconds=60)
METHODS = [BUBBLEWRAP, LANDLOCK]
#: For tests of code that both methods share, where others try Landlock in the fast tier.
LANDLOCK_LONG = pytest.mark.parametrize(
    "method", [BUBBLEWRAP, pytest.param(LANDLOCK, marks=pytest.mark.long)], indirect=True
)
SECRET = "what another program must not read"

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="namespaces and Landlock are Linux's")


@pytest.fixture(params=METHODS)
def method(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Each method that isolates, where it works."""
    works = {BUBBLEWRAP: isolation._problem_with_bubblewrap() is None, LANDLOCK: isolation._has_landlock()}
    if not works[request.param]:
        pytest.skip(f"{request.param} does not work here")
    monkeypatch.setattr(program, "isolation_for", lambda wanted: Isolation(request.param))
    sandbox.become_subreaper()
    yield request.param
    sandbox.become_subreaper(False)


@pytest.fixture
def bubblewrap() -> None:
    if isolation._problem_with_bubblewrap() is not None:
        pytest.skip("bubblewrap does not work here")


@pytest.fixture
def elsewhere() -> Iterator[Path]:
    """A folder that belongs to no player."""
    with tempfile.TemporaryDirectory(dir="/var/tmp") as folder:
        yield Path(folder)


def attacked(attack: str, target: str | Path | int = "", limits: ResourceLimits = LIMITS) -> MoveResult:
    return Program(player("hostile", attack, limits=limits, TARGET=str(target))).move(BOARD)


def is_refused(answer: MoveResult) -> bool:
    """Whether an attack failed, and the program could still make its move."""
    assert answer.fault is None, answer
    assert answer.column == 4
    return answer.printed.startswith("refused: ")


# What a program can reach


def test_an_honest_program_is_not_disturbed(method: str) -> None:
    answer = Program(player("honest", limits=LIMITS)).move(BOARD)
    assert (answer.column, answer.fault, answer.notes) == (4, None, ())
    assert 0 < answer.cpu_seconds < 5


def test_configuration_of_the_system_can_be_read(method: str) -> None:
    """Node.js does not start if the configuration of OpenSSL exists and cannot be read."""
    path = Path("/etc/ssl/openssl.cnf")
    if not path.exists():
        pytest.skip("OpenSSL has no configuration here")
    assert attacked("read", path).printed.startswith("result: ")


def test_files_of_others_cannot_be_read_listed_or_written(method: str, elsewhere: Path) -> None:
    secret = elsewhere / "secret"
    secret.write_text(SECRET)
    assert is_refused(attacked("read", secret))
    assert is_refused(attacked("read", Path.home() / ".bashrc"))
    assert is_refused(attacked("read", "/etc/shadow"))
    assert is_refused(attacked("list_folder", elsewhere))
    assert is_refused(attacked("overwrite", secret))
    assert is_refused(attacked("overwrite", elsewhere / "new"))
    assert is_refused(attacked("overwrite", PLAYERS / "honest.py"))
    assert secret.read_text() == SECRET
    assert os.listdir(elsewhere) == ["secret"]


def test_a_program_cannot_read_its_opponent_or_the_results(method: str, elsewhere: Path) -> None:
    for name in ("hostile.py", "honest.py"):
        (elsewhere / name).write_text((PLAYERS / name).read_text())
    for name in ("classmate.py", "results.sqlite", "notes.txt"):
        (elsewhere / name).write_text(SECRET)
    (elsewhere / "bob").mkdir()
    (elsewhere / "bob" / "main.py").write_text(SECRET)
    os.chmod(elsewhere, 0o755)
    hidden = tuple(str(elsewhere / name) for name in ("classmate.py", "results.sqlite", "bob"))
    command = [sys.executable, "-S", "-E", "-B", str(elsewhere / "hostile.py"), "one-move", "{in}", "{out}", "{depth}"]

    def answer(attack: str, target: Path) -> MoveResult:
        own = player("hostile", limits=LIMITS, TARGET=str(target))
        own = replace(own, command=(*command, attack), folder=str(elsewhere))
        return Program(own, hidden=hidden).move(BOARD)

    assert answer("read", elsewhere / "notes.txt").printed == f"result: {SECRET!r}\n", "its own folder it can read"
    for path in ("classmate.py", "results.sqlite", "bob/main.py"):
        printed = answer("read", elsewhere / path).printed
        assert SECRET not in printed, path
    assert is_refused(answer("overwrite", elsewhere / "results.sqlite"))


@LANDLOCK_LONG
def test_a_hidden_file_may_come_and_go(method: str, elsewhere: Path) -> None:
    for name in ("hostile.py", "honest.py"):
        (elsewhere / name).write_text((PLAYERS / name).read_text())
    os.chmod(elsewhere, 0o755)
    journal = elsewhere / "results.sqlite-journal"
    command = (sys.executable, "-S", "-E", str(elsewhere / "honest.py"), "one-move", "{in}", "{out}", "{depth}")
    own = replace(player("honest", limits=LIMITS), command=command, folder=str(elsewhere))
    program = Program(own, hidden=[str(journal)])
    for _ in range(2):
        journal.write_text(SECRET)
        assert program.move(BOARD).column == 4
        journal.unlink()
        assert program.move(BOARD).column == 4


def test_the_network_is_out_of_reach(method: str) -> None:
    with closing(socket.create_server(("127.0.0.1", 0))) as server:
        port = server.getsockname()[1]
        assert is_refused(attacked("connect", port))
        if method == LANDLOCK:  # in a network namespace a datagram goes nowhere
            assert is_refused(attacked("send_datagram", port))
        server.settimeout(0)
        with pytest.raises(BlockingIOError):
            server.accept()


def test_sockets_of_other_processes_are_out_of_reach(method: str, elsewhere: Path) -> None:
    os.chmod(elsewhere, 0o777)
    for kind, attack in ((socket.SOCK_STREAM, "connect_to_socket"), (socket.SOCK_DGRAM, "send_to_socket")):
        path = elsewhere / attack
        with closing(socket.socket(socket.AF_UNIX, kind)) as server:
            server.bind(str(path))
            os.chmod(path, 0o777)
            if kind == socket.SOCK_STREAM:
                server.listen()
            assert is_refused(attacked(attack, path))
    assert is_refused(attacked("virtual_socket"))


def test_other_processes_cannot_be_limited(method: str) -> None:
    with subprocess.Popen(["sleep", "100"]) as bystander:
        try:
            before = resource.prlimit(bystander.pid, resource.RLIMIT_NOFILE)
            assert is_refused(attacked("limit_other", bystander.pid))
            assert resource.prlimit(bystander.pid, resource.RLIMIT_NOFILE) == before
        finally:
            bystander.kill()


def test_files_of_others_keep_their_modes_and_times(method: str, elsewhere: Path) -> None:
    secret = elsewhere / "secret"
    secret.write_text(SECRET)
    os.chmod(secret, 0o600)
    before = secret.stat()
    attacked("change_mode", secret)
    assert (secret.stat().st_mode, secret.stat().st_mtime) == (before.st_mode, before.st_mtime)


@LANDLOCK_LONG
def test_links_of_a_submission_lead_nowhere_else(method: str, elsewhere: Path) -> None:
    (elsewhere / "eve" / "inner").mkdir(parents=True)
    (elsewhere / "secrets").mkdir()
    (elsewhere / "secrets" / "id").write_text(SECRET)
    os.chmod(elsewhere, 0o755)
    for link, place in (
        ("a", "../secrets/id"),
        ("d", "../secrets"),
        ("inner/b", "../../secrets/id"),
        ("own", "main.py"),
    ):
        os.symlink(place, elsewhere / "eve" / link)
    for name in ("hostile.py", "honest.py"):
        (elsewhere / "eve" / name).write_text((PLAYERS / name).read_text())
    (elsewhere / "eve" / "main.py").write_text("import hostile")
    for target in ("a", "d/id", "inner/b", "own"):
        words = [sys.executable, "-S", "-E", "main.py", "one-move", "{in}", "{out}", "{depth}", "read"]
        own = player_spec(words, folder=str(elsewhere / "eve"), limits=LIMITS, environment={"TARGET": target})
        printed = Program(own).move(BOARD).printed
        assert ("refused" in printed) == (target != "own"), (target, printed)
        assert SECRET not in printed


@LANDLOCK_LONG
def test_our_own_package_cannot_be_imported(method: str) -> None:
    for folder in (PACKAGE.parent, "/nowhere"):
        assert is_refused(attacked("import_solver", folder))
    own = player("hostile", "import_solver", limits=LIMITS, TARGET="/nowhere")
    with_packages = replace(own, command=(own.command[0], *own.command[3:]))  # without -S and -E
    assert is_refused(Program(with_packages).move(BOARD))


@LANDLOCK_LONG
def test_this_program_itself_can_be_a_player(method: str) -> None:
    for words in ([PROGRAM], [sys.executable, "-m", "maxconnect4"]):
        answer = Program(player_spec(words, limits=LIMITS, depth=1)).move(BOARD)
        assert answer.fault is None, answer


def test_other_processes_cannot_be_signalled(method: str) -> None:
    with subprocess.Popen(["sleep", "100"]) as bystander:
        try:
            answer = attacked("kill_target", bystander.pid)
            if method == LANDLOCK and "result" in answer.printed:
                pytest.skip("Landlock scopes signals since Linux 6.12")
            assert is_refused(answer)
            assert bystander.poll() is None
        finally:
            bystander.kill()


def test_new_namespaces_are_refused(method: str) -> None:
    assert attacked("new_namespaces").printed == "result: -1\n"


def test_a_program_cannot_kill_its_referee(bubblewrap: None) -> None:
    for attack in ("kill_parent", "kill_everything"):
        answer = Program(player("hostile", attack, limits=LIMITS)).move(BOARD)
        assert answer.fault is None or answer.fault.kind == "crash"  # it may have hit itself


def test_the_environment_is_an_allow_list(method: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("API_TOKEN", "42")
    monkeypatch.setenv("PYTHONPATH", str(PACKAGE.parent))
    names = set(json.loads(attacked("environment").printed.removeprefix("result: ").replace("'", '"')))
    allowed = {
        "TARGET",
        "PATH",
        "HOME",
        "TMPDIR",
        "LANG",
        "LANGUAGE",
        "TZ",
        "JAVA_HOME",
        "JDK_JAVA_OPTIONS",
        "PYENV_VERSION",
    }
    assert {name for name in names if not name.startswith("LC_")} - {"PWD"} <= allowed


@LANDLOCK_LONG
def test_an_environment_of_its_own_reaches_a_program(method: str) -> None:
    own = player("hostile", "environment", limits=LIMITS, WORD="hello")
    assert "'WORD'" in Program(own).move(BOARD).printed


# Descriptors


def test_a_program_inherits_no_descriptor(method: str, tmp_path: Path) -> None:
    reader, writer = os.pipe()
    os.set_inheritable(writer, True)
    try:
        assert attacked("descriptors", tmp_path / "run").printed == "result: []\n"
    finally:
        os.close(reader)
        os.close(writer)


STOPPING = "hostile.py one-move {in} {out} {depth} stop_parent"


def hostile_command(marker: Path) -> str:
    words = f"{sys.executable} -S -E -B {PLAYERS}/hostile.py one-move {{in}} {{out}} {{depth}} descriptors"
    return f"TARGET={marker} {words}"


@pytest.mark.parametrize(
    "words",
    [
        ["match", "HOSTILE", "random", "--openings", "random:plies=40,count=1", "--processes", "1", "--json"],
        ["check", "HOSTILE", "--positions", "1", "--deepest", "1", "--json"],
        ["measure", "HOSTILE", "--depths", "1-1", "--runs", "1", "--json"],
        pytest.param(
            ["report", "HOSTILE", "--deepest", "1", "--games", "0", "-o", "report"], marks=pytest.mark.long
        ),  # what measure does, and check
    ],
    ids=lambda words: words[0],
)
def test_no_command_hands_a_connection_to_a_program(words: list[str], tmp_path: Path) -> None:
    marker = tmp_path / "marker"
    command = f"name=hostile {hostile_command(marker)}"
    if words[0] == "report":  # with few positions
        made = maxconnect4("positions", "--count", "2", "--plies", "30", "-o", tmp_path / "set.tsv")
        assert made.returncode == 0, made.stderr
        words = [*words, "--positions", str(tmp_path / "set.tsv")]
    elif words[0] == "check":  # which asks a program that makes no move for seven moves only
        command = command.replace("{out} {depth}", "nowhere {out}")
    words = [command if word == "HOSTILE" else word for word in words]
    done = maxconnect4(*words, "--isolation", "none", cwd=tmp_path)
    assert done.returncode == (4 if words[0] == "check" else 0), done.stderr + done.stdout
    if words[0] == "check":
        assert {each["fault"] for each in json.loads(done.stdout)["checks"]} == {"no output", None}
    assert not marker.exists(), "the program ran code in the referee"
    assert not Path(f"{marker}.found").exists(), Path(f"{marker}.found").read_text()


def test_a_tournament_with_a_program_that_writes_to_its_descriptors_is_that_of_an_honest_one(tmp_path: Path) -> None:
    found = []
    for name in ("honest", "hostile"):
        folder = tmp_path / name
        folder.mkdir()
        path = tournament_file(folder, name, "random", openings="random:plies=38,count=1")
        text = path.read_text().replace(f" {folder}", " descriptors")
        text = text.replace(f'name = "{name}"', f'name = "it"\nenvironment = {{ TARGET = "{folder}/x" }}')
        path.write_text(text)
        done = maxconnect4("tournament", path, "--isolation", "none", "--processes", "1", "--json")
        assert (done.returncode, done.stderr) == (0, "")
        assert not list(folder.glob("x*"))
        found.append([(game.red, game.green, *rest) for game, *rest in games(folder / "t.sqlite")])
    assert found[0] == found[1]


def test_a_dask_worker_hands_no_connection_to_a_program(tmp_path: Path, cluster: DaskCluster) -> None:
    marker = tmp_path / "marker"
    words = ["match", f"name=hostile {hostile_command(marker)}", "random", "--openings", "random:plies=40,count=1"]
    done = maxconnect4(*words, "--isolation", "none", "--scheduler", cluster.address, "--json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["standings"][0]["games"] == 2
    assert not list(tmp_path.glob("marker*"))


def test_a_player_of_a_tournament_reads_neither_the_others_nor_the_results(tmp_path: Path) -> None:
    for name in ("hostile.py", "honest.py"):
        (tmp_path / name).write_text((PLAYERS / name).read_text())
    (tmp_path / "bob").mkdir()
    (tmp_path / "bob" / "main.py").write_text((PLAYERS / "honest.py").read_text())
    targets = ":".join(str(tmp_path / name) for name in ("t.sqlite", "bob/main.py"))
    (tmp_path / "t.toml").write_text(f"""
openings = "random:plies=40,count=1"
[[player]]
name = "hostile"
command = "{sys.executable} -S -E hostile.py one-move {{in}} {{out}} {{depth}} read_and_resign"
environment = {{ TARGET = "{targets}" }}
[[player]]
folder = "bob"
command = "{sys.executable} -S -E main.py"
""")
    faults = []
    for method in ("auto", "none"):
        words = ("tournament", "t.toml", "--isolation", method, "--json", "--processes", "1")
        done = maxconnect4(*words, cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        standings = {each["name"]: each["faults"] for each in json.loads(done.stdout)["standings"]}
        assert standings["bob"] == {}
        faults.append(standings["hostile"])
        (tmp_path / "t.sqlite").unlink()
    assert faults[0] == ({} if isolation_for("auto").method != NONE else faults[1])
    assert faults[1] == {"no output": 2}


def test_a_program_that_stops_the_referee_loses_and_the_others_continue(tmp_path: Path) -> None:
    players = ("random", "hostile", "honest")
    path = tournament_file(tmp_path, *players, format="gauntlet", openings="random:plies=40,count=1")
    path.write_text(path.read_text().replace(f"hostile.py one-move {{in}} {{out}} {{depth}} {tmp_path}", STOPPING))
    done = maxconnect4("tournament", path, "--isolation", "none", "--processes", "1", "--json")
    standings = {each["name"]: each for each in json.loads(done.stdout)["standings"]}
    assert standings["hostile"]["faults"] == {"killed the referee": 2}
    assert [standings[name]["faults"] for name in ("honest", "random")] == [{}, {}]
    assert [standings[name]["games"] for name in players] == [4, 2, 2]


# Limits


def test_the_limit_of_processes_is_exact(bubblewrap: None) -> None:
    limits = replace(LIMITS, processes=20)
    answer = attacked("fork_bomb", limits=limits)
    if answer.fault is None:
        children = int(answer.printed.split("'")[1].split()[0])
        assert children == 19  # and the program itself
    else:  # where the program stays root, its processes are counted while they run
        assert answer.fault.kind == "too many processes"


def test_too_many_processes_are_noticed_where_the_system_sets_no_limit(method: str) -> None:
    limits = replace(LIMITS, processes=20)
    if method == BUBBLEWRAP:
        assert "2000 threads" not in attacked("start_threads", limits=limits).printed
    else:
        fault = attacked("fork_bomb", limits=limits).fault
        assert fault is not None
        assert fault.kind == "too many processes"


@LANDLOCK_LONG
def test_shared_memory_of_all_processes_counts(method: str) -> None:
    fault = attacked("shared_memory", limits=replace(LIMITS, memory=200 << 20)).fault
    assert fault is not None
    assert fault.kind == "out of memory"


def test_memory_that_is_mapped_nowhere_is_refused(method: str) -> None:
    assert is_refused(attacked("hidden_memory"))
    assert "not permitted" in attacked("segments").printed


def test_memory_of_the_kernel_is_refused_or_counted(method: str) -> None:
    assert attacked("semaphores").printed == "result: (-1, -1)\n"
    fault = attacked("page_tables", limits=replace(LIMITS, memory=100 << 20)).fault
    assert fault is not None
    assert fault.kind == "out of memory"


def test_files_without_names_cannot_be_allocated(method: str) -> None:
    answer = attacked("allocate", limits=replace(LIMITS, disk=16 << 20))
    assert answer.fault is not None or answer.printed.startswith("refused: ")


def test_a_program_that_flees_by_forking_does_not_hold_up_the_referee(method: str) -> None:
    code = """
import os, time
for _ in range(5):
    if os.fork() == 0:
        end = time.monotonic() + 8
        while time.monotonic() < end:
            if os.fork() > 0:
                os._exit(0)
            os.setsid() if os.getpid() != os.getsid(0) else None
        os._exit(0)
time.sleep(30)
"""
    limits = replace(LIMITS, seconds=0.5, processes=200)
    own = replace(player("honest", limits=limits), command=(sys.executable, "-S", "-c", code, "{in}", "{out}"))
    start = time.monotonic()
    assert Program(own).run(b"", GREEN).ran.exceeded is not None
    assert time.monotonic() - start < 30


@LANDLOCK_LONG
def test_processes_that_share_memory_are_not_charged_twice(method: str) -> None:
    limits = replace(LIMITS, memory=120 << 20)
    code = """
import os, sys, time
data = bytearray(80 << 20)
data[::4096] = b"x" * (80 << 8)
for _ in range(4):
    if os.fork() == 0:
        time.sleep(0.5)
        os._exit(0)
for _ in range(4):
    os.wait()
print("fine")
"""
    own = replace(player("honest", limits=limits), command=(sys.executable, "-S", "-c", code, "{in}", "{out}"))
    assert Program(own).run(b"", GREEN).ran.printed == b"fine\n"


@pytest.mark.parametrize("folder", ["", "/tmp", "/dev/shm"])
def test_what_is_written_is_limited_in_total(method: str, folder: str) -> None:
    before = {name: os.statvfs(name).f_bavail for name in ("/tmp", "/dev/shm") if os.path.isdir(name)}
    answer = attacked("fill", folder, limits=replace(LIMITS, disk=8 << 20))
    if answer.fault is not None:
        assert answer.fault.kind in ("wrote too much", "no output", "crash"), answer
    else:
        assert "500 MiB" not in answer.printed
    for name, blocks in before.items():
        lost = (blocks - os.statvfs(name).f_bavail) * os.statvfs(name).f_frsize
        assert lost < 400 << 20, name


def test_the_number_of_files_is_limited(method: str) -> None:
    fault = attacked("make_files").fault
    assert fault is not None
    assert fault.kind == "wrote too much"


def test_nothing_of_a_daemon_is_left(method: str, tmp_path: Path) -> None:
    answer = Program(player("daemoniser", limits=LIMITS, PIDS="/dev/null")).move(BOARD)
    assert answer.column == 4
    assert [note.kind for note in answer.notes] == ["left processes running"]


@LANDLOCK_LONG
def test_a_program_that_runs_too_long_ends_with_all_its_processes(method: str) -> None:
    code = """
import os, time
for _ in range(4):
    if os.fork() == 0:
        os.setsid()
        time.sleep(1000)
time.sleep(1000)
"""
    own = player("honest", limits=replace(LIMITS, seconds=0.7))
    fault = Program(replace(own, command=(sys.executable, "-S", "-c", code, "{in}", "{out}"))).move(BOARD).fault
    assert fault is not None
    assert fault.kind == "time-out"
    with closing(os.scandir("/proc")) as entries:
        for entry in entries:
            if entry.name.isdigit():
                try:
                    words = Path(entry.path, "cmdline").read_bytes()
                except OSError:
                    continue
                assert code.encode() not in words


def test_a_good_move_does_not_depend_on_what_the_disk_holds(bubblewrap: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(program, "has_disk_space", lambda: False)
    assert Program(player("honest", limits=LIMITS)).move(BOARD).column == 4


# Which isolation


def test_auto_takes_the_strongest_isolation_and_has_the_reason_against_others(monkeypatch: pytest.MonkeyPatch) -> None:
    found = []
    for bubblewrap, landlock in ((None, True), ("it is not installed", True), ("it is not installed", False)):
        monkeypatch.setattr(isolation, "_problem_with_bubblewrap", lambda problem=bubblewrap: problem)
        monkeypatch.setattr(isolation, "_has_landlock", lambda has=landlock: has)
        found.append(isolation_for.__wrapped__("auto"))
    assert [each.method for each in found] == [BUBBLEWRAP, LANDLOCK, NONE]
    assert ["it is not installed" in str(each) for each in found] == [False, True, True]
    assert all(str(each).count("\n") == 0 for each in found)
    assert isolation_for.__wrapped__("none").method == NONE
    with pytest.raises(IsolationUnavailable, match="it is not installed"):
        isolation_for.__wrapped__("bubblewrap")


def test_a_command_prints_one_line_on_isolation_and_records_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(terminal, "_completed", lambda done: done)  # with the line
    tournament_file(tmp_path, "honest", "random", openings="random:plies=40,count=1")
    done = maxconnect4("tournament", "t.toml", "--processes", "1", cwd=tmp_path)
    assert done.returncode == 0
    assert done.stderr.startswith("Isolation: ")
    assert done.stderr.count("\n") == 1
    page = maxconnect4("report", "t.sqlite", "--html", "t.html", cwd=tmp_path)
    assert page.returncode == 0
    assert isolation_for("auto").name in (tmp_path / "t.html").read_text()


def test_a_command_without_external_programs_prints_nothing_on_isolation(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(terminal, "_completed", lambda done: done)  # with the line
    words = ("match", "random", "depth:1", "--openings", "random:plies=40,count=1", "--processes", "1")
    done = maxconnect4(*words, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")


def test_what_is_hidden_is_left_out_of_the_rules_for_landlock(tmp_path: Path) -> None:
    for name in ("a/b/c", "a/b/d", "a/e", "f"):
        (tmp_path / name).mkdir(parents=True)
    rules = list(isolation._landlock_rules(str(tmp_path), [str(tmp_path / "a" / "b" / "c")]))
    readable = {os.path.relpath(path, tmp_path) for option, path in rules if option == "--read"}
    assert readable == {"a/b/d", "a/e", "f"}
    assert {os.path.relpath(path, tmp_path) for option, path in rules if option == "--list"} == {".", "a", "a/b"}


def test_a_sandbox_that_does_not_start_is_not_the_fault_of_the_program(
    bubblewrap: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    view = FileAccess(("/no/such/folder",))
    with (
        pytest.raises(OSError, match="the sandbox failed to start"),
        sandbox.Sandbox(["true"], "", {}, LIMITS, Isolation(BUBBLEWRAP), view),
    ):
        pass


def test_the_limits_are_set_before_the_program_runs(method: str) -> None:
    show = "import resource as r; print(*(r.getrlimit(n)[0] for n in (r.RLIMIT_CPU, r.RLIMIT_DATA, r.RLIMIT_FSIZE)))"
    limits = replace(LIMITS, cpu_seconds=2.5, memory=1 << 30, printed=1 << 20)
    own = replace(player("honest", limits=limits), command=(sys.executable, "-S", "-c", show, "{in}", "{out}"))
    assert Program(own).run(b"", GREEN).ran.printed == b"3 %d %d\n" % (1 << 30, 1 << 20)
    assert resource.getrlimit(resource.RLIMIT_CPU)[0] == resource.RLIM_INFINITY


def test_a_cgroup_limits_memory_and_processes() -> None:
    parent = parent_cgroup()
    if parent is None:
        pytest.skip("cgroup v2 is not writable here")
    group = Cgroup(parent, replace(LIMITS, memory=50 << 20, processes=10), 0)
    try:
        code = "import sys; sys.stdin.readline(); x = bytearray(b'x' * (200 << 20))"
        with subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE) as hungry:
            group.add([hungry.pid])
            hungry.communicate(b"\n")
        assert hungry.returncode == -9
        assert group.was_out_of_memory()
        assert group.cpu_seconds() > 0
    finally:
        group.remove()
    assert not group.folder.exists()
