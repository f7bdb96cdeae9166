import ControlSocket
import FoundationEssentials
import LaptopKit
import SyncProtocol
import Testing

/// One play as BG Stats reads it, by its page “Push plays to BG Stats from other apps or websites”
/// and by what programs report that hand over plays.
///
/// A truth value that is missing, an id of BoardGameGeek that is a text, or a date of another form
/// makes the app fail; here they make decoding fail.
private struct ImportedPlay: Decodable, Equatable {
    struct Game: Decodable, Equatable {
        let name: String
        let sourceGameId: String
        let bggId: Int?
        let highestWins: Bool
        let noPoints: Bool
    }

    struct Player: Decodable, Equatable {
        let name: String
        let sourcePlayerId: String
        let startPlayer: Bool
        let winner: Bool
        let role: String?
        let team: String?
        let rank: Int?
        let score: Double?
    }

    let sourceName: String
    let sourcePlayId: String
    let playDate: String
    let durationMin: Int?
    let comments: String?
    let game: Game
    let players: [Player]

    init(line: some StringProtocol) throws {
        self = try JSONDecoder().decode(Self.self, from: Data(line.utf8))
        let form = /\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/
        try #require(playDate.wholeMatch(of: form) != nil, "\(playDate)")
        try #require(!sourceName.isEmpty && !sourcePlayId.isEmpty && !game.name.isEmpty)
        try #require(game.bggId.map { $0 > 0 } ?? true)
        try #require(Set(players.map(\.sourcePlayerId)).count == players.count)
        try #require(players.count(where: \.startPlayer) == 1)
    }

    var names: [String] { players.map(\.name) }
    var winners: [String] { players.filter(\.winner).map(\.name) }
}

@Suite("Exports for BG Stats", .timeLimit(.minutes(10)))
struct PlayExportTests {
    private let ann: Laptop

    init() throws {
        ann = try Laptop("ann-laptop")
        try ann.start("--no-discovery")
    }

    private func begin(_ game: String, _ names: String..., options: [String] = []) throws {
        try ann.run(["session", "new", game] + names.flatMap { ["--player", $0] } + options)
    }

    private func play() throws -> ImportedPlay {
        try ImportedPlay(line: try ann.run("export", "--format", "bgstats"))
    }

    @Test("Everybody at the table is a player, also who entered nothing, in the order of the seats")
    func everybody() throws {
        try begin("azul", "Ann", "Bob", "Cem")
        try ann.run("player", "remove", "Cem")
        try ann.run("score", "Bob", "points.1=7", "floor.1=0")
        try ann.run("session", "finish", "--yes")
        let play = try play()
        #expect(play.names == ["Ann", "Bob"])
        #expect(play.winners == ["Bob"])
        #expect(play.players.map(\.startPlayer) == [true, false])
        #expect(play.players.map(\.score) == [nil, 7])
        #expect(play.players.map(\.rank) == [nil, 1])
        let game = play.game
        #expect(game.name == "Azul" && game.sourceGameId == "azul" && game.bggId == 230_802)
        #expect(game.highestWins && !game.noPoints)
    }

    @Test("The date is the end in UTC, wherever the laptop is")
    func date() throws {
        try begin("rounds", "Ann", "Bob")
        for (name, score) in [("Ann", "7"), ("Bob", "9")] { try ann.run("score", name, score) }
        try ann.run("session", "finish", "--yes")
        let result = try #require(try ann.read(ResultsReply.self, "results").items.first)
        let utc = try #require(result.at).description.prefix(19).replacing("T", with: " ")
        for zone in ["UTC", "Asia/Tokyo", "America/New_York"] {
            let words = ["export", "--format", "bgstats"]
            let outcome = try ann.begin(words, adding: ["TZ=\(zone)"]).outcome()
            #expect(try ImportedPlay(line: outcome.output).playDate == utc, "\(zone)")
        }
        #expect(try play().game.bggId == nil)
    }

    @Test("The sheet says whether the highest total wins, even if all totals are equal")
    func lowest() throws {
        try begin("golf", "Ann", "Bob")
        for name in ["Ann", "Bob"] { try ann.run("score", name, "strokes.1=5") }
        try ann.run("session", "finish", "--yes")
        var play = try play()
        #expect(!play.game.highestWins && play.winners == ["Ann", "Bob"])
        try begin("golf", "Ann", "Bob", options: ["--option", "scoring=stableford"])
        for name in ["Ann", "Bob"] { try ann.run("score", name, "strokes.1=5") }
        try ann.run("session", "finish", "--yes")
        play = try self.play()
        #expect(play.game.highestWins)
    }

    @Test("A game that was won without points has none, and names its winners and teams")
    func withoutPoints() throws {
        try begin("rounds", "Ann", "Bob", "Cem")
        try ann.run("player", "team", "Reds", "Ann", "Cem")
        try ann.run("session", "finish", "--winner", "Reds", "--yes")
        let play = try play()
        #expect(play.game.noPoints && play.players.allSatisfy { $0.score == nil })
        #expect(play.winners == ["Ann", "Cem"])
        #expect(play.players.map(\.team) == ["Reds", nil, "Reds"])
    }

    @Test("A game that was left is exported as far as it is remembered")
    func left() throws {
        try begin("phase-10", "Ann", "Bob")
        try ann.run("session", "finish", "--winner", "Bob", "--yes")
        try ann.run("session", "leave", "--yes")
        let play = try ImportedPlay(line: try ann.run("export", "--all", "--format", "bgstats"))
        #expect(play.names == ["Ann", "Bob"] && play.winners == ["Bob"])
        #expect(play.game.bggId == 1258)
    }

    @Test("A match is one play, whose winner has the better score")
    func match() throws {
        try begin("darts", "Ann", "Bob", options: ["--option", "start=101"])
        for visit in ["81", "60", "20"] { try ann.run("play", visit) }
        let play = try play()
        #expect(play.winners == ["Ann"] && play.game.highestWins)
        #expect((play.players[0].score ?? 0) > (play.players[1].score ?? 0))
    }

    @Test("A link hands over the same play, whatever people are called")
    func link() throws {
        try begin("rounds", "Änn & Söhne", "Bob %41+1#")
        try ann.run("score", "Änn & Söhne", "7")
        try ann.run("session", "finish", "--yes")
        let link = try ann.run("export", "--link").split(separator: "\n")
        #expect(link.count == 1)
        let url = try #require(URLComponents(string: String(link[0])))
        #expect(url.scheme == "https" && url.host == "app.bgstatsapp.com")
        #expect(url.path == "/createPlay.html" && url.fragment == nil)
        try #require(url.queryItems?.map(\.name) == ["data"])
        let json = try #require(url.queryItems?[0].value)
        #expect(try ImportedPlay(line: json) == play())
        #expect(try play().names == ["Änn & Söhne", "Bob %41+1#"])
        #expect(try ann.attempt("export", "--link", "--format", "csv").status == 2)
    }

    @Test(
        "A terminal shows the latest play as a QR code, if it is wide enough",
        .enabled(if: TerminalWindow.isPossible, Comment(rawValue: TerminalWindow.need))
    )
    func code() throws {
        #expect(try ann.attempt("export", "--qr", "play.jsonl").status == 2)
        try begin("rounds", "Ann", "Bob")
        #expect(try ann.attempt("export", "--qr").status == 4)
        try ann.run("score", "Ann", "7")
        try ann.run("session", "finish", "--yes")
        #expect(try ann.attempt("export", "--qr").status == 2)
        let window = try TerminalWindow(columns: 130, rows: 70)
        let program = try Programs.path(of: "scorectl")
        let command = "clear; \(program) --no-spawn --home \(ann.home) export --qr"
        try window.type(command)
        try window.press("Enter")
        // The upper edges of the two finder patterns.
        let edge = "█▀▀▀▀▀█"
        try window.awaitScreen("a code") { lines in
            lines.contains { line in
                let code = line.drop { $0 == " " }
                return code.count > 80 && code.hasPrefix(edge) && code.hasSuffix(edge)
            }
        }
        try window.resize(columns: 60, rows: 30)
        try window.type(command)
        try window.press("Enter")
        try window.awaitText("columns wide, and this")
    }
}
