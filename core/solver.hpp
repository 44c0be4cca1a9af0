// The solver: the exact value of a position of either game, on a board of any size that fits 64 bits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "board.hpp"
#include "shared_table.hpp"

namespace maxconnect4 {

// What is wanted: the value alone; also the best column nearest the centre, or a best line to the end; the score of every
// column; or those and the line.
enum class Ask { value, best, line, scores, all };

// All values are with perfect play, from the view of the side to move: final margins, or in the classic game 0 for a draw,
// n for a win with the n-th last stone counted from the full board, -n for such a loss.
struct Analysis {
    int value = 0;
    std::vector<std::optional<int>> scores;  // by column, empty for a full one; if asked for
    std::vector<int> line;  // columns of one way to play on perfectly to the end, or the first of them; if asked for
    std::uint64_t nodes = 0;
};

struct Progress {
    Range value;
    std::vector<std::optional<Range>> columns;
    std::uint64_t nodes;
};

// Asked every few milliseconds, in the thread that called; true stops the search.
using ProgressWatch = std::function<bool(const Progress&)>;

// What is known of a position without a search, for tests; nothing where a bound has no say.
struct StaticBounds {
    // Of Max-Connect4, each on its own: what the other player, the one who does not make the last move, gains on the last one
    // from here to the end, at most or (running up) at least.
    std::optional<int> follow_up, start, every_drop, running_up;
    // Of the classic game: the value.
    std::optional<int> at_least, at_most;
};

class Solver {
   public:
    // Throws std::invalid_argument if the board or the table is too small or too large, std::bad_alloc if there is not
    // so much memory.
    static std::unique_ptr<Solver> make(int columns, int rows, bool classic, std::size_t table_bytes, int threads);
    virtual ~Solver() = default;

    // Nothing if it was stopped. Exact whatever the size of the table, the number of threads, and what was searched
    // before: those change the time alone. The table is kept from call to call. One call at a time.
    virtual std::optional<Analysis> analyse(Bits red, Bits green, Ask ask, const ProgressWatch& watch) = 0;

    // Empties the table.
    virtual void forget() = 0;
    // How full it is, of what it may grow to.
    virtual int table_permille() const = 0;

    // The game is not over.
    virtual StaticBounds bounds(Bits red, Bits green) const = 0;
};

}  // namespace maxconnect4
