import CPlatform
import ControlSocket
import Dispatch
import SessionCRDT
import SyncProtocol
import Synchronization
import TerminalText
import Testing

@testable import scorectl

@Suite("scorectl watch", .timeLimit(.minutes(10)))
struct WatchTests {
    /// Ann with 11 in one round.
    private static let first = WatchEvent(
        seq: 7,
        .snapshot(
            Sample.show([Sample.player("Ann", seat: 1, [Sample.cell(1, 11)], rank: 1)], rounds: 1)
        )
    )

    /// The change of the round to 22.
    private static var second: WatchEvent {
        var change = ShowChange()
        var ann = ShownPlayer.Change(id: "id-Ann", name: "Ann")
        ann.total = 22
        ann.cells = [Sample.cell(1, 22)]
        change.document.players = [ann]
        return WatchEvent(seq: 8, .change(change))
    }

    /// A change of the context only.
    private static var third: WatchEvent {
        var change = ShowChange()
        change.context.unsynced = 0
        return WatchEvent(seq: 9, .change(change))
    }

    /// Runs `watch` on another thread against a daemon that sends events and stops, then one that
    /// refuses to; so the view ends by itself.
    private func follow(
        _ words: [String],
        columns: Int? = nil,
        events: [WatchEvent] = [Self.first, Self.second, Self.third],
        runProgram: @escaping @Sendable ([String]) -> Int32? = { _ in nil },
        checkSecond: (FakeDaemon?) -> Void = { _ in }
    ) throws -> Harness.Outcome {
        let home = try TemporaryHome()
        let harness = Harness(home)
        var first: FakeDaemon? = try FakeDaemon(
            home: home,
            events: events,
            stopAfterEvents: true
        )
        let outcome = Mutex<Harness.Outcome?>(nil)
        let done = DispatchSemaphore(value: 0)
        // A queue of its own has a thread of its own, however busy those of the tests are.
        DispatchQueue(label: "watch").async {
            let result = harness.run(
                ["watch"] + words,
                columns: columns,
                adjust: { $0.runProgram = runProgram }
            )
            outcome.withLock { $0 = result }
            done.signal()
        }
        let watched = first?.stopped.wait(timeout: .now() + 20)
        #expect(watched == .success)
        first = nil
        let gone = ControlError(.notFound, "the session has gone")
        var second: FakeDaemon?
        // The home is free a moment after the listener was stopped.
        for _ in 0..<10_000 where second == nil {
            second = try? FakeDaemon(home: home, error: gone)
            if second == nil { platform_wait(-1, false, -1, 1) }
        }
        #expect(done.wait(timeout: .now() + 20) == .success)
        checkSecond(second)
        return try #require(outcome.withLock { $0 })
    }

    @Test("prints one line of JSON per change, numbered without a gap")
    func json() throws {
        let outcome = try follow(["--json"])
        #expect(outcome.status == 4)
        let lines = outcome.output.split(separator: "\n")
        #expect(lines.count == 2)
        #expect(lines[0].hasPrefix(#"{"finished":false,"flags":[],"panels":[],"players":[{"#))
        #expect(lines[0].contains(#""schema":1,"seq":1,"session":{"#))
        #expect(lines[0].hasSuffix(#""turn":null,"type":"snapshot","winners":[]}"#))
        let end = #""id":"id-Ann","name":"Ann","total":22}],"schema":1,"seq":2,"type":"change"}"#
        #expect(lines[1].hasPrefix(#"{"players":[{"cells":[{"#), "\(lines[1])")
        #expect(lines[1].hasSuffix("}]," + end), "\(lines[1])")
    }

    @Test("prints no line of JSON for a snapshot in which nothing differs")
    func unchanged() throws {
        let again = WatchEvent(seq: 8, Self.first.content)
        let outcome = try follow(["--json"], events: [Self.first, again, Self.first])
        #expect(outcome.output.split(separator: "\n").count == 1, "\(outcome.output)")
    }

    @Test("stays with the session that it began with when the daemon is back")
    func sameSession() throws {
        var calls: [String]?
        _ = try follow([], checkSecond: { calls = $0?.calls })
        let watch = #"watch {"session":"\#(Sample.session.id)"}"#
        #expect(calls?.contains(watch) == true, "\(calls ?? [])")
    }

    @Test("requests the sheet again after a lost change, and continues")
    func leftOut() throws {
        let outcome = try follow([], events: [Self.first, Self.third])
        // The second daemon was asked, and has ended it.
        #expect(outcome.status == 4, "\(outcome.errors)")
    }

    @Test("prints the sheet after every change without a terminal")
    func plain() throws {
        let outcome = try follow([])
        #expect(outcome.output.split(separator: "\n").count { $0.contains("Total") } == 3)
        #expect(!outcome.output.contains("\u{1B}"))
        #expect(outcome.errors.hasPrefix("The daemon has stopped; waiting for it.\n"))
    }

    @Test("tells of a turn by the bell and on the desktop, if that was asked for")
    func notify() throws {
        var change = ShowChange()
        change.document.turn = ExplicitNull(wrappedValue: "id-Bob")
        let events = [Self.first, WatchEvent(seq: 8, .change(change)), Self.third]
        let told = Mutex<[[String]]>([])
        let run: @Sendable ([String]) -> Int32? = { words in
            told.withLock { $0.append(words) }
            return 0
        }
        let silent = try follow([], columns: 80, events: events, runProgram: run)
        #expect(!silent.output.contains("\u{7}") && told.withLock { $0.isEmpty })
        let loud = try follow(["--notify"], columns: 80, events: events, runProgram: run)
        #expect(loud.output.count { $0 == "\u{7}" } == 1)
        #expect(told.withLock { $0.map { $0.last } } == ["Friday: your turn"])
        let piped = try follow(["--notify"], events: events, runProgram: run)
        #expect(!piped.output.contains("\u{7}") && told.withLock { $0.count } == 2)
    }

    @Test("tells of each turn and conflict once, and of nothing that was so before")
    func news() {
        var news = WatchNews()
        var show = Sample.friday
        #expect(news.texts(for: show) == [])
        show.document.turn = "id-Bob"
        show.document.players[0].cells[1].conflict = show.document.players[2].cells[0].conflict
        #expect(
            news.texts(for: show) == ["Friday: your turn", "Friday: two values for Ann, round.2"]
        )
        #expect(news.texts(for: show) == [])
        show.document.turn = "id-Ann"
        #expect(news.texts(for: show) == [])
        show.document.turn = "id-Bob"
        #expect(news.texts(for: show) == ["Friday: your turn"])
        // The next game.
        show.document.session.id = "0"
        show.document.session.title = "Friday 2"
        #expect(news.texts(for: show).count == 3)
    }

    @Test("redraws a terminal in place and gives it back")
    func screen() throws {
        let outcome = try follow([], columns: 80)
        #expect(outcome.output.hasPrefix("\u{1B}[?1049h\u{1B}[?25l\u{1B}[H"))
        #expect(outcome.output.contains("waiting for it"))
        let parts = outcome.output.split(separator: "\u{1B}[?25h\u{1B}[?1049l")
        #expect(parts.count == 2)
        // The last sheet stays on the terminal.
        #expect(parts.last?.contains("22") == true)
    }

    @Test("ends by a signal as the signal would have ended it, and redraws for another size")
    func signals() throws {
        let home = try TemporaryHome()
        let daemon = try FakeDaemon(home: home)
        let harness = Harness(home)
        var ends: [Int32] = [-1, -1]
        #expect(platform_pipe(&ends) == 0)
        let pipe = ends
        defer { for end in pipe { platform_close(end) } }
        let news = [SignalNumber.resize, SignalNumber.interrupt].map { UInt8($0) }
        #expect(platform_write_all(pipe[1], news, news.count) == 0)
        let ended = Mutex<Int32>(0)
        let outcome = harness.run(
            ["watch"],
            columns: 80,
            adjust: { console in
                console.openSignalDescriptor = { _ in pipe[0] }
                console.endBySignal = { number in ended.withLock { $0 = number } }
            }
        )
        #expect(outcome.status == 0)
        #expect(ended.withLock { $0 } == SignalNumber.interrupt)
        #expect(outcome.output.contains("\u{1B}[?25h\u{1B}[?1049l"))
        withExtendedLifetime(daemon) {}
    }

    @Test("counts the rows of a line that is wider than the terminal")
    func wide() {
        let lines = ["a", String(repeating: "b", count: 25), "c"].map { Line($0) }
        #expect(WatchPrinter.cut(lines, to: 5, in: 10) == lines)
        #expect(
            WatchPrinter.cut(lines, to: 4, in: 10).map(\.text) == ["a", "… 2 more lines"]
        )
        #expect(WatchPrinter.cut(lines, to: 1, in: 10).map(\.text) == ["… 3 more lines"])
    }

    @Test("cuts a sheet that is higher than the terminal")
    func high() {
        let text = ScreenCodes.redraw(["a", "b"])
        #expect(text == "\u{1B}[Ha\u{1B}[K\r\nb\u{1B}[K\u{1B}[J")
    }
}
