import ScoreSheets
import SessionCRDT
import Testing

@Suite("What a match of darts shows")
struct DartsPanelsTests {
    @Test("a leg in progress: who throws, what is left and how to finish, every visit")
    func leg() throws {
        var game = try DartsTable("Ann", "Bob", legs: 3)
        try game.play(all: "180", "100", "180", "T20 T20 S1", "26/2", "bull bull bull", "100", "45")
        try game.play(all: "S5 S10 MISS", "85")
        #expect(
            game.standings.panels == [
                .table(
                    Panel.Grid(
                        title: "Leg 1, best of 3 legs, 501 double out",
                        columns: ["Left", "Last", "Average", "Darts", "Legs", "Checkout"],
                        rows: [
                            Panel.GridRow(
                                "> Ann",
                                ["15", "26/2 bust 15", "104.14", "14", "0", "S7 D4"]
                            ),
                            Panel.GridRow("  Bob", ["0", "0", "0", "0", "0", "0"]),
                        ]
                    )
                )
            ]
        )
        #expect(game.standings.notes == [])
    }
}
