package import SessionCRDT

/// Parses what players type into scores of a sheet.
///
/// It uses the sheet and the book, so that names can be shortened and a bare number finds its row
/// and round. `GameRules.check` decides whether a score may be written.
package struct ScoreParser: Sendable {
    package let sheet: Sheet

    /// The sides whose next rounds are looked for; nil if every player is a scorer.
    private let sides: SideBook?

    package init(_ sheet: Sheet, sides: SideBook? = nil) {
        (self.sheet, self.sides) = (sheet, sides)
    }

    /// Whether a text is a score rather than a player's name: it has a `=` or is a number, also one
    /// with a fraction, which every row refuses.
    package static func isScore(_ text: String) -> Bool {
        if text.utf8.contains(UInt8(ascii: "=")) || Sum(typed: text) != nil { return true }
        let parts = text.split(omittingEmptySubsequences: false) { $0 == "." || $0 == "," }
        return parts.count == 2 && parts.allSatisfy { Sum(typed: String($0)) != nil }
    }

    /// Whether a text is part of a score of this sheet rather than a player's name: a score, or a
    /// round whose fields follow, as in `round.3 bid=2 tricks=2`.
    package func isScore(_ text: String) -> Bool {
        ScoreParser.isScore(text) || roundOfFields(text) != nil
    }

    private func roundOfFields(_ text: String) -> (row: Row, round: UInt32)? {
        let all = sheet.rows.filter { $0.isComputed && $0.lastRound != nil }
        guard !all.isEmpty, let reference = try? RowReference(text), let round = reference.round,
            let row = try? row(reference, among: all)
        else { return nil }
        return (row, round)
    }

    /// Parses scores of a player: `ROW=VALUE`, `ROW.ROUND=VALUE`, or a bare value if the sheet has
    /// one row; without a round the first empty one is used.
    ///
    /// Several bare values fill several rounds. Fields of the same rounds that are typed together
    /// belong to one round: that of `ROW.ROUND` before them or of any of them, else that of
    /// `FieldRounds`. A turn of a coded game is entered with `play` and only corrected here, with
    /// its round. The same cell twice is an error.
    package func scores(
        _ texts: [String],
        for player: PlayerID,
        in book: Book
    ) throws(RuleViolation) -> [Score] {
        let typed = try typed(texts, in: book)
        var scores: [Score] = []
        var taken: Set<Cell> = []
        let places = typed.map { (row: $0.row, round: $0.round) }
        var open = FieldRounds(of: sheet, places, for: player, in: book, sides: sides)
        for (row, round, value) in typed {
            let place: UInt32? =
                if round != nil || row.lastRound == nil {
                    round
                } else if row.group != nil {
                    try open.next(for: row)
                } else {
                    try nextRound(of: row, for: player, in: book, after: taken)
                }
            let cell = Cell(player: player, row: row.id, round: place)
            if let violation = row.violation(ofRound: place) {
                // The round was not typed, so the message explains how to name one.
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

    private func nextRound(
        of row: Row,
        for player: PlayerID,
        in book: Book,
        after taken: Set<Cell>
    ) throws(RuleViolation) -> UInt32 {
        let (column, scorer) = sides?.column(of: row, for: player, in: book) ?? (book, player)
        let mine = taken.map { Cell(player: scorer, row: $0.row, round: $0.round) }
        return try column.nextRound(of: row.id, for: scorer, after: Set(mine))
    }

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

    /// Returns the cell that a text names, for clearing, resolving or its history; the round is
    /// required.
    package func cell(_ text: String, of player: PlayerID) throws(RuleViolation) -> Cell {
        let place = try RowReference(text)
        let row = try row(place)
        if let violation = row.violation(ofRound: place.round) { throw violation }
        return Cell(player: player, row: row.id, round: place.round)
    }

    package func row(_ reference: RowReference) throws(RuleViolation) -> Row {
        try row(reference, among: sheet.rows)
    }

    /// Returns the row to enter that a reference names.
    ///
    /// Rows that cannot be entered in this book do not make a name ambiguous; naming one of them
    /// has an error of its own.
    private func row(
        _ reference: RowReference,
        in book: Book,
        of group: Row?
    ) throws(RuleViolation) -> Row {
        let settings = Settings(sheet, book)
        // After a round with fields, a value alone can only belong to one of these.
        let known = reference.row == nil ? group.map(sheet.fields) : nil
        let open = (known ?? sheet.rows).filter {
            !$0.isComputed && settings.isOn($0.condition)
        }.map { $0.inEffect(settings) }
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

    /// Returns the row and round that an id with a number at its end could mean: `bid3` as `bid.3`.
    private func numbered(_ row: Row, among rows: [Row]) -> (row: Row, round: UInt32)? {
        let id = row.id.description
        let digits = id.reversed().prefix { $0.isASCII && $0.isNumber }
        guard let round = UInt32(String(digits.reversed())),
            let other = rows.first(where: { $0.id.description == id.dropLast(digits.count) }),
            other.violation(ofRound: round) == nil
        else { return nil }
        return (other, round)
    }

    private func row(_ reference: RowReference, among rows: [Row]) throws(RuleViolation) -> Row {
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

    /// Parses an option and its value: `NAME=VALUE`.
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

/// A value for a cell that has not been written yet.
package struct Score: Hashable, Sendable {
    package let cell: Cell
    /// `null` clears the cell.
    package let value: Value

    package init(_ cell: Cell, _ value: Value) { (self.cell, self.value) = (cell, value) }
}

/// A row and a round as a player types them: `birds`, `round.3`, `.3`, or nothing at all.
package struct RowReference: Hashable, Sendable {
    /// The name of the row, possibly shortened; nil for the only row.
    package let row: String?
    /// The round; nil for the next one, or for rows without rounds.
    package let round: UInt32?

    /// The only row, and its next round.
    package static let next = RowReference(row: nil, round: nil)
}

extension RowReference {
    /// Parses `ROW`, `ROW.ROUND` or `.ROUND`.
    package init(_ typed: String) throws(RuleViolation) {
        let text = typed.withASCIIDigits
        // A sign before the digits makes them an invalid round, not a part of a name.
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

/// The rounds of fields that are typed without a round; fields typed together belong to one round.
///
/// It is the round that is typed with any of them; else the first incomplete round that requires
/// one of them; else the last round that has begun, if it has none of them; else the next one. So
/// an incomplete round is filled, and further fields begin a new round instead of filling fields
/// that were left empty before. Partners whose numbers are added each have a part of a round, so
/// that somebody whose partner has entered a whole round must say which one is meant.
struct FieldRounds {
    private let sheet: Sheet
    private let player: PlayerID
    private let book: Book
    private let sides: SideBook?
    /// The fields that are typed together, by the row of their rounds, in batches of one round
    /// each.
    private var batches: [Symbol: [[Row]]] = [:]
    /// The rounds that were typed, by the row of the rounds.
    private var typedRounds: [Symbol: UInt32] = [:]
    /// The last round that was assigned to a batch, by the row of the rounds.
    private var assigned: [Symbol: UInt32] = [:]

    init(
        of sheet: Sheet,
        _ typed: [(row: Row, round: UInt32?)],
        for player: PlayerID,
        in book: Book,
        sides: SideBook?
    ) {
        (self.sheet, self.player, self.book, self.sides) = (sheet, player, book, sides)
        for (row, round) in typed {
            guard let group = row.group?.row else { continue }
            if let round {
                typedRounds[group] = typedRounds[group] ?? round
            } else if batches[group]?.last?.contains(row) == false {
                let place = (batches[group]?.count ?? 1) - 1
                batches[group]?[place].append(row)
            } else {
                batches[group, default: []].append([row])
            }
        }
    }

    /// Returns the round of the next field that was typed without one, in the order of typing.
    mutating func next(for field: Row) throws(RuleViolation) -> UInt32? {
        guard let group = field.group?.row, let batch = batches[group]?.first else { return nil }
        if batch.first == field {
            if let known = assigned[group].map(FieldRounds.following) ?? typedRounds[group] {
                assigned[group] = known
            } else {
                assigned[group] = try round(of: batch)
            }
        }
        if batch.last == field { batches[group]?.removeFirst() }
        return assigned[group]
    }

    private func round(of batch: [Row]) throws(RuleViolation) -> UInt32 {
        guard let field = batch.first else { return 1 }
        let (book, player) = sides?.column(of: field, for: player, in: book) ?? (book, player)
        func isWritten(_ row: Row, in round: UInt32) -> Bool {
            book.isWritten(Cell(player: player, row: row.id, round: round))
        }
        let group = sheet.rows.filter { $0.group == field.group }
        for field in batch where field.isAwaited {
            let round = try book.nextRound(of: field.id, for: player)
            if group.contains(where: { isWritten($0, in: round) }),
                !batch.contains(where: { isWritten($0, in: round) })
            {
                return round
            }
        }
        func last(_ book: Book, _ player: PlayerID) -> UInt32? {
            let most = field.lastRound ?? Cell.lastRound
            return group.compactMap { book.lastRound(of: $0.id, for: player, upTo: most) }.max()
        }
        let own = last(book, player)
        if let sides, field.partners == .add,
            let round = last(sides.book, sides.sides.side(of: player)), round > own ?? 0
        {
            return try shared(round, group, sides)
        }
        guard let own else { return book.player(player)?.since ?? 1 }
        return batch.contains { isWritten($0, in: own) } ? FieldRounds.following(own) : own
    }

    /// Returns a round that only partners have begun; throws if they have entered all of it, because
    /// the next round may be meant.
    private func shared(
        _ round: UInt32,
        _ group: [Row],
        _ sides: SideBook
    ) throws(RuleViolation) -> UInt32 {
        let side = sides.sides.side(of: player)
        let isWhole = group.filter(\.isAwaited).allSatisfy {
            sides.book.isWritten(Cell(player: side, row: $0.id, round: round))
        }
        guard isWhole, let row = group.first else { return round }
        let team = sides.book.player(side)?.name ?? "your team"
        throw RuleViolation(
            "round \(round) of \(team) is entered already: name the round, \(row.id).\(round) for a "
                + "part of it or \(row.id).\(FieldRounds.following(round)) for the next one"
        )
    }

    private static func following(_ round: UInt32) -> UInt32 {
        UInt32(clamping: Int64(round) + 1)
    }
}
