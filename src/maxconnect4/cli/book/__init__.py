"""The commands around the opening book."""

COMMANDS = {
    "lookup": ("lookup", "what the book says of a position"),
    "stats": ("stats", "what is in a book, and how it was made"),
    "verify": ("verify", "check a book against itself and against the solver"),
    "build": ("build", "make a book, on this machine or on many"),
    "merge": ("merge", "take over what was solved elsewhere"),
    "export": ("export", "a book as text"),
}

HELP = """usage: maxconnect4 book COMMAND ...

The opening book has the exact value of every position of Max-Connect4 up to some number of plies. Perfect play,
'analyse' and 'review' use the one that comes with the program.

{commands}

Examples:
  maxconnect4 book lookup 4453                 the final margin of each column with perfect play
  maxconnect4 book stats                       what is in the book
  maxconnect4 book verify --sample 300         solve 300 positions again
  maxconnect4 book build --plies 6             make a book of your own; it can be stopped, and goes on

'maxconnect4 book COMMAND --help' tells more."""
