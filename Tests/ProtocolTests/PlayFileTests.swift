import SessionCRDT
import SyncProtocol
import Testing

@Suite("Files with plays of BG Stats")
struct PlayFileTests {
    private static let people = """
        "players":[{"id":1,"name":"Ann"},{"id":2,"name":" Bob\\u0007 "},{"id":3,"isAnonymous":true}]
        """
    private static let games = """
        "games":[{"id":7,"name":"Azul","bggId":230802,"highestWins":true},
                 {"id":8,"name":"Chess","bggId":0}]
        """

    private func read(_ plays: String) throws -> (plays: [PlayedGame], others: Int) {
        let text = "{\(Self.games),\(Self.people),\"plays\":[\(plays)]}"
        return try #require(try PlayFile.plays(in: Array(text.utf8)))
    }

    /// A play whose fields can be replaced.
    private func play(_ changes: [String: String] = [:]) -> String {
        let fields = [
            "uuid": "\"0F0E0D0C-0B0A-0908-0706-050403020100\"", "gameRefId": "7",
            "playDate": "\"2024-03-09 21:45:10\"", "durationMin": "40", "ignored": "false",
            "usesTeams": "false",
            "playerScores": """
            [{"playerRefId":2,"score":"61","winner":true,"rank":1,"seatOrder":2,"team":"x"},
             {"playerRefId":1,"score":"40+12-3.4","winner":0,"rank":0,"seatOrder":1}]
            """,
        ].merging(changes) { $1 }
        return "{" + fields.map { "\"\($0.key)\":\($0.value)" }.joined(separator: ",") + "}"
    }

    @Test("have the players in seat order, with sums as totals to a half, and the end in UTC")
    func whole() throws {
        let read = try read(play())
        let expected = PlayedGame(
            id: "0f0e0d0c0b0a09080706050403020100",
            game: "Azul",
            at: try #require(Timestamp("2024-03-09T21:45:10.000Z")),
            players: [
                .init(name: "Ann", total: Points(halves: 97), winner: false),
                .init(name: "Bob", total: 61, winner: true).with { $0.rank = 1 },
            ]
        ).with {
            $0.bggId = 230_802
            $0.minutes = 40
        }
        #expect(read.plays == [expected] && read.others == 0)
    }

    @Test("have teams where they are used, and no points, number or length where there are none")
    func sparse() throws {
        let scores = """
            [{"playerRefId":1,"winner":1,"team":"Reds"},{"playerRefId":2,"score":"","team":""}]
            """
        let changes = ["gameRefId": "8", "durationMin": "0", "usesTeams": "1"]
        let play = try #require(
            try read(play(changes.merging(["playerScores": scores]) { $1 })).plays.first
        )
        #expect(play.bggId == nil && play.minutes == nil)
        #expect(play.players.map(\.team) == ["Reds", nil])
        #expect(play.players.map(\.total) == [0, 0])
        #expect(play.players.map(\.winner) == [true, false])
    }

    @Test("leave out what does not count and what is incomplete")
    func others() throws {
        let damaged: [(String, String)] = [
            ("ignored", "true"), ("ignored", "1"), ("uuid", "\"7\""), ("gameRefId", "9"),
            ("playDate", "\"yesterday\""), ("playerScores", "[]"),
            ("playerScores", "[{\"playerRefId\":3}]"), ("playerScores", "7"),
        ]
        for (name, value) in damaged {
            let read = try read(play() + "," + play([name: value]))
            #expect(read.plays.count == 1 && read.others == 1, "\(name) \(value)")
        }
    }

    @Test("are told from other files")
    func foreign() throws {
        for text in ["", "[]", "{}", "{\"plays\":7}", "name\nAnn", "{\"plays\":[}"] {
            #expect(try PlayFile.plays(in: Array(text.utf8)) == nil, "\(text)")
        }
    }
}
