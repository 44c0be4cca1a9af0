#include "max_game.hpp"
#include "solver_of_height.hpp"

namespace maxconnect4 {

template std::unique_ptr<Solver> make_solver_of_height<MaxGame<WidestBoard<7>>>(int, std::size_t, int);
template std::unique_ptr<Solver> make_solver_of_height<MaxGame<WidestBoard<8>>>(int, std::size_t, int);
template std::unique_ptr<Solver> make_solver_of_height<MaxGame<WidestBoard<9>>>(int, std::size_t, int);

}  // namespace maxconnect4
