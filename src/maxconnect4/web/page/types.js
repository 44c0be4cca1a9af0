// What the server says, as docs/api.md describes it. Nothing here runs.

/**
 * @typedef {[number, number]} Cell column and row, both from 1
 * @typedef {"max" | "classic"} GameName
 * @typedef {1 | 2} Player red and green
 *
 * @typedef {object} Drop
 * @property {number} number
 * @property {Player} player
 * @property {number} column
 * @property {number} row
 * @property {Cell[][]} fours those that it made
 * @property {[number, number]} points after it
 * @property {number[]} columns to choose from after it
 * @property {string} words
 *
 * @typedef {object} Beginning
 * @property {string[]} cells
 * @property {[number, number]} points
 * @property {[Cell[][], Cell[][]]} fours
 * @property {Player} to_move
 * @property {number[]} columns
 *
 * @typedef {object} Position
 * @property {GameName} game
 * @property {string | null} start
 * @property {string} moves
 * @property {number} width
 * @property {number} height
 * @property {string[]} cells
 * @property {Player} to_move
 * @property {number[]} columns
 * @property {[number, number]} points
 * @property {[Cell[][], Cell[][]]} fours
 * @property {boolean} over
 * @property {Player | null} winner
 * @property {string | null} result
 * @property {string} words
 * @property {string} text
 * @property {Beginning} begin
 * @property {Drop[]} drops
 *
 * @typedef {object} Level
 * @property {number} level
 * @property {string} name
 * @property {string} description
 * @property {string} strength
 *
 * @typedef {object} Evaluation
 * @property {string} name
 * @property {string} description
 *
 * @typedef {object} About
 * @property {string} version
 * @property {GameName[]} games
 * @property {Record<GameName, Level[]>} levels
 * @property {Evaluation[]} evaluations
 *
 * @typedef {object} Game
 * @property {string} id
 * @property {GameName} game
 * @property {[string, string]} players
 * @property {Position} position
 * @property {string} future
 * @property {string} created
 * @property {string} changed
 *
 * @typedef {object} Choice
 * @property {number} column
 * @property {string} words
 *
 * @typedef {object} Margin
 * @property {number | null} low
 * @property {number | null} high
 * @property {string} label
 * @property {number | null} score once it is known to the point, or to the move
 * @property {"win" | "draw" | "loss" | "unknown"} tone
 *
 * @typedef {object} Analysis
 * @property {Margin} value
 * @property {(Margin | null)[]} columns
 * @property {number} nodes
 * @property {number} seconds
 * @property {number[]} [best] once it is done
 * @property {string | null} [line]
 * @property {boolean} [exact]
 * @property {string} [source]
 * @property {string} [words]
 *
 * What MAX is sure of already, and to what MIN can hold it; null while there is nothing.
 * @typedef {object} TreeWindow
 * @property {number | null} alpha
 * @property {number | null} beta
 * @property {string | null} alpha_from the path of the node that it is known from
 * @property {string | null} beta_from
 *
 * @typedef {TreeWindow & { path: string, value: number }} TreeStep a child has come back
 *
 * @typedef {TreeWindow & { after: string, columns: number[], spared: number, reason: string }} TreeCut
 *
 * A node of a search tree; a leaf has neither steps nor a cut.
 * @typedef {TreeWindow & {
 *   path: string, kind: "max" | "min" | "leaf", player: Player, over: boolean, value: number,
 *   bound: "exact" | "at least" | "at most", best?: string, steps?: TreeStep[], cut?: TreeCut | null,
 * }} TreeNode
 *
 * @typedef {object} TreeFacts
 * @property {number} depth
 * @property {string} evaluation
 * @property {string} evaluation_in_words
 * @property {boolean} pruning
 * @property {"centre" | "left"} order
 * @property {number} value
 * @property {number} column
 * @property {string} line the columns of the principal line
 * @property {number} visited
 * @property {number} with_pruning
 * @property {number} without_pruning
 * @property {string} words
 * @property {Record<string, string>} labels of values that are better not shown as numbers
 * @property {TreeNode[]} nodes in the order of visiting
 *
 * @typedef {object} ReviewedMove
 * @property {number} number
 * @property {Player} player
 * @property {number} column
 * @property {number} given_away
 * @property {boolean} mistake in the classic game only if it changed who wins
 * @property {number[]} best
 * @property {string} words
 *
 * @typedef {object} Summary how well one player played
 * @property {number | null} worst the number of the move that cost most
 * @property {string} words
 *
 * @typedef {object} Review
 * @property {number[]} values with perfect play, in red's view, from the beginning on
 * @property {ReviewedMove[]} moves
 * @property {[Summary, Summary]} players
 *
 * @typedef {object} KeptGame a game in the list of them
 * @property {string} id
 * @property {GameName} game
 * @property {[string, string]} players
 * @property {string} moves
 * @property {[number, number]} points
 * @property {boolean} over
 * @property {string | null} result
 * @property {string} changed
 */

export {};
