/// What the evaluation counts, in hundredths of a disc, at one stage of the game.
struct ReversiWeights: Hashable {
    /// To be the side that is to move.
    let tempo: Int
    /// A move more than the other side.
    let mobility: Int
    /// An empty square more beside the other's discs, where a move may come to be.
    let frontier: Int
    /// A corner.
    let corner: Int
    /// A disc diagonally before an empty corner.
    let cross: Int
    /// A disc beside an empty corner.
    let beside: Int
    /// A disc that can never be turned.
    let stable: Int
    /// A disc on an edge, away from the corners.
    let edge: Int
    /// A disc in the second line, away from the corners.
    let rim: Int
    /// A disc in the middle.
    let box: Int
    /// Any disc.
    let disc: Int

    private init(_ weights: [Int]) {
        (tempo, mobility, frontier) = (weights[0], weights[1], weights[2])
        (corner, cross, beside, stable) = (weights[3], weights[4], weights[5], weights[6])
        (edge, rim, box, disc) = (weights[7], weights[8], weights[9], weights[10])
    }

    /// The weights by tens of moves.
    static let stages: [ReversiWeights] = [
        [50, 100, 40, 900, -700, -150, 150, 30, -30, 0, -20],
        [50, 110, 45, 900, -700, -150, 150, 30, -30, 0, -20],
        [50, 120, 50, 1000, -600, -150, 180, 30, -30, 0, -15],
        [50, 120, 50, 1000, -500, -150, 200, 30, -30, 0, -10],
        [50, 110, 40, 900, -300, -120, 200, 30, -20, 0, 0],
        [50, 70, 20, 500, -100, -60, 100, 20, 0, 0, 60],
    ].map(ReversiWeights.init)
}
