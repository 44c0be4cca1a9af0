#include "classic_game.hpp"
#include "make_game.hpp"

namespace maxconnect4 {

// The usual board has an instance of its own, which is quicker.
template std::unique_ptr<Game> make_game<ClassicGame<Board<7, 6>>>(int);
template std::unique_ptr<Game> make_game<ClassicGame<WidestBoard<4>>>(int);
template std::unique_ptr<Game> make_game<ClassicGame<WidestBoard<5>>>(int);
template std::unique_ptr<Game> make_game<ClassicGame<WidestBoard<6>>>(int);
template std::unique_ptr<Game> make_game<ClassicGame<WidestBoard<7>>>(int);
template std::unique_ptr<Game> make_game<ClassicGame<WidestBoard<8>>>(int);
template std::unique_ptr<Game> make_game<ClassicGame<WidestBoard<9>>>(int);

}  // namespace maxconnect4
