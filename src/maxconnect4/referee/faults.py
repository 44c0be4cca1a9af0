"""What can be wrong with a move, by name: faults, which lose a game, and notes, which do not."""

from __future__ import annotations

#: What loses a game.
FAULTS = {
    "cannot start": "The command could not be run at all.",
    "time-out": "The program had not ended when its time by the clock was over.",
    "CPU time-out": "The program and its processes used more CPU time than is allowed.",
    "printed too much": "The program printed more than is allowed.",
    "crash": "A signal or an exit code other than 0 ended the program, and it had not written a position.",
    "out of memory": "The program used more memory than is allowed, or it crashed when it could get no more.",
    "too many processes": "The program had more processes and threads than are allowed.",
    "wrote too much": "The program wrote more to files than is allowed.",
    "no output": "The program ended as if all were well, but there is no output file.",
    "not a file": "The output is a link, a folder, a pipe or a device instead of a file of its own.",
    "output too large": "The output file is far larger than a position.",
    "malformed output": "The output file does not begin with six lines of seven digits 0, 1 and 2.",
    "unchanged board": "The output is the position that the program was given, without a move.",
    "changed board": "Pieces that were on the board have changed or are gone.",
    "killed the referee": "The process that refereed the game was killed, more than once.",
    "illegal move": "What was added to the board is not one piece of the own colour on top of a column.",
}
TIME_OUTS = ("time-out", "CPU time-out")

#: What is taken as it was meant.
NOTES = {
    "exit code": "It ended with an exit code other than 0, though it had written a good move.",
    "signal": "A signal ended it, though it had written a good move.",
    "next player": "The last line of its output is not the player to move.",
    "line ends": "The lines of its output end in a carriage return.",
    "no last newline": "The last line of its output has no end.",
    "blanks": "There are blanks at the ends of lines, or blank lines at the end, of its output.",
    "byte order mark": "Its output begins with a byte order mark.",
    "extra lines": "There is more in its output than a position.",
    "printed much": "It printed more than 100,000 bytes.",
    "left processes running": "It ended while processes that it had started were still running.",
}

#: Notes on how a move is written, and on a program that should end otherwise, which harms nobody.
COSMETIC = frozenset(
    {"exit code", "next player", "line ends", "no last newline", "blanks", "byte order mark", "extra lines"}
)
