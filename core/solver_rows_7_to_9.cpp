#include "solver_of_height.hpp"

namespace maxconnect4 {

template std::unique_ptr<Solver> make_solver_of_height<7>(int, std::size_t, int);
template std::unique_ptr<Solver> make_solver_of_height<8>(int, std::size_t, int);
template std::unique_ptr<Solver> make_solver_of_height<9>(int, std::size_t, int);

}  // namespace maxconnect4
