"""Makes its move and writes it in another shape: with the line ends, or what else its last word names."""

import sys

from honest import OUTPUT, position_after_move, write

lines = position_after_move()
kind = sys.argv[5]
if kind == "crlf":
    write(lines, "\r\n")
elif kind == "crcrlf":
    write(lines, "\r\r\n")
elif kind == "no last newline":
    with open(OUTPUT, "w") as file:
        file.write("\n".join(lines))
elif kind == "blanks":
    write([*lines, ""], " \n")
elif kind == "same player":
    write([*lines[:6], "2" if lines[6] == "1" else "1"])
elif kind == "no player":
    write(lines[:6])
elif kind == "extra lines":
    write([*lines, "I moved"])
elif kind == "byte order mark":
    write(["\ufeff" + lines[0], *lines[1:]])
