#!/usr/bin/env bash
# Gradescope runs this once, as root, when it builds the image.
set -eu
apt-get update
apt-get install -y python3 python3-venv bubblewrap
python3 -m venv /opt/maxconnect4
/opt/maxconnect4/bin/pip install /autograder/source/*.whl
