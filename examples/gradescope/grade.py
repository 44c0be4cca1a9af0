"""Grade a submission: run `maxconnect4 check --json` and write the results file of Gradescope."""

import json
import subprocess
import sys
from pathlib import Path

COMMAND = "python3 agent.py"
POINTS = {"Legal moves": 40, "Correct minimax": 25, "Strength": 20, "Robustness": 15}  # shared by weight


def main(submission, results, *options):
    words = ["maxconnect4", "check", COMMAND, "--folder", submission, "--against", "random", "--json", *options]
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode in (0, 4):  # 4: a check failed
        graded = grade(json.loads(done.stdout))
    else:
        graded = {"score": 0, "output": f"The program could not be checked.\n{done.stderr}"}
    Path(results).write_text(json.dumps(graded))


def grade(report):
    weights = dict.fromkeys(POINTS, 0)
    for check in report["checks"]:
        weights[check["group"]] = weights.get(check["group"], 0) + check["weight"]
    tests = []
    for check in report["checks"]:
        points = POINTS.get(check["group"], 0) * check["weight"] / weights[check["group"]]
        output = [check["detail"], *check["remarks"]]
        if check["counterexample"]:
            output.append(
                "For this position file, column {better} is better than {played}:".format(**check["counterexample"])
            )
        if check["input"]:
            output += [check["input"], f"depth {check['depth']}"]
        tests.append(
            {
                "name": f"{check['group']}: {check['name']}",
                "score": round(points * check["share"], 2),
                "max_score": round(points, 2),
                "output": "\n".join(output),
            }
        )
    return {"tests": tests, "output": f"Isolation: {report['isolation']}"}


if __name__ == "__main__":
    main(*sys.argv[1:])
