import SessionCRDT

/// What is to be known of a row to read the numbers in it, of which there may be very many: a whole
/// row takes longer to copy than a number to read.
struct NumberReader {
    /// Which plain numbers are taken; nil of a row that takes none.
    private let range: Bounds?
    /// The last round; nil of a row without rounds.
    private let lastRound: UInt32?
    /// What a cell adds.
    let addition: Addition
    /// Whether what is entered is compared with that of others.
    let isRanked: Bool
    /// Whether it takes yes and no, of which a no is no score; in a round of fields it is one.
    let isFlag: Bool

    /// What a cell adds to the total.
    enum Addition {
        /// Nothing, or not before others are known.
        case nothing
        /// What it counts as.
        case count
        /// What the rule of its row says.
        case rule
    }

    /// The reader of a row; one that is off takes no numbers.
    init(_ row: Row, isOn: Bool) {
        range = row.isNumeric && !row.isComputed && isOn ? row.range : nil
        lastRound = row.lastRound
        isRanked = row.isRanked
        isFlag = row.kind == .flag && row.group == nil
        addition =
            if !row.scores || row.isRanked || row.isWorkedOut {
                .nothing
            } else if !isFlag, row.worth == nil || row.worth == .itself {
                .count
            } else {
                .rule
            }
    }

    /// The number of a cell that may be entered as it is; nil where the row itself has to judge.
    func number(in bookCell: BookCell) -> Int64? {
        Row.takes(round: bookCell.cell.round, upTo: lastRound)
            ? range?.plainNumber(in: bookCell.value) : nil
    }
}
