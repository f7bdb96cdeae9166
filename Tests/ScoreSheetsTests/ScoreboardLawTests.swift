import ScoreSheets
import SessionCRDT
import SyncTestKit
import Testing

@Suite("The law of the kept scoreboard, on random histories")
struct ScoreboardLawTests {
    private static let games = SheetLibrary.builtIn.sheets.map(\.id.description)

    @Test("updated change by change it equals the one from scratch", arguments: games)
    func builtIn(game: String) throws {
        let sheet = try SheetLibrary.builtIn.sheet(named: game)
        let other = try SheetLibrary.builtIn.sheet(named: "rounds")
        // Sheets of rows differ in what they say, and less in what they do.
        for seed in Seeds.below(sheet.gameEngine == .rows ? 1 : 4) {
            expectLaw(seed, sheet, or: other, steps: 50)
        }
    }

    @Test("the same with foreign sheets", arguments: Seeds.below(60))
    func strangers(seed: UInt64) throws {
        var stranger = Stranger(seed: seed)
        let sheet = try Sheet(json: stranger.sheet())
        expectLaw(seed, sheet, or: try Sheet(json: stranger.sheet()), steps: 40)
    }

    private func expectLaw(_ seed: UInt64, _ sheet: Sheet, or other: Sheet, steps: Int) {
        var history = ScoreboardHistory(seed: seed, sheet, or: other)
        for step in 0..<steps {
            let place = "seed \(seed) of \(sheet.id), step \(step)"
            let before = history.board
            let change = history.step()
            expectEqual(history.board, history.fromScratch, place)
            expectCovered(change, before, history.board, place)
        }
        expectEqual(history.inAnotherOrder(), history.fromScratch, "seed \(seed), another order")
    }

    private func expectEqual(_ kept: Scoreboard, _ scratch: Scoreboard, _ place: String) {
        #expect(kept.header == scratch.header, "\(place)")
        #expect(kept.players == scratch.players, "\(place)")
        #expect(kept.devices == scratch.devices, "\(place)")
        #expect(kept.book == scratch.book, "\(place)")
        #expect(kept.sheet == scratch.sheet, "\(place)")
        #expect(kept.conflicts == scratch.conflicts, "\(place)")
        #expect(kept.isBlank == scratch.isBlank, "\(place)")
        let (one, two) = (kept.standings, scratch.standings)
        // The standings of rows are also what the rules alone say of the book.
        #expect(one == two, "\(place)")
        #expect(one?.outcomes == two?.outcomes, "\(place)")
        #expect(kept.game?.panels == scratch.game?.panels, "\(place)")
        for line in two?.players ?? [] {
            for scored in line.cells {
                let cell = scored.bookCell.cell
                #expect(line.cells.cell(of: cell.row, in: cell.round) == scored, "\(place)")
            }
        }
        guard let words = kept.game?.words(in: kept.book),
            let others = scratch.game?.words(in: scratch.book)
        else { return }
        for scored in two?.players.flatMap(\.cells) ?? [] {
            let cell = scored.bookCell.cell
            let score = Score(cell, scored.bookCell.value)
            #expect(words.cell(cell) == others.cell(cell), "\(place)")
            #expect(words.value(score) == others.value(score), "\(place)")
        }
    }

    /// Expects that whatever differs is told.
    private func expectCovered(
        _ change: ScoreboardChange,
        _ before: Scoreboard,
        _ after: Scoreboard,
        _ place: String
    ) {
        guard !change.isWhole else { return }
        #expect(before.header == after.header && before.devices == after.devices, "\(place)")
        #expect(before.players == after.players, "\(place)")
        guard let old = before.standings, let new = after.standings else { return }
        #expect(old.players.map(\.player) == new.players.map(\.player), "\(place)")
        for (old, new) in zip(old.players, new.players) {
            let differing = difference(old.cells, new.cells)
            #expect(differing.isSubset(of: change.cells), "\(place)")
        }
        let isOtherEnd = old.isFinished != new.isFinished
        for (line, other) in zip(old.players, new.players) {
            let isOther =
                line.total != other.total || line.rank != other.rank
                || line.tieBreak != other.tieBreak || line.computed != other.computed
                || old.winners.contains(line.player.id) != new.winners.contains(line.player.id)
            if isOther { #expect(change.lines.contains(line.player.id), "\(place)") }
        }
        if isOtherEnd { #expect(change.isEndDifferent, "\(place)") }
        if old.turn != new.turn { #expect(change.isOtherTurn, "\(place)") }
        if old.flags != new.flags { #expect(change.areFlagsDifferent, "\(place)") }
        if old.notes != new.notes { #expect(change.areNotesDifferent, "\(place)") }
        if before.game?.panels != after.game?.panels {
            #expect(change.arePanelsDifferent, "\(place)")
        }
        #expect(old.totalLabel == new.totalLabel, "\(place)")
    }

    /// The cells that are shown otherwise, or came or went.
    private func difference(_ before: ScoredCells, _ after: ScoredCells) -> Set<Cell> {
        Set(Set(before).symmetricDifference(after).map(\.bookCell.cell))
    }

    @Test("a score of a player who is known to play restarts nothing and changes two lines at most")
    func exact() throws {
        let sheet = try SheetLibrary.builtIn.sheet(named: "rounds")
        var live: [Key: LiveSet] = [:]
        var writes: UInt64 = 0
        func entry(_ value: Value) -> LiveSet {
            writes += 1
            let dot = Dot(actor: ActorID(high: 0, low: 1), sequence: writes)
            return LiveSet(
                Entry(
                    dot: dot,
                    stamp: Stamp(bits: writes),
                    author: DeviceID(high: 0, low: 1),
                    value: value
                )
            )
        }
        live[.session(Field.game)] = entry(.text("rounds"))
        for number in 1...UInt64(3) {
            for mutation in Mutation.add(player(number), name: "P\(number)") {
                live[mutation.key] = entry(mutation.value)
            }
        }
        let finder: Scoreboard.SheetFinder = { (_: SessionHeader) throws(SheetError) in sheet }
        var board = Scoreboard(live, findingSheet: finder)
        func score(_ number: UInt64, _ round: UInt32, _ points: Int64) -> ScoreboardChange {
            let cell = Cell(player: player(number), row: Symbol(known: "round"), round: round)
            let changes = Mutation.score(cell, .integer(points)).map { mutation in
                let after = entry(mutation.value)
                defer { live[mutation.key] = after }
                return KeyChange(key: mutation.key, before: live[mutation.key], after: after)
            }
            return board.apply(changes, findingSheet: finder)
        }
        _ = score(1, 1, 10)
        _ = score(2, 1, 5)
        var expected = ScoreboardChange()
        expected.cells = [Cell(player: player(1), row: Symbol(known: "round"), round: 2)]
        expected.lines = [player(1)]
        #expect(score(1, 2, 10) == expected)
        // Overtaken, so that the other's line differs too.
        expected.cells = [Cell(player: player(2), row: Symbol(known: "round"), round: 2)]
        expected.lines = [player(1), player(2)]
        #expect(score(2, 2, 30) == expected)
    }
}
