// One thread's search for a proof that a position is worth more than a number, or that it is not.
//
// The contract of search(position, empty cells, alpha), fail-soft with a null window: it returns a number v, and the
// true future margin t of the side to move (points still to come, its own less the opponent's) satisfies
//     v <= alpha  =>  t <= v        v > alpha  =>  t >= v.
// The table, the order of the columns and other threads change how long it takes, never this.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstdint>

#include "board.hpp"
#include "bounds.hpp"
#include "running.hpp"
#include "shared_table.hpp"

namespace maxconnect4 {

// What the threads of one search have in common, apart from the table.
class Race {
   public:
    std::atomic<bool> over{false};
    bool crowded = false;  // there is more than one thread

    // A position that some thread is searching: another one had better begin with something else. Of two with the same
    // place the later one is kept; a mistake costs time alone.
    bool is_busy(Bits key) const { return place(key).load(std::memory_order_relaxed) == key; }

    class Busy {
       public:
        Busy(Race& race, Bits key) : place_(key != 0 ? &race.place(key) : nullptr) {
            if (place_ != nullptr) place_->store(key, std::memory_order_relaxed);
        }
        ~Busy() {
            if (place_ != nullptr) place_->store(0, std::memory_order_relaxed);
        }
        Busy(const Busy&) = delete;
        Busy& operator=(const Busy&) = delete;

       private:
        std::atomic<Bits>* place_;
    };

   private:
    static constexpr int size_bits = 12;
    static std::size_t index(Bits key) { return key * 0x9E3779B97F4A7C15u >> (64 - size_bits); }
    const std::atomic<Bits>& place(Bits key) const { return busy_[index(key)]; }
    std::atomic<Bits>& place(Bits key) { return busy_[index(key)]; }

    std::array<std::atomic<Bits>, 1 << size_bits> busy_{};
};

// Thrown out of a search that is given up.
struct Abandoned {};

template <class B>
class Proof {
   public:
    // `pause` is called every few thousand nodes, and true from it abandons the search.
    Proof(int columns, const Endings<B>& endings, SharedTable& table, Race& race)
        : columns_(columns), cells_(B::all_cells & ~(columns < B::columns ? ~Bits{0} << columns * B::right : 0)), endings_(endings),
          table_(table), race_(race) {}

    template <class Pause>
    int run(Position<B> position, int alpha, Pause pause) {
        struct Call {
            static bool it(void* pause) { return (*static_cast<Pause*>(pause))(); }
        };
        pause_ = &Call::it;
        context_ = &pause;
        const int empty = std::popcount(cells_ & ~position.stones());
        return search(position, empty, alpha);
    }

    std::uint64_t nodes() const { return nodes_.load(std::memory_order_relaxed); }

   private:
    static constexpr int right = B::right;
    static constexpr int infinity = SharedTable::unknown;

    struct Move {
        Bits landing;
        int urgency;
        int gain;
    };

    int search(Position<B> position, int left, int alpha) {
        count_node();
        const Bits empty = cells_ & ~position.stones();
        const Bits playable = (position.stones() + B::bottom) & cells_;

        // 1. The last cell.
        if (left <= 1) return left == 0 ? 0 : B::points(position.mine | empty) - B::points(position.mine);

        // 2. What the two can make sure of without a search.
        // The bounds of the last player cost little.
        const bool last_to_move = left % 2 == 1;
        const Bits other = last_to_move ? position.theirs : position.mine;
        const Bits last = last_to_move ? position.mine : position.theirs;
        const LastPlayer<B> last_player(other, last, empty, playable);
        Range range{-infinity, infinity};
        if (last_to_move) {
            range.low = -last_player.follow_up();
            if (range.low > alpha) return range.low;
            range.low = std::max(range.low, -last_player.start(-alpha - 1));
            if (range.low > alpha) return range.low;
        } else {
            range.high = last_player.follow_up();
            if (range.high <= alpha) return range.high;
            if (last_player.meets_every_drop(alpha)) return alpha;
        }

        // 3. The table.
        const auto [key, mirror] = shared_key(position);
        const auto place = table_.place(key);
        int first = -1;
        SharedTable::Known known;
        if (left > untabled && place.find(known)) {
            range = {std::max(range.low, known.range.low), std::min(range.high, known.range.high)};
            if (range.low > alpha) return range.low;
            if (range.high <= alpha) return range.high;
            first = mirror ? columns_ - 1 - known.column : known.column;
        }

        // What the other player can make sure of costs more.
        RunningUp<B> running(endings_, columns_, other, last, playable);
        if (last_to_move && running.proves(false, -alpha)) return alpha;
        if (!last_to_move && running.proves(true, alpha + 1)) return alpha + 1;

        // 4. Order the columns.
        std::array<Move, B::columns> moves;
        const int count = order(moves, position, empty, playable, left, first);

        // 5. Try them; those that another thread is busy with come last.
        const std::uint64_t before = nodes();
        const bool crowded = race_.crowded && left > alone;
        int best = -infinity, best_column = 0;
        for (int i = 0; i < count; ++i) {
            const bool shared = crowded && i > 0;
            for (int j = i + 1; shared && j < count && race_.is_busy(position.after(moves[i].landing).key()); ++j)
                std::rotate(moves.begin() + i, moves.begin() + i + 1, moves.begin() + count);
            const Move& move = moves[i];
            const Position<B> child = position.after(move.landing);
            const Race::Busy mark(race_, shared ? child.key() : 0);
            const int value = move.gain - search(child, left - 1, move.gain - alpha - 1);
            if (value <= best) continue;
            best = value;
            best_column = B::column_of(move.landing);
            if (value > alpha) {
                learn(moves, i, left);
                break;
            }
        }

        // 6. Keep what was learnt.
        (best > alpha ? range.low : range.high) = best;
        if (left > untabled)
            place.store({range, mirror ? columns_ - 1 - best_column : best_column}, nodes() - before);
        return best;
    }

    static constexpr int alone = 10;     // with so few cells left a thread is sooner done than another could join in
    static constexpr int untabled = 4;  // with so few cells left a look into the table costs more than the search

    int order(std::array<Move, B::columns>& moves, Position<B> position, Bits empty, Bits playable, int left, int first) {
        const Bits my_reach = position.mine | empty, their_reach = position.theirs | empty;
        std::array<Bits, 4> open_to_me, open_to_them;
        for (int i = 0; i < 4; ++i) {
            const int d = B::directions[i];
            Bits pairs = my_reach & (my_reach >> d);
            open_to_me[i] = pairs & (pairs >> 2 * d);
            pairs = their_reach & (their_reach >> d);
            open_to_them[i] = pairs & (pairs >> 2 * d);
        }
        const Bits my_fours = B::completing(position.mine), their_fours = B::completing(position.theirs);
        const auto made = [](Bits stones, Bits landing) { return B::points(stones | landing) - B::points(stones); };
        int count = 0;
        for (Bits rest = playable; rest != 0; rest &= rest - 1) {
            const Bits landing = rest & -rest, above = landing << 1;
            const int gain = landing & my_fours ? made(position.mine, landing) : 0;
            const int prevented = landing & their_fours ? made(position.theirs, landing) : 0;
            const int given = above & their_fours & cells_ ? made(position.theirs, above) : 0;
            int open = 0;
            for (int i = 0; i < 4; ++i) {
                const int d = B::directions[i];
                const Bits starts = landing | landing >> d | landing >> 2 * d | landing >> 3 * d;
                open += std::popcount(open_to_me[i] & starts) + std::popcount(open_to_them[i] & starts);
            }
            const int cell = std::countr_zero(landing);
            int urgency = (gain + prevented - given) * 4000 + open * 1200 + history_[left & 1][cell] / 64;
            if (cell / right == first) urgency += 1 << 28;
            int at = count++;
            for (; at > 0 && moves[at - 1].urgency < urgency; --at) moves[at] = moves[at - 1];
            moves[at] = {landing, urgency, gain};
        }
        return count;
    }

    // The cell that proved it gains, those tried in vain before it lose.
    void learn(const std::array<Move, B::columns>& moves, int proved, int left) {
        auto& history = history_[left & 1];
        int& worth = history[std::countr_zero(moves[proved].landing)];
        worth += (40000 - worth) / 256;
        for (int i = 0; i < proved; ++i) {
            int& other = history[std::countr_zero(moves[i].landing)];
            other -= other / 256;
        }
    }

    struct SharedKey {
        Bits key;
        bool mirrored;
    };
    // One key for a position and its mirror image, while images are likely to be met.
    SharedKey shared_key(Position<B> position) const {
        const Bits mask = cells_ | cells_ << 1;
        const Bits key = position.key() & mask;
        const Bits image = B::mirrored(key) >> (B::columns - columns_) * right;
        return image < key ? SharedKey{image, true} : SharedKey{key, false};
    }

    void count_node() {
        const std::uint64_t count = nodes() + 1;
        nodes_.store(count, std::memory_order_relaxed);
        if ((count & 0x3FF) == 0 && (race_.over.load(std::memory_order_relaxed) || pause_(context_))) throw Abandoned{};
    }

    int columns_;
    Bits cells_;
    const Endings<B>& endings_;
    SharedTable& table_;
    Race& race_;
    bool (*pause_)(void*) = nullptr;
    void* context_ = nullptr;
    std::atomic<std::uint64_t> nodes_{0};
    std::array<std::array<int, 64>, 2> history_{};
};

}  // namespace maxconnect4
