#!/bin/sh
# Plays the legal column nearest the centre, as honest.py does, in a sixth of its CPU time.
set -efu
output=$3 return=$(printf '\r') words=
while read -r line || [ -n "$line" ]; do
    words="$words ${line%"$return"}"
done <"$2"
set -- $words
player=$7
for before in '???' '??' '????' '?' '?????' '' '??????' full; do
    case ${1#$before} in 0*) break ;; esac
done
[ "$before" != full ]
text=$((3 - player)) placed=
for row in "$6" "$5" "$4" "$3" "$2" "$1"; do
    rest=${row#$before}
    case $placed$rest in 0*) row=${row%"$rest"}$player${rest#0} placed=x ;; esac
    text="$row
$text"
done
echo "$text" >"$output"
