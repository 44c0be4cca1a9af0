#!/bin/sh
# Sees to it that there is a Chromium for the tests in a browser: installs Debian's where there is none and it may. Without
# one those tests are skipped, but where CI=true that is a failure: nobody would notice there.
set -u

there() {
    command -v chromium >/dev/null || command -v google-chrome >/dev/null
}

# As root, or as whoever may become it without a password; nobody is asked.
as_root() {
    if [ "$(id -u)" = 0 ]; then env "$@"; else sudo -n env "$@"; fi </dev/null >>"$log" 2>&1
}

install() {
    set -- -q -y -o Acquire::Retries=2 -o Acquire::http::Timeout=20 -o DPkg::Lock::Timeout=120 --no-install-recommends
    # What may hang is the network, and that part ends after a while. What unpacks is not to be interrupted.
    as_root timeout 300 apt-get "$@" update
    as_root DEBIAN_FRONTEND=noninteractive timeout 600 apt-get "$@" --download-only install chromium &&
        as_root DEBIAN_FRONTEND=noninteractive apt-get "$@" --no-download install chromium
}

there && exit 0
log=$(mktemp) && trap 'rm -f "$log"' EXIT
if command -v apt-get >/dev/null && as_root true; then
    echo "There is no Chromium for the tests in a browser: installing Debian's."
    install && there && exit 0
    grep '^E:' "$log" | tail -n 1 >&2
fi
if [ "${CI:-}" = true ]; then
    echo "There is no Chromium, and CI is not to pass without the tests in a browser." >&2
    exit 1
fi
echo "There is no Chromium, so the tests in a browser are skipped: 'apt install chromium' helps." >&2
