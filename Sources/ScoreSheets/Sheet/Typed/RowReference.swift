import SessionCRDT

/// A row and a round as somebody names them: `birds`, `round.3`, `.3`, or nothing at all.
package struct RowReference: Hashable, Sendable {
    /// The row, perhaps shortened; nil for the only row there is.
    package let row: String?
    /// The round; nil for the next one, or where there are none.
    package let round: UInt32?

    /// What is left to the sheet: its only row, the next round.
    package static let next = RowReference(row: nil, round: nil)

    package init(row: String?, round: UInt32?) {
        self.row = row
        self.round = round
    }

    /// The reference that a text says: `ROW`, `ROW.ROUND` or `.ROUND`.
    package init(_ text: String) throws(RuleViolation) {
        // A sign before the digits makes them a round that there is not, and no part of a name.
        guard let dot = text.lastIndex(of: "."),
            case let number = text[dot...].dropFirst().drop(while: { $0 == "-" }),
            !number.isEmpty, number.utf8.allSatisfy({ (48...57).contains($0) })
        else {
            self.init(row: text.isEmpty ? nil : text, round: nil)
            return
        }
        let digits = text[text.index(after: dot)...]
        guard let round = UInt32(digits), (1...Cell.lastRound).contains(round) else {
            throw .roundOutOfRange(String(digits))
        }
        self.init(row: dot == text.startIndex ? nil : String(text[..<dot]), round: round)
    }
}
