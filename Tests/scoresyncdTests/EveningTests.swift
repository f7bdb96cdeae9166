import ControlSocket
import LaptopKit
import SessionCRDT
import SyncProtocol
import Testing

/// Watchers that follow an evening, with real daemons.
@Suite(.timeLimit(.minutes(10)))
struct EveningTests {
    /// Somebody who watches a laptop's current session and goes on as clients do.
    private final class Watcher {
        private let client: ControlClient
        private var sheet: ShowReply?
        private var evening = SessionFollower()

        init(_ laptop: Laptop, _ session: String? = nil) throws {
            client = try ControlClient(path: "\(laptop.home)/control.sock", client: "tests 0")
            _ = try client.call(.watch, .init(session: session))
        }

        /// The sheet once it meets a condition.
        func shown(once isWanted: (ShowReply) -> Bool) throws -> ShowReply {
            while true {
                while let event = try client.event(WatchEvent.self, method: WatchEvent.method) {
                    switch event.content {
                    case .snapshot(let whole): sheet = whole
                    case .change(let change): sheet?.apply(change)
                    }
                    guard let sheet else { continue }
                    if let next = evening.next(after: sheet) {
                        _ = try client.call(.watch, .init(session: next))
                    }
                    if isWanted(sheet) { return sheet }
                }
                try #require(client.wait(orFor: [-1], milliseconds: 15_000) == .message)
            }
        }

        func shown(_ title: String) throws -> ShowReply {
            try shown { $0.document.session.title == title }
        }
    }

    @Test("Watchers on all laptops continue with the next game, and with the one after it")
    func again() throws {
        let table = try Companions("Ann", "Bob")
        let watchers = try table.laptops.map { try Watcher($0) }
        for watcher in watchers { _ = try watcher.shown("Friday") }
        for (score, title) in [("9", "Friday 2"), ("8", "Friday 3")] {
            try table[0].run("score", score)
            try table[0].run("session", "new", "--again", "--yes")
            for watcher in watchers {
                let show = try watcher.shown(title)
                #expect(show.context.next == nil && show.context.inUse == nil)
            }
        }
        // A request for a finished game shows that game, and its next one.
        let late = try Watcher(table[1], "Friday")
        let friday = try late.shown("Friday")
        #expect(friday.context.next?.title == "Friday 2")
        #expect(friday.context.inUse?.title == "Friday 3")
        try table[1].run("session", "rename", "Monday", "--session", "Friday")
        _ = try late.shown("Monday")
    }

    @Test("A watcher learns which session is in use instead, and when it is this one again")
    func inUse() throws {
        let laptop = try Laptop("Ann")
        try laptop.start("--no-discovery")
        try laptop.run("session", "new", "points", "--title", "Friday", "--player", "Ann")
        let watcher = try Watcher(laptop)
        #expect(try watcher.shown("Friday").context.inUse == nil)
        try laptop.run("session", "new", "rounds", "--title", "Chess", "--player", "Ann")
        let told = try watcher.shown { $0.context.inUse != nil }
        #expect(told.document.session.title == "Friday")
        #expect(told.context.inUse?.title == "Chess")
        #expect(told.context.next == nil)
        try laptop.run("session", "use", "Friday")
        _ = try watcher.shown { $0.context.inUse == nil }
        try laptop.run("session", "use", "Chess")
        _ = try watcher.shown { $0.context.inUse != nil }
        try laptop.run("session", "leave", "Chess", "--yes")
        _ = try watcher.shown { $0.context.inUse == nil }
    }

    @Test("Of two next games started while apart watchers end up in the one that continues")
    func apart() throws {
        let table = try Companions("Ann", "Bob")
        let watchers = try table.laptops.map { try Watcher($0) }
        try table[0].run("score", "1")
        try table.settle()
        for laptop in table.laptops { try laptop.run("daemon", "offline") }
        for (laptop, watcher) in zip(table.laptops, watchers) {
            let title = "\(laptop.name)s"
            try laptop.run("session", "new", "--again", "--title", title, "--yes")
            _ = try watcher.shown(title)
        }
        for laptop in table.laptops { try laptop.run("daemon", "online") }
        // The last writer's goes on.
        for watcher in watchers { _ = try watcher.shown("Bobs") }
        try table.awaitCurrent("Bobs", on: table[0])
    }

    @Test("A chart is the same on all laptops, and ends with the standings")
    func chart() throws {
        let table = try Companions("Ann", "Bob")
        for (laptop, scores) in [(table[0], ["5", "7"]), (table[1], ["10", "-3"])] {
            for score in scores { try laptop.run("score", score) }
        }
        try table.settle()
        let charts = try table.laptops.map { laptop in
            try ControlClient(path: "\(laptop.home)/control.sock", client: "tests 0")
                .call(.chart, .init())
        }
        #expect(charts[0] == charts[1])
        let chart = charts[0]
        #expect(chart.label == "Total" && chart.session.title == "Friday" && !chart.lowestWins)
        #expect(chart.unit == .round)
        #expect(chart.steps == (0...2).map { ChartReply.Step(round: $0) })
        #expect(chart.players.map(\.name) == ["Ann", "Bob"])
        #expect(chart.players.map(\.totals) == [[0, 5, 12], [0, 10, 7]])
        let show = try table[0].read(ShowDocument.self, "show")
        #expect(show.players.map(\.total) == chart.players.compactMap(\.totals.last))
    }
}
