import ScoreSheets
import SessionCRDT
import Testing

@Suite("Panels of a darts match")
struct DartsPanelsTests {
    @Test("a leg in progress: the thrower, points left, checkouts, every visit")
    func leg() throws {
        var game = try DartsTable("Ann", "Bob", legs: 3)
        try game.play(all: "180", "100", "180", "T20 T20 S1", "26/2", "bull bull bull", "100", "45")
        try game.play("S5 MISS T20")
        let visits = Panel.Grid(
            title: "Visits: turn (as in visit.9), points/darts, left",
            columns: ["Ann", "Bob"],
            rows: [
                Panel.GridRow("", ["1:   180  321", "2:   100  401"]),
                Panel.GridRow("", ["3:   180  141", "4:   121  280"]),
                Panel.GridRow("", ["5:  26/2  115", "6:   150  130"]),
                Panel.GridRow("", ["7:   100   15", "8:    45   85"]),
                Panel.GridRow("", ["9:  bust   15", ""]),
            ]
        )
        #expect(
            game.panels == [
                .table(
                    Panel.Grid(
                        title: "Leg 1, best of 3 legs, 501 double out",
                        columns: ["Left", "Last", "Average", "Darts", "Legs", "Checkout"],
                        rows: [
                            Panel.GridRow(
                                "  Ann",
                                ["15", "26/2 100 bust", "104.14", "14", "0", "S7 D4"]
                            ),
                            Panel.GridRow(
                                "> Bob",
                                ["85", "121 150 45", "104.00", "12", "0", "T19 D14"]
                            ),
                        ]
                    )
                ),
                .table(visits),
            ]
        )
        #expect(game.standings.told == ["Bob to throw, 85 left: T19 D14"])
    }

    @Test("a new leg still shows the result of the last one")
    func next() throws {
        var game = try DartsTable("Ann", "Bob", start: 60, legs: 3)
        try game.play(all: "20", "20 D20")
        #expect(
            game.panels == [
                .table(
                    Panel.Grid(
                        title: "Leg 2, best of 3 legs, 60 double out",
                        columns: ["Left", "Last", "Average", "Darts", "Legs", "Checkout"],
                        rows: [
                            Panel.GridRow("  Ann", ["60", "", "", "0", "0", "S20 D20"]),
                            Panel.GridRow("> Bob", ["60", "", "", "0", "1", "S20 D20"]),
                        ]
                    )
                ),
                .table(
                    Panel.Grid(
                        title: "Visits of leg 1: turn (as in visit.2), points/darts, left",
                        columns: ["Ann", "Bob"],
                        rows: [Panel.GridRow("", ["1:    20  40", "2:  60/2   0"])]
                    )
                ),
                .table(
                    Panel.Grid(
                        title: "Legs",
                        columns: ["Won by", "Darts", "Out", "Average"],
                        rows: [Panel.GridRow("Leg 1", ["Bob", "2", "60", "90.00"])]
                    )
                ),
            ]
        )
        #expect(
            game.standings.told == [
                "Bob won leg 1 with 2 darts, 60 out", "Bob to throw, 60 left: S20 D20",
            ]
        )
    }

    @Test("after the end the last leg stays, without checkouts")
    func over() throws {
        var game = try DartsTable("Ann", "Bob", start: 60)
        game.set("sets", .integer(1))
        try game.play(all: "20", "20 D20")
        #expect(
            game.panels.first
                == .table(
                    Panel.Grid(
                        title: "Leg 1, 60 double out",
                        columns: ["Left", "Last", "Average", "Darts", "Legs", "Checkout"],
                        rows: [
                            Panel.GridRow("  Ann", ["40", "20", "20.00", "3", "0", ""]),
                            Panel.GridRow("  Bob", ["0", "60/2", "90.00", "2", "1", ""]),
                        ]
                    )
                )
        )
        #expect(game.standings.told == ["Bob won leg 1 with 2 darts, 60 out"])
    }

    @Test("visits have the numbers of their cells, and a mark where devices differ")
    func numbers() throws {
        var game = try DartsTable("Ann", "Bob", start: 60, legs: 3)
        try game.play(all: "20 20 1", "60", "0", "D20 0 1", "0", "17")
        game.table.conflict(1, "visit", 4, to: .text("26"), .text("41"))
        guard case .table(let grid) = game.panels[1] else {
            Issue.record("no visits")
            return
        }
        #expect(grid.title == "Visits: turn (as in visit.6), points, left")
        #expect(
            grid.rows == [
                Panel.GridRow("", ["4:  41*  19", "3:   0   60"]),
                Panel.GridRow("", ["6:  17    2", "5:   0   60"]),
            ]
        )
        let named = try ScoreParser(try builtIn("darts")).cell("visit.4", of: player(1))
        #expect(game.table.cell(1, "visit", 4) == named)
    }

    @Test("every panel fits in 80 columns, for any number of players and visits")
    func narrow() throws {
        var game = try DartsTable(
            "Alexandra-Maria",
            "Bob",
            "Cid",
            "Dan",
            "Eve",
            "Fay",
            "Gus",
            start: 1001,
            legs: 5,
            sets: 3
        )
        for _ in 0..<(7 * 30) { try game.play("T1 T1 D1") }
        #expect(game.panels.count == 3)
        #expect(Set(game.panels).count == 3)
        for panel in game.panels {
            guard case .table(let grid) = panel else { continue }
            #expect(grid.rows.count <= 20)
            let label = grid.rows.map(\.label.count).max() ?? 0
            let widths = grid.columns.indices.map { place in
                ([grid.columns[place]] + grid.rows.map { $0.cells[place] }).map(\.count).max() ?? 0
            }
            #expect(label + widths.reduce(2) { $0 + $1 + 2 } <= 80)
            #expect(grid.rows.allSatisfy { $0.cells.count == grid.columns.count })
        }
    }
}
