import SessionCRDT

/// A table of Smash Up that goes on from the last turn before a change.
struct SmashUpTable: KeptGame {
    let rules: SmashUpRules
    var kept = KeptStandings()
    private(set) var replay: SmashUpReplay

    private let crowd: [Flag]
    private let flags: [Flag]

    init(reading book: Book, by rules: SmashUpRules) {
        self.rules = rules
        replay = SmashUpReplay(rules.sheet, book)
        crowd = SmashUpTable.crowd(replay.terms, book)
        flags = SmashUpTable.flags(replay.terms)
    }

    var totalLabel: String { "Points" }

    var panels: [Panel] { replay.panels }

    var endings: Standings.Endings { .told(replay.outcomes) }

    func lines(of book: Book) -> StandingLines { replay.lines }

    func notes(isFinished: Bool) -> [Note] { replay.notes(kept.lines) }

    func flagsOfGame(in book: Book) -> [Flag] { crowd + replay.flawsOfGames + flags }

    func verdict(of bookCell: BookCell) -> TurnColumns.Verdict { replay.verdict(of: bookCell) }

    func reason(against bookCell: BookCell, of player: Player) -> RuleViolation {
        replay.reason(against: bookCell)
    }

    mutating func take(
        _ change: BookChange,
        of book: Book,
        _ differing: inout ScoreboardChange
    ) -> [Cell]? {
        let before = replay
        let touched = replay.update(to: book, change.cells)
        differing.arePanelsDifferent = true
        // Deals are hidden or read, and gains named by the turns of their games.
        differing.isWhole =
            replay.beginnings != before.beginnings || replay.shownDeal != before.shownDeal
        return touched
    }

    /// What is wrong with who plays.
    private static func crowd(_ terms: SmashUpTerms, _ book: Book) -> [Flag] {
        terms.sheet.violation(ofCrowd: terms.present.count, in: book)
            .map { [Flag(.game, $0)] } ?? []
    }

    /// What is wrong with names and options.
    private static func flags(_ terms: SmashUpTerms) -> [Flag] {
        let twins = SmashUpReplay.twins(among: terms.present.map { terms.players[$0] })
        let names = twins.map { twin in
            Flag(.player(twin.id), SmashUpWording.sameName(twin.name).violation)
        }
        let factions = Set(terms.sheet.factions.map { Flag.Subject.option($0.option) })
        let settings = terms.form.settings.flags.filter { !factions.contains($0.subject) }
        return names + settings + terms.choice.flags
    }

    /// The turns of gains, counted from 1 in each game, and deals with the names of the factions.
    func words(in book: Book) -> GameWords {
        let names = SmashUpNames(replay, in: book)
        return GameWords(
            cell: { names.name(of: $0) },
            value: { names.words(of: $0) },
            isOfTable: { SmashUpNames.isOfTable($0) }
        )
    }

    /// The deal, revealed where it was: the same players with the same factions, without those who
    /// left.
    func carriedOver(from book: Book) -> Played {
        let present = book.players.filter(\.isPresent).map(\.id)
        guard let deal = replay.deal?.deal.dealt(to: present),
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
