// Types of the API's responses, written by benchmarks/write_docs.py. Nothing here runs.

/**
 * @typedef {[number, number]} Cell
 * @typedef {"max" | "classic"} GameName
 * @typedef {1 | 2} Player
 *
 * The exact value of a position and of every column, or their bounds during the computation.
 * @typedef {object} Analysis
 * @property {number | null} value
 * @property {(number | null)[]} scores
 * @property {Bounds} bounds
 * @property {(Bounds | null)[]} columns
 * @property {number[]} best
 * @property {string | null} pv
 * @property {number[]} pv_points
 * @property {boolean} exact
 * @property {string} source
 * @property {number} nodes
 * @property {number} seconds
 * @property {string} description
 *
 * Bounds of a value for the side to move. In the classic game 1 is a win, 0 a draw and -1 a loss.
 * @typedef {object} Bounds
 * @property {number | null} low
 * @property {number | null} high
 * @property {string} label
 * @property {number | null} value
 * @property {"draw" | "loss" | "unknown" | "win"} tone
 *
 * Games, levels, evaluations and limits of the server, and the current jobs of each queue.
 * @typedef {object} Capabilities
 * @property {number} api
 * @property {string} version
 * @property {("max" | "classic")[]} games
 * @property {Record<string, string>} titles
 * @property {LevelsOfGames} levels
 * @property {EvaluationInfo[]} evaluations
 * @property {Record<string, string>} default_evaluations
 * @property {Record<string, number>} limits
 * @property {Record<string, Record<string, number>>} jobs
 *
 * The move of a computer player.
 * @typedef {object} Choice
 * @property {number} column
 * @property {number | null} value
 * @property {number} depth
 * @property {number} nodes
 * @property {number} seconds
 * @property {boolean} exact
 * @property {string} source
 * @property {string} description
 *
 * A game after a move of the computer.
 * @typedef {object} ComputerMove
 * @property {string} id
 * @property {"max" | "classic"} game
 * @property {[string, string]} players
 * @property {Position} position
 * @property {string} future
 * @property {string} created
 * @property {string} changed
 * @property {Choice} choice
 *
 * The id of a deleted game.
 * @typedef {object} Deleted
 * @property {string} deleted
 *
 * An evaluation.
 * @typedef {object} EvaluationInfo
 * @property {string} name
 * @property {string} description
 *
 * A stored game.
 * @typedef {object} Game
 * @property {string} id
 * @property {"max" | "classic"} game
 * @property {[string, string]} players
 * @property {Position} position
 * @property {string} future
 * @property {string} created
 * @property {string} changed
 *
 * A part of the list of games.
 * @typedef {object} Games
 * @property {ListedGame[]} games
 * @property {boolean} more
 *
 * The position before the first of the moves.
 * @typedef {object} InitialPosition
 * @property {string[]} cells
 * @property {[number, number]} points
 * @property {[[number, number][][], [number, number][][]]} fours
 * @property {1 | 2} to_move
 * @property {number[]} columns
 * @property {string} status
 *
 * A level of the computer.
 * @typedef {object} LevelInfo
 * @property {number} level
 * @property {string} name
 * @property {string} description
 * @property {number} score
 * @property {number} rating
 * @property {string} strength
 *
 * The levels of both games.
 * @typedef {object} LevelsOfGames
 * @property {LevelInfo[]} max
 * @property {LevelInfo[]} classic
 *
 * A game in a list.
 * @typedef {object} ListedGame
 * @property {string} id
 * @property {"max" | "classic"} game
 * @property {[string, string]} players
 * @property {string | null} start
 * @property {string} moves
 * @property {[number, number]} points
 * @property {boolean} over
 * @property {string | null} result
 * @property {string} created
 * @property {string} changed
 *
 * A move with the values before and after it, from red's point of view.
 * @typedef {object} MoveReview
 * @property {number} number
 * @property {1 | 2} player
 * @property {number} column
 * @property {number} before
 * @property {number} after
 * @property {number} regret
 * @property {boolean} mistake
 * @property {number[]} best
 * @property {string} source
 * @property {number} choices
 * @property {Reason | null} reason
 * @property {string} description
 *
 * A move, and the state of the game after it.
 * @typedef {object} PlayedMove
 * @property {number} number
 * @property {1 | 2} player
 * @property {number} column
 * @property {number} row
 * @property {[number, number][][]} fours
 * @property {[number, number]} points
 * @property {number[]} columns
 * @property {string} description
 * @property {string} status
 *
 * The mistakes and the regret of a player.
 * @typedef {object} PlayerReview
 * @property {number} moves
 * @property {number} forced
 * @property {number} perfect
 * @property {number} mistakes
 * @property {number} regret
 * @property {number | null} perfect_share
 * @property {number} detours
 * @property {number | null} worst
 * @property {string} description
 *
 * A position with its history, for clients that do not implement the rules.
 * @typedef {object} Position
 * @property {"max" | "classic"} game
 * @property {string | null} start
 * @property {string} moves
 * @property {[number, number]} size
 * @property {string[]} cells
 * @property {1 | 2} to_move
 * @property {number[]} columns
 * @property {[number, number]} points
 * @property {[[number, number][][], [number, number][][]]} fours
 * @property {boolean} over
 * @property {1 | 2 | null} winner
 * @property {string | null} result
 * @property {string} status
 * @property {string} description
 * @property {string} text
 * @property {InitialPosition} initial
 * @property {PlayedMove[]} history
 *
 * A position in which only one column is best, and a plausible wrong column.
 * @typedef {object} PuzzleInfo
 * @property {string} moves
 * @property {number} column
 * @property {number} value
 * @property {number} second
 * @property {number} tempting
 * @property {number} depth
 * @property {1 | 2 | 3} grade
 * @property {"draw" | "points" | "win"} goal
 *
 * The puzzles of a game, and the index of the daily one.
 * @typedef {object} Puzzles
 * @property {PuzzleInfo[]} puzzles
 * @property {number} daily
 *
 * Why a move is a mistake, or what it achieves: a four, and the moves that lead to it.
 * @typedef {object} Reason
 * @property {"allows" | "forgoes" | "ignores" | "misses" | "opens" | "blocks" | "forced" | "scores" | "threatens"} kind
 * @property {1 | 2} player
 * @property {number} column
 * @property {number | null} better
 * @property {[number, number][]} four
 * @property {1 | 2 | null} scorer
 * @property {[number, number] | null} cell
 * @property {number[]} line
 * @property {number | null} move
 * @property {"later" | "made" | "standing" | null} threat
 *
 * For every column why it is a mistake, or what it achieves; null if that is unknown.
 * @typedef {object} Reasons
 * @property {(Reason | null)[]} reasons
 *
 * The number of reviewed moves, and of all moves.
 * @typedef {object} ReviewProgress
 * @property {number} done
 * @property {number} total
 *
 * The regret of every move of a game.
 * @typedef {object} Review
 * @property {number[]} values
 * @property {number[]} margins
 * @property {MoveReview[]} review
 * @property {PlayerReview} red
 * @property {PlayerReview} green
 *
 * The colour of a client, and the address of the server for other machines, if they can reach it.
 * @typedef {object} Seat
 * @property {1 | 2} player
 * @property {string | null} address
 *
 * A game between two people: which colours are taken, which of them are connected, and the rematch.
 * @typedef {object} SharedGame
 * @property {Game} game
 * @property {[boolean, boolean]} taken
 * @property {[boolean, boolean]} present
 * @property {string | null} rematch
 *
 * A cut-off: the child that caused it, and the reason.
 * @typedef {object} TreeCut
 * @property {number | null} alpha
 * @property {number | null} beta
 * @property {string | null} alpha_from
 * @property {string | null} beta_from
 * @property {string} after
 * @property {number[]} columns
 * @property {number} spared
 * @property {string} reason
 *
 * A node of a search tree. A leaf has no best child, no steps and no cut.
 * @typedef {object} TreeNode
 * @property {number | null} alpha
 * @property {number | null} beta
 * @property {string | null} alpha_from
 * @property {string | null} beta_from
 * @property {string} path
 * @property {"leaf" | "max" | "min"} kind
 * @property {1 | 2} player
 * @property {boolean} over
 * @property {number} value
 * @property {"at least" | "at most" | "exact"} bound
 * @property {string} [best]
 * @property {TreeStep[]} [steps]
 * @property {TreeCut | null} [cut]
 *
 * A search tree, its nodes in the order of visiting.
 * @typedef {object} Tree
 * @property {"max" | "classic"} game
 * @property {string | null} moves
 * @property {1 | 2} to_move
 * @property {number} depth
 * @property {string} evaluation
 * @property {string} evaluation_description
 * @property {boolean} pruning
 * @property {"centre" | "left"} order
 * @property {number} value
 * @property {number} column
 * @property {string} pv
 * @property {number} visited
 * @property {number} with_pruning
 * @property {number} without_pruning
 * @property {number} pruned_share
 * @property {string} description
 * @property {Record<string, string>} labels
 * @property {TreeNode[]} nodes
 *
 * A child that has returned its value, and the window after it.
 * @typedef {object} TreeStep
 * @property {number | null} alpha
 * @property {number | null} beta
 * @property {string | null} alpha_from
 * @property {string | null} beta_from
 * @property {string} path
 * @property {number} value
 *
 * Alpha and beta, null while infinite, and the paths of the nodes that they come from.
 * @typedef {object} TreeWindow
 * @property {number | null} alpha
 * @property {number | null} beta
 * @property {string | null} alpha_from
 * @property {string | null} beta_from
 */

export {};
