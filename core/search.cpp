#include "search.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <string>

#include "evaluation.hpp"
#include "negamax.hpp"

namespace maxconnect4 {
namespace {

template <class T>
struct Type {
    using type = T;
};

// Calls use(Type<Board<columns, rows>>{}) for the sizes that are built in.
template <class Use>
auto with_board(int columns, int rows, Use use) {
    if (columns == 7 && rows == 6) return use(Type<Board<7, 6>>{});
    if (columns == 6 && rows == 5) return use(Type<Board<6, 5>>{});
    throw std::invalid_argument("a board of " + std::to_string(columns) + " columns and " + std::to_string(rows) +
                                " rows is not built in");
}

template <class B, class Use>
auto with_evaluation(std::string_view name, Use use) {
    if (name == "sign") return use(Type<Sign<B>>{});
    if (name == "table") return use(Type<Table<B>>{});
    if (name == "table138") return use(Type<Table138<B>>{});
    if (name == "lines") return use(Type<Lines<B>>{});
    if (name == "windows") return use(Type<Windows<B>>{});
    if (name == "margin") return use(Type<Margin<B>>{});
    if (name == "best") return use(Type<Best<B>>{});
    throw std::invalid_argument("there is no evaluation '" + std::string(name) + "'");
}

}  // namespace

std::optional<Choice> choose(const SearchTask& task, const ShouldStop& should_stop, const OnDepth& on_depth) {
    return with_board(task.columns, task.rows, [&](auto board) {
        using B = typename decltype(board)::type;
        const auto root = Position<B>::of(task.red, task.green);
        const int stones = std::popcount(root.stones());
        if (root.landings() == 0 || (task.classic && B::has_four(root.theirs)))
            throw std::invalid_argument("the game is over: there is no column to choose");
        const int depth = std::min(task.depth, B::cells - stones);
        const Leaves<B> leaves = with_evaluation<B>(task.evaluation, [](auto evaluation) {
            return Leaves<B>::template of<typename decltype(evaluation)::type>();
        });
        return task.classic ? Negamax<B, true>(root, stones, leaves, task, should_stop).deepen(depth, on_depth)
                            : Negamax<B, false>(root, stones, leaves, task, should_stop).deepen(depth, on_depth);
    });
}

int evaluate(int columns, int rows, Bits red, Bits green, std::string_view evaluation, bool for_red) {
    return with_board(columns, rows, [&](auto board) {
        using B = typename decltype(board)::type;
        return with_evaluation<B>(evaluation, [&](auto chosen) {
            using E = typename decltype(chosen)::type;
            const Bits own = for_red ? red : green, other = for_red ? green : red;
            return (own | other) == B::all_cells ? E::full(own, other, for_red) : E::before_full(own, other, for_red);
        });
    });
}

std::uint64_t perft(int columns, int rows, bool classic, Bits red, Bits green, int depth) {
    return with_board(columns, rows, [&](auto board) {
        using B = typename decltype(board)::type;
        const auto root = Position<B>::of(red, green);
        return classic ? count_games<B, true>(root, depth) : count_games<B, false>(root, depth);
    });
}

}  // namespace maxconnect4
