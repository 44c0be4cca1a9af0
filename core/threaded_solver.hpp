// The solver of any game on any board: on one thread or several, with a table that grows.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "game.hpp"
#include "race.hpp"
#include "shared_table.hpp"
#include "solver.hpp"

namespace maxconnect4 {

class ThreadedSolver final : public Solver {
    using P = Sides;
    struct Stopped {};

   public:
    ThreadedSolver(std::unique_ptr<Game> game, int columns, int rows, std::size_t table_bytes, int threads)
        : columns_(columns), rows_(rows), game_(std::move(game)), table_bytes_(table_bytes), table_(new_table()),
          threads_(threads) {
        for (int i = 0; i < threads; ++i) searches_.push_back(game_->new_search(table_, race_));
    }

    void forget() override { table_ = new_table(); }

    std::optional<Analysis> analyse(Bits red, Bits green, Ask ask, const ProgressWatch& watch) override {
        const P root = P::of(red, green);
        watch_ = &watch;
        on_board_ = game_->on_board(root);
        nodes_before_ = nodes();
        stopped_ = looking_for_the_line_ = false;
        goals_.clear();
        table_.age([this] { return watch_says_stop(); });
        if (stopped_) return std::nullopt;
        try {
            Analysis found = ask == Ask::scores || ask == Ask::all ? scores_of(root) : value_of(root);
            remember_progress();
            looking_for_the_line_ = true;
            const int value = found.value - on_board_;
            if (ask == Ask::line || ask == Ask::all) found.line = line_from(root, value);
            else if (ask == Ask::best && !end(root)) found.line = {best_column(root, value).column};
            found.nodes = nodes() - nodes_before_;
            return found;
        } catch (const Stopped&) {
            return std::nullopt;
        }
    }

    int table_permille() const override { return table_.permille(); }

    StaticBounds bounds(Bits red, Bits green) const override {
        const P root = P::of(red, green);
        return game_->bounds(root, empty(root), landings(root));
    }

   private:
    // A position whose value is wanted.
    struct Goal {
        P position;
        Range range;       // what is known of it
        int guess;         // where to ask next
        int gain = 0;      // the points of the drop that leads to it, if it is a column of the root
        int column = -1;
        int workers = 0;   // threads that are at it
        int asked = 0;     // questions that have been answered

        int value() const {
            if (range.low != range.high) throw std::logic_error("bounds have crossed: the solver contradicts itself");
            return range.low;
        }
        bool is_settled() const { return range.low >= range.high; }
        void learn(int value, int alpha) {
            if (value > alpha) range.low = std::max(range.low, value);
            else range.high = std::min(range.high, value);
            guess = value;
            ++asked;
        }
    };

    Analysis value_of(P root) {
        goals_ = {{.position = root, .range = range_of(root), .guess = 0}};
        settle();
        return {.value = on_board_ + goals_[0].value(), .scores = {}, .line = {}, .nodes = 0};
    }

    Analysis scores_of(P root) {
        Analysis found{.value = on_board_, .scores = std::vector<std::optional<int>>(columns_), .line = {}, .nodes = 0};
        if (const auto known = end(root)) {
            found.value += *known;
            return found;
        }
        const Bits playable = landings(root);
        goals_.clear();
        for (int i = 0; i < columns_; ++i) {
            const int column = from_the_centre(columns_, i);
            const Bits landing = playable & column_mask(column);
            if (landing == 0) continue;
            const int gain = game_->gain(root, landing);
            const P child = root.after(landing);
            goals_.push_back({.position = child, .range = range_of(child), .guess = gain, .gain = gain, .column = column});
        }
        settle();
        int best = -unknown;
        for (const Goal& goal : goals_) {
            const int score = goal.gain - goal.value();
            found.scores[goal.column] = on_board_ + score;
            best = std::max(best, score);
        }
        found.value = on_board_ + best;
        return found;
    }

    // One way to play on that keeps the value, to the end.
    std::vector<int> line_from(P position, int value) {
        std::vector<int> line;
        while (!end(position)) {
            const Step step = best_column(position, value);
            line.push_back(step.column);
            position = step.position;
            value = step.value;
        }
        return line;
    }

    // The column nearest the centre that keeps the value, and what comes of it, in the opponent's view.
    struct Step {
        int column;
        P position;
        int value;
    };
    Step best_column(P position, int value) {
        for (int i = 0; i < columns_; ++i) {
            const int column = from_the_centre(columns_, i);
            const Bits landing = landings(position) & column_mask(column);
            if (landing == 0) continue;
            const P child = position.after(landing);
            // As good as the value if the opponent gets no more out of it than that leaves: one window.
            const int leaves = game_->gain(position, landing) - value;
            if (const auto known = end(child)) {
                if (*known <= leaves) return {column, child, leaves};
                continue;
            }
            goals_ = {{.position = child, .range = {leaves, leaves + 1}, .guess = leaves}};
            settle();
            if (goals_[0].range.low <= leaves) return {column, child, leaves};
        }
        throw std::logic_error("no column keeps the value: the solver contradicts itself");
    }

    // Works on the goals until all are settled. A search outgrows its table or one thread as it goes on: it is then begun
    // anew with more of them, and finds in the table what it has done before.
    void settle() {
        int threads = 1;
        for (;;) {
            const std::uint64_t start = nodes();
            const std::uint64_t full = table_.can_grow() ? start + game_->nodes_worth(table_.entries()) : without_end;
            work_together(threads, threads == threads_ ? full : std::min(full, start + alone_nodes));
            if (stopped_) throw Stopped{};
            if (std::all_of(goals_.begin(), goals_.end(), [](const Goal& goal) { return goal.is_settled(); })) return;
            if (nodes() >= full) table_.grow([this] { return watch_says_stop(); });
            if (stopped_) throw Stopped{};
            threads = threads_;
        }
    }

    static constexpr std::uint64_t without_end = std::uint64_t{1} << 62;
    static constexpr std::uint64_t alone_nodes = 500;  // a search of so few is not worth a second thread

    // Until all is settled, or there have been enough nodes, or the watch has stopped it.
    void work_together(int threads, std::uint64_t enough) {
        struct Helpers {
            Race& race;
            std::vector<std::thread> threads;
            ~Helpers() {
                race.over.store(true, std::memory_order_relaxed);
                for (auto& thread : threads) thread.join();
            }
        };
        race_.over.store(false, std::memory_order_relaxed);
        race_.crowded = threads > 1;
        for (Goal& goal : goals_) goal.workers = 0;
        Helpers helpers{race_, {}};
        try {
            for (int i = 1; i < threads; ++i) helpers.threads.emplace_back([=, this] { work(i, enough); });
        } catch (const std::system_error&) {  // no more threads to be had: go on with those
        }
        work(0, enough);
    }

    // One thread's part: it takes the goal that the fewest are at, and asks one question. Thread 0 is the caller's, and asks
    // the watch.
    void work(int thread, std::uint64_t enough) {
        const Pause pause = [&] {
            if (thread != 0) return false;
            return watch_says_stop() || nodes() > enough;
        };
        try {
            std::unique_lock lock(goals_lock_);
            while (Goal* const goal = next_goal()) {
                const P position = goal->position;
                const int alpha = game_->question(goal->range, goal->guess, goal->asked);
                ++goal->workers;
                lock.unlock();
                const int value = searches_[thread]->run(position, alpha, pause);
                lock.lock();
                --goal->workers;
                goal->learn(value, alpha);
                if (goal->is_settled()) guess_from(*goal);
            }
        } catch (const Abandoned&) {
        }
        race_.over.store(true, std::memory_order_relaxed);  // all is settled, or this is no use any more
    }

    bool watch_says_stop() {
        stopped_ = (*watch_)(so_far());
        return stopped_;
    }

    Goal* next_goal() {
        Goal* next = nullptr;
        for (Goal& goal : goals_)
            if (!goal.is_settled() && (next == nullptr || goal.workers < next->workers)) next = &goal;
        return next;
    }

    // Columns often have the same score: those that nothing is known of yet are first asked for that of this one.
    void guess_from(const Goal& settled) {
        for (Goal& goal : goals_)
            if (goal.asked == 0)
                goal.guess = goal.gain - (settled.gain - settled.range.low);
    }

    // The bounds as final margins; that of the value from those of the columns, if they are asked for.
    Progress so_far() {
        const std::lock_guard lock(goals_lock_);
        if (!looking_for_the_line_) remember_progress();
        progress_.nodes = nodes() - nodes_before_;
        return progress_;
    }

    void remember_progress() {
        progress_.value = {-unknown, -unknown};
        progress_.columns.clear();
        for (const Goal& goal : goals_) {
            if (goal.column < 0) {
                progress_.value = {on_board_ + goal.range.low, on_board_ + goal.range.high};
                continue;
            }
            const Range range{on_board_ + goal.gain - goal.range.high, on_board_ + goal.gain - goal.range.low};
            progress_.columns.resize(columns_);
            progress_.columns[goal.column] = range;
            progress_.value = {std::max(progress_.value.low, range.low), std::max(progress_.value.high, range.high)};
        }
    }
    static constexpr int unknown = SharedTable::unknown;

    std::uint64_t nodes() const {
        std::uint64_t sum = 0;
        for (const auto& search : searches_) sum += search->nodes();
        return sum;
    }

    SharedTable new_table() const { return {columns_ * (rows_ + 1), table_bytes_, game_->first_table_size()}; }

    // As in board.hpp, for a size that is known only here.
    Bits column_mask(int column) const { return ((Bits{1} << rows_) - 1) << column * (rows_ + 1); }
    Bits empty(P position) const {
        Bits cells = 0;
        for (int column = 0; column < columns_; ++column) cells |= column_mask(column);
        return cells & ~position.stones();
    }
    Bits landings(P position) const {
        Bits found = 0;
        for (int column = 0; column < columns_; ++column) {
            const Bits open = column_mask(column) & ~position.stones();
            found |= open & -open;
        }
        return found;
    }
    std::optional<int> end(P position) const { return game_->end(position, std::popcount(empty(position))); }
    Range range_of(P position) const {
        if (const auto known = end(position)) return {*known, *known};
        return game_->range(std::popcount(empty(position)));
    }

    int columns_, rows_;
    std::unique_ptr<Game> game_;
    std::size_t table_bytes_;
    SharedTable table_;
    int threads_;
    Race race_;
    std::vector<std::unique_ptr<Search>> searches_;
    const ProgressWatch* watch_ = nullptr;
    std::mutex goals_lock_;
    std::vector<Goal> goals_;
    Progress progress_;
    bool looking_for_the_line_ = false, stopped_ = false;
    int on_board_ = 0;
    std::uint64_t nodes_before_ = 0;
};

}  // namespace maxconnect4
