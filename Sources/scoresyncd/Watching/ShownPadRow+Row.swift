import ScoreSheets
import SessionCRDT
import SyncProtocol

extension ShownPadRow {
    /// What a row takes; nil where nobody enters anything in it by hand.
    init?(_ row: Row) {
        guard !row.isComputed, row.kind != .moves else { return nil }
        self.init(naming: row)
        from = row.isNumeric && row.range.from > Bounds.all.from ? row.range.from : nil
        last = row.lastRound.map(Int.init)
        group = row.group?.row.description
        optional = row.group != nil && row.mayStayEmpty ? true : nil
        switch row.content {
        case .choice(let choices): words = choices.map(\.word.description)
        case .order(let order): words = order.words.map(\.description)
        case .tokens(let values): tokens = values
        case .number, .rounds, .flag, .text, .moves, .computed: break
        }
    }

    /// The points of a match; nil where each entry is one of them.
    init?(points row: Row, most: Int) {
        guard most > 1 else { return nil }
        self.init(naming: row)
        tokens = (1...Int64(min(most, ShownPadRow.mostPoints))).map(\.self)
    }

    /// What every row says of itself.
    private init(naming row: Row) {
        self.init(
            row: row.id.description,
            label: row.label,
            kind: row.kind.rawValue,
            takes: row.takes,
            help: row.help
        )
    }

    /// For how many points of an entry a phone has keys.
    private static let mostPoints = 12
}
