import SyncProtocol
import TerminalText
import Testing

@testable import scorectl

@Suite("The live view, key by key")
struct LiveViewTests {
    private static let session = Sample.friday.document.session.id

    private static func show(
        _ names: String...,
        moves: ShownMoves? = nil,
        board: ShownBoard? = nil
    ) -> ShowReply {
        var show = Sample.show(
            names.enumerated().map { Sample.player($1, seat: $0 + 1, [], rank: nil) },
            rounds: 2
        )
        show.context.moves = moves
        show.document.panels = board.map { [.board($0)] } ?? []
        return show
    }

    /// A view after some keys, and their requests.
    private func typing(
        _ text: String,
        _ keys: Key...,
        on show: ShowReply = Sample.friday,
        in view: LiveView = LiveView()
    ) -> (view: LiveView, requests: [LiveView.Request]) {
        var view = view
        let requests = (text.map(Key.character) + keys).compactMap { view.handle($0, on: show) }
        return (view, requests)
    }

    @Test("words are a score, a move or a command, of the session that is shown")
    func words() {
        let session = ["--session", Self.session]
        let reversi = Self.show("Ann", moves: ShownMoves(.squares, title: "Your move"))
        #expect(typing("Ann 12", .enter).requests == [.run(session + ["score", "Ann", "12"])])
        #expect(typing("'Bob B' 2", .enter).requests == [.run(session + ["score", "Bob B", "2"])])
        #expect(typing("d3", .enter, on: reversi).requests == [.run(session + ["play", "d3"])])
        #expect(
            typing("clear Ann round.1", .enter).requests
                == [.run(session + ["clear", "Ann", "round.1"])]
        )
        #expect(typing("games list", .enter).requests == [.run(["games", "list"])])
        // All commands for a session mean this one, unless they name another.
        for command in ["session finish", "session rename Friday", "session invite"] {
            let words = command.split(separator: " ").map(String.init)
            #expect(typing(command, .enter).requests == [.run(session + words)])
        }
        let other = ["session", "finish", "Monday"]
        #expect(typing("session finish Monday", .enter).requests == [.run(other)])
        #expect(typing("exit", .enter).requests == [.end])
        #expect(typing("", .enter).requests == [])
        let refused = typing("watch", .enter)
        #expect(refused.requests == [])
        #expect(LiveCommands.command(of: session + ["undo"]) == "undo")
        #expect(LiveCommands.command(of: ["help", "score"]) == "help")
        #expect(refused.view.message.map(\.text) == ["'watch' needs a terminal of its own"])
        #expect(typing("'Bob", .enter).view.message.map(\.text) == ["missing closing quote"])
    }

    @Test("Letters are keys on an empty line, unless something else begins with them")
    func letters() {
        let undo = LiveView.Request.run(["--session", Self.session, "undo"])
        #expect(typing("u").requests == [undo])
        #expect(typing("q").requests == [.end])
        #expect(typing("g").view.page == .chart)
        #expect(typing("g?").view.page == .help)
        #expect(typing("c").view.page == .conflicts)
        #expect(typing("?").view.page == .help)
        let people = Self.show("Ulla", "cem")
        #expect(typing("u", on: people).requests == [])
        #expect(typing("c", on: people).view.line.text == "c")
        // The letter and Enter always do.
        #expect(typing("u", .enter, on: people).requests == [undo])
        #expect(typing("c", .enter, on: people).view.page == .conflicts)
    }

    @Test("a letter that turned a page is part of the word that follows")
    func letterOfWord() {
        let typed = typing("clear Ann round.1")
        #expect(typed.view.page == .table)
        #expect(typed.view.line.text == "clear Ann round.1")
        #expect(typing("c", .tab).view.page == .table)
        #expect(typing("u45").view.line.text == "45")
        #expect(typing("gAnn").view.line.text == "Ann")
        // Spelling the word out undoes one score and not two.
        #expect(typing("undo", .enter).requests.count == 1)
        let undone = typing("undo", .enter).view
        #expect(undone.line.isEmpty)
        #expect(typing("un", .control("u"), .up, .enter, in: undone).requests.count == 2)
        // The key n also switches to another session.
        var elsewhere = Sample.friday
        elsewhere.context.inUse = NamedSession(id: "b2", title: "Saturday")
        #expect(typing("undo", .enter, on: elsewhere).requests.count == 1)
    }

    @Test("A line typed when the next game starts can be recalled, and is not entered there")
    func nextGame() {
        var view = typing("Ann 26").view
        view.start(announcing: Sample.friday)
        #expect(typing("", .enter, in: view).requests == [])
        #expect(typing("", .up, in: view).view.line.text == "Ann 26")
    }

    @Test("Every letter is a move in Ghost, and the beginning of a square in Reversi")
    func moves() {
        let ghost = Self.show("Ann", moves: ShownMoves(.letters, title: "Your letter"))
        let session = ["--session", Self.session]
        #expect(typing("u", .enter, on: ghost).requests == [.run(session + ["play", "u"])])
        #expect(typing("q", on: ghost).requests == [])
        let board = ShownBoard(squares: ["...."], pieces: [], legal: ["c3", "d3"], last: nil)
        let reversi = Self.show(
            "Ann",
            moves: ShownMoves(.squares, title: "Your move"),
            board: board
        )
        #expect(typing("c3", .enter, on: reversi).requests == [.run(session + ["play", "c3"])])
        #expect(typing("u", on: reversi).requests == [.run(session + ["undo"])])
    }

    @Test("Pasted text triggers no keys and waits for Enter")
    func paste() {
        let pasted = typing("", .paste("q\nu\n"))
        #expect(pasted.requests == [])
        #expect(pasted.view.line.text == "q u")
    }

    @Test("A conflict is resolved by the number of a value")
    func conflicts() {
        let resolve = ["resolve", "张伟", "round.1"]
        let session = ["--session", Self.session]
        #expect(typing("c1").requests == [.run(session + resolve + ["12"])])
        #expect(typing("c2").requests == [.run(session + resolve + ["14"])])
        #expect(typing("c3").requests == [])
        // Before the sheet shows the next one, a second number is meant for nothing.
        var settled = typing("c12")
        #expect(settled.requests.count == 1)
        settled.view.didUpdate(wasLost: false)
        #expect(typing("2", in: settled.view).requests.count == 1)
    }

    @Test("Tab switches pages, and Escape returns to the table")
    func pages() {
        var view = LiveView()
        var seen: [LivePage] = []
        for key in [Key.tab, .tab, .tab, .tab, .backTab, .escape] {
            _ = view.handle(key, on: Sample.friday)
            seen.append(view.page)
        }
        #expect(seen == [.chart, .history, .peers, .table, .peers, .table])
    }

    @Test("a failed command leaves its line to be corrected, and long output is a page")
    func answers() {
        var view = typing("Ann 12").view
        view.showOutput(["there is no row 12"], isDone: false)
        #expect(view.line.text == "Ann 12")
        #expect(view.message.map(\.text) == ["there is no row 12"])
        view.showOutput(["Ann: Round 1 = 12"], isDone: true)
        #expect(view.line.isEmpty)
        view.showOutput(["a", "b", "c", "d"], isDone: true)
        #expect(view.page == .answer(["a", "b", "c", "d"]))
    }

    @Test("Arrows scroll a longer page, and recall lines otherwise")
    func scrolling() {
        var view = LiveView()
        view.range = LiveView.ScrollRange(top: 4, below: 2, rows: 10)
        _ = view.handle(.up, on: Sample.friday)
        #expect(view.top == 3)
        _ = view.handle(.pageDown, on: Sample.friday)
        #expect(view.top == 6)
        view.range = LiveView.ScrollRange()
        view.showOutput([], isDone: true)
        view = typing("12", in: view).view
        view.showOutput([], isDone: true)
        _ = view.handle(.up, on: Sample.friday)
        #expect(view.line.text == "12")
    }

    @Test("several keys scroll as far together as one by one, before anything is drawn")
    func keysAtOnce() {
        var view = LiveView()
        let reach = LiveView.ScrollRange(
            top: 0,
            below: 50,
            column: 4,
            maxColumn: 5,
            rows: 10
        )
        view.range = reach
        for _ in 0..<3 { _ = view.handle(.pageDown, on: Sample.friday) }
        #expect(view.top == 27)
        for _ in 0..<2 { _ = view.handle(.up, on: Sample.friday) }
        #expect(view.top == 25)
        for _ in 0..<3 { _ = view.handle(.left, on: Sample.friday) }
        #expect(view.column == 1)
        for _ in 0..<9 { _ = view.handle(.right, on: Sample.friday) }
        #expect(view.column == 5)
        for key in [Key.end, .pageUp] { _ = view.handle(key, on: Sample.friday) }
        #expect(view.top == 41)
    }

    @Test("An outdated page is requested at most once a second")
    func limiter() {
        var limiter = RefreshLimiter()
        limiter.didRequest(at: 5_000)
        let maxAge = RefreshLimiter.maxAgeMilliseconds
        #expect(!limiter.isDue(at: 9_000) && limiter.remainingMilliseconds(at: 9_000) == maxAge)
        limiter.didRequest(at: 10_000)
        limiter.invalidate()
        #expect(!limiter.isDue(at: 10_999) && limiter.remainingMilliseconds(at: 10_400) == 600)
        #expect(limiter.isDue(at: 11_000) && limiter.remainingMilliseconds(at: 12_000) == 0)
        limiter.didRequest(at: 12_000)
        #expect(!limiter.isDue(at: 14_000))
    }

    @Test("A key shows the next session")
    func elsewhere() {
        var show = Sample.friday
        #expect(typing("n", on: show).requests == [])
        show.context.inUse = NamedSession(id: "other", title: "Chess")
        #expect(typing("n", on: show).requests == [.watch("other")])
    }
}
