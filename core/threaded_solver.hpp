// The solver of any game on any board: on one thread or several, with a table that grows.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <system_error>
#include <thread>
#include <unordered_set>
#include <utility>
#include <vector>

#include "book_layer.hpp"
#include "game.hpp"
#include "shared_search.hpp"
#include "shared_transposition_table.hpp"
#include "solver.hpp"

namespace maxconnect4 {

class ThreadedSolver final : public Solver {
    using P = Sides;
    struct Stopped {};

   public:
    ThreadedSolver(std::unique_ptr<Game> game, int columns, int rows, std::size_t table_bytes, int threads,
                   std::optional<BookLayer> layer)
        : columns_(columns), rows_(rows), game_(std::move(game)), layer_(layer), table_bytes_(table_bytes),
          table_(new_table()), threads_(threads), tasks_(threads) {
        for (int i = 0; i < threads; ++i) searches_.push_back(game_->new_search(table_, shared_));
    }

    void clear_table() override { table_ = new_table(); }

    std::optional<Analysis> analyse(Bits red, Bits green, AnalysisKind kind, const OnProgress& on_progress) override {
        const P root = P::of(red, green);
        on_progress_ = &on_progress;
        on_board_ = game_->on_board(root);
        nodes_before_ = nodes();
        stopped_ = finding_line_ = false;
        goals_.clear();
        const bool in_book = layer_ && std::popcount(root.stones()) <= layer_->plies() && is_reachable(root);
        for (const auto& search : searches_) search->use_layer(in_book ? &*layer_ : nullptr);
        table_.age([this] { return should_stop(); });
        if (stopped_) return std::nullopt;
        try {
            Analysis found = kind == AnalysisKind::scores || kind == AnalysisKind::all ? scores_of(root) : value_of(root);
            update_progress();
            finding_line_ = true;
            const int value = found.value - on_board_;
            if (kind == AnalysisKind::line || kind == AnalysisKind::all) found.line = principal_variation(root, value);
            else if (kind == AnalysisKind::best && !end(root)) found.line = {best_column(root, value).column};
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
    // A position to solve.
    struct Goal {
        P position;
        Range range;       // proved bounds
        int guess;         // for the alpha of the next search
        int gain = 0;      // the points of the move that leads to it, if it is a column of the root
        int column = -1;
        int workers = 0;   // threads that search it
        int searches = 0;  // finished null-window searches

        int value() const {
            if (range.low != range.high) throw std::logic_error("bounds have crossed: the solver contradicts itself");
            return range.low;
        }
        bool is_solved() const { return range.low >= range.high; }
        void update(int value, int alpha) {
            if (value > alpha) range.low = std::max(range.low, value);
            else range.high = std::min(range.high, value);
            guess = value;
            ++searches;
        }
    };

    // The search of one thread.
    struct Task {
        Goal* goal = nullptr;
        int alpha = 0;
        std::atomic<bool> is_settled{false};  // the range of the goal shows its result
    };

    Analysis value_of(P root) {
        goals_ = {{.position = root, .range = range_of(root), .guess = 0}};
        solve_goals();
        return {.value = on_board_ + goals_[0].value(), .scores = {}, .line = {}, .nodes = 0};
    }

    Analysis scores_of(P root) {
        Analysis found{.value = on_board_, .scores = std::vector<std::optional<int>>(columns_), .line = {}, .nodes = 0};
        if (const auto known = end(root)) {
            found.value += *known;
            return found;
        }
        const Bits playable = landings(root);
        const std::optional<int> most = searches_[0]->value_in_layer(root);
        goals_.clear();
        for (int i = 0; i < columns_; ++i) {
            const int column = from_the_centre(columns_, i);
            const Bits landing = playable & column_mask(column);
            if (landing == 0) continue;
            const int gain = game_->gain(root, landing);
            const P child = root.after(landing);
            Range range = range_of(child);
            if (most) range.low = std::max(range.low, gain - *most);
            goals_.push_back({.position = child, .range = range, .guess = gain, .gain = gain, .column = column});
        }
        solve_goals();
        int best = -unknown;
        for (const Goal& goal : goals_) {
            const int score = goal.gain - goal.value();
            found.scores[goal.column] = on_board_ + score;
            best = std::max(best, score);
        }
        found.value = on_board_ + best;
        return found;
    }

    // A principal variation to the end of the game.
    std::vector<int> principal_variation(P position, int value) {
        std::vector<int> line;
        while (!end(position)) {
            const Step step = best_column(position, value);
            line.push_back(step.column);
            position = step.position;
            value = step.value;
        }
        return line;
    }

    // The column nearest the centre that keeps the value, and the value after it, in the opponent's view.
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
            // It keeps the value if the opponent gets at most `most`: one null window.
            const int most = game_->gain(position, landing) - value;
            if (const auto known = end(child)) {
                if (*known <= most) return {column, child, most};
                continue;
            }
            goals_ = {{.position = child, .range = {most, most + 1}, .guess = most}};
            solve_goals();
            if (goals_[0].range.low <= most) return {column, child, most};
        }
        throw std::logic_error("no column keeps the value: the solver contradicts itself");
    }

    // Solves all goals. A search may outgrow its table or one thread: it then restarts with more of them, and the
    // transposition table still holds the earlier results.
    void solve_goals() {
        int threads = 1;
        for (;;) {
            const std::uint64_t start = nodes();
            const std::uint64_t full = table_.can_grow() ? start + game_->nodes_before_growth(table_.entries()) : no_limit;
            run_threads(threads, threads == threads_ ? full : std::min(full, start + single_thread_nodes));
            if (stopped_) throw Stopped{};
            if (std::all_of(goals_.begin(), goals_.end(), [](const Goal& goal) { return goal.is_solved(); })) return;
            if (nodes() >= full) table_.grow([this] { return should_stop(); });
            if (stopped_) throw Stopped{};
            threads = threads_;
        }
    }

    static constexpr std::uint64_t no_limit = std::uint64_t{1} << 62;
    static constexpr std::uint64_t single_thread_nodes = 500;  // smaller searches do not pay for a second thread

    // Runs until all goals are solved, the node limit is reached, or `on_progress` stops it.
    void run_threads(int threads, std::uint64_t node_limit) {
        struct Helpers {
            SharedSearch& shared;
            std::vector<std::thread> threads;
            ~Helpers() {
                shared.abort.store(true, std::memory_order_relaxed);
                for (auto& thread : threads) thread.join();
            }
        };
        shared_.abort.store(false, std::memory_order_relaxed);
        shared_.parallel = threads > 1;
        for (Task& task : tasks_) task.goal = nullptr;
        for (Goal& goal : goals_) goal.workers = 0;
        Helpers helpers{shared_, {}};
        try {
            for (int i = 1; i < threads; ++i) helpers.threads.emplace_back([=, this] { run_thread(i, node_limit); });
        } catch (const std::system_error&) {  // the system has no more threads: continue with these
        }
        run_thread(0, node_limit);
    }

    // One thread: repeatedly runs a null-window search of the goal with the fewest threads. Thread 0 is the caller's and
    // calls `on_progress`.
    void run_thread(int thread, std::uint64_t node_limit) {
        Task& task = tasks_[thread];
        const Pause pause = [&] {
            if (task.is_settled.load(std::memory_order_relaxed)) return true;
            return thread == 0 && (should_stop() || nodes() > node_limit);
        };
        try {
            std::unique_lock lock(goals_lock_);
            while (start_task(task)) {
                lock.unlock();
                std::optional<int> value;
                try {
                    value = searches_[thread]->run(task.goal->position, task.alpha, pause);
                } catch (const SearchAborted&) {
                    if (!task.is_settled) throw;
                }
                lock.lock();
                finish_task(task, value);
            }
        } catch (const SearchAborted&) {
        }
        shared_.abort.store(true, std::memory_order_relaxed);  // every goal is solved, or the search was aborted
    }

    // Chooses the next search of a thread; false if every goal is solved.
    bool start_task(Task& task) {
        Goal* const goal = next_goal();
        if (goal == nullptr) return false;
        task.goal = goal;
        task.alpha = game_->next_alpha(goal->range, goal->guess, goal->searches);
        task.is_settled.store(false, std::memory_order_relaxed);
        ++goal->workers;
        return true;
    }

    // The value is empty if the range showed the result before. Threads whose result it shows now are stopped.
    void finish_task(Task& task, std::optional<int> value) {
        Goal& goal = *std::exchange(task.goal, nullptr);
        --goal.workers;
        if (!value) return;
        goal.update(*value, task.alpha);
        for (Task& other : tasks_)
            if (other.goal == &goal && goal.range.cuts_off(other.alpha)) other.is_settled.store(true, std::memory_order_relaxed);
        if (goal.is_solved()) update_guesses(goal);
    }

    bool should_stop() {
        stopped_ = (*on_progress_)(current_progress());
        return stopped_;
    }

    Goal* next_goal() {
        Goal* next = nullptr;
        for (Goal& goal : goals_)
            if (!goal.is_solved() && (next == nullptr || goal.workers < next->workers)) next = &goal;
        return next;
    }

    // Columns often have the same score, so that the score of a solved column is the first guess for the unsearched ones.
    void update_guesses(const Goal& solved) {
        for (Goal& goal : goals_)
            if (goal.searches == 0)
                goal.guess = goal.gain - (solved.gain - solved.range.low);
    }

    // The bounds as final margins; the bounds of the value follow from those of the columns, if they are requested.
    Progress current_progress() {
        const std::lock_guard lock(goals_lock_);
        if (!finding_line_) update_progress();
        progress_.nodes = nodes() - nodes_before_;
        return progress_;
    }

    void update_progress() {
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
    static constexpr int unknown = SharedTranspositionTable::unknown;

    std::uint64_t nodes() const {
        std::uint64_t sum = 0;
        for (const auto& search : searches_) sum += search->nodes();
        return sum;
    }

    SharedTranspositionTable new_table() const { return {columns_ * (rows_ + 1), table_bytes_, game_->first_table_size()}; }

    // Whether stones can be taken off in turn down to the empty board. Different stones left are searched once.
    bool is_reachable(P position) const {
        std::unordered_set<Bits> seen;
        const auto search = [&](auto self, P now) -> bool {
            if (now.stones() == 0) return true;
            if (!seen.insert(now.stones()).second) return false;
            for (int column = 0; column < columns_; ++column) {
                const Bits top = std::bit_floor(now.stones() & column_mask(column));
                if ((top & now.theirs) != 0 && self(self, {now.theirs ^ top, now.mine})) return true;
            }
            return false;
        };
        return search(search, position);
    }

    // As in board.hpp, for a size that is known at run time only.
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
    std::optional<BookLayer> layer_;
    std::size_t table_bytes_;
    SharedTranspositionTable table_;
    int threads_;
    SharedSearch shared_;
    std::vector<std::unique_ptr<Search>> searches_;
    std::vector<Task> tasks_;  // by thread
    const OnProgress* on_progress_ = nullptr;
    std::mutex goals_lock_;
    std::vector<Goal> goals_;
    Progress progress_;
    bool finding_line_ = false, stopped_ = false;
    int on_board_ = 0;
    std::uint64_t nodes_before_ = 0;
};

}  // namespace maxconnect4
