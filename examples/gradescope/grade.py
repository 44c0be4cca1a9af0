"""Grade a submission: run `maxconnect4 check --json` and write the results file of Gradescope."""

import json
import subprocess
import sys
from pathlib import Path

COMMAND = "python3 agent.py"
POINTS = {"Legal moves": 60, "Robustness": 20}  # the checks of a group share its points equally
POINTS_FOR_BEATING_RANDOM = 20


def main(submission, results, *options):
    words = ["maxconnect4", "check", COMMAND, "--folder", submission, "--against", "random", "--json", *options]
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode in (0, 4):  # 4: a check failed
        graded = grade(json.loads(done.stdout))
    else:
        graded = {"score": 0, "output": f"The program could not be checked.\n{done.stderr}"}
    Path(results).write_text(json.dumps(graded))


def grade(report):
    groups = [check["group"] for check in report["checks"]]
    tests = []
    for check in report["checks"]:
        points = round(POINTS[check["group"]] / groups.count(check["group"]), 2)
        tests.append(
            {
                "name": f"{check['group']}: {check['name']}",
                "score": points if check["result"] != "failed" else 0,
                "max_score": points,
                "output": check["detail"],
            }
        )
    games = report["games"]
    tests.append(
        {
            "name": "Strength: beats a random player",
            "score": POINTS_FOR_BEATING_RANDOM if games and games["consistent"] else 0,
            "max_score": POINTS_FOR_BEATING_RANDOM,
            "output": f"{games['wins']} of {games['played']} games won" if games else "no games were played",
        }
    )
    return {"tests": tests, "output": f"Isolation: {report['isolation']}"}


if __name__ == "__main__":
    main(*sys.argv[1:])
