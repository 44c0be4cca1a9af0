"""Step 2: make a legal move."""

import sys

COLUMNS = [1, 2, 3, 4, 5, 6, 7]
ROWS = 6
CENTRE_FIRST = [4, 3, 5, 2, 6, 1, 7]


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


def other(player):
    return 3 - player


def legal_moves(board):
    """Return the columns that are not full, those nearest the centre first."""
    return [column for column in CENTRE_FIRST if len(board[column]) < ROWS]


def drop(board, column, player):
    board[column].append(player)


def undo(board, column):
    board[column].pop()


def choose(board, player, depth):
    return legal_moves(board)[0]


def main():
    input_file, output_file, depth = sys.argv[2:]
    board, player = read_position(input_file)
    if not legal_moves(board):
        print("The board is full.")
        return
    column = choose(board, player, int(depth))
    drop(board, column, player)
    print(as_text(board) + f"Player {player} plays column {column}.")
    write_position(output_file, board, other(player))


if __name__ == "__main__":
    main()
