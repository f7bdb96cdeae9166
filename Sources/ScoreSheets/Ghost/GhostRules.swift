package import SessionCRDT

/// The rules of Ghost.
///
/// Turn n is the cell (mover, `letter`, n), counted over all rounds. The device that enters a
/// letter judges it by its word list and records the verdict; every other device takes it from
/// there and needs no list. Whoever completes a word of the minimum length, or makes a beginning
/// that no word has, loses the round. In the simple game that is the end; at the table the player
/// loses one of five lives, the player on the left begins the next round, and the last one in wins.
package struct GhostRules: GameRules, Hashable {
    package let sheet: Sheet

    /// The rules of a sheet.
    package init(sheet: Sheet) {
        self.sheet = sheet
    }

    /// The options of a book as they hold.
    func terms(of book: Book) -> GhostTerms { GhostTerms(Settings(sheet, book)) }

    /// The word list that a book chooses, by its name or its path.
    package func wordList(of book: Book) -> String { terms(of: book).chosenList }

    /// All but what the first letter records.
    package func isChoice(_ option: Symbol) -> Bool {
        !GhostTerms.recorded.contains(option) && sheet.option(option) != nil
    }

    /// A letter can be picked out of a conflict with the verdict that it had, also when who is
    /// there has changed since; any other is refused, since nothing here can judge it: a verdict
    /// that somebody typed would stand for good.
    package func check(_ score: Score, in book: Book) throws(RuleViolation) {
        try checkForm(score, in: book)
        guard score.value != .null else { return }
        if let violation = GhostTerms.violation(of: score.cell) { throw violation }
        let written = book.cells(of: score.cell.player).first { $0.cell == score.cell }
        guard let turn = score.cell.round,
            written?.live.entries.contains(where: { $0.value == score.value }) == true
        else { throw GhostRule.unjudged.violation }
        let replay = GhostReplay(book, terms(of: book), by: sheet, before: turn)
        guard let place = replay.circle.place(of: score.cell.player) else {
            let name = book.player(score.cell.player)?.name ?? ""
            throw GhostRule.notPlaying(name).violation
        }
        let letter = GhostLetter(score.value)
        if let reason = replay.reason(against: letter, at: turn, by: place)
            ?? turnReason(replay, at: place, in: book)
        {
            throw reason.violation
        }
    }

    /// Why somebody else moved at the turn up to which was played; nil where nobody did.
    private func turnReason(
        _ before: GhostReplay,
        at place: Int,
        in book: Book
    ) -> GhostRule? {
        let after = GhostReplay(book, terms(of: book), by: sheet)
        guard let moved = after.movers.dropFirst(before.movers.count).first, moved != place
        else { return nil }
        return .turn(of: after.circle.players[moved].name)
    }

    /// The letter and what it made, of a beginning with its verdict.
    package func words(in book: Book) -> GameWords {
        GameWords(value: { score in
            score.cell.row == GhostTerms.letter ? GhostLetter(score.value)?.words : nil
        })
    }

    package func check(option: Symbol, in book: Book) throws(RuleViolation) {
        guard !book.isFinished else { throw .finished }
        guard !GhostTerms.recorded.contains(option) else {
            throw GhostRule.recorded(option: option).violation
        }
        let replay = GhostReplay(book, terms(of: book), by: sheet)
        guard replay.turn == 1 else { throw GhostRule.begun(option: option).violation }
    }

    package func play(
        _ move: Move,
        in book: Book,
        with aids: inout Aids
    ) throws(RuleViolation) -> Played {
        guard !book.isFinished else { throw .finished }
        if let detail = move.details.keys.sorted().first {
            throw GhostRule.unknownDetail(detail).violation
        }
        let terms = terms(of: book)
        var replay = GhostReplay(book, terms, by: sheet)
        let player = try mover(of: replay, in: book, asked: move.player)
        guard let place = replay.circle.place(of: player.id) else {
            throw GhostRule.notPlaying(player.name).violation
        }
        guard replay.turn <= Cell.lastRound else { throw .noRoundLeft(row: GhostTerms.letter) }
        let beginning = replay.beginning + (try letter(of: move.words))
        let isFirst = replay.turn == 1
        let lexicon = try lexicon(terms, isFirst: isFirst, aids)
        let letter = GhostLetter(
            beginning,
            GhostVerdict(beginning, by: lexicon, minimum: terms.minimum)
        )
        let cell = Cell(player: player.id, row: GhostTerms.letter, round: replay.turn)
        replay.enter(letter, by: place)
        let isRecorded = !isFirst && terms.recordedList != nil
        return Played(
            by: player.id,
            writes: [Score(cell, letter.value)],
            options: isRecorded ? [:] : record(lexicon, replay.circle),
            notes: letter.verdict == .open ? [] : lastNotes(replay)
        )
    }

    /// Who is to move, if that is who was asked for.
    private func mover(
        of replay: GhostReplay,
        in book: Book,
        asked: PlayerID?
    ) throws(RuleViolation) -> Player {
        guard !replay.isOver else { throw GhostRule.over.violation }
        let count = book.players.count(where: \.isPresent)
        if let violation = sheet.violation(ofPlayerCount: count) { throw violation }
        guard let mover = replay.mover else {
            throw .playerCount(1, allowed: Bounds(within: 2...Int64.max))
        }
        if let asked, asked != mover.id {
            guard let other = book.player(asked) else { throw .unknownPlayer(asked) }
            throw replay.circle.place(of: asked) == nil
                ? GhostRule.notPlaying(other.name).violation
                : GhostRule.turn(of: mover.name).violation
        }
        return mover
    }

    /// The letter that was typed, without case and accent.
    private func letter(of words: [String]) throws(RuleViolation) -> String {
        let typed = words.joined(separator: " ")
        let lower = typed.lowercased()
        guard let character = lower.first, lower.count == 1,
            let letter = Alphabet.letter(character)
        else { throw GhostRule.notALetter(typed).violation }
        return String(UnicodeScalar(letter))
    }

    /// The list of this device, if it is the one that the game is played with.
    private func lexicon(
        _ terms: GhostTerms,
        isFirst: Bool,
        _ aids: Aids
    ) throws(RuleViolation) -> any Lexicon {
        // What an earlier game recorded, or one whose first letter was taken back, binds nobody.
        guard !isFirst, let recorded = terms.recordedList else {
            return try aids.lexicon(terms.chosenList)
        }
        let lexicon = try aids.lexicon(recorded.name)
        guard lexicon.fingerprint == recorded.fingerprint else {
            throw GhostRule.otherList(
                recorded.name,
                fingerprint: lexicon.fingerprint,
                wanted: recorded.fingerprint
            ).violation
        }
        return lexicon
    }

    /// What the first letter records for the whole session.
    private func record(_ lexicon: any Lexicon, _ circle: GhostCircle) -> [Symbol: Value] {
        [
            GhostTerms.words: .text("\(lexicon.name) \(lexicon.fingerprint)"),
            GhostTerms.circle: .text(
                circle.players.map(\.id.description).joined(separator: " ")
            ),
        ]
    }

    /// The round in progress, or the last one once the game is over.
    package func reset(of book: Book) throws(RuleViolation) -> Reset {
        guard !book.isFinished else { throw .finished }
        let replay = GhostReplay(book, terms(of: book), by: sheet)
        let written = book.players.flatMap { book.cells(of: $0.id) }.filter { entry in
            entry.cell.row == GhostTerms.letter && !entry.isEmpty
                && entry.cell.round.map { $0 >= replay.firstTurn } ?? false
        }
        guard !written.isEmpty else { throw GhostRule.nothingToReset.violation }
        let letters = replay.beginning.uppercased()
        let what = letters.isEmpty ? "" : " (\(letters))"
        return Reset(
            question: "Begin this round\(what) again?",
            writes: written.map { Score($0.cell, .null) }
        )
    }
}
