#include "classic_game.hpp"
#include "max_game.hpp"
#include "make_game.hpp"

namespace maxconnect4 {

// Boards of four or five columns.
template std::unique_ptr<Game> make_game<MaxGame<WidestBoard<10>>>(int);
template std::unique_ptr<Game> make_game<MaxGame<WidestBoard<11>>>(int);
template std::unique_ptr<Game> make_game<MaxGame<WidestBoard<12>>>(int);
template std::unique_ptr<Game> make_game<MaxGame<WidestBoard<13>>>(int);
template std::unique_ptr<Game> make_game<MaxGame<WidestBoard<14>>>(int);
template std::unique_ptr<Game> make_game<MaxGame<WidestBoard<15>>>(int);
template std::unique_ptr<Game> make_game<ClassicGame<WidestBoard<10>>>(int);
template std::unique_ptr<Game> make_game<ClassicGame<WidestBoard<11>>>(int);
template std::unique_ptr<Game> make_game<ClassicGame<WidestBoard<12>>>(int);
template std::unique_ptr<Game> make_game<ClassicGame<WidestBoard<13>>>(int);
template std::unique_ptr<Game> make_game<ClassicGame<WidestBoard<14>>>(int);
template std::unique_ptr<Game> make_game<ClassicGame<WidestBoard<15>>>(int);

}  // namespace maxconnect4
