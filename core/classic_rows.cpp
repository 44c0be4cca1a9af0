#include "classic_game.hpp"
#include "solver_of_height.hpp"

namespace maxconnect4 {

// The usual board has one of its own, which is quicker.
template std::unique_ptr<Solver> make_solver_of_height<ClassicGame<Board<7, 6>>>(int, std::size_t, int);
template std::unique_ptr<Solver> make_solver_of_height<ClassicGame<WidestBoard<4>>>(int, std::size_t, int);
template std::unique_ptr<Solver> make_solver_of_height<ClassicGame<WidestBoard<5>>>(int, std::size_t, int);
template std::unique_ptr<Solver> make_solver_of_height<ClassicGame<WidestBoard<6>>>(int, std::size_t, int);
template std::unique_ptr<Solver> make_solver_of_height<ClassicGame<WidestBoard<7>>>(int, std::size_t, int);
template std::unique_ptr<Solver> make_solver_of_height<ClassicGame<WidestBoard<8>>>(int, std::size_t, int);
template std::unique_ptr<Solver> make_solver_of_height<ClassicGame<WidestBoard<9>>>(int, std::size_t, int);
template std::unique_ptr<Solver> make_solver_of_height<ClassicGame<WidestBoard<10>>>(int, std::size_t, int);
template std::unique_ptr<Solver> make_solver_of_height<ClassicGame<WidestBoard<11>>>(int, std::size_t, int);
template std::unique_ptr<Solver> make_solver_of_height<ClassicGame<WidestBoard<12>>>(int, std::size_t, int);
template std::unique_ptr<Solver> make_solver_of_height<ClassicGame<WidestBoard<13>>>(int, std::size_t, int);
template std::unique_ptr<Solver> make_solver_of_height<ClassicGame<WidestBoard<14>>>(int, std::size_t, int);
template std::unique_ptr<Solver> make_solver_of_height<ClassicGame<WidestBoard<15>>>(int, std::size_t, int);

}  // namespace maxconnect4
