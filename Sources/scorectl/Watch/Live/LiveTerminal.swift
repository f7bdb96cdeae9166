import SyncProtocol

/// The live view on a terminal with a keyboard: shows the sheet, takes keys, and gives the commands
/// that are typed.
final class LiveTerminal: WatchOutput {
    private let call: Invocation
    private let terminal: TerminalTakeover
    private let pages: LivePages
    private var sheet = LiveSheet()
    private var evening = Evening()
    private var view = LiveView()
    private var decoder = KeyDecoder()
    private var isLost = false
    /// The session that the user asked for.
    private var wanted: String?
    /// Whether the next other session is one that the user asked for.
    private var isAsked = false
    /// The session that was in use, or next, when the view began with a sheet: no news.
    private var known: NamedSession?

    /// How long an escape waits for what may follow it: over a slow line that takes a while.
    private static let escapeMilliseconds: Int32 = 100

    /// Takes the terminal over.
    init(_ call: Invocation) {
        self.call = call
        pages = LivePages(call)
        terminal = TerminalTakeover(call.console, isTyped: true)
    }

    var sources: [Int32] { [terminal.signals, terminal.keys] }

    var session: String? { sheet.show?.document.session.id }

    var patience: Int { pages.patience(of: view.page, session) }

    // MARK: What is told

    func show(_ event: WatchEvent) throws(ControlError) {
        let before = session
        try sheet.apply(event)
        view.renew(wasLost: isLost)
        isLost = false
        pages.age()
        if let show = sheet.show, before != session {
            known = LiveWords.elsewhere(show)
            if before != nil { view.begin(with: isAsked ? nil : show) }
            // Who asks for a game that is over wants to see that one.
            if isAsked { evening = Evening() }
            isAsked = false
        }
        redraw()
    }

    func nextSession() -> String? {
        if let session = wanted {
            wanted = nil
            isAsked = true
            return session
        }
        return sheet.show.flatMap { evening.next(after: $0) }
    }

    func lost() {
        guard !isLost else { return }
        isLost = true
        redraw()
    }

    func redraw() {
        guard let show = sheet.show else { return }
        let size = call.console.size()
        let form = PageForm(columns: size.columns, isUnicode: call.console.isUnicode)
        let elsewhere = LiveWords.elsewhere(show)
        let around = LiveFrame.Surroundings(
            elsewhere: elsewhere == known ? nil : elsewhere,
            isLost: isLost
        )
        let frame = LiveFrame(view, around, form, rows: size.rows) { rows in
            pages.content(of: view, show, form, rows: rows)
        }
        view.reach = frame.reach
        terminal.draw(frame.lines.map(call.rendered), cursorAt: frame.column)
    }

    // MARK: What is asked

    func attend() -> Bool {
        switch terminal.news() {
        case .end(let signal):
            end()
            call.console.endBySignal(signal)
            return false
        case .redraw: redraw()
        case nil: break
        }
        guard let bytes = terminal.typed() else {
            end()
            return false
        }
        guard !bytes.isEmpty else { return true }
        var keys = decoder.keys(from: bytes)
        if decoder.isWaiting, !terminal.isMoreTyped(within: Self.escapeMilliseconds) {
            keys += decoder.keysAtRest()
        }
        for key in keys {
            let page = view.page
            guard take(key) else { return false }
            // How far another page can be scrolled is known when it was drawn.
            if view.page != page { redraw() }
        }
        redraw()
        return true
    }

    /// Takes a key; false when it ended the view.
    private func take(_ key: Key) -> Bool {
        guard let show = sheet.show, let request = view.take(key, on: show) else { return true }
        switch request {
        case .run(let words):
            let answer = CommandBelow(call).run(words)
            view.answered(answer.lines, isDone: answer.isDone)
            // What the command has changed may not have been told yet.
            pages.forget()
        case .watch(let session): wanted = session
        case .end:
            end()
            return false
        }
        return true
    }

    func end() {
        guard terminal.giveBack(), let show = sheet.show else { return }
        call.printLines(call.page(of: show).lines)
    }
}
