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

An opening book has the exact value of every position up to some number of plies.
Perfect play, 'analyse' and 'review' use those that come with the program, one for
each game.

{commands}

Examples:
  maxconnect4 book lookup 4453            what each column comes to
  maxconnect4 book stats                  what is in the book
  maxconnect4 book verify --sample 300    solve 300 positions again
  maxconnect4 book build --plies 6        make a book of your own

'maxconnect4 book COMMAND --help' tells more."""
