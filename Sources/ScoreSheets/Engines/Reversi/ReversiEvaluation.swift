/// A static evaluation of a position from the view of the side to move.
///
/// A weighted sum of the features that matter more than discs before the end: mobility now and
/// later, corners, squares that give corners away, stable discs. The weights depend on the stage of
/// the game.
struct ReversiEvaluation: Hashable {
    /// The value of one disc of the final result.
    static let disc = 100
    /// The value of a win in addition to its discs: more than any estimate.
    static let win = 10_000
    private static let corners: UInt64 = 0x8100_0000_0000_0081
    private static let fileA: UInt64 = 0x0101_0101_0101_0101
    private static let fileH: UInt64 = 0x8080_8080_8080_8080
    private static let ends: UInt64 = 0xFF00_0000_0000_00FF
    private static let border: UInt64 = fileA | fileH | ends
    private static let edges: UInt64 = 0x3C00_8181_8181_003C
    private static let rim: UInt64 = 0x003C_4242_4242_3C00
    private static let box: UInt64 = 0x0000_3C3C_3C3C_0000

    private let weights: [ReversiWeights]

    init() { weights = ReversiWeights.stages }

    /// Returns the value of a position; `moves` are those of the side to move.
    func value(of position: ReversiPosition, moves: UInt64) -> Int {
        let (own, other) = (position.own, position.other)
        let empty = position.empty
        let stage = weights[min(60 - empty.nonzeroBitCount, 59) / 10]
        var sum = stage.tempo
        sum += stage.mobility * (Self.count(moves) - Self.count(position.passed.moves))
        sum +=
            stage.frontier
            * (Self.count(empty & Self.around(other)) - Self.count(empty & Self.around(own)))
        let vacant = empty & Self.corners
        let row = Self.beside(row: vacant)
        sum += stage.cross * Self.balance(own, other, row &<< 8 | row &>> 8)
        sum += stage.beside * Self.balance(own, other, Self.beside(vacant))
        sum += stage.edge * Self.balance(own, other, Self.edges)
        sum += stage.rim * Self.balance(own, other, Self.rim)
        sum += stage.box * Self.balance(own, other, Self.box)
        sum += stage.disc * Self.balance(own, other, ~0)
        if vacant != Self.corners {
            sum += stage.corner * Self.balance(own, other, Self.corners)
            sum += stage.stable * (Self.count(Self.stable(own)) - Self.count(Self.stable(other)))
        }
        let most = Self.win - 1
        return min(max(sum, 0 - most), most)
    }

    /// Returns the value of a game that is over: the difference in discs, with the empty squares
    /// counted for the winner as in tournaments.
    static func final(_ position: ReversiPosition) -> Int {
        let difference = count(position.own) - count(position.other)
        let rest = count(position.empty)
        switch difference.signum() {
        case 1: return win + (difference + rest) * disc
        case -1: return (difference - rest) * disc - win
        default: return 0
        }
    }

    private static func count(_ bits: UInt64) -> Int { bits.nonzeroBitCount }

    private static func balance(_ own: UInt64, _ other: UInt64, _ mask: UInt64) -> Int {
        count(own & mask) - count(other & mask)
    }

    /// Returns the squares next to these ones in all eight directions.
    private static func around(_ bits: UInt64) -> UInt64 {
        let row = bits | beside(row: bits)
        return (row | row &<< 8 | row &>> 8) & ~bits
    }

    private static func beside(row bits: UInt64) -> UInt64 {
        (bits &<< 1) & ~fileA | (bits &>> 1) & ~fileH
    }

    /// Returns the squares next to corners along the edges.
    private static func beside(_ corners: UInt64) -> UInt64 {
        beside(row: corners) | corners &<< 8 | corners &>> 8
    }

    /// Returns the stable discs around corners: in each of the four lines through such a disc, one
    /// neighbour is the border or another stable disc.
    private static func stable(_ own: UInt64) -> UInt64 {
        var stable = own & corners
        var grown = stable
        while grown != 0 {
            let flat = beside(row: stable) | fileA | fileH
            let upright = stable &<< 8 | stable &>> 8 | ends
            let falling = (stable &<< 9) & ~fileA | (stable &>> 9) & ~fileH | border
            let rising = (stable &<< 7) & ~fileH | (stable &>> 7) & ~fileA | border
            grown = own & flat & upright & falling & rising & ~stable
            stable |= grown
        }
        return stable
    }
}

/// The weights of the evaluation at one stage of the game, in hundredths of a disc.
struct ReversiWeights: Hashable {
    let tempo: Int
    /// Each move that a side has in excess of the other.
    let mobility: Int
    /// Each empty square next to the other's discs in excess of those next to its own: a future
    /// move.
    let frontier: Int
    let corner: Int
    /// A disc diagonally next to an empty corner.
    let cross: Int
    /// A disc next to an empty corner on an edge.
    let beside: Int
    /// A disc that can never be flipped.
    let stable: Int
    let edge: Int
    /// A disc one square from the border, away from the corners.
    let rim: Int
    /// A disc on one of the 16 central squares.
    let box: Int
    let disc: Int

    private init(_ weights: [Int]) {
        (tempo, mobility, frontier) = (weights[0], weights[1], weights[2])
        (corner, cross, beside, stable) = (weights[3], weights[4], weights[5], weights[6])
        (edge, rim, box, disc) = (weights[7], weights[8], weights[9], weights[10])
    }

    /// The weights for each ten moves.
    ///
    /// A least-squares fit of the final result to 80,000 games of a search of depth 3 against
    /// itself, from random openings and with exact endgames. The features overlap, so the sign of a
    /// single weight means little.
    static let stages: [ReversiWeights] = [
        [-189, 47, -4, 1235, -1661, -947, 1128, 191, 207, 249, -342],
        [-223, 53, 22, 2238, -1809, -547, 411, 289, 94, 182, -258],
        [-178, 79, 45, 1555, -1461, -282, 186, 37, -71, -34, -18],
        [-157, 134, 16, 675, -978, -326, 125, -88, -135, -119, 84],
        [-101, 237, -56, 364, -568, -255, 112, -63, -40, -36, 26],
        [-28, 395, -119, 42, -209, -187, 92, -85, -30, -11, 53],
    ].map(ReversiWeights.init)
}
