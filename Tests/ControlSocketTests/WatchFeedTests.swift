import ControlSocket
import Dispatch
import SyncProtocol
import Synchronization
import Testing

/// The sheet of a daemon that numbers its changes in the title.
private final class Sheet: Sendable {
    let version = Mutex(0)
    let padding: String
    let feed = Mutex<WatchFeed?>(nil)
    let trouble = Mutex<ControlError?>(nil)

    init(padding: Int = 0) { self.padding = String(repeating: "x", count: padding) }

    var show: ShowReply {
        let title = "\(version.withLock { $0 })"
        return ShowReply(
            document: ShowDocument(
                session: ShownSession(id: padding, title: title, game: "points", status: "open"),
                players: [],
                finished: false,
                winners: []
            ),
            context: ShowContext(
                gameName: "Points",
                rows: [],
                lowestWins: false,
                leaders: [],
                peers: [],
                offline: false,
                unsynced: 0,
                notes: []
            )
        )
    }

    func register(_ router: inout ControlRouter) {
        router.on(WatchRequest.self) { [self] _, call in
            call.respond(Done())
            let feed = WatchFeed(call.connection) { [self] () throws(ControlError) in
                if let trouble = trouble.withLock({ $0 }) { throw trouble }
                return show
            }
            self.feed.withLock { $0 = feed }
            feed.start()
        }
    }

    func change() {
        version.withLock { $0 += 1 }
        feed.withLock { $0 }?.changed()
    }
}

@Suite("A watcher", .timeLimit(.minutes(5)))
struct WatchFeedTests {
    private func next(_ client: ControlClient) throws -> WatchEvent {
        while true {
            if let event = try client.event(WatchEvent.self, method: WatchEvent.method) {
                return event
            }
            try #require(client.wait(orFor: -1, milliseconds: 10_000) == .message)
        }
    }

    @Test("gets a snapshot, then every change once, with numbers in a row")
    func changes() throws {
        let sheet = Sheet()
        let daemon = try TestDaemon { sheet.register(&$0) }
        let client = try daemon.client()
        _ = try client.call(WatchRequest())
        #expect(try next(client) == WatchEvent(seq: 1, type: .snapshot, show: sheet.show))
        daemon.queue.sync { sheet.change() }
        #expect(try next(client) == WatchEvent(seq: 2, type: .change, show: sheet.show))
        // Nothing is said when nothing looks different.
        daemon.queue.sync { sheet.feed.withLock { $0 }?.changed() }
        daemon.queue.sync { sheet.change() }
        #expect(try next(client) == WatchEvent(seq: 3, type: .change, show: sheet.show))
    }

    @Test("that is slow gets a fresh snapshot instead of a growing queue")
    func slow() throws {
        let sheet = Sheet(padding: 100_000)
        let daemon = try TestDaemon { sheet.register(&$0) }
        let client = try daemon.client()
        _ = try client.call(WatchRequest())
        // Far more than the kernel and the connection together would hold.
        for _ in 0..<500 { daemon.queue.sync { sheet.change() } }
        var events: [WatchEvent] = []
        repeat { events.append(try next(client)) } while events.last?.show != sheet.show
        #expect(events.count < 100)
        #expect(events.map(\.seq) == Array(1...events.count))
        #expect(events.last?.type == .snapshot)
        // And from then on every change again.
        daemon.queue.sync { sheet.change() }
        #expect(try next(client).type == .change)
    }

    @Test("is told why there is no sheet any more, and hung up on")
    func trouble() throws {
        let sheet = Sheet()
        let daemon = try TestDaemon { sheet.register(&$0) }
        let client = try daemon.client()
        _ = try client.call(WatchRequest())
        #expect(try next(client).seq == 1)
        let reason = ControlError(.versionMismatch, "update this laptop")
        sheet.trouble.withLock { $0 = reason }
        daemon.queue.sync { sheet.change() }
        #expect(throws: reason) { try next(client) }
        #expect(throws: ControlError.self) { try client.call(WatchRequest()) }
    }
}
