#include "max_game.hpp"
#include "make_game.hpp"

namespace maxconnect4 {

template std::unique_ptr<Game> make_game<MaxGame<WidestBoard<4>>>(int);
template std::unique_ptr<Game> make_game<MaxGame<WidestBoard<5>>>(int);
template std::unique_ptr<Game> make_game<MaxGame<WidestBoard<6>>>(int);
template std::unique_ptr<Game> make_game<MaxGame<WidestBoard<7>>>(int);
template std::unique_ptr<Game> make_game<MaxGame<WidestBoard<8>>>(int);
template std::unique_ptr<Game> make_game<MaxGame<WidestBoard<9>>>(int);

}  // namespace maxconnect4
