"""Step 1: read a position and write it."""

import sys

COLUMNS = [1, 2, 3, 4, 5, 6, 7]
ROWS = 6


def read_position(path):
    """Return the board (the pieces of each column, from the bottom up) and the player to move."""
    with open(path) as file:
        lines = file.read().split()
    board = {}
    for column in COLUMNS:
        digits = [int(line[column - 1]) for line in lines[:ROWS]]
        board[column] = [digit for digit in reversed(digits) if digit != 0]
    return board, int(lines[ROWS])


def as_text(board):
    """Return the six lines of a board, the top row first."""
    lines = ""
    for row in reversed(range(ROWS)):
        for column in COLUMNS:
            pieces = board[column]
            lines += str(pieces[row]) if row < len(pieces) else "0"
        lines += "\n"
    return lines


def write_position(path, board, player):
    with open(path, "w", newline="\n") as file:
        file.write(as_text(board) + f"{player}\n")


def main():
    input_file, output_file = sys.argv[2:4]
    board, player = read_position(input_file)
    print(as_text(board) + f"Player {player} is to move.")
    write_position(output_file, board, player)


if __name__ == "__main__":
    main()
