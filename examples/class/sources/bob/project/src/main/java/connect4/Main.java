package connect4;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Plain minimax without pruning. */
public class Main {
    private static int choice;

    public static void main(String[] args) throws IOException {
        Path input = Path.of(args[1]);
        Position position = Files.exists(input) ? Position.read(input) : new Position();
        choice = -1;
        minimax(position, Math.max(1, Integer.parseInt(args[3])), true);
        if (choice < 0) {
            System.out.println("The board is full.");
            return;
        }
        position.drop(choice);
        Files.writeString(Path.of(args[2]), position.text());
        System.out.println("column " + (choice + 1));
    }

    static int minimax(Position position, int depth, boolean root) {
        int best = Integer.MIN_VALUE;
        for (int c : new int[] {3, 2, 4, 1, 5, 0, 6}) {
            if (position.heights[c] == 6 || depth == 0) continue;
            int value = position.drop(c) - minimax(position, depth - 1, false);
            position.undo(c);
            if (value > best) {
                best = value;
                if (root) choice = c;
            }
        }
        return best == Integer.MIN_VALUE ? 0 : best;
    }
}
