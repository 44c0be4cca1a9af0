// The solver: the exact value of a position of either game, on a board of any size that fits 64 bits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "board.hpp"
#include "book_layer.hpp"
#include "shared_transposition_table.hpp"

namespace maxconnect4 {

// The value; also the best column nearest the centre, or a principal variation; the score of every column; or the scores
// and the principal variation.
enum class AnalysisKind { value, best, line, scores, all };

// All values are with perfect play, from the view of the side to move: final margins, or in the classic game 0 for a draw,
// n for a win with the n-th last stone counted from the full board, -n for such a loss.
struct Analysis {
    int value = 0;
    std::vector<std::optional<int>> scores;  // by column, empty for a full one; if requested
    std::vector<int> line;  // the columns of a principal variation to the end, or its first; if requested
    std::uint64_t nodes = 0;
};

struct Progress {
    Range value;
    std::vector<std::optional<Range>> columns;
    std::uint64_t nodes;
};

// Called every few milliseconds in the thread of the caller; true stops the search.
using OnProgress = std::function<bool(const Progress&)>;

// The bounds of a position without a search, for tests; empty where a bound does not apply.
struct StaticBounds {
    // Of Max-Connect4, independent of each other: upper bounds, and with running up a lower bound, of the gain of the other
    // player, who does not make the last move, on the last one from here to the end of the game.
    std::optional<int> follow_up, start, every_move, running_up;
    // Of the classic game: the value.
    std::optional<int> at_least, at_most;
};

class Solver {
   public:
    // Throws std::invalid_argument if the board or the table is too small or too large, std::bad_alloc if there is not
    // enough memory.
    // `layer`, if given, is of the opening book of this game; its content has to stay in memory.
    static std::unique_ptr<Solver> make(int columns, int rows, bool classic, std::size_t table_bytes, int threads,
                                        std::optional<BookLayer> layer = std::nullopt);
    virtual ~Solver() = default;

    // Empty if it was stopped. The result is exact for every size of the table, number of threads and earlier search: they
    // change only the time. The table is kept from call to call. One call at a time.
    virtual std::optional<Analysis> analyse(Bits red, Bits green, AnalysisKind kind, const OnProgress& on_progress) = 0;

    // Empties the transposition table.
    virtual void clear_table() = 0;
    // The share of the largest table that is in use.
    virtual int table_permille() const = 0;

    // The game is not over.
    virtual StaticBounds bounds(Bits red, Bits green) const = 0;
};

}  // namespace maxconnect4
