import SessionCRDT
import SyncProtocol
import TerminalText
import Testing

@testable import scorectl

@Suite(.timeLimit(.minutes(10)))
struct PeopleCommandTests {
    @Test("Before something is lost it asks, and does it only after a yes", arguments: 0..<4)
    func asks(which: Int) throws {
        let words = [
            ["session", "new", "--again"], ["stats", "reset", "darts"], ["session", "leave"],
            ["games", "remove", "tichu"],
        ][which]
        let question =
            [
                "The leg in progress will not count. Go on?",
                "Let leaders and statistics of Darts start anew on this laptop?",
                "2 of your scores are on no other laptop and would be lost. Leave all the same?",
                "Remove “Tichu”?",
            ][which]
        let home = try TemporaryHome()
        let daemon = try FakeDaemon(home: home)
        let harness = Harness(home)
        let script = harness.run(words)
        #expect(script.status == 2 && script.output == "", "\(script)")
        #expect(script.errors.contains(question) && script.errors.contains("--yes"))
        for answer in [nil, "", "n", "no", "yesterday"] {
            let no = harness.run(words, input: answer, adjust: { $0.isInputTerminal = true })
            #expect(no.status == 1 && no.output == "", "\(no)")
            #expect(no.errors == "\(question) [y/N] scorectl: nothing was changed\n")
        }
        #expect(daemon.calls.allSatisfy { !$0.contains("token") })
        let count = daemon.calls.count
        let yes = harness.run(words, input: " Yes ", adjust: { $0.isInputTerminal = true })
        #expect(yes.status == 0 && yes.errors.hasPrefix("\(question) [y/N] "), "\(yes)")
        #expect(daemon.calls.count == count + 2)
        #expect(daemon.calls.last?.contains(#""token":"t""#) == true)
        if which == 1 {
            #expect(
                yes.output == "Reset the leaders and statistics of 12 results, still listed by "
                    + "'results'.\n"
            )
        }
        // With --json no question is asked either.
        let json = harness.run(words + ["--json"], adjust: { $0.isInputTerminal = true })
        #expect(json.status == 2)
    }

    @Test("People, leaders, statistics and results are tables")
    func tables() throws {
        let home = try TemporaryHome()
        let daemon = try FakeDaemon(home: home)
        let harness = Harness(home)
        #expect(
            harness.run(["people", "shuffle"]).output == """
                Cem starts.
                Seat  Person
                   1  Cem
                   2  Ann
                   –  Bob

                """
        )
        #expect(
            harness.run(["leaders"]).output == """
                Darts
                  Place  Player           Wins  of legs
                      1  Ann                 3        5
                      2  Robo (computer)     2        4

                Ghost
                  No wins yet.

                """
        )
        #expect(
            harness.run(["stats"]).output == """
                Darts · since 2026-11-21
                                        Ann  Bob
                  Three-dart average  75.15    –
                  Legs won                3    0

                """
        )
        // In a narrow terminal one below the other.
        let narrow = harness.run(["stats"], columns: 28, variables: ["NO_COLOR": "1"]).output
        #expect(narrow.split(separator: "\n").count == 8, "\(narrow)")
        #expect(
            harness.run(["results"]).output == """
                Ended       Game   Title      Players
                2026-11-21  Darts  Friday #2  Robo (computer) 9★, Ann 4
                2026-11-21  Darts  Friday #1  Ann 12★, Bob 12★

                """
        )
        withExtendedLifetime(daemon) {}
    }

    @Test("A result lists its players by place, equals in seat order")
    func places() {
        func line(_ name: String, _ total: Points, _ rank: Int?) -> ResultLine {
            ResultLine(id: "id-" + name, name: name, total: total).with {
                $0.rank = rank
                $0.winner = rank == 1
            }
        }
        var result = Sample.results.items[0]
        result.players = [
            line("Eve", 0, nil), line("Ann", -57, 4), line("Bob", 14, 1), line("Cem", 13, 2),
            line("Dee", 13, 2),
        ]
        let names = StatisticsPage.ranking(result).map(\.name)
        #expect(names == ["Bob", "Cem", "Dee", "Ann", "Eve"])
        #expect(StatisticsPage.parts(of: result) == nil)
        let leg = ResultPart(number: 1, players: result.players)
        (result.part, result.parts) = ("leg", [leg])
        #expect(StatisticsPage.parts(of: result) == "1 leg")
        result.parts.append(leg)
        #expect(StatisticsPage.parts(of: result) == "2 legs")
    }

    @Test("A long name leaves room for its remarks")
    func longNames() {
        let name = String(repeating: "Maximilian ", count: 8)
        let ann = PlayerSummary(id: "a", name: name, seat: 1).with { $0.me = true }
        let lines = PlayerCommands.lines([ann]).map(\.text)
        #expect(lines.last?.hasSuffix("…  you") == true, "\(lines)")
        let people = PeopleCommands.lines([PersonSummary(name: name, seat: 1)])
        #expect(people.allSatisfy { $0.width <= 40 }, "\(people.map(\.text))")
    }

    @Test("The next game is printed with notes on standard error, and as JSON without a question")
    func again() throws {
        let home = try TemporaryHome()
        let daemon = try FakeDaemon(home: home)
        let harness = Harness(home)
        let told = harness.run(["session", "new", "--again", "--yes"])
        #expect(
            told.output.hasPrefix("Started Friday (rounds, open, 3 players)\nThe other laptops")
        )
        #expect(told.errors == "Mind the step.\n")
        let json = harness.run(["session", "new", "--again", "--yes", "--json"])
        #expect(json.output.hasPrefix(#"{"notes":["Mind the step."],"schema":1,"session":{"#))
        #expect(json.errors == "")
        withExtendedLifetime(daemon) {}
    }

    @Test("A computer is listed with its laptop and how many moves ahead it looks")
    func computers() {
        func computer(_ name: String, _ seat: Int, here: Bool, depth: Int) -> PlayerSummary {
            PlayerSummary(id: name, name: name, seat: seat).with {
                $0.computer = ComputerSummary(device: "ann-laptop", here: here, depth: depth)
            }
        }
        let players = [
            computer("Robo", 1, here: true, depth: 5), computer("Zed", 2, here: false, depth: 12),
        ]
        #expect(
            PlayerCommands.lines(players).map(\.text) == [
                "Seat  Player", "   1  Robo    a computer on this laptop, depth 5",
                "   2  Zed     a computer on ann-laptop, depth 12",
            ]
        )
    }

    @Test("Players with the same name show their ids, and teams have a column")
    func players() throws {
        let twins = PlayersReply([
            PlayerSummary(id: "aaaabbbbcccc", name: "Ann", seat: 1).with {
                $0.me = true
                $0.team = "Red"
            },
            PlayerSummary(id: "ddddeeeeffff", name: "ann", seat: 2),
            PlayerSummary(id: "0000", name: "Bob", seat: 3).with { $0.removed = true },
        ])
        let lines = PlayerCommands.lines(twins.items).map(\.text)
        #expect(
            lines == [
                "Seat  Player  Team", "   1  Ann     Red   you, aaaabbbb",
                "   2  ann     –     ddddeeee", "   –  Bob     –     removed",
            ]
        )
    }
}
