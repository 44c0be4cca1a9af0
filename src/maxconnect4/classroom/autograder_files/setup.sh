#!/usr/bin/env bash
# Gradescope runs this once, as root, when it builds the image. It needs Python 3.11 or later.
set -eu
apt-get update
DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends \
    python3 python3-venv bubblewrap g++ make cmake default-jdk-headless nodejs cargo
python3 -m venv /opt/maxconnect4
cd "$(dirname "$0")"
/opt/maxconnect4/bin/pip install {{requirement}}
