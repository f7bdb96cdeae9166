import ScoreSheets
import SessionCRDT
import SyncProtocol
import SyncTestKit
import Testing

@testable import scoresyncd

@Suite("Events of watchers")
struct SentSheetTests {
    private static let seeds = Seeds.below(8)

    /// Somebody who applies what is told, and the table that it is told of.
    private struct Telling {
        let table: WatchedTable
        private(set) var shown: ShowReply
        private(set) var changes = 0
        private var told: SentSheet

        init(_ table: WatchedTable) throws {
            self.table = table
            shown = try table.show
            told = SentSheet(try SheetRendering(table), in: table)
        }

        mutating func send(_ change: ScoreboardChange) throws {
            if let news = try told.change(change, in: table) {
                shown.apply(news)
                changes += 1
            } else {
                shown = try table.show
                told = SentSheet(try SheetRendering(table), in: table)
            }
        }
    }

    /// Every coded game and some sheets of rows for each seed, all for any four after each other.
    private func sheets(_ seed: UInt64) -> [Sheet] {
        SheetLibrary.builtIn.sheets.enumerated().filter { index, sheet in
            sheet.gameEngine != .rows || index % 4 == Int(seed % 4)
        }.map(\.element)
    }

    @Test("a snapshot and all changes after it are the snapshot of that moment", arguments: seeds)
    func law(seed: UInt64) throws {
        for sheet in sheets(seed) {
            let table = WatchedTable(sheet, players: 4, seed: seed)
            var watcher = try Telling(table)
            var before = watcher.shown
            for step in 0..<40 {
                let header = table.board.header
                _ = table.apply(table.write())
                let now = try table.show
                var change = ShownDifference.change(from: before, to: now)
                // Options may change which rows there are.
                change.isWhole = change.isWhole || header != table.board.header
                try watcher.send(change)
                let place = try ShownDifference.place(in: watcher.shown, and: now)
                #expect(place == nil, "\(sheet.id), step \(step)")
                guard place == nil else { return }
                before = now
            }
            #expect(watcher.changes > 10, "\(sheet.id)")
        }
    }

    @Test("the difference that a scoreboard reports is complete", arguments: seeds)
    func exact(seed: UInt64) throws {
        for sheet in sheets(seed) {
            let table = WatchedTable(sheet, players: 4, seed: seed)
            var watcher = try Telling(table)
            for step in 0..<40 {
                try watcher.send(table.apply(table.write()))
                let place = try ShownDifference.place(in: watcher.shown, and: try table.show)
                #expect(place == nil, "\(sheet.id), step \(step)")
                guard place == nil else { return }
            }
        }
    }

    @Test("nothing is sent without a visible difference")
    func nothing() throws {
        let table = WatchedTable(try rounds, players: 2, seed: 1)
        var told = SentSheet(try SheetRendering(table), in: table)
        #expect(try told.change(ScoreboardChange(), in: table)?.isEmpty == true)
        var change = ScoreboardChange()
        change.lines = [table.player(0), table.player(1)]
        change.areFlagsDifferent = true
        change.areNotesDifferent = true
        #expect(try told.change(change, in: table)?.isEmpty == true)
        table.localContext.unsynced = 1
        var news = ShowChange()
        news.context.unsynced = 1
        #expect(try told.change(ScoreboardChange(), in: table) == news)
        #expect(try told.change(ScoreboardChange(), in: table)?.isEmpty == true)
    }

    @Test("a score sends its cell, its player's column and the row of its table")
    func score() throws {
        let table = WatchedTable(try rounds, players: 2, seed: 1)
        var told = SentSheet(try SheetRendering(table), in: table)
        let cell = Cell(player: table.player(1), row: Symbol(known: "round"), round: 2)
        _ = table.apply([table.put(.cell(cell), .integer(7))])
        var change = ScoreboardChange()
        change.cells = [cell]
        change.lines = [cell.player]
        let news = try #require(try told.change(change, in: table))
        let player = try #require(news.document.players?.first)
        #expect(news.document.players?.count == 1 && news.document.turn == nil)
        #expect(player.name == "Player 1" && player.total == 7 && player.winner == nil)
        #expect(player.rank == ExplicitNull(wrappedValue: 1))
        #expect(player.cells?.map(\.value) == [.integer(7)])
        #expect(news.context.rows?.map(\.label) == ["Round 1", "Round 2"])
        #expect(news.context.leaders == [cell.player.description])
        _ = table.apply([table.put(.cell(cell), .null)])
        let cleared = try #require(try told.change(change, in: table))
        let place = ShownPosition(row: "round", round: 2)
        #expect(cleared.document.players?.first?.cleared == [place])
        #expect(cleared.document.players?.first?.rank == ExplicitNull(wrappedValue: nil))
        #expect(cleared.context.gone == [ShownPosition(row: "round", round: 1), place])
    }

    @Test("a change that needs a snapshot requests one", arguments: [Field.title, Field.status])
    func whole(field: Symbol) throws {
        let table = WatchedTable(try rounds, players: 2, seed: 1)
        var told = SentSheet(try SheetRendering(table), in: table)
        _ = table.apply([table.put(.session(field), .text("finished"))])
        var change = ScoreboardChange()
        change.areNotesDifferent = true
        #expect(try told.change(change, in: table) == nil)
        #expect(try told.change(.whole, in: table) == nil)
    }

    private var rounds: Sheet {
        get throws { try SheetLibrary.builtIn.sheet(named: "rounds") }
    }
}
