import SessionCRDT

extension SmashUpReplay {
    /// What the book comes to.
    ///
    /// While the game is on, the total is the points. At the end, by the rules or because somebody
    /// finished the session, Madness costs a point for every two cards, and the fewest cards decide
    /// between equals (The Obligatory Cthulhu Set, Smash Up).
    func standings(_ sheet: Sheet, _ book: Book) -> Standings {
        let isSettled = game.isOver || book.isFinished
        let seats = facts.players.indices.filter { facts.players[$0].isPresent }
        let all = seats + facts.players.indices.filter { !facts.players[$0].isPresent }
        let ranks = zip(all, ranks(in: game, among: all, isSettled: isSettled)).map {
            facts.players[$0].isPresent ? $1 : nil
        }
        let ties = isSettled ? tieBreaks(among: seats) : [:]
        let players = all.enumerated().map { index, seat in
            PlayerStanding(
                player: facts.players[seat],
                total: isSettled ? game.total(of: seat) : game.points[seat],
                rank: ranks[index],
                tieBreak: ranks[index] == nil ? nil : ties[seat],
                cells: scored(seat, isSettled: isSettled)
            )
        }
        let choice = FactionChoice(sheet, book)
        return Standings(
            players: players,
            isFinished: isSettled,
            turn: isSettled ? nil : mover.map { facts.players[$0].id },
            flags: flags(all, choice, sheet, book, isSettled: isSettled),
            notes: notes(players, isSettled: isSettled),
            totalLabel: "Points",
            panels: panels(choice, sheet, isSettled: isSettled),
            outcomes: outcomes(isSettled: isSettled)
        )
    }

    /// The places of the players in a game, nil before anything was scored and of those who took no
    /// part.
    private func ranks(in game: SmashUpGame, among seats: [Int], isSettled: Bool) -> [Int?] {
        let isNone = isSettled && flaw(of: game) != nil
        return CompetitionRanking.ranks(
            seats.map { seat in
                guard takesPart(seat, in: game), game.isScored, !isNone else { return nil }
                return isSettled
                    ? [game.total(of: seat), 0 - game.madness[seat]] : [game.points[seat], 0]
            }
        )
    }

    /// What those of an equal total are told.
    private func tieBreaks(among seats: [Int]) -> [Int: String] {
        var words: [Int: String] = [:]
        let equals = Dictionary(grouping: seats) { game.total(of: $0) }
        for (total, equals) in equals where equals.count > 1 {
            let shared = Dictionary(grouping: equals) { game.madness[$0] }
            for (held, sharers) in shared {
                let text =
                    "tied at \(total)" + (shared.count > 1 ? ", Madness \(held)" : "")
                    + (sharers.count > 1 ? ", shared" : "")
                for seat in sharers { words[seat] = text }
            }
        }
        return words
    }

    private func scored(_ seat: Int, isSettled: Bool) -> [ScoredCell] {
        facts.cells[seat].enumerated().map { index, entry in
            let place = SmashUpFacts.Place(player: seat, cell: index)
            return ScoredCell(
                entry,
                points: worth(of: entry, at: place, isSettled: isSettled),
                count: counted[place]?.number
            )
        }
    }

    /// What an entry adds to the total; what belongs to an earlier game adds nothing to this one.
    private func worth(
        of entry: BookCell,
        at place: SmashUpFacts.Place,
        isSettled: Bool
    ) -> Int64? {
        guard let row = SmashUpRow(entry.cell.row), entry.value != .null else { return nil }
        switch row {
        case .points:
            return counted[place].map { $0.game == games.count - 1 ? $0.number : 0 }
        case .madness:
            return counted[place].map { counted in
                let isLast = counted.game == games.count - 1
                return isLast && isSettled ? 0 - game.penalty(of: place.player) : 0
            }
        case .turn, .deal, .reveal: return reasons[place] == nil ? 0 : nil
        }
    }

    private func flags(
        _ seats: [Int],
        _ choice: FactionChoice,
        _ sheet: Sheet,
        _ book: Book,
        isSettled: Bool
    ) -> [Flag] {
        let present = facts.players.filter(\.isPresent)
        let crowd =
            sheet.violation(ofCrowd: present.count, in: book).map { [Flag(.game, $0)] } ?? []
        let names = SmashUpReplay.twins(among: present).map { twin in
            Flag(.player(twin.id), SmashUpWording.sameName(twin.name).violation)
        }
        let factions = Set(sheet.factions.map { Flag.Subject.option($0.option) })
        let settings = Settings(sheet, book).flags.filter { !factions.contains($0.subject) }
        let cells = seats.flatMap { seat in
            facts.cells[seat].enumerated().compactMap { index, entry in
                reasons[SmashUpFacts.Place(player: seat, cell: index)]
                    .map { Flag(.cell(entry.cell), $0) }
            }
        }
        let strays = book.strays.filter { !$0.isEmpty }
            .map { Flag(.cell($0.cell), .unknownPlayer($0.cell.player)) }
        let games = ended(isSettled: isSettled).compactMap(flaw).map { Flag(.game, $0.violation) }
        return crowd + games + names + settings + choice.flags + cells + strays
    }

    /// The players whose name somebody before them has, whatever the case.
    static func twins(among players: [Player]) -> [Player] {
        var names: Set<String> = []
        return players.filter { !names.insert($0.name.lowercased()).inserted }
    }

    /// The games that ended with enough players.
    private func outcomes(isSettled: Bool) -> [Outcome] {
        let ended = ended(isSettled: isSettled).filter { flaw(of: $0) == nil }
        let present = facts.players.indices.filter { facts.players[$0].isPresent }
        return ended.enumerated().map { index, game in
            // A crowd past every limit must not make an outcome of each game for each of it.
            let active = Set(game.active)
            let known = present.count > Sheet.Limits.dealtPlayers ? active : active.union(present)
            let seats = known.filter { takesPart($0, in: game) }.sorted()
            let ranks = ranks(in: game, among: seats, isSettled: true)
            return Outcome(
                number: index + 1,
                at: game.latest,
                players: seats.enumerated().map { place, seat in
                    PlayerOutcome(
                        player: facts.players[seat].id,
                        name: facts.players[seat].name,
                        isWinner: ranks[place] == 1,
                        rank: ranks[place],
                        total: game.total(of: seat),
                        tally: [
                            Symbol(known: "points"): game.points[seat],
                            Symbol(known: "madness"): game.madness[seat],
                            Symbol(known: "turns"): game.turns,
                        ]
                    )
                }
            )
        }
    }
}
