#!/bin/sh
# Installs what the tests need besides Python packages, from Debian where that is possible: Chromium, for the tests in a browser,
# and bubblewrap, for those of isolation. Without them these tests are skipped, which is a failure where CI=true.
set -u

browser=chromium-headless-shell
has() { command -v "$1" >/dev/null; }
missing() {
    has chromium-headless-shell || has chromium || has google-chrome || echo "$browser"
    has bwrap || echo bubblewrap
}

# As root, or as a user who becomes it without a password.
as_root() {
    if [ "$(id -u)" = 0 ]; then env "$@"; else sudo -n env "$@"; fi </dev/null >>"$log" 2>&1
}

install() {
    set -- -q -y -o Acquire::Retries=2 -o Acquire::http::Timeout=20 -o DPkg::Lock::Timeout=120 --no-install-recommends
    # The network may hang, so that part has a time limit. Unpacking must not be interrupted.
    as_root timeout 300 apt-get "$@" update
    apt-cache show "$browser" >/dev/null 2>&1 || browser=chromium # as in Debian 11
    as_root DEBIAN_FRONTEND=noninteractive timeout 600 apt-get "$@" --download-only install $(missing) &&
        as_root DEBIAN_FRONTEND=noninteractive apt-get "$@" --no-download install $(missing)
}

[ -z "$(missing)" ] && exit 0
log=$(mktemp) && trap 'rm -f "$log"' EXIT
if [ "$(uname)" = Linux ] && has apt-get && as_root true; then
    echo "Installing for the tests: $(missing | tr '\n' ' ')"
    install && [ -z "$(missing)" ] && exit 0
    grep '^E:' "$log" | tail -n 1 >&2
fi
if [ "${CI:-}" = true ]; then
    echo "Not installed: $(missing | tr '\n' ' '). CI does not pass without the tests that need it." >&2
    exit 1
fi
echo "Not installed: $(missing | tr '\n' ' '). The tests that need it are skipped; 'apt install' helps." >&2
