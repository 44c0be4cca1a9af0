"""Step 4: search with alpha-beta pruning."""

import sys

COLUMNS = [1, 2, 3, 4, 5, 6, 7]
ROWS = 6
CENTRE_FIRST = [4, 3, 5, 2, 6, 1, 7]
INFINITY = 1_000_000


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


def all_windows():
    """Return the 69 sets of four consecutive cells, each as four indices into the list of all_cells."""
    windows = []
    for column in range(7):
        for row in range(6):
            for right, up in [(1, 0), (0, 1), (1, 1), (1, -1)]:
                cells = [(column + step * right, row + step * up) for step in range(4)]
                if all(c < 7 and 0 <= r < 6 for c, r in cells):
                    windows.append([c * ROWS + r for c, r in cells])
    return windows


WINDOWS = all_windows()


def all_cells(board):
    """Return the 42 cells in one list, column by column, 0 for an empty cell."""
    cells = []
    for column in COLUMNS:
        cells += board[column] + [0] * (ROWS - len(board[column]))
    return cells


def points(board, player):
    cells = all_cells(board)
    return sum(all(cells[place] == player for place in window) for window in WINDOWS)


def evaluate(board, me):
    return points(board, me) - points(board, other(me))


def alpha_beta(board, player, depth, me, alpha, beta):
    """Return the value of a board as minimax does, if it is between alpha and beta."""
    moves = legal_moves(board)
    if depth <= 0 or not moves:
        return evaluate(board, me)
    best = -INFINITY if player == me else INFINITY
    for column in moves:
        drop(board, column, player)
        value = alpha_beta(board, other(player), depth - 1, me, alpha, beta)
        undo(board, column)
        if player == me:
            best = max(best, value)
            alpha = max(alpha, best)
        else:
            best = min(best, value)
            beta = min(beta, best)
        if alpha >= beta:
            break
    return best


def choose(board, player, depth):
    best_column, best_value = None, -INFINITY
    for column in legal_moves(board):
        drop(board, column, player)
        value = alpha_beta(board, other(player), depth - 1, player, best_value, INFINITY)
        undo(board, column)
        if value > best_value:
            best_column, best_value = column, value
    return best_column


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
