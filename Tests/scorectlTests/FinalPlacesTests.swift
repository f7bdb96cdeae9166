import SessionCRDT
import SyncProtocol
import TerminalText
import Testing

@testable import scorectl

@Suite("The final places of a game")
struct FinalPlacesTests {
    /// Four players of whom two share the second place, and one who was removed.
    private var over: ShowReply {
        func player(_ name: String, _ seat: Int, _ total: Int64, _ rank: Int?) -> ShownPlayer {
            let isRemoved = rank == nil && total > 0
            var player = Sample.player(
                name,
                seat: seat,
                [Sample.cell(1, total)],
                rank: rank,
                removed: isRemoved
            )
            player.winner = rank == 1
            return player
        }
        var show = Sample.show(
            [
                player("Ann", 1, 21, 2), player("Bob", 2, 21, 2), player("Dee", 3, 6, nil),
                player("Eve", 4, 0, nil), player("Cem", 5, 160, 1), player("Fay", 6, 3, 4),
            ],
            rounds: 1
        )
        show.document.finished = true
        show.document.session.status = "finished"
        return show
    }

    private func lines(_ show: ShowReply, columns: Int = 80) -> [String] {
        SheetPage(show: show, form: PageFormat(columns: columns), now: Sample.now).lines.map(\.text)
    }

    @Test(
        "come first, from the best to the last, with shared ranks marked and removed players last"
    )
    func places() {
        #expect(
            Array(lines(over).prefix(11)) == [
                "Friday · Rounds · finished · ★ Cem has won", "", "  Final places",
                "  Place  Player  Total",
                "      1  Cem       160★", "      2  Ann        21   shared",
                "      2  Bob        21   shared, you", "      4  Fay         3",
                "      –  Eve         0", "      –  Dee         6   removed", "",
            ]
        )
    }

    @Test("list teams with their totals and members")
    func teams() {
        var show = over
        show.document.teams = [
            ShownTeam(
                name: "Reds",
                total: 181,
                rank: 1,
                winner: true,
                players: ["id-Ann", "id-Cem"]
            ),
            ShownTeam(name: "Blues", total: 21, rank: 2, winner: false, players: ["id-Bob"]),
        ]
        for (index, rank) in [(0, 1), (1, 2), (5, 3)] {
            show.document.players[index].rank = rank
        }
        #expect(
            FinalPlaces(show: show, page: PageFormat(columns: 80)).lines.map(\.text) == [
                "  Final places", "  Place  Team   Total",
                "      1  Reds     181★  Ann 21, Cem 160", "      2  Blues     21   Bob 21 you",
                "      3  Fay        3", "      –  Eve        0", "      –  Dee        6   removed",
            ]
        )
    }

    @Test("go by the place and not by the total, which may be best when it is lowest")
    func lowest() {
        var show = over
        for (index, rank) in [(0, 1), (1, 1), (4, 4), (5, 3)] {
            show.document.players[index].rank = rank
        }
        let names = FinalPlaces(show: show, page: PageFormat(columns: 80, isUnicode: true)).lines
            .dropFirst(2)
            .compactMap { $0.text.split(separator: " ").dropFirst().first }
        #expect(names == ["Ann", "Bob", "Fay", "Cem", "Eve", "Dee"])
    }

    @Test("are missing before the game is over, and if no one is ranked")
    func none() {
        var open = over
        open.document.finished = false
        var empty = over
        for index in empty.document.players.indices { empty.document.players[index].rank = nil }
        for show in [open, empty] {
            #expect(!lines(show).contains { $0.contains("Final places") })
        }
    }

    @Test("appear once above the board, with the pieces of the players")
    func board() {
        var show = Sample.game([.board(Sample.board)])
        show.document.finished = true
        show.document.turn = nil
        show.document.players[0].rank = 2
        show.document.players[1].rank = 1
        show.document.players[1].winner = true
        let page = lines(show)
        let places = page.drop { !$0.contains("Final places") }.prefix(4)
        #expect(
            Array(places) == [
                "  Final places", "  Place  Player  Discs",
                "      1  Bob         3★  you, ○ white", "      2  Ann         5   ● black",
            ]
        )
        #expect(page.count { $0.contains("black") } == 1, "\(page)")
    }
}
