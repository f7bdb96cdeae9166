import ControlSocket
import Dispatch
import SyncProtocol
import Synchronization
import TerminalText
import Testing

@testable import scorectl

@Suite("scorectl", .timeLimit(.minutes(10)))
struct ProgramTests {
    @Test(
        "sends every command to the daemon as it was typed",
        arguments: [
            (
                "session new rounds --title T --player A --player B --option low=yes",
                #"session.new {"game":"rounds","options":{"low":"yes"},"#
                    + #""players":["A","B"],"title":"T"}"#
            ),
            (
                "session new rounds --fresh",
                #"session.new {"fresh":true,"game":"rounds","options":{},"players":[]}"#
            ),
            (
                "session new --again --rotate --replay --option a=1 --yes --session S",
                #"session.again {"options":{"a":"1"},"replay":true,"rotate":true,"#
                    + #""session":"S","shuffle":false,"token":"t"}"#
            ),
            (
                "session new --again --shuffle --title T --yes",
                #"session.again {"options":{},"replay":false,"rotate":false,"#
                    + #""shuffle":true,"title":"T","token":"t"}"#
            ),
            ("session list", "session.list {}"),
            ("session show Friday", #"session.show {"session":"Friday"}"#),
            ("session show --session Friday", #"session.show {"session":"Friday"}"#),
            ("session use Friday night", #"session.use {"session":"Friday night"}"#),
            ("session rename Monday", #"session.rename {"title":"Monday"}"#),
            ("session invite --for 5m", #"session.invite {"close":false,"minutes":5}"#),
            ("session invite --for 1.5h", #"session.invite {"close":false,"minutes":90}"#),
            ("session invite --for 90s", #"session.invite {"close":false,"minutes":2}"#),
            ("session invite X --close", #"session.invite {"close":true,"session":"X"}"#),
            ("session option", #"session.option {"words":[]}"#),
            (
                "session option wins=low target=9 --session S",
                #"session.option {"session":"S","words":["wins=low","target=9"]}"#
            ),
            ("games", "game.list {}"),
            ("games list", "game.list {}"),
            ("games search queen spades", #"game.search {"words":["queen","spades"]}"#),
            ("games show", "game.show {}"),
            ("games show tichu", #"game.show {"game":"tichu"}"#),
            ("games show --session Friday", #"game.show {"session":"Friday"}"#),
            ("games export tichu", #"game.show {"game":"tichu"}"#),
            ("games remove tichu --yes", #"game.remove {"game":"tichu","token":"t"}"#),
            ("session", "session.list {}"),
            ("player", "player.list {}"),
            ("peer", "peer.list {}"),
            ("daemon", "status {}"),
            ("player me", "player.list {}"),
            ("stats show rounds", #"stats {"game":"rounds"}"#),
            ("people rename A B", #"people.rename {"name":"B","person":"A"}"#),
            ("daemon rename My Laptop", #"daemon.rename {"name":"My Laptop"}"#),
            ("session finish", #"session.finish {"finished":true}"#),
            ("session reopen", #"session.finish {"finished":false}"#),
            ("session restore --yes", #"session.restore {"token":"t"}"#),
            ("session leave X --yes", #"session.leave {"session":"X","token":"t"}"#),
            ("player add A B", #"player.add {"names":["A","B"]}"#),
            (
                "player add --computer R --depth 7",
                #"player.add {"computer":true,"depth":7,"names":["R"]}"#
            ),
            ("player remove A", #"player.remove {"players":["A"]}"#),
            ("player restore A", #"player.restore {"players":["A"]}"#),
            ("player rename A B", #"player.rename {"name":"B","player":"A"}"#),
            ("player list --session S", #"player.list {"session":"S"}"#),
            ("player order B A", #"player.order {"players":["B","A"]}"#),
            ("player shuffle", "player.shuffle {}"),
            ("player team Red A B", #"player.team {"players":["A","B"],"team":"Red"}"#),
            ("player team A B --none", #"player.team {"players":["A","B"]}"#),
            ("people", "people.list {}"),
            ("people list", "people.list {}"),
            ("people add A B", #"people.add {"names":["A","B"]}"#),
            ("people remove A", #"people.remove {"names":["A"]}"#),
            ("people select A B", #"people.select {"names":["A","B"],"selected":true}"#),
            ("people select --all", #"people.select {"selected":true}"#),
            ("people unselect A", #"people.select {"names":["A"],"selected":false}"#),
            ("people unselect --all", #"people.select {"selected":false}"#),
            ("people shuffle", "people.shuffle {}"),
            ("results", "results {}"),
            ("results rounds", #"results {"game":"rounds"}"#),
            ("leaders", #"leaders {"all":false}"#),
            ("leaders rounds --all", #"leaders {"all":true,"game":"rounds"}"#),
            ("stats", "stats {}"),
            ("stats rounds --player A", #"stats {"game":"rounds","player":"A"}"#),
            ("stats reset rounds --yes", #"stats.reset {"game":"rounds","token":"t"}"#),
            ("player me A", #"player.me {"player":"A"}"#),
            ("player me --nobody", "player.me {}"),
            ("score Ann round.3=-5", #"score {"words":["Ann","round.3=-5"]}"#),
            ("score -5", #"score {"words":["-5"]}"#),
            ("clear Ann round.3", #"clear {"words":["Ann","round.3"]}"#),
            ("undo", "undo {}"),
            ("resolve Ann round.3 -5", #"resolve {"words":["Ann","round.3","-5"]}"#),
            ("play d3", #"play {"details":{},"words":["d3"]}"#),
            (
                "play T20 D2 --darts 2 --player Ann",
                #"play {"details":{"darts":"2"},"player":"Ann","words":["T20","D2"]}"#
            ),
            ("show", "show {}"),
            ("wait --for synced", #"wait {"condition":{"kind":"synced"}}"#),
            ("wait --for ready", #"wait {"condition":{"kind":"ready"}}"#),
            ("wait --for turn", #"wait {"condition":{"kind":"turn"}}"#),
            (
                "wait --for turn --player Bob",
                #"wait {"condition":{"kind":"turn","player":"Bob"}}"#
            ),
            ("conflicts", "conflicts {}"),
            (
                "history --player A --row r.1 --limit 3",
                #"history {"limit":3,"player":"A","row":"r.1"}"#
            ),
            ("history --limit 0", "history {}"),
            ("peer list", "peer.list {}"),
            ("peer add h:1", #"peer.add {"address":"h:1"}"#),
            ("peer remove h:1", #"peer.remove {"address":"h:1"}"#),
            ("status", "status {}"),
            ("daemon status", "status {}"),
            ("daemon start", "status {}"),
            ("daemon offline", #"daemon.offline {"offline":true}"#),
            ("daemon online", #"daemon.offline {"offline":false}"#),
        ]
    )
    func calls(typed: String, call: String) throws {
        let home = try TemporaryHome()
        let daemon = try FakeDaemon(home: home)
        let harness = Harness(home)
        let words = typed.split(separator: " ").map(String.init)
        let plain = harness.run(words)
        #expect(plain.status == 0 && daemon.calls.last == call, "\(plain)")
        // Confirmed calls are made twice, the second time with the token of the question.
        #expect(daemon.calls.count == (words.contains("--yes") ? 2 : 1))
        #expect(!plain.output.contains("\u{1B}"))
        // And again as JSON: one line, with its schema, nothing on standard error.
        let json = harness.run(words + ["--json"])
        #expect(json.status == 0 && json.errors == "", "\(json)")
        #expect(json.output.hasPrefix("{") && json.output.hasSuffix("}\n"))
        #expect(json.output.split(separator: "\n").count == 1)
        #expect(json.output.contains(#""schema":1"#))
        #expect(harness.launched == [])
    }

    @Test("prints the documents of the design")
    func documents() throws {
        let home = try TemporaryHome()
        let daemon = try FakeDaemon(home: home)
        let harness = Harness(home)
        #expect(
            harness.run(["session", "invite", "--json"]).output
                == #"{"code":"7K3MQ-ZX2RV-9WTPA","expires":"2026-11-20T19:34:05.123Z","schema":1}"#
                + "\n"
        )
        #expect(
            harness.run(["history", "--json"]).output
                == #"{"entries":[{"at":"2026-11-20T19:02:05.123Z","by":"ann-laptop","#
                + #""player":"Ann","replaced":[12],"round":3,"row":"round","value":15,"#
                + #""winner":true},{"at":"2026-11-19T13:04:05.123Z","by":"bob-laptop","#
                + #""player":"Bob","replaced":[],"round":null,"row":"note","value":"late","#
                + #""winner":false}],"schema":1}"# + "\n"
        )
        let show = harness.run(["show", "--json"]).output
        #expect(
            show == String(decoding: try ControlJSON.encode(Sample.friday.document), as: UTF8.self)
                + "\n"
        )
        #expect(
            show.hasPrefix(#"{"finished":false,"flags":[],"panels":[],"players":[{"cells":[{"at":"#)
        )
        #expect(
            harness.run(["version", "--json"]).output == #"{"schema":1,"version":"0.1.0"}"# + "\n"
        )
        withExtendedLifetime(daemon) {}
    }

    @Test("speaks to people in sentences")
    func sentences() throws {
        let home = try TemporaryHome()
        let daemon = try FakeDaemon(home: home)
        let harness = Harness(home)
        let score = harness.run(["score", "Ann", "round.3=15"])
        #expect(score.output == "Ann: Round 3 = 15 (was 12) – total 60\n")
        #expect(score.errors == "Ann was removed elsewhere and is back.\n")
        let invite = harness.run(["session", "invite"]).output
        #expect(invite.contains("\n    7K3MQ-ZX2RV-9WTPA\n"))
        #expect(invite.contains("    scorectl join 7K3MQ-ZX2RV-9WTPA\n"))
        #expect(invite.contains("It works until at 30 (30 minutes)."))
        let conflicts = harness.run(["conflicts"]).output
        #expect(conflicts.contains(#"scorectl resolve 'Cleo O'\''Hara' round.1 12"#))
        #expect(conflicts.contains(#"scorectl clear 'Cleo O'\''Hara' round.1"#))
        #expect(conflicts.contains("  A (DA…)  by ann-laptop"))
        #expect(conflicts.contains("scorectl resolve Bob letter.2 a\n"))
        #expect(conflicts.contains("scorectl resolve Bob letter.2 x\n"))
        let status = harness.run(["status"]).output
        #expect(status.contains("! the clock of bob-laptop is 90 s behind"))
        #expect(harness.run(["peer", "list"]).output.contains("-90 s"))
        withExtendedLifetime(daemon) {}
    }

    @Test(
        "lists candidates once, in the message or below it",
        arguments: [
            ("there are: Ann, Bea", ["Ann", "Bea"], ""),
            ("enter Ann, Bea instead", ["Ann", "Bea"], ""),
            ("there is nobody “Annn”", ["Ann"], "Did you mean: Ann?\n"),
            ("there is nobody “Dan”", ["Ann", "Bea"], "Available: Ann, Bea\n"),
            (
                "there is nobody “Dan”", Array(repeating: "Ann", count: 21),
                "Available: Ann, Ann, Ann, Ann, Ann, Ann and 15 more\n"
            ),
        ]
    )
    func candidates(message: String, candidates: [String], below: String) throws {
        let home = try TemporaryHome()
        let error = ControlError(.refused, message, candidates: candidates)
        let daemon = try FakeDaemon(home: home, error: error)
        let typed = message.contains("Annn") ? "Annn" : "Dan"
        let outcome = Harness(home).run(["score", typed, "5"])
        #expect(outcome.errors == "scorectl: \(message)\n" + below)
        withExtendedLifetime(daemon) {}
    }

    /// All but `lost`, which no daemon can report of itself.
    @Test(
        "exits with the status of the kind of failure",
        arguments: ControlError.Kind.allCases.filter { $0 != .lost }
    )
    func statuses(kind: ControlError.Kind) throws {
        let home = try TemporaryHome()
        let error = ControlError(kind, "what\u{1B}[2J happened", candidates: ["Ann", "Bea"])
        let daemon = try FakeDaemon(home: home, error: error)
        let harness = Harness(home)
        let outcome = harness.run(["score", "Zoe", "5"])
        let expected: [ControlError.Kind: Int32] = [
            .failed: 1, .usage: 2, .noDaemon: 3, .notFound: 4, .refused: 5, .wrongCode: 6,
            .timedOut: 7, .versionMismatch: 8,
        ]
        #expect(outcome.status == expected[kind])
        #expect(outcome.output == "")
        #expect(outcome.errors.hasPrefix("scorectl: what␛[2J happened\nAvailable: Ann, Bea\n"))
        let json = harness.run(["score", "Zoe", "5", "--json"])
        #expect(
            json.errors == #"{"error":{"candidates":["Ann","Bea"],"kind":"\#(kind.rawValue)","#
                + #""message":"what\u001b[2J happened"},"schema":1}"# + "\n"
        )
        withExtendedLifetime(daemon) {}
    }

    @Test("prints the hint of an error after the message, and as a field of JSON")
    func hint() throws {
        let home = try TemporaryHome()
        let hint = "choose one with: scorectl session use SESSION"
        let error = ControlError(.notFound, "no current session", hint: hint)
        let daemon = try FakeDaemon(home: home, error: error)
        let harness = Harness(home)
        let outcome = harness.run(["score", "Ann", "5"])
        #expect(outcome.errors == "scorectl: no current session; \(hint)\n")
        let json = harness.run(["score", "Ann", "5", "--json"])
        #expect(
            json.errors == #"{"error":{"hint":"\#(hint)","kind":"not-found","#
                + #""message":"no current session"},"schema":1}"# + "\n"
        )
        withExtendedLifetime(daemon) {}
    }

    @Test(
        "refuses invalid arguments before it calls the daemon",
        arguments: [
            "session new", "session new x --option y", "session new x --option y=1 --option y=2",
            "session new --again rounds", "session new --again --player A",
            "session new --again --fresh", "session new --again --rotate --shuffle",
            "session new rounds --rotate", "player team Red",
            "people select", "people select A --all", "people unselect", "people add",
            "stats rounds x", "stats reset",
            "stats reset rounds --player A", "session invite --for 0m",
            "session invite --for x", "session invite --for 5", "session invite --for 2d",
            "session invite --close --for 5m", "session invite --minutes 5",
            "session show A --session B",
            "player me A --nobody", "wait", "wait --for sun", "wait --for peers=0",
            "wait --for synced --player A", "play", "player add A --depth 21",
            "wait --for synced --timeout x", "wait --for synced --timeout -1",
            "wait --for synced --timeout 15d",
            "history --limit -5", "help shwo", "help score Ann", "join", "join ABCDE",
            "join 7K3MQ-ZX2RV-9WTPZ", "session shwo", "shwo", "show -q -v", "games add",
            "games check",
            "games wingspan",
            "games show tichu --session S", "games export tichu --session S",
        ]
    )
    func usage(typed: String) throws {
        let home = try TemporaryHome()
        let harness = Harness(home)
        let outcome = harness.run(typed.split(separator: " ").map(String.init))
        #expect(outcome.status == 2, "\(outcome)")
        #expect(outcome.output == "" && outcome.errors.contains("Try: scorectl help"))
        #expect(harness.launched == [])
        let json = harness.run(typed.split(separator: " ").map(String.init) + ["--json"])
        #expect(json.errors.hasPrefix(#"{"error":{"#) && json.errors.contains(#""kind":"usage""#))
    }

    @Test("names the option that has replaced another one")
    func replaced() throws {
        let harness = Harness(try TemporaryHome())
        let outcome = harness.run(["session", "invite", "--minutes", "5"])
        #expect(
            outcome.errors.hasPrefix(
                "scorectl: unknown option '--minutes'; it is: --for TIME\n"
            )
        )
    }

    @Test(
        "takes seconds with and without their unit as the timeout of wait",
        arguments: [("10", 10_000), ("0.5", 500), ("10s", 10_000), ("2m", 120_000)]
    )
    func timeout(typed: String, milliseconds: Int) throws {
        let home = try TemporaryHome()
        let daemon = try FakeDaemon(home: home)
        let outcome = Harness(home).run(["wait", "--for", "synced", "--timeout", typed])
        #expect(outcome.status == 0)
        let call = try #require(daemon.calls.last)
        let prefix = #"wait {"condition":{"kind":"synced"},"timeoutMilliseconds":"#
        let sent = try #require(Int(call.dropFirst(prefix.count).dropLast()))
        // A part of the time may have passed already.
        #expect(call.hasPrefix(prefix) && sent > milliseconds - 10_000 && sent <= milliseconds)
    }

    @Test("prints its version as a command and as an option")
    func version() throws {
        let harness = Harness(try TemporaryHome())
        let told = harness.run(["version"])
        #expect(told.output.hasPrefix("scorectl ") && told.status == 0)
        #expect(harness.run(["--version"]) == told)
        #expect(harness.run(["--no-spawn", "--version"]) == told)
        #expect(harness.run(["--version", "--json"]) == harness.run(["version", "--json"]))
    }

    @Test("joins by a code as a word, in pieces, from input or asked for")
    func join() throws {
        var random = SystemRandomNumberGenerator()
        let code = JoinCode.random(using: &random).text
        let home = try TemporaryHome()
        let daemon = try FakeDaemon(home: home)
        let harness = Harness(home)
        let typed = code.lowercased().split(separator: "-").map(String.init)
        #expect(harness.run(["join"] + typed).status == 0)
        #expect(harness.run(["join", "-", "--peer", "h"], input: code).status == 0)
        let asked = harness.run(["join"], input: code, adjust: { $0.isInputTerminal = true })
        #expect(asked.status == 0 && asked.errors.hasSuffix("Number, or join code: "))
        #expect(
            daemon.calls == [
                #"session.join {"code":"\#(code)"}"#,
                #"session.join {"code":"\#(code)","peer":"h"}"#,
                #"session.nearby {"waitMilliseconds":1500}"#,
                #"session.join {"code":"\#(code)"}"#,
            ]
        )
        #expect(harness.run(["join", "-"], input: nil).status == 2)
    }

    @Test("asks at a terminal who plays there, once the laptop has joined")
    func whoJoined() throws {
        let home = try TemporaryHome()
        let daemon = try FakeDaemon(home: home, players: FakeDaemon.strangers)
        let harness = Harness(home)
        var answers = ["1", "Bob"]
        func answering(_ console: inout Console) {
            console.isInputTerminal = true
            console.readLine = { answers.isEmpty ? nil : answers.removeFirst() }
        }
        let named = harness.run(["join"], columns: 80, adjust: answering)
        #expect(named.errors.hasSuffix("Who are you? Ann, Bob (Enter: none of them): "))
        #expect(named.output.hasSuffix("You are Bob.\n") && named.status == 0, "\(named)")
        let choice = #"player.me {"player":"Bob","session":"\#(Sample.session.id)"}"#
        #expect(daemon.calls.last == choice)
        answers = ["1", ""]
        let silent = harness.run(["join"], columns: 80, adjust: answering)
        #expect(silent.output.contains("player me NAME") && silent.status == 0, "\(silent)")
        #expect(daemon.calls.count { $0 == choice } == 1)
    }

    @Test("asks who of several players the user is, on a terminal only")
    func askedForMe() throws {
        let home = try TemporaryHome()
        let daemon = try FakeDaemon(home: home, players: FakeDaemon.strangers)
        let harness = Harness(home)
        let new = ["session", "new", "rounds", "--player", "Ann,Bob"]
        func run(_ words: [String], _ input: String? = "Bob") -> Harness.Outcome {
            harness.run(words, input: input, columns: 80, adjust: { $0.isInputTerminal = true })
        }
        let asked = run(new)
        #expect(asked.errors == "Who are you? Ann, Bob (Enter: none of them): ")
        #expect(asked.output.hasSuffix("You are Bob.\n"), "\(asked)")
        #expect(
            daemon.calls.last == #"player.me {"player":"Bob","session":"\#(Sample.session.id)"}"#
        )
        for skipped in [run(new, ""), run(new, nil)] {
            #expect(skipped.status == 0 && skipped.errors == asked.errors)
            #expect(skipped.output + "You are Bob.\n" == asked.output)
        }
        for words in [["--yes"], ["--json"], ["--quiet"], ["--me", "Ann"]] {
            #expect(run(new + words).errors == "", "\(words)")
        }
        #expect(run(["session", "new", "rounds"]).errors == "")
        #expect(harness.run(new, input: "Bob", columns: 80).errors == "")
        let script = harness.run(new, input: "Bob", adjust: { $0.isInputTerminal = true })
        #expect(script.errors == "")
        #expect(daemon.calls.count { $0.hasPrefix("player.me") } == 1)
    }

    @Test("prints one line for a prompt, or nothing, and never starts a daemon")
    func prompt() throws {
        let home = try TemporaryHome()
        let harness = Harness(home)
        let none = harness.run(["status", "--short"])
        #expect(none == Harness.Outcome(status: 3, output: "", errors: ""))
        #expect(harness.run(["status", "--short", "--json"]).errors.contains("no-daemon"))
        let daemon = try FakeDaemon(home: home)
        #expect(harness.run(["status", "--short"]).output == "Friday · offline !\n")
        #expect(harness.run(["status", "--short", "--json"]) == harness.run(["status", "--json"]))
        #expect(harness.launched == [])
        withExtendedLifetime(daemon) {}
        let hints: [((inout StatusReply) -> Void, String?)] = [
            ({ $0.sessions[0].peersOnline = 2 }, "Friday · 2 online"),
            ({ $0.sessions[0].synced = false }, "Friday · 2 online, syncing"),
            ({ $0.sessions[0].peersOnline = 0 }, "Friday"),
            ({ $0.sessions[0].status = "finished" }, "Friday · finished"),
            ({ $0.sessions[0].current = false }, nil),
        ]
        var status = StatusReply(
            daemon: DaemonSummary(version: "0", device: "d", name: "n", instance: "i"),
            sessions: [Sample.session],
            alarms: []
        )
        for (change, line) in hints {
            change(&status)
            #expect(StatusPage.short(status)?.text == line)
        }
    }

    @Test("knocks at a laptop that is chosen or named, and shows the symbols")
    func knock() throws {
        let home = try TemporaryHome()
        let daemon = try FakeDaemon(home: home)
        let harness = Harness(home)
        let chosen = harness.run(["join"], input: "1", adjust: { $0.isInputTerminal = true })
        let named = harness.run(["join", "--from", "ann-laptop"])
        for outcome in [chosen, named] {
            #expect(outcome.status == 0 && outcome.output.contains("Friday"), "\(outcome)")
            for symbol in Sample.knock.symbols { #expect(outcome.errors.contains(symbol.name)) }
            #expect(!outcome.errors.contains("\u{240A}"), "a line break that was shown as a sign")
        }
        let calls = [
            #"session.knock {"address":"10.0.0.1:47615","session":"\#(Sample.session.id)"}"#,
            #"session.join {"knock":"\#(Sample.knock.knock)"}"#,
        ]
        #expect(
            daemon.calls == [#"session.nearby {"waitMilliseconds":1500}"#] + calls
                + [#"session.nearby {"laptop":"ann-laptop","waitMilliseconds":1500}"#] + calls
        )
    }

    @Test("lets in a laptop that is named, by its symbols, or refuses it")
    func admit() throws {
        let home = try TemporaryHome()
        let daemon = try FakeDaemon(home: home)
        let harness = Harness(home)
        #expect(harness.run(["session", "admit", "--yes"]).status == 2, "two laptops wait")
        let no = harness.run(
            ["session", "admit", "bob-laptop"],
            input: "n",
            adjust: { $0.isInputTerminal = true }
        )
        #expect(no.status != 0 && no.errors.contains("anchor, apple, ball, banana"), "\(no)")
        #expect(harness.run(["session", "admit", "bob-laptop", "--yes"]).status == 0)
        #expect(harness.run(["session", "admit", "cem-laptop", "--mute"]).status == 0)
        #expect(harness.run(["session", "admit", "dee-laptop"]).status == 4)
        let each = harness.run(
            ["session", "admit"],
            input: "y",
            adjust: { $0.isInputTerminal = true }
        )
        #expect(each.status == 0 && each.errors.contains("cem-laptop shows"), "\(each)")
        let answers = daemon.calls.filter { $0.hasPrefix("session.admit") }
        #expect(answers.map { $0.contains(#""answer":"mute""#) } == [false, true, false, false])
        #expect(answers.count { $0.contains(#""answer":"yes""#) } == 3)
    }

    @Test("starts a daemon when none runs, unless that is forbidden")
    func spawning() throws {
        let home = try TemporaryHome()
        let harness = Harness(home)
        for words in [
            ["show", "--no-spawn"], ["daemon", "status"], ["daemon", "start", "--no-spawn"],
        ] {
            #expect(harness.run(words).status == 3)
        }
        #expect(harness.launched == [])
        let daemon = Mutex<FakeDaemon?>(nil)
        let shown = harness.run(
            ["show"],
            launch: { () throws(ControlError) in
                let started = try? FakeDaemon(home: home)
                daemon.withLock { $0 = started }
            }
        )
        #expect(shown.status == 0 && harness.launched == [[]])
        // Options that a running daemon cannot adopt are refused.
        for words in [["--", "--port", "5"], ["--name", "x"], ["--", "--name", "x"]] {
            let refused = harness.run(["daemon", "start"] + words)
            #expect(refused.status == 5, "\(refused)")
            #expect(refused.errors.contains("pid 4711), so options have no effect"))
        }
        let renaming = harness.run(["daemon", "start", "--name", "my laptop"])
        #expect(renaming.errors.contains("scorectl daemon rename 'my laptop'"), "\(renaming)")
        #expect(harness.run(["daemon", "start", "--name", "cleo-laptop"]).status == 0)
        #expect(harness.launched == [[]])
        #expect(
            harness.run(["daemon", "start"]).output.hasPrefix(
                "A daemon is already running: pid 4711"
            )
        )
        daemon.withLock { $0 = nil }
    }

    @Test("passes the words after -- to the daemon that it starts")
    func daemonWords() throws {
        let home = try TemporaryHome()
        let harness = Harness(home)
        let outcome = harness.run(
            ["daemon", "start", "--", "--name", "x"],
            launch: {
                () throws(ControlError) in throw ControlError(.noDaemon, "boom")
            }
        )
        #expect(harness.launched == [["--name", "x"]])
        _ = harness.run(["daemon", "start", "--name", "y"])
        #expect(harness.launched.last == ["--name", "y"])
        #expect(outcome.status == 3 && outcome.errors == "scorectl: boom\n")
    }

    @Test("stops the daemon, and reports if none was running")
    func stopping() throws {
        let home = try TemporaryHome()
        let harness = Harness(home)
        #expect(harness.run(["daemon", "stop"]).output == "No daemon was running.\n")
        let daemon = Mutex(try FakeDaemon(home: home) as FakeDaemon?)
        #expect(ControlLock.isHeld(try Harness.paths(home.path)))
        let stopped = daemon.withLock { $0?.stopped }
        // The home becomes free only a while after the daemon has answered.
        DispatchQueue(label: "end").async {
            _ = stopped?.wait(timeout: .now() + 20)
            daemon.withLock { $0 = nil }
        }
        #expect(harness.run(["daemon", "stop"]).output == "Stopped the daemon.\n")
        #expect(!ControlLock.isHeld(try Harness.paths(home.path)))
    }
}
