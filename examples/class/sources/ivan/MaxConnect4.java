import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Crashes in late positions: it looks at the cell above a drop, which the highest row does not have. */
public class MaxConnect4 {
    static char[][] rows = new char[6][];
    static char player;

    public static void main(String[] args) throws IOException {
        List<String> lines = Files.readAllLines(Path.of(args[1]));
        for (int row = 0; row < 6; row++) rows[row] = lines.get(row).toCharArray();
        player = lines.get(6).charAt(0);
        int best = -1, bestValue = -100;
        for (int c : new int[] {3, 2, 4, 1, 5, 0, 6}) {
            if (rows[0][c] != '0') continue;
            int value = value(c);
            if (value > bestValue) {
                bestValue = value;
                best = c;
            }
        }
        if (best < 0) return;
        rows[row(best)][best] = player;
        StringBuilder text = new StringBuilder();
        for (char[] row : rows) text.append(row).append('\n');
        Files.writeString(Path.of(args[2]), text.append(player == '1' ? '2' : '1').append('\n').toString());
        System.out.println("column " + (best + 1));
    }

    static int row(int c) {
        int row = 5;
        while (rows[row][c] != '0') row--;
        return row;
    }

    static int value(int c) {
        int row = row(c);
        int taken = 0;
        for (char[] each : rows) for (char cell : each) if (cell != '0') taken++;
        int value = rows[Math.min(row + 1, 5)][c] == player ? 1 : 0;
        return taken < 34 ? value : value + (rows[row - 1][c] == '0' ? 1 : 0);
    }
}
