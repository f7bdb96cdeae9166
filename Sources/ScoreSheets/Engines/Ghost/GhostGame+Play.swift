import SessionCRDT

extension GhostGame {
    func play(
        _ move: Move,
        in book: Book,
        with aids: inout Aids
    ) throws(RuleViolation) -> Played {
        try checkIsOn(in: book)
        try move.checkDetails(GhostTerms.words)
        let mover = try mover(in: book, asked: move.player)
        guard record.openTurn <= Cell.lastRound else {
            throw .noRoundLeft(row: GhostTerms.row)
        }
        let beginning = stand.beginning + (try letter(of: move.words))
        let lexicon = try lexicon(aids)
        let verdict = GhostVerdict(beginning, by: lexicon, minimum: terms.stakes.minimum)
        let letter = GhostLetter(beginning, verdict)
        let after = try playing(letter, by: mover).game
        let cell = terms.cell(mover, turns.count + 1)
        let isRecorded = !turns.isEmpty && terms.recordedList != nil
        return Played(
            by: cell.player,
            writes: [Score(cell, letter.value)],
            options: isRecorded ? [:] : terms.record(lexicon),
            notes: verdict == .open ? [] : after.lastNotes
        )
    }

    /// Who is to move, if that is who was asked for.
    private func mover(in book: Book, asked: PlayerID?) throws(RuleViolation) -> Int {
        let count = book.players.count(where: \.isPresent)
        if let violation = rules.sheet.violation(ofPlayerCount: count) { throw violation }
        guard let mover = stand.mover else {
            throw .playerCount(1, allowed: Bounds(within: 2...Int64.max))
        }
        guard let asked, asked != terms.players[mover].id else { return mover }
        guard let other = book.player(asked) else { throw .unknownPlayer(asked) }
        throw terms.seats[asked] == nil
            ? terms.violation(byStranger: other, at: record.openTurn)
            : terms.violation(at: record.openTurn, of: mover)
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
    private func lexicon(_ aids: Aids) throws(RuleViolation) -> any Lexicon {
        // What an earlier game recorded, or one whose first letter was taken back, binds nobody.
        guard !turns.isEmpty, let recorded = terms.recordedList else {
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

    /// The round in progress, or the last one once the game is over.
    func reset(of book: Book) throws(RuleViolation) -> Reset {
        let letters = stand.beginning.uppercased()
        let what = letters.isEmpty ? "" : " (\(letters))"
        return try reset(of: book, from: stand.roundStart + 1) { _ in
            "Begin this round\(what) again?"
        }
    }
}
