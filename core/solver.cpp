#include "solver.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>

#include "proof.hpp"

namespace maxconnect4 {
namespace {

struct Stopped {};

// Shifts depend on the height alone, so there is one instance for each height, with as many columns as fit; a board of
// fewer columns uses the first ones.
template <int Rows>
class SolverOfHeight final : public Solver {
    using B = Board<64 / (Rows + 1), Rows>;
    using P = Position<B>;

   public:
    SolverOfHeight(int columns, std::size_t table_bytes, int threads)
        : columns_(columns), endings_(columns), table_(columns * (Rows + 1), table_bytes), threads_(threads) {
        for (int i = 0; i < threads; ++i) proofs_.push_back(std::make_unique<Proof<B>>(columns, endings_, table_, race_));
    }

    std::optional<Analysis> analyse(Bits red, Bits green, bool only_value, const ProgressWatch& watch) override {
        const P root = side_to_move(red, green);
        watch_ = &watch;
        on_board_ = B::points(root.mine) - B::points(root.theirs);
        nodes_before_ = nodes();
        table_.age();
        try {
            return only_value ? value_of(root) : scores_of(root);
        } catch (const Stopped&) {
            return std::nullopt;
        }
    }

    StaticBounds bounds(Bits red, Bits green) const override {
        const P root = side_to_move(red, green);
        const Bits empty = landing_columns() & B::all_cells & ~root.stones();
        const bool last_to_move = std::popcount(empty) % 2 == 1;
        const Bits other = last_to_move ? root.theirs : root.mine, last = last_to_move ? root.mine : root.theirs;
        const LastPlayer<B> last_player(other, last, empty, landings(root));
        typename RunningUp<B>::Choice refutation{};
        RunningUp<B> running(endings_, refutation, columns_, other, last, landings(root));
        StaticBounds found{.follow_up = last_player.follow_up(), .start = {}, .every_drop = {}, .running_up = {}};
        if (last_to_move) {
            if (const int most = last_player.start(-B::lines); most <= B::lines) found.start = most;
        }
        for (int margin = B::lines; margin >= -B::lines; --margin) {
            if (!last_to_move && last_player.meets_every_drop(margin)) found.every_drop = margin;
            if (!found.running_up && empty != 0 && running.proves(!last_to_move, margin)) found.running_up = margin;
        }
        return found;
    }

   private:
    static P side_to_move(Bits red, Bits green) {
        return std::popcount(red) == std::popcount(green) ? P{red, green} : P{green, red};
    }

    Analysis value_of(P root) {
        value_ = {-B::lines, B::lines};
        columns_so_far_.clear();
        settle(root, value_, 0);
        return {.value = on_board_ + value_.low, .scores = {}, .line = {}, .nodes = nodes() - nodes_before_};
    }

    Analysis scores_of(P root) {
        columns_so_far_.assign(columns_, std::nullopt);
        Analysis found{.value = on_board_, .scores = std::vector<std::optional<int>>(columns_), .line = {}, .nodes = 0};
        const Bits playable = landings(root);
        if (playable == 0) return found;
        for (int column : from_the_centre(columns_))
            if (playable & B::column_mask(column)) columns_so_far_[column] = {-B::lines, B::lines};
        int guess = 0, best = -B::lines;
        for (int column : from_the_centre(columns_)) {
            if (!columns_so_far_[column]) continue;
            const P child = root.after(playable & B::column_mask(column));
            const int gain = B::points(child.theirs) - B::points(root.mine);
            // The range of the column in the view of the side to move, that of the child in its own.
            Range range{-B::lines, B::lines};
            settle(child, range, gain - guess, [&](Range now) {
                columns_so_far_[column] = {gain - now.high, gain - now.low};
            });
            guess = gain - range.low;
            best = std::max(best, guess);
            found.scores[column] = on_board_ + guess;
        }
        found.value = on_board_ + best;
        found.line = line_from(root, best);
        found.nodes = nodes() - nodes_before_;
        return found;
    }

    // One way to play on that keeps the value, to the end.
    std::vector<int> line_from(P position, int value) {
        std::vector<int> line;
        while (const Bits playable = landings(position)) {
            for (int column : from_the_centre(columns_)) {
                const Bits landing = playable & B::column_mask(column);
                if (landing == 0) continue;
                const P child = position.after(landing);
                const int gain = B::points(child.theirs) - B::points(position.mine);
                // As good as the value if the opponent gets no more out of it than that leaves.
                if (prove(child, gain - value) > gain - value) continue;
                line.push_back(column);
                value = gain - value;
                position = child;
                break;
            }
        }
        return line;
    }

    // Null windows, from the guess on, until the bounds meet.
    template <class Report>
    void settle(P position, Range& range, int guess, Report report) {
        guess = std::clamp(guess, range.low, range.high);
        while (range.low < range.high) {
            const int alpha = std::min(guess == range.low ? guess : guess - 1, range.high - 1);
            const int value = prove(position, alpha);
            (value > alpha ? range.low : range.high) = value;
            guess = value;
            report(range);
        }
    }
    void settle(P position, Range& range, int guess) {
        settle(position, range, guess, [](Range) {});
    }

    // The answer to one null window. A search outgrows its table or one thread as it goes on: it is then begun anew with
    // more of them, and finds in the table what it has done before.
    int prove(P position, int alpha) {
        std::uint64_t start = nodes();
        bool together = false;
        for (;;) {
            race_.over.store(false, std::memory_order_relaxed);
            const std::uint64_t most = table_.can_grow() ? table_.entries() / 2 : without_end;
            const std::uint64_t enough = start + (together || threads_ == 1 ? most : std::min(most, alone_nodes));
            const auto value = together ? race(position, alpha, enough) : run(0, position, alpha, enough);
            if (value) return *value;
            if (nodes() - start >= most && table_.can_grow()) table_.grow();
            together = threads_ > 1;
            start = nodes();
        }
    }

    static constexpr std::uint64_t without_end = std::uint64_t{1} << 62;
    static constexpr std::uint64_t alone_nodes = 500;  // a search of so few is not worth a second thread

    // All threads on the same window. Nothing if there have been enough nodes.
    std::optional<int> race(P position, int alpha, std::uint64_t enough) {
        struct Helpers {
            Race& race;
            std::vector<std::thread> threads;
            ~Helpers() {
                race.over.store(true, std::memory_order_relaxed);
                for (auto& thread : threads) thread.join();
                race.crowded = false;
            }
        };
        std::vector<std::optional<int>> values(threads_);
        race_.crowded = true;
        {
            Helpers helpers{race_, {}};
            try {
                for (int i = 1; i < threads_; ++i)
                    helpers.threads.emplace_back([&, i] { values[i] = run(i, position, alpha, enough); });
            } catch (const std::system_error&) {  // no more threads to be had: go on with those
            }
            values[0] = run(0, position, alpha, enough);
        }
        for (const auto& value : values)
            if (value) return value;
        return std::nullopt;
    }

    // One thread's part; whoever comes to an end first ends it for all. Thread 0 is the caller's, and asks the watch.
    std::optional<int> run(int thread, P position, int alpha, std::uint64_t enough) {
        bool stopped = false;
        try {
            const int value = proofs_[thread]->run(position, alpha, [&] {
                if (thread != 0) return false;
                stopped = (*watch_)(so_far());
                return stopped || nodes() > enough;
            });
            race_.over.store(true, std::memory_order_relaxed);
            return value;
        } catch (const Abandoned&) {
            race_.over.store(true, std::memory_order_relaxed);
            if (stopped) throw Stopped{};
            return std::nullopt;
        }
    }

    // The bounds as final margins; that of the value from those of the columns, if they are asked for.
    Progress so_far() const {
        Progress now{value_, columns_so_far_, nodes() - nodes_before_};
        if (!now.columns.empty()) now.value = {-B::lines, -B::lines};
        for (auto& range : now.columns) {
            if (!range) continue;
            now.value = {std::max(now.value.low, range->low), std::max(now.value.high, range->high)};
            *range = {on_board_ + range->low, on_board_ + range->high};
        }
        now.value = {on_board_ + now.value.low, on_board_ + now.value.high};
        return now;
    }

    std::uint64_t nodes() const {
        std::uint64_t sum = 0;
        for (const auto& proof : proofs_) sum += proof->nodes();
        return sum;
    }

    Bits landing_columns() const { return columns_ < B::columns ? ~(~Bits{0} << columns_ * B::right) : ~Bits{0}; }
    Bits landings(P position) const { return position.landings() & landing_columns(); }

    static std::vector<int> from_the_centre(int columns) {
        std::vector<int> order(columns);
        for (int i = 0; i < columns; ++i) order[i] = i;
        std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
            return std::abs(2 * a - (columns - 1)) < std::abs(2 * b - (columns - 1));
        });
        return order;
    }

    int columns_;
    Endings<B> endings_;
    SharedTable table_;
    int threads_;
    Race race_;
    std::vector<std::unique_ptr<Proof<B>>> proofs_;
    const ProgressWatch* watch_ = nullptr;
    Range value_;  // of the future margin, and of that of each column
    std::vector<std::optional<Range>> columns_so_far_;
    int on_board_ = 0;
    std::uint64_t nodes_before_ = 0;
};

}  // namespace

std::unique_ptr<Solver> Solver::make(int columns, int rows, std::size_t table_bytes, int threads) {
    const std::string size = std::to_string(columns) + "x" + std::to_string(rows);
    if (columns < 4 || rows < 4 || columns * (rows + 1) > 64)
        throw std::invalid_argument("a board of " + size + " cannot be solved: from 4x4 up, columns x (rows + 1) may be 64 at the most");
    const std::size_t least = SharedTable::least_bytes(columns * (rows + 1));
    if (table_bytes < least)
        throw std::invalid_argument("a table of " + std::to_string(table_bytes) + " bytes is too small for a board of " + size + ": it takes at least " +
                                    std::to_string(least));
    // The table starts small; that the whole of it can be had is found out now.
    { const ZeroedMemory all(table_bytes); }
    if (threads < 1) throw std::invalid_argument("at least one thread has to search");
    switch (rows) {
        case 4: return std::make_unique<SolverOfHeight<4>>(columns, table_bytes, threads);
        case 5: return std::make_unique<SolverOfHeight<5>>(columns, table_bytes, threads);
        case 6: return std::make_unique<SolverOfHeight<6>>(columns, table_bytes, threads);
        case 7: return std::make_unique<SolverOfHeight<7>>(columns, table_bytes, threads);
        case 8: return std::make_unique<SolverOfHeight<8>>(columns, table_bytes, threads);
        case 9: return std::make_unique<SolverOfHeight<9>>(columns, table_bytes, threads);
        case 10: return std::make_unique<SolverOfHeight<10>>(columns, table_bytes, threads);
        case 11: return std::make_unique<SolverOfHeight<11>>(columns, table_bytes, threads);
        case 12: return std::make_unique<SolverOfHeight<12>>(columns, table_bytes, threads);
        case 13: return std::make_unique<SolverOfHeight<13>>(columns, table_bytes, threads);
        case 14: return std::make_unique<SolverOfHeight<14>>(columns, table_bytes, threads);
        default: return std::make_unique<SolverOfHeight<15>>(columns, table_bytes, threads);
    }
}

}  // namespace maxconnect4
