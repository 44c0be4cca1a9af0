#include "max_game.hpp"
#include "solver_of_height.hpp"

namespace maxconnect4 {

template std::unique_ptr<Solver> make_solver_of_height<MaxGame<WidestBoard<4>>>(int, std::size_t, int);
template std::unique_ptr<Solver> make_solver_of_height<MaxGame<WidestBoard<5>>>(int, std::size_t, int);
template std::unique_ptr<Solver> make_solver_of_height<MaxGame<WidestBoard<6>>>(int, std::size_t, int);

}  // namespace maxconnect4
