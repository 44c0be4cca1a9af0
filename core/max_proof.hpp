// Max-Connect4: one thread's search for a proof, as proof.hpp says. The value of a position is its future margin: the points
// still to come, those of the side to move less the opponent's. The bounds are proved in docs/solving.md.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <utility>

#include "best.hpp"
#include "endings.hpp"
#include "last_player.hpp"
#include "proof.hpp"
#include "running_up.hpp"

namespace maxconnect4 {

template <class B>
class MaxProof final : public Proof<B> {
   public:
    MaxProof(int columns, const Endings<B>& endings, SharedTable& table, Race& race)
        : Proof<B>(columns, table, race), endings_(endings), predict_(columns) {}

    int run(Sides position, int alpha, const Pause& pause) override {
        this->call_now_and_then(pause);
        return search({position}, std::popcount(cells_ & ~position.stones()), alpha, 0);
    }

    using Proof<B>::nodes;

   private:
    using typename Proof<B>::Best;
    using Proof<B>::alone, Proof<B>::anything, Proof<B>::cells_, Proof<B>::columns_, Proof<B>::count_node, Proof<B>::in_image,
        Proof<B>::race_, Proof<B>::shared_key, Proof<B>::table_;

    // A position of the search, seen from both sides.
    struct Node {
        Position<B> position;
        int left;  // empty cells
        Bits empty, playable;
        bool last_to_move;
        Bits answered;     // the cell that was played last, none at the root
        Bits other, last;  // the stones of the player who does not make the last move of the game, and of the one who does

        Node(Position<B> position, int left, Bits cells, Bits answered)
            : position(position), left(left), empty(cells & ~position.stones()),
              playable(position.landings() & cells), last_to_move(left % 2 == 1), answered(answered),
              other(last_to_move ? position.theirs : position.mine), last(last_to_move ? position.mine : position.theirs) {}
    };

    struct Move {
        Bits landing;
        int urgency;
        int gain;
        Range range;  // what is known of the position after it, from the opponent's view
    };
    using Moves = std::array<Move, B::columns>;

    int search(Position<B> position, int left, int alpha, Bits answered) {
        count_node();
        const Node node(position, left, cells_, answered);
        // 1. The last cell.
        if (left <= 1) return left == 0 ? 0 : B::made(position.mine, node.empty);
        // 2. What the last player can make sure of without a search costs little.
        Range range = anything;
        if (last_player_settles(node, alpha, range)) return range.verdict(alpha);
        return search_on(node, alpha, range, false);
    }

    // The rest of it; what the other player can make sure of may have been tried before, in vain.
    int search_on(const Node& node, int alpha, Range range, bool other_tried) {
        // 3. The table.
        const auto [key, mirror] = shared_key(node.position);
        const auto place = table_.place(key);
        int first = -1;
        SharedTable::Known known;
        if (node.left > untabled && place.find(known)) {
            range.narrow(known.range);
            if (range.settles(alpha)) return range.verdict(alpha);
            first = in_image(known.column, mirror);
        }

        // 4. What the other player can make sure of costs more.
        if (!other_tried && other_player_settles(node, alpha, range)) return range.verdict(alpha);

        // 5. Try the columns, and keep what was learnt.
        const std::uint64_t before = nodes();
        const auto [best, landing] = best_of_columns(node, alpha, first);
        (best > alpha ? range.low : range.high) = best;
        if (node.left > untabled) place.store({range, in_image(B::column_of(landing), mirror)}, nodes() - before);
        return best;
    }

    Best best_of_columns(const Node& node, int alpha, int first) {
        Moves moves;
        int count = gather(moves, node);
        Best best;
        const bool wide = node.left > unglanced;
        if (wide && known_to_be_enough(moves, count, node, alpha, best)) return best;
        order(moves, count, node, first);
        if (wide && settled_at_a_glance(moves, count, node, alpha, best)) return best;

        const bool crowded = race_.crowded && node.left > alone;
        for (int i = 0; i < count; ++i) {
            if (crowded) this->put_off_busy(moves, i, count, node.position);
            const Move& move = moves[i];
            const Position<B> child = node.position.after(move.landing);
            const Race::Busy mark(race_, crowded ? child.key() : 0);
            const int enough = move.gain - alpha - 1;
            const int value =
                wide ? search_on(Node(child, node.left - 1, cells_, move.landing), enough, move.range, !node.last_to_move)
                     : search(child, node.left - 1, enough, move.landing);
            best.offer(move.gain - value, move.landing);
            if (best.value > alpha) {
                learn(moves, i, node);
                break;
            }
        }
        return best;
    }

    // Whether the table knows of a column that is enough; what it knows of the others is noted.
    bool known_to_be_enough(Moves& moves, int count, const Node& node, int alpha, Best& best) const {
        for (int i = 0; i < count; ++i) {
            Move& move = moves[i];
            SharedTable::Known known;
            if (!table_.place(shared_key(node.position.after(move.landing)).key).find(known)) continue;
            move.range = known.range;
            if (move.gain - known.range.high <= alpha) continue;
            best = {move.gain - known.range.high, move.landing};
            return true;
        }
        return false;
    }

    // Looks at all columns before it searches any: whether a bound shows one of them to be enough. Those that a bound
    // shows not to be are taken out. What the other player can make sure of is tried only where it may end the matter.
    bool settled_at_a_glance(Moves& moves, int& count, const Node& node, int alpha, Best& best) {
        const int all = std::exchange(count, 0);
        for (int i = 0; i < all; ++i) {
            Move& move = moves[count] = moves[i];
            const int enough = move.gain - alpha - 1;
            if (!move.range.settles(enough)) {
                count_node();
                const Node child(node.position.after(move.landing), node.left - 1, cells_, move.landing);
                if (!last_player_settles(child, enough, move.range) &&
                    !(child.last_to_move && other_player_settles(child, enough, move.range))) {
                    ++count;
                    continue;
                }
            }
            best.offer(move.gain - move.range.verdict(enough), move.landing);
            if (best.value > alpha) {
                learn(moves, count, node);
                return true;
            }
        }
        return false;
    }

    bool last_player_settles(const Node& node, int alpha, Range& range) const {
        const LastPlayer<B> last_player(node.other, node.last, node.empty, node.playable);
        if (node.last_to_move) {
            range.low = std::max(range.low, -last_player.follow_up());
            if (range.low > alpha) return true;
            range.low = std::max(range.low, -last_player.start(-alpha - 1));
        } else {
            range.high = std::min(range.high, last_player.follow_up());
            if (range.high > alpha && last_player.meets_every_drop(alpha)) range.high = alpha;
        }
        return range.settles(alpha);
    }

    bool other_player_settles(const Node& node, int alpha, Range& range) {
        RunningUp<B> running(endings_, refutations_[node.last_to_move], columns_, node.other, node.last, node.playable);
        if (node.last_to_move && running.proves(false, -alpha)) range.high = alpha;
        if (!node.last_to_move && running.proves(true, alpha + 1)) range.low = alpha + 1;
        return range.settles(alpha);
    }

    static constexpr int untabled = 4;      // with so few cells left a look into the table costs more than the search
    static constexpr int unglanced = 10;    // so does a look at all columns before the first one is searched
    static constexpr int unpredicted = 11;  // so does the prediction of `best` for the order of the columns
    static_assert(unglanced > untabled);

    int gather(Moves& moves, const Node& node) const {
        const Bits fours = B::completing(node.position.mine);
        int count = 0;
        for (Bits rest = node.playable; rest != 0; rest &= rest - 1) {
            const Bits landing = rest & -rest;
            moves[count++] = {landing, 0, landing & fours ? B::made(node.position.mine, landing) : 0, anything};
        }
        return count;
    }

    void order(Moves& moves, int count, const Node& node, int first) const {
        const Position<B> position = node.position;
        const Bits my_reach = position.mine | node.empty, their_reach = position.theirs | node.empty;
        std::array<Bits, 4> open_to_me, open_to_them;
        for (int i = 0; i < 4; ++i) {
            const int d = B::directions[i];
            open_to_me[i] = B::fours(my_reach, d);
            open_to_them[i] = B::fours(their_reach, d);
        }
        const Bits their_fours = B::completing(position.theirs);
        for (int next = 0; next < count; ++next) {
            Move move = moves[next];
            const Bits landing = move.landing, above = landing << 1;
            const int prevented = landing & their_fours ? B::made(position.theirs, landing) : 0;
            const int given = above & their_fours & cells_ ? B::made(position.theirs, above) : 0;
            int open = 0;
            for (int i = 0; i < 4; ++i) {
                const int d = B::directions[i];
                const Bits starts = landing | landing >> d | landing >> 2 * d | landing >> 3 * d;
                open += std::popcount(open_to_me[i] & starts) + std::popcount(open_to_them[i] & starts);
            }
            const int cell = std::countr_zero(landing);
            move.urgency = (move.gain + prevented - given) * 4000 + open * 800 + race_.history[node.left & 1][cell] / 4;
            if (node.answered != 0) move.urgency += race_.replies[node.left & 1][std::countr_zero(node.answered)][cell] / 4;
            if (node.left > unpredicted)
                move.urgency += 300 * (node.last_to_move ? -predict_(node.other, node.last | landing)
                                                         : predict_(node.other | landing, node.last));
            if (cell / B::right == first) move.urgency += 1 << 28;
            int at = next;
            for (; at > 0 && moves[at - 1].urgency < move.urgency; --at) moves[at] = moves[at - 1];
            moves[at] = move;
        }
    }

    // The cell that proved it gains, those tried in vain before it lose: in general, and as answers to the last cell.
    void learn(const Moves& moves, int proved, const Node& node) {
        learn(race_.history[node.left & 1], 256, moves, proved);
        if (node.answered != 0) learn(race_.replies[node.left & 1][std::countr_zero(node.answered)], 32, moves, proved);
    }

    static void learn(Worths& worths, int slowness, const Moves& moves, int proved) {
        const auto change = [&](int i, auto by) {
            auto& worth = worths[std::countr_zero(moves[i].landing)];
            const int before = worth.load(std::memory_order_relaxed);
            worth.store(before + by(before), std::memory_order_relaxed);
        };
        change(proved, [=](int worth) { return (40000 - worth) / slowness; });
        for (int i = 0; i < proved; ++i) change(i, [=](int worth) { return -worth / slowness; });
    }

    const Endings<B>& endings_;
    Prediction<B> predict_;
    std::array<typename RunningUp<B>::Choice, 2> refutations_{};
};

}  // namespace maxconnect4
