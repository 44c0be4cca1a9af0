"""Programming languages of submissions: the language, the entry point and the build of a folder of sources."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from ..errors import quote
from ..referee.players import PlayerSpec
from ..referee.python2 import python2_source
from .archives import JUNK

BINARY = "maxconnect4.out"  # the name of the program that is linked from sources
SCRATCH = ".build"  # a folder of intermediate files, which is not kept
ARGUMENTS = "one-move {in} {out} {depth}"
LARGEST_SOURCE = 2 << 20  # bytes that are searched for an entry point

JAVA, CPP, C, RUST, PYTHON, PYTHON2, JAVASCRIPT = "Java", "C++", "C", "Rust", "Python 3", "Python 2", "JavaScript"
SUFFIXES = {".java": JAVA, ".rs": RUST, ".py": PYTHON, ".js": JAVASCRIPT, ".mjs": JAVASCRIPT, ".cjs": JAVASCRIPT}
SUFFIXES |= {".c": C, ".cpp": CPP, ".cc": CPP, ".cxx": CPP, ".c++": CPP}
SUFFIXES |= {".rb": "Ruby", ".pl": "Perl", ".lua": "Lua", ".php": "PHP", ".sh": "Shell"}
INTERPRETERS = {"Ruby": "ruby", "Perl": "perl", "Lua": "lua", "PHP": "php", "Shell": "sh"}
#: Languages that are named, but not built.
OTHERS = {".cs": "C#", ".go": "Go", ".kt": "Kotlin", ".hs": "Haskell", ".swift": "Swift", ".ts": "TypeScript"}
OTHERS |= {".scala": "Scala", ".ipynb": "a Jupyter notebook", ".m": "MATLAB", ".vb": "Visual Basic", ".r": "R"}
BUILD_FILES = ("CMakeLists.txt", "Makefile", "makefile", "GNUmakefile", "Cargo.toml", "package.json")
JAVA_BUILD_FILES = ("pom.xml", "build.gradle", "build.gradle.kts")
#: The first bytes of machine code (Linux, Windows, macOS) and Java byte code.
MACHINE_CODE = (b"\x7fELF", b"MZ", b"\xca\xfe\xba\xbe", b"\xcf\xfa\xed\xfe", b"\xce\xfa\xed\xfe")
COMPILED = (".class", ".jar", ".war", ".exe", ".dll", ".so", ".dylib", ".o", ".obj", ".a", ".lib", ".pyc", ".pdb")

JAVA_MAIN = re.compile(rb"\bstatic\s+(?:final\s+)?(?:public\s+)?(?:final\s+)?void\s+main\s*\(")
JAVA_PACKAGE = re.compile(rb"^\s*package\s+([\w.]+)\s*;", re.MULTILINE)
C_MAIN = re.compile(rb"^[ \t]*(?:int|void|auto|signed)?[ \t\n]*main[ \t\n]*\(", re.MULTILINE)
RUST_MAIN = re.compile(rb"\bfn\s+main\s*\(")
TEST_NAME = re.compile(r"(?:^|[/_])[Tt]ests?(?:[/_]|$)|[a-z]Test$")
GOOD_NAMES = ("maxconnect4", "max_connect4", "maxconnect4game", "connect4", "main", "game", "agent", "player")


@dataclass(slots=True)
class BuildPlan:
    """How to build and run a folder of sources."""

    language: str
    command: str  # of the program; "" if it is known only after the build, or not at all
    builds: list[str] = field(default_factory=list)  # commands for the shell, until one gives a program
    problems: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Source:
    path: str  # relative to the folder
    language: str
    text: bytes


def source_folder(folder: str) -> str:
    """The folder with the program: the deepest one with all sources and build files, without wrapper folders."""
    found = [
        os.path.dirname(path)
        for path in source_files(folder)
        if os.path.splitext(path)[1].lower() in SUFFIXES or os.path.basename(path) in (*BUILD_FILES, *JAVA_BUILD_FILES)
    ]
    return os.path.join(folder, os.path.commonpath(found)) if found and all(found) else folder


def source_files(folder: str) -> list[str]:
    """The relative paths of all files but those of tools and systems."""
    found = []
    for place, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if name not in JUNK)
        found += [os.path.relpath(os.path.join(place, name), folder) for name in sorted(names) if name not in JUNK]
    return found


def is_compiled(path: str) -> bool:
    """Whether a file has machine code or byte code, or is a product of a compiler by its name."""
    if path.lower().endswith(COMPILED):
        return True
    with open(path, "rb") as file:
        return file.read(4).startswith(MACHINE_CODE)


def detect(folder: str) -> BuildPlan:
    """Detect the language and the entry point of a folder of sources."""
    files = source_files(folder)
    sources = [_read(folder, path, SUFFIXES[kind]) for path in files if (kind := _suffix(path)) in SUFFIXES]
    names = {os.path.basename(path) for path in files if os.path.dirname(path) == ""}
    if not sources:
        return _without_sources(folder, files)
    languages = {each.language for each in sources}
    compiled = languages & {C, CPP}
    if "CMakeLists.txt" in names and compiled:
        plan = _cmake()
    elif names.intersection(("Makefile", "makefile", "GNUmakefile")) and compiled:
        plan = _make(sources)
    elif "Cargo.toml" in names:
        plan = _cargo()
    else:
        plan = _by_sources(folder, sources, files)
    own = {PYTHON if plan.language == PYTHON2 else plan.language.partition(" (")[0], C, CPP, "Shell"}
    if others := sorted(languages - own):
        plan.problems.append(f"it also has files in {' and '.join(others)}, which are not run as the program")
    return plan


def _by_sources(folder: str, sources: list[_Source], files: list[str]) -> BuildPlan:
    """The plan for the language with the best entry point."""
    candidates = [(_points(each), each) for each in sources if _is_entry(each)]
    best, entry = max(candidates, key=lambda pair: (pair[0], -len(pair[1].path)), default=(0, None))
    if entry is None:
        language = max(sources, key=lambda each: len(each.text)).language
        return BuildPlan(language, "", problems=[f"no entry point found among {len(sources)} files in {language}"])
    language = entry.language
    own = [each for each in sources if each.language == language or (language == CPP and each.language == C)]
    if language == PYTHON:
        plan = _python(entry, folder)
    else:
        plan = {JAVA: _java, CPP: _c, C: _c, RUST: _rust, JAVASCRIPT: _javascript}.get(language, _script)(entry, own)
    equal = sorted(each.path for points, each in candidates if points == best and each is not entry)
    if equal and not plan.problems:
        plan.problems.append(f"{quote(entry.path)} is run, but it could also be {', '.join(map(quote, equal[:3]))}")
    if language == JAVA and any(os.path.basename(path) in JAVA_BUILD_FILES for path in files):
        tool = "Maven" if "pom.xml" in {os.path.basename(path) for path in files} else "Gradle"
        plan.language = f"Java ({tool})"  # which would need the network; javac is enough for the assignment
    return plan


def _without_sources(folder: str, files: list[str]) -> BuildPlan:
    compiled = [path for path in files if is_compiled(os.path.join(folder, path))]
    others = sorted({OTHERS[_suffix(path)] for path in files if _suffix(path) in OTHERS})
    if others:
        what = " and ".join(others)
        return BuildPlan(what, "", problems=[f"{what} is not built here: set build and command, or ask for another"])
    if compiled:
        return BuildPlan("", "", problems=["only compiled files were submitted: ask for the sources"])
    if files:
        return BuildPlan("", "", problems=[f"no program was found, only {', '.join(map(quote, files[:3]))}"])
    return BuildPlan("", "", problems=["the submission is empty"])


def _read(folder: str, path: str, language: str) -> _Source:
    with open(os.path.join(folder, path), "rb") as file:
        return _Source(path, language, file.read(LARGEST_SOURCE))


def _suffix(path: str) -> str:
    return os.path.splitext(path)[1].lower()


def _is_entry(source: _Source) -> bool:
    pattern = {JAVA: JAVA_MAIN, C: C_MAIN, CPP: C_MAIN, RUST: RUST_MAIN}.get(source.language)
    return pattern is None or pattern.search(source.text) is not None


def _points(source: _Source) -> int:
    """The evidence that a file is the entry point."""
    stem = os.path.splitext(os.path.basename(source.path))[0].lower()
    points = 40 * (re.search(rb"one[-_]move", source.text) is not None)
    points += 20 * (re.search(rb"\bargv\b|\bargs\b|__main__", source.text) is not None)
    points += 10 - GOOD_NAMES.index(stem) if stem in GOOD_NAMES else 0
    points -= 50 * (TEST_NAME.search(os.path.splitext(source.path)[0]) is not None)
    return points - 30 * (source.language == "Shell") - 2 * source.path.count(os.sep)


# Interpreted languages


def _python(entry: _Source, folder: str) -> BuildPlan:
    path = shlex.quote(entry.path)
    old = python2_source(PlayerSpec("", command=("python3", entry.path), folder=folder, whole_folder=True))
    if old is not None:
        return BuildPlan(PYTHON2, f"{old.interpreter or 'python2'} {path} {ARGUMENTS}")
    build = f"python3 -m py_compile {path} && {{ python3 -m compileall -q . >/dev/null 2>&1; true; }}"
    return BuildPlan(PYTHON, f"python3 {path} {ARGUMENTS}", [build])


def _javascript(entry: _Source, _: list[_Source]) -> BuildPlan:
    path = shlex.quote(entry.path)
    return BuildPlan(JAVASCRIPT, f"node {path} {ARGUMENTS}", [f"node --check {path}"])


def _script(entry: _Source, _: list[_Source]) -> BuildPlan:
    return BuildPlan(entry.language, f"{INTERPRETERS[entry.language]} {shlex.quote(entry.path)} {ARGUMENTS}")


# Compiled languages


def _java(entry: _Source, sources: list[_Source]) -> BuildPlan:
    plan = BuildPlan(JAVA, "")
    kept = [
        each for each in sources if each is entry or not re.search(rb"\bimport\s+(static\s+)?org\.junit", each.text)
    ]
    if len(kept) < len(sources):
        plan.problems.append(f"{len(sources) - len(kept)} files with unit tests are not compiled")
    names = [_class_name(each) for each in kept]
    if len(set(names)) < len(names):  # another copy of the program
        root = _package_root(entry)
        kept = [each for each in kept if _package_root(each) == root]
        plan.problems.append(f"some classes exist twice: only those in {quote(root or '.')} are compiled")
    encoding = "UTF-8" if all(_is_utf8(each.text) for each in kept) else "ISO-8859-1"
    build = f"javac -nowarn -encoding {encoding} -d . {_words(each.path for each in kept)}"
    resources = (
        {os.path.join(_package_root(entry), os.pardir, "resources")} if "main" in entry.path.split(os.sep) else ()
    )
    for each in map(os.path.normpath, resources):
        build += f" && {{ [ ! -d {shlex.quote(each)} ] || cp -r {shlex.quote(each)}/. .; }}"
    plan.builds = [build]
    plan.command = f"java -XX:+UseSerialGC -cp . {shlex.quote(_class_name(entry))} {ARGUMENTS}"
    return plan


def _class_name(source: _Source) -> str:
    package = JAVA_PACKAGE.search(source.text)
    stem = os.path.splitext(os.path.basename(source.path))[0]
    if _is_entry(source):  # a class may have another name than its file if it is not public
        before = source.text[: JAVA_MAIN.search(source.text).start()]  # type: ignore[union-attr]
        named = re.findall(rb"\bclass\s+(\w+)", before)
        if named and stem.encode() not in named:
            stem = named[0].decode()
    return f"{package[1].decode()}.{stem}" if package else stem


def _package_root(source: _Source) -> str:
    folder = os.path.dirname(source.path)
    package = JAVA_PACKAGE.search(source.text)
    parts = package[1].decode().replace(".", os.sep) if package else ""
    return (
        folder.removesuffix(parts).rstrip(os.sep) if parts and f"{os.sep}{folder}".endswith(os.sep + parts) else folder
    )


def _is_utf8(text: bytes) -> bool:
    try:
        text.decode()
    except UnicodeDecodeError:
        return False
    return True


def _c(entry: _Source, sources: list[_Source]) -> BuildPlan:
    kept = [each for each in sources if each is entry or not _is_entry(each)]
    return BuildPlan(entry.language, f"./{BINARY} {ARGUMENTS}", _compile_c(entry.language, kept))


def _compile_c(language: str, sources: list[_Source]) -> list[str]:
    is_cpp = any(each.language == CPP for each in sources) or language == CPP
    files = _words(each.path for each in sources)
    compiler, standard, other = ("g++", "gnu++20", "gnu++14") if is_cpp else ("gcc", "gnu17", "gnu89")
    rest = f"-o {BINARY} {files} -lm -pthread"
    return [f"{compiler} -O2 -std={standard} {rest}", f"{compiler} -O2 -std={other} {rest}"]


def _make(sources: list[_Source]) -> BuildPlan:
    """Run make; if that gives no program, the sources are compiled directly."""
    entries = [each for each in sources if each.language in (C, CPP) and _is_entry(each)]
    entry = max(entries, key=_points, default=None)
    language = entry.language if entry else next(each.language for each in sources if each.language in (C, CPP))
    plan = BuildPlan(f"{language} (Make)", "", ["make"])
    if entry is not None:
        own = [each for each in sources if each.language in (C, CPP) and (each is entry or not _is_entry(each))]
        plan.builds += _compile_c(language, own)
    return plan


def _cmake() -> BuildPlan:
    collect = f"find {SCRATCH} -type f -perm -u+x ! -path '*/CMakeFiles/*' ! -name '*.so*' -exec cp {{}} . \\;"
    build = f"cmake -S . -B {SCRATCH} -DCMAKE_BUILD_TYPE=Release && cmake --build {SCRATCH} && {collect}"
    return BuildPlan("C++ (CMake)", "", [build])


def _cargo() -> BuildPlan:
    collect = f"find {SCRATCH}/release -maxdepth 1 -type f -perm -u+x ! -name '*.so' -exec cp {{}} . \\;"
    return BuildPlan("Rust (Cargo)", "", [f"cargo build --release --offline --target-dir {SCRATCH} && {collect}"])


def _rust(entry: _Source, _: list[_Source]) -> BuildPlan:
    build = f"rustc --edition 2021 -O -o {BINARY} {shlex.quote(entry.path)}"
    return BuildPlan(RUST, f"./{BINARY} {ARGUMENTS}", [build])


def _words(paths: Iterable[str]) -> str:
    return shlex.join(path if not path.startswith("-") else f"./{path}" for path in paths)


def find_executable(folder: str) -> tuple[str, str]:
    """The command of the program that a build has made in a folder, and a problem if there are several; "" for none."""
    found = []
    for path in source_files(folder):
        place = os.path.join(folder, path)
        if os.access(place, os.X_OK) and not path.endswith((".so", ".o")):
            with open(place, "rb") as file:
                if file.read(4).startswith((b"\x7fELF", b"\xcf\xfa\xed\xfe", b"\xca\xfe\xba\xbe")):
                    found.append(path)
    found.sort(key=lambda path: (-_points(_Source(path, "", b"")), path))
    if not found:
        return "", ""
    problem = f"{quote(found[0])} is run, but there is also {quote(found[1])}" if found[1:] else ""
    return f"./{shlex.quote(found[0])} {ARGUMENTS}", problem


# Tools


def tool_of(build: str, command: str) -> str | None:
    """The first program of a build or a command that is not installed; None if all are."""
    for text in (build, command):
        word = text.split()[0] if text.split() else ""
        if word and os.sep not in word and re.fullmatch(r"[\w.+-]+", word) and not is_installed(word):
            return word
    return None


@cache
def is_installed(program: str) -> bool:
    """Whether a program is on PATH; a version manager may have a script for one that is not installed."""
    path = shutil.which(program)
    if path is None:
        return False
    if f"{os.sep}shims{os.sep}" not in path:
        return True
    return subprocess.run([path, "--version"], capture_output=True, stdin=subprocess.DEVNULL).returncode == 0


@cache
def rust_toolchain() -> str | None:
    """The folder of the Rust compiler that rustup, whose programs need a home folder, would run."""
    rustc = shutil.which("rustc")
    if rustc is None:
        return None
    done = subprocess.run([rustc, "--print", "sysroot"], capture_output=True, text=True, stdin=subprocess.DEVNULL)
    folder = done.stdout.strip()
    return folder if done.returncode == 0 and Path(folder, "bin", "rustc").exists() else None
