/// How a cell is named on the command line.
enum CellAddress {
    /// `birds`, or `round.3`.
    static func text(_ row: String, _ round: Int?) -> String {
        round.map { "\(row).\($0)" } ?? row
    }
}
