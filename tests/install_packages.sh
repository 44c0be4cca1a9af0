#!/bin/sh
# Installs what the tests need besides Python packages, from Debian where that is possible: Chromium, for the tests in a browser,
# and bubblewrap, for those of isolation. Without them these tests are skipped, which is a failure where CI=true.
set -u

missing() {
    command -v chromium >/dev/null || command -v google-chrome >/dev/null || echo chromium
    command -v bwrap >/dev/null || echo bubblewrap
}

# As root, or as a user who becomes it without a password.
as_root() {
    if [ "$(id -u)" = 0 ]; then env "$@"; else sudo -n env "$@"; fi </dev/null >>"$log" 2>&1
}

install() {
    set -- -q -y -o Acquire::Retries=2 -o Acquire::http::Timeout=20 -o DPkg::Lock::Timeout=120 --no-install-recommends
    # The network may hang, so that part has a time limit. Unpacking must not be interrupted.
    as_root timeout 300 apt-get "$@" update
    as_root DEBIAN_FRONTEND=noninteractive timeout 600 apt-get "$@" --download-only install $(missing) &&
        as_root DEBIAN_FRONTEND=noninteractive apt-get "$@" --no-download install $(missing)
}

[ -z "$(missing)" ] && exit 0
log=$(mktemp) && trap 'rm -f "$log"' EXIT
if [ "$(uname)" = Linux ] && command -v apt-get >/dev/null && as_root true; then
    echo "Installing for the tests: $(missing | tr '\n' ' ')"
    install && [ -z "$(missing)" ] && exit 0
    grep '^E:' "$log" | tail -n 1 >&2
fi
if [ "${CI:-}" = true ]; then
    echo "Not installed: $(missing | tr '\n' ' '). CI does not pass without the tests that need it." >&2
    exit 1
fi
echo "Not installed: $(missing | tr '\n' ' '). The tests that need it are skipped; 'apt install' helps." >&2
