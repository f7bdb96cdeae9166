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
    ///
    /// They are a least-squares fit of the final result to games that a search of depth 3 played
    /// against itself, 80,000 of them, from random openings and with exact ends. A square counts
    /// beside the disc on it, so that a sign alone says little.
    static let stages: [ReversiWeights] = [
        [-189, 47, -4, 1235, -1661, -947, 1128, 191, 207, 249, -342],
        [-223, 53, 22, 2238, -1809, -547, 411, 289, 94, 182, -258],
        [-178, 79, 45, 1555, -1461, -282, 186, 37, -71, -34, -18],
        [-157, 134, 16, 675, -978, -326, 125, -88, -135, -119, 84],
        [-101, 237, -56, 364, -568, -255, 112, -63, -40, -36, 26],
        [-28, 395, -119, 42, -209, -187, 92, -85, -30, -11, 53],
    ].map(ReversiWeights.init)
}
