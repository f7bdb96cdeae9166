import SessionCRDT

extension GhostGame {
    func play(
        _ move: Move,
        in book: Book,
        with aids: inout Aids
    ) throws(RuleViolation) -> Played {
        guard !book.isFinished else { throw .finished }
        if let detail = move.details.keys.sorted().first {
            throw GhostRule.unknownDetail(detail).violation
        }
        var replay = replay
        let player = try mover(in: book, asked: move.player)
        guard let place = replay.circle.place(of: player.id) else {
            throw GhostRule.notPlaying(player.name).violation
        }
        guard replay.turn <= Cell.lastRound else { throw .noRoundLeft(row: GhostTerms.letter) }
        let beginning = replay.beginning + (try letter(of: move.words))
        let isFirst = replay.turn == 1
        let lexicon = try lexicon(isFirst: isFirst, aids)
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
        in book: Book,
        asked: PlayerID?
    ) throws(RuleViolation) -> Player {
        guard !replay.isOver else { throw GhostRule.over.violation }
        let count = book.players.count(where: \.isPresent)
        if let violation = rules.sheet.violation(ofPlayerCount: count) { throw violation }
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
        let facts: [Symbol: Value] = [
            GhostTerms.words: .text("\(lexicon.name) \(lexicon.fingerprint)"),
            GhostTerms.circle: .text(
                circle.players.map(\.id.description).joined(separator: " ")
            ),
            GhostTerms.settled: terms.record,
        ]
        return facts.filter { rules.sheet.option($0.key) != nil }
    }

    /// The round in progress, or the last one once the game is over.
    func reset(of book: Book) throws(RuleViolation) -> Reset {
        guard !book.isFinished else { throw .finished }
        let written = book.players.flatMap { book.cells(of: $0.id) }.filter { bookCell in
            bookCell.cell.row == GhostTerms.letter && !bookCell.isEmpty
                && bookCell.cell.round.map { $0 >= replay.firstTurn } ?? false
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
