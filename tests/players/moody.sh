#!/bin/sh
# Does what moody.py does, but for SPIN, in a sixth of its CPU time.
set -efu
depth=$4
[ -z "${SPIN:-}" ] || { echo "use moody.py to spin" >&2; exit 2; }
[ -z "${HISTORY:-}" ] || echo "$depth" >>"$HISTORY"
for each in ${FAILS:-}; do
    [ "$each" != "$depth" ] || { echo "depth $depth is too deep for me" >&2; exit 1; }
done
for each in ${HANGS:-}; do
    [ "$each" != "$depth" ] || exec sleep 600
done
. "${0%moody.sh}honest.sh"
