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
                if round == nil, violation.code == .roundPastLast {
                    let last = row.lastRound ?? 0
                    throw RuleViolation(
                        "\(row.id) has no round after \(last); to fill or correct one, name it: "
                            + "\(row.id).\(last)=…"
                    )
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
                let move = value.quoted.dropFirst().dropLast()
                throw RuleViolation(
                    "a \(row.id) is entered with play",
                    hint: "for example: scorectl play \(move); to correct one, name it: "
                        + "\(row.id).3=\(move)"
                )
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
            guard error.code == .unknownRow else { throw error }
            let closed = sheet.rows.filter { $0.isComputed || !settings.isOn($0.condition) }
            guard let row = try? row(reference, among: closed) else { throw error }
            if let condition = row.condition, !settings.isOn(condition) {
                if let (instead, round) = numbered(row, among: open) {
                    let other = "\(instead.id).\(round)"
                    throw RuleViolation(
                        "\(row.id) needs the option \(condition); here it is \(other)",
                        candidates: [other]
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
        case .many(let rows): throw .ambiguous(name, candidates: rows.map(\.id))
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
            throw .ambiguous(name, candidates: options.map(\.name))
        }
    }
}

/// A wish to write a score: where, and what.
package struct Score: Hashable, Sendable {
    /// Where.
    package let cell: Cell
    /// What; `null` empties the cell.
    package let value: Value

    /// The wish to write this value in this cell.
    package init(_ cell: Cell, _ value: Value) {
        self.cell = cell
        self.value = value
    }
}

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

/// The rounds of fields that somebody types without a round: those typed together are of one.
///
/// It is the round that any of them says; else the first one that is begun and waits for one of
/// them; else the last one that is begun, where none of them stands in it, and else the next one.
/// So a round that was left half-entered is filled, and a second helping begins a round of its own
/// and never fills what was left empty in the one before.
struct FieldRounds {
    private let sheet: Sheet
    private let player: PlayerID
    private let book: Book
    /// The fields that are typed together, by the row of their rounds, in batches of a round each.
    private var batches: [Symbol: [[Row]]] = [:]
    /// The rounds that fields say, by the same.
    private var said: [Symbol: UInt32] = [:]
    /// The last round that a batch has, by the same.
    private var given: [Symbol: UInt32] = [:]

    /// The rounds of what is typed in these rows of a player, each perhaps with a round.
    init(
        of sheet: Sheet,
        _ typed: [(row: Row, round: UInt32?)],
        for player: PlayerID,
        in book: Book
    ) {
        self.sheet = sheet
        self.player = player
        self.book = book
        for (row, round) in typed {
            guard let group = row.group?.row else { continue }
            if let round {
                said[group] = said[group] ?? round
            } else if batches[group]?.last?.contains(row) == false {
                let place = (batches[group]?.count ?? 1) - 1
                batches[group]?[place].append(row)
            } else {
                batches[group, default: []].append([row])
            }
        }
    }

    /// The round of the next field that was typed without one, in the order in which all were.
    mutating func next(for field: Row) throws(RuleViolation) -> UInt32? {
        guard let group = field.group?.row, let batch = batches[group]?.first else { return nil }
        if batch.first == field {
            if let known = given[group].map(FieldRounds.following) ?? said[group] {
                given[group] = known
            } else {
                given[group] = try round(of: batch)
            }
        }
        if batch.last == field { batches[group]?.removeFirst() }
        return given[group]
    }

    /// The round of fields that nobody said.
    private func round(of batch: [Row]) throws(RuleViolation) -> UInt32 {
        let ids = batch.map(\.id)
        let group = sheet.rows.filter { $0.group == batch.first?.group }.map(\.id)
        for field in batch where field.isAwaited {
            let round = try book.nextRound(of: field.id, for: player)
            if isWritten(anyOf: group, in: round), !isWritten(anyOf: ids, in: round) {
                return round
            }
        }
        let most = batch.first?.lastRound ?? Cell.lastRound
        let last = group.compactMap { book.lastRound(of: $0, for: player, upTo: most) }.max()
        guard let last else { return 1 }
        return isWritten(anyOf: ids, in: last) ? FieldRounds.following(last) : last
    }

    /// The round after a round; of the last one that there can be no other.
    private static func following(_ round: UInt32) -> UInt32 {
        UInt32(clamping: Int64(round) + 1)
    }

    private func isWritten(anyOf rows: [Symbol], in round: UInt32) -> Bool {
        rows.contains { book.isWritten(Cell(player: player, row: $0, round: round)) }
    }
}
