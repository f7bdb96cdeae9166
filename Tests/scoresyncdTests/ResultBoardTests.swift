import ScoreSheets
import SessionCRDT
import SessionStore
import SyncProtocol
import Testing

@testable import scoresyncd

struct ResultBoardTests {
    private static let board = ResultBoard(
        [
            result(2, at: 20, ("bob", 9, true), ("Ann", 5, false)),
            result(1, at: 10, ("Ann", 7, true), ("Bob", 7, true), ("Cem", 1, false)),
            result(3, at: 30, ("ANN", 4, true)),
            result(4, at: 40, game: "chess", ("Ann", 1, true), ("Dan", 0, false)),
            result(5, at: 50, ("Dan", 3, true), ("Ann", 2, false), computers: ["Ann"]),
        ],
        sheets: Dictionary(
            uniqueKeysWithValues: SheetLibrary.builtIn.sheets.map { ($0.id.description, $0) }
        )
    )

    @Test("Wins are counted by name in any case, ties share a rank, and one player wins nothing")
    func leaders() {
        #expect(Self.board.games == ["chess", "points"])
        let everybody = Self.board.leaders(of: "points", all: true).leaders
        #expect(
            everybody.map { "\($0.place) \($0.name) \($0.wins)/\($0.played)" } == [
                "1 bob 2/2", "2 ANN 1/3", "2 Dan 1/1", "4 Ann 0/1", "4 Cem 0/1",
            ]
        )
        #expect(everybody.map(\.computer) == [false, false, false, true, false])
        let three = Self.board.leaders(of: "points", all: false)
        #expect(three.leaders == Array(everybody.prefix(3)))
        #expect(three.name == "Points" && three.unit == "game")
        #expect(Self.board.leaders(of: "chess", all: false).name == "chess")
        #expect(Self.board.leaders(of: "darts", all: true).leaders == [])
    }

    @Test("Statistics are those of the rules, from when they were reset")
    func statistics() {
        let all = Self.board.statistics(of: "points", since: nil)
        #expect(all.people.map(\.name) == ["ANN", "Ann", "bob", "Cem", "Dan"])
        let ann = all.people[0].statistics
        #expect(ann.map { $0.value ?? "" } == ["3", "1", "7", "4", "5.33"])
        let since = Self.board.since { $0 == "points" ? 20 : nil }
        #expect(since.results.map(\.endedAt) == [30, 40, 50])
        let late = since.statistics(of: "points", since: 20)
        #expect(late.people.map(\.name) == ["ANN", "Ann", "Dan"])
        #expect(late.since == Timestamp(milliseconds: 20))
    }

    @Test("A match is one result with its legs in it, and leaders count both")
    func matches() {
        let players = (ann: ("Ann", Points(501), true), bob: ("Bob", Points(300), false))
        let lost = (ann: ("Ann", Points(300), false), bob: ("Bob", Points(501), true))
        let board = ResultBoard(
            [
                Self.result(1, 1, at: 10, game: "darts", players.ann, players.bob),
                Self.result(1, 2, at: 20, game: "darts", lost.ann, lost.bob),
                Self.result(1, 3, at: 30, game: "darts", players.ann, players.bob),
                Self.result(1, 0, at: 30, game: "darts", ("Ann", 2, true), ("Bob", 1, false)),
                // One that was broken off, and one of a single leg.
                Self.result(2, 1, at: 40, game: "darts", lost.ann, lost.bob),
                Self.result(2, 0, at: 40, game: "darts", ("Ann", 0, false), ("Bob", 1, false)),
                Self.result(3, 1, at: 50, game: "darts", lost.ann, lost.bob),
            ],
            sheets: Dictionary(
                uniqueKeysWithValues: SheetLibrary.builtIn.sheets.map { ($0.id.description, $0) }
            )
        )
        #expect(
            board.summaries.map { result in
                let lines = result.players.map { "\($0.name) \($0.total)\($0.winner ? "*" : "")" }
                return lines + ["\(result.parts.count)"]
            } == [
                ["Ann 300", "Bob 501*", "0"], ["Ann 0", "Bob 1", "1"], ["Ann 2*", "Bob 1", "3"],
            ]
        )
        let leaders = board.leaders(of: "darts", all: false)
        #expect(leaders.unit == "match" && leaders.part == "leg")
        #expect(
            leaders.leaders == [
                Leader(place: 1, name: "Bob", wins: 1, played: 2).with {
                    $0.parts = PartCount(wins: 3, played: 5)
                },
                Leader(place: 2, name: "Ann", wins: 1, played: 2).with {
                    $0.parts = PartCount(wins: 2, played: 5)
                },
            ]
        )
        let statistics = board.statistics(of: "darts", since: nil).people[0].statistics
        #expect(statistics.first { $0.id == "games" }?.value == "5")
    }

    @Test("A leg of darts alone is won for statistics, and no win among leaders")
    func alone() {
        let results = [
            Self.result(1, at: 10, game: "darts", ("Ann", 501, true)),
            Self.result(2, at: 20, game: "darts", ("Ann", 501, true), ("Bob", 400, false)),
        ]
        let board = ResultBoard(
            results,
            sheets: Dictionary(
                uniqueKeysWithValues: SheetLibrary.builtIn.sheets.map { ($0.id.description, $0) }
            )
        )
        let ann = board.statistics(of: "darts", since: nil).people[0].statistics
        func value(_ id: String) -> String? { ann.first { $0.id == id }?.value }
        #expect(value("games") == "2" && value("games-won") == "2")
        #expect(board.leaders(of: "darts", all: true).leaders.map(\.wins) == [1, 0])
    }

    @Test("Statistics of each single game are listed on request, the earliest first")
    func history() throws {
        let ann = Self.board.statistics(of: "points", since: nil, withHistory: true).people[0]
        let history = try #require(ann.history)
        let times = history.compactMap(\.at)
        #expect(times.count == 3 && times == times.sorted { $0.milliseconds < $1.milliseconds })
        #expect(history.map { $0.values[0] } == ["1", "1", "1"])
        let totals = history.compactMap { $0.values[2] }.compactMap { Int($0) }
        #expect(totals.max() == 7 && totals.min() == 4 && totals.reduce(0, +) == 16)
        let without = Self.board.statistics(of: "points", since: nil).people
        #expect(without.allSatisfy { $0.history == nil })
    }

    @Test("Results are listed the latest first, with their winners")
    func summaries() {
        let board = Self.board.filtered(byGame: "points")
        #expect(board.summaries.map { $0.players.map(\.name) }.first == ["Dan", "Ann"])
        #expect(board.summaries.last?.players.map(\.winner) == [true, true, false])
        #expect(board.summaries.count == 4)
    }

    private static func result(
        _ session: UInt64,
        _ number: Int = 1,
        at moment: UInt64,
        game: String = "points",
        _ players: (name: String, total: Points, wins: Bool)...,
        computers: Set<String> = []
    ) -> ResultRecord {
        ResultRecord(
            session: SessionID(high: 0, low: session),
            number: number,
            game: game,
            title: "Friday",
            endedAt: moment,
            players: players.enumerated().map { seat, player in
                ResultPlayer(
                    player: PlayerID(high: session, low: UInt64(seat)),
                    name: player.name,
                    isWinner: player.wins,
                    rank: player.wins ? 1 : 2,
                    total: player.total,
                    isComputer: computers.contains(player.name)
                )
            }
        )
    }
}

struct DeviceMemoryTests {
    @Test("A word list is remembered for its language, and another language has its own")
    func listOfLanguage() throws {
        let ghost = try SheetLibrary.builtIn.sheet(named: "ghost")
        let (language, list) = (Symbol(known: "language"), Symbol(known: "list"))
        var memory = DeviceMemory()
        func recalled(_ chosen: (name: Symbol, value: Value)...) -> [String] {
            memory.options(of: ghost, alongside: chosen).map { "\($0.name)=\(Scalar($0.value))" }
        }
        memory.remember([(list, .text("/english"))], of: ghost, forgettingOthers: false)
        #expect(recalled() == ["list=/english"])
        #expect(recalled((language, .text("english"))) == ["list=/english"])
        #expect(recalled((language, .text("dutch"))) == [])
        // In a session that is played in Dutch, whoever chose that.
        memory.remember(
            [(list, .text("/dutch"))],
            of: ghost,
            in: [(language, .text("dutch"))],
            forgettingOthers: false
        )
        #expect(recalled((language, .text("dutch"))) == ["list=/dutch"])
        #expect(recalled() == ["list=/english"])
        memory.remember([(language, .text("dutch"))], of: ghost, forgettingOthers: true)
        #expect(recalled() == ["language=dutch", "list=/dutch"])
        #expect(recalled((language, .null)) == ["language=dutch", "list=/english"])
        memory.remember([(list, .null)], of: ghost, forgettingOthers: false)
        #expect(recalled() == ["language=dutch"])
    }

    @Test("Remembered choices survive as text, and invalid text is ignored")
    func text() throws {
        let sheet = try SheetLibrary.builtIn.sheet(named: "points")
        let target = Symbol(known: "target")
        var memory = DeviceMemory()
        memory.remember(
            [(target, .integer(50)), (Symbol(known: "wins"), .text("lowest"))],
            of: sheet,
            forgettingOthers: false
        )
        memory.remember([(target, .null)], of: sheet, forgettingOthers: false)
        memory.reset("points", at: .max)
        for number in 0...DeviceMemory.maxLeft {
            memory.leave(SessionID(high: 0, low: UInt64(number)))
        }
        memory.leave(SessionID(high: 0, low: 1))
        #expect(DeviceMemory(memory.text) == memory)
        #expect(memory.options(of: sheet).map { "\($0.name) \($0.value)" }.count == 1)
        #expect(memory.options(of: sheet).first?.value == .text("lowest"))
        #expect(memory.reset(of: "points") == UInt64(Limits.largestInteger))
        #expect(memory.reset(of: "rounds") == nil)
        #expect(!memory.hasLeft(SessionID(high: 0, low: 0)))
        #expect(memory.hasLeft(SessionID(high: 0, low: 1)))
        for text in [nil, "", "{", "[]", "{\"left\":5}"] {
            #expect(DeviceMemory(text) == DeviceMemory())
        }
    }
}
