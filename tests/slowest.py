"""The tests that take longest, by file and one by one, from the file that `pytest --junitxml=FILE` writes."""

from __future__ import annotations

import sys
from collections import defaultdict
from xml.etree import ElementTree

FILES, TESTS = 40, 40  # rows of the two tables


def main(path: str) -> None:
    tests: list[tuple[float, str, str]] = []
    by_file: dict[str, list[float]] = defaultdict(list)
    for case in ElementTree.parse(path).iter("testcase"):
        seconds, file, name = float(case.get("time", 0)), case.get("classname", ""), case.get("name", "")
        tests.append((seconds, file, name))
        by_file[file].append(seconds)
    print(f"{sum(seconds for seconds, _, _ in tests):8.1f} s  {len(tests):5} tests")
    print("\nBy file:")
    for file, times in sorted(by_file.items(), key=lambda entry: -sum(entry[1]))[:FILES]:
        print(f"{sum(times):8.1f} s  {len(times):5} tests  {file}")
    print("\nSlowest tests:")
    for seconds, file, name in sorted(tests, reverse=True)[:TESTS]:
        print(f"{seconds:8.1f} s  {file}::{name}")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python tests/slowest.py JUNIT_XML")
    main(sys.argv[1])
