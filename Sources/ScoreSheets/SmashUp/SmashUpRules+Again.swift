package import SessionCRDT

extension SmashUpRules {
    /// The factions that are dealt from, and the options of the sheet.
    package func isChoice(_ option: Symbol) -> Bool {
        sheet.option(option) != nil || sheet.factions.contains { $0.option == option }
    }

    /// The deal, revealed where it was: the same players with the same factions, without those who
    /// left.
    package func carriedOver(from book: Book) -> Played {
        let replay = SmashUpReplay(sheet, book)
        let present = book.players.filter(\.isPresent).map(\.id)
        guard let deal = replay.deal?.dealt(to: present),
            let cell = try? commonCell(.deal, in: book)
        else {
            return Played(by: nil, writes: [])
        }
        var writes = [Score(cell, deal.value)]
        if replay.isRevealed, let shown = try? commonCell(.reveal, in: book) {
            writes.append(Score(shown, deal.value))
        }
        return Played(by: nil, writes: writes)
    }
}
