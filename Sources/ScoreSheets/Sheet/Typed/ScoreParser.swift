package import SessionCRDT

/// Reads what players type into scores of one sheet.
///
/// It knows the sheet and the book, so that names can be shortened and a bare number finds its
/// place. Whether a score may be written is for `GameRules.check` to say.
package struct ScoreParser: Sendable {
    /// The sheet that is filled in.
    package let sheet: Sheet

    /// The parser for a sheet.
    package init(_ sheet: Sheet) {
        self.sheet = sheet
    }

    /// Whether a text reads as a score and not as a player's name: it has a `=` or is a number.
    package static func isScore(_ text: String) -> Bool {
        text.utf8.contains(UInt8(ascii: "=")) || Sum(text) != nil
    }

    /// Whether a text reads as a part of a score of this sheet and not as a player's name: it is
    /// one, or names a round whose fields follow, as in `round.3 bid=2 tricks=2`.
    package func isScore(_ text: String) -> Bool {
        ScoreParser.isScore(text) || roundOfFields(text) != nil
    }

    /// The round of several fields that a text names; nil of any other text.
    private func roundOfFields(_ text: String) -> (row: Row, round: UInt32)? {
        let all = sheet.rows.filter { $0.isComputed && $0.lastRound != nil }
        guard !all.isEmpty, let reference = try? RowReference(text), let round = reference.round,
            let row = try? row(reference, among: all)
        else { return nil }
        return (row, round)
    }

    /// The scores that the texts mean for a player: `ROW=VALUE`, `ROW.ROUND=VALUE`, or a bare value
    /// where the sheet has one row; without a round it is the first one that is empty.
    ///
    /// Several bare values fill several rounds. Fields of the same rounds that are typed together
    /// are of one round, that of `ROW.ROUND` before them or of any of them, else that of
    /// `FieldRounds`. A turn of a coded game is entered with `play` and only corrected here, so its
    /// round must be said. The same cell twice is refused.
    package func scores(
        _ texts: [String],
        for player: PlayerID,
        in book: Book
    ) throws(RuleViolation) -> [Score] {
        let typed = try typed(texts, in: book)
        var scores: [Score] = []
        var taken: Set<Cell> = []
        var open = FieldRounds(of: sheet, typed.map { ($0.row, $0.round) }, for: player, in: book)
        for (row, round, value) in typed {
            let place: UInt32? =
                if round != nil || row.lastRound == nil {
                    round
                } else if row.group != nil {
                    try open.next(for: row)
                } else {
                    try book.nextRound(of: row.id, for: player, after: taken)
                }
            let cell = Cell(player: player, row: row.id, round: place)
            if let violation = row.violation(ofRound: place) {
                // Nobody typed the round behind the last one.
                if round == nil, case .roundPastLast(let row, let last, _) = violation {
                    throw .roundsFull(row: row, last: last)
                }
                throw violation
            }
            guard taken.insert(cell).inserted else { throw .writtenTwice(row.id, round: place) }
            scores.append(Score(cell, try row.value(of: value)))
        }
        return scores
    }

    /// The rows of some texts with the rounds that they say, and what is to be entered there.
    private func typed(
        _ texts: [String],
        in book: Book
    ) throws(RuleViolation) -> [(row: Row, round: UInt32?, value: String)] {
        var found: [(Row, UInt32?, String)] = []
        var group: (row: Row, round: UInt32)?
        for (index, text) in texts.enumerated() {
            if let named = roundOfFields(text) {
                guard index + 1 < texts.count else {
                    throw .computedRow(named.row.id, sources: sheet.sources(of: named.row))
                }
                group = named
                continue
            }
            let mark = text.firstIndex(of: "=")
            let place =
                if let mark { try RowReference(String(text[..<mark])) } else { RowReference.next }
            let value = mark.map { String(text[text.index(after: $0)...]) } ?? text
            let row = try row(place, in: book, of: group?.row)
            guard !value.allSatisfy(\.isWhitespace) else { throw .valueMissing(row: row.id) }
            if row.kind == .moves, place.round == nil {
                throw .enteredByPlay(row: row.id, typed: value)
            }
            let isOfGroup = row.group != nil && row.group?.row == group?.row.id
            found.append((row, place.round ?? (isOfGroup ? group?.round : nil), value))
        }
        return found
    }

    /// The cell that a text names, to clear it, to resolve it or to tell its history.
    ///
    /// Here the round must be said.
    package func cell(_ text: String, of player: PlayerID) throws(RuleViolation) -> Cell {
        let place = try RowReference(text)
        let row = try row(place)
        if let violation = row.violation(ofRound: place.round) { throw violation }
        return Cell(player: player, row: row.id, round: place.round)
    }

    /// The row that a reference means, whether or not it can be entered.
    package func row(_ reference: RowReference) throws(RuleViolation) -> Row {
        try row(reference, among: sheet.rows)
    }

    /// The row that a reference means to enter.
    ///
    /// What cannot be entered in this book confuses no name, and is told apart from what the sheet
    /// does not know.
    private func row(
        _ reference: RowReference,
        in book: Book,
        of group: Row?
    ) throws(RuleViolation) -> Row {
        let settings = Settings(sheet, book)
        // Behind a round of several fields a value alone can only be meant for one of these.
        let known = reference.row == nil ? group.map(sheet.fields) : nil
        let open = (known ?? sheet.rows).filter {
            !$0.isComputed && settings.isOn($0.condition)
        }
        do {
            return try row(reference, among: open)
        } catch {
            guard case .unknownRow = error else { throw error }
            let closed = sheet.rows.filter { $0.isComputed || !settings.isOn($0.condition) }
            guard let row = try? row(reference, among: closed) else { throw error }
            if let condition = row.condition, !settings.isOn(condition) {
                if let (instead, round) = numbered(row, among: open) {
                    throw .otherRow(
                        row: row.id,
                        needs: condition,
                        instead: instead.id,
                        round: round
                    )
                }
                throw .rowOff(row: row.id, needs: condition)
            }
            throw .computedRow(row.id, sources: sheet.sources(of: row))
        }
    }

    /// The round of another row that a row's id says with its number behind it.
    private func numbered(_ row: Row, among rows: [Row]) -> (row: Row, round: UInt32)? {
        let id = row.id.description
        let digits = id.reversed().prefix { $0.isASCII && $0.isNumber }
        guard let round = UInt32(String(digits.reversed())),
            let other = rows.first(where: { $0.id.description == id.dropLast(digits.count) }),
            other.violation(ofRound: round) == nil
        else { return nil }
        return (other, round)
    }

    private func row(
        _ reference: RowReference,
        among rows: [Row]
    ) throws(RuleViolation) -> Row {
        guard let name = reference.row else {
            guard let only = rows.first, rows.count == 1 else {
                throw .rowMissing(candidates: rows.map(\.id))
            }
            return only
        }
        let aliases = { (row: Row) in row.aliases.map(\.description) }
        switch Match(name, among: rows, aliases: aliases, [\.id.description, \.label]) {
        case .one(let row): return row
        case .none: throw .unknownRow(name, candidates: rows.map(\.id))
        case .many(let rows): throw .ambiguousRow(name, candidates: rows.map(\.id))
        }
    }

    /// The option and its value that a text `NAME=VALUE` means.
    package func option(_ text: String) throws(RuleViolation) -> (name: Symbol, value: Value) {
        let names = sheet.options.map(\.name)
        let mark = text.firstIndex(of: "=") ?? text.endIndex
        let name = String(text[..<mark])
        switch Match(name, among: sheet.options, \.name.description) {
        case .one(let option):
            guard sheet.rules.isChoice(option.name) else {
                throw .notAChoice(option.name, help: sheet.option(option.name)?.help)
            }
            let value = String(text[mark...].dropFirst())
            return (option.name, try option.value(of: value))
        case .none: throw .unknownOption(name, candidates: names)
        case .many(let options):
            throw .ambiguousOption(name, candidates: options.map(\.name))
        }
    }
}
