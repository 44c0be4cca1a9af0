package connect4;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The board, from the bottom row, and the player to move. */
final class Position {
    final int[][] cells = new int[7][6];
    final int[] heights = new int[7];
    int player = 1;

    static Position read(Path path) throws IOException {
        Position position = new Position();
        List<String> lines = Files.readAllLines(path);
        if (lines.size() < 7) throw new IOException("truncated file");
        for (int row = 0; row < 6; row++) {
            if (!lines.get(5 - row).matches("[012]{7}")) throw new IOException("bad line");
            for (int c = 0; c < 7; c++) {
                position.cells[c][row] = lines.get(5 - row).charAt(c) - '0';
                if (position.cells[c][row] != 0) position.heights[c] = row + 1;
            }
        }
        position.player = Integer.parseInt(lines.get(6).trim());
        return position;
    }

    String text() {
        StringBuilder text = new StringBuilder();
        for (int row = 5; row >= 0; row--) {
            for (int c = 0; c < 7; c++) text.append(cells[c][row]);
            text.append('\n');
        }
        return text.append(player).append('\n').toString();
    }

    int drop(int c) {
        cells[c][heights[c]++] = player;
        int points = 0;
        int[][] directions = {{1, 0}, {0, 1}, {1, 1}, {1, -1}};
        for (int[] d : directions) {
            points += Math.max(0, run(c, d[0], d[1]) + run(c, -d[0], -d[1]) - 2);
        }
        player = 3 - player;
        return points;
    }

    void undo(int c) {
        cells[c][--heights[c]] = 0;
        player = 3 - player;
    }

    private int run(int column, int dc, int dr) {
        int c = column, r = heights[column] - 1, length = 0;
        for (int i = 0; i < 3; i++) {
            c += dc;
            r += dr;
            if (c < 0 || c > 6 || r < 0 || r > 5 || cells[c][r] != player) break;
            length++;
        }
        return length;
    }
}
