import ControlSocket
import Descriptors
import Dispatch
import QueueKit
import SyncProtocol
import SyncTestKit
import Synchronization
import Testing

/// The sheet of a daemon that numbers its changes in the title; the feed is used on its queue only.
private final class Sheet: @unchecked Sendable {
    let version = Mutex(0)
    let padding: String
    let trouble = Mutex<ControlError?>(nil)

    init(padding: Int = 0) { self.padding = String(repeating: "x", count: padding) }

    var show: ShowReply {
        .sample(of: padding, title: "\(version.withLock { $0 })")
    }

    /// The change that was made last.
    var change: ShowChange {
        var change = ShowChange()
        change.context.notes = ["\(version.withLock { $0 })"]
        return change
    }

    @EventLoop
    lazy var feed = WatchFeed { @Sendable [unowned self] () throws(ControlError) in
        if let trouble = trouble.withLock({ $0 }) { throw trouble }
        return show
    }

    func register(_ router: inout ControlRouter) {
        router.on(.watch) { [self] _, call in
            call.respond(Done())
            feed.add(call.connection)
        }
    }

    /// Makes a change and sends it.
    @EventLoop
    func send() {
        version.withLock { $0 += 1 }
        feed.send(.change(change))
    }
}

@Suite("A watcher", .timeLimit(.minutes(10)))
struct WatchFeedTests {
    private func next(_ client: ControlClient) throws -> WatchEvent {
        while true {
            if let event = try client.event(WatchEvent.self, method: WatchEvent.method) {
                return event
            }
            try #require(client.wait(orFor: [-1], milliseconds: 10_000) == .message)
        }
    }

    @Test("gets a snapshot, then every change, with numbers in a row")
    func changes() throws {
        let sheet = Sheet()
        let daemon = try TestDaemon { sheet.register(&$0) }
        let client = try daemon.client()
        _ = try client.call(.watch, .init())
        #expect(try next(client) == WatchEvent(seq: 1, .snapshot(sheet.show)))
        daemon.queue.sync { sheet.send() }
        #expect(try next(client) == WatchEvent(seq: 2, .change(sheet.change)))
        daemon.queue.sync { sheet.feed.send(.snapshot(sheet.show)) }
        #expect(try next(client) == WatchEvent(seq: 3, .snapshot(sheet.show)))
        daemon.queue.sync { sheet.send() }
        #expect(try next(client) == WatchEvent(seq: 4, .change(sheet.change)))
    }

    @Test("is sent the events of all watchers, encoded once, with the same numbers")
    func shared() throws {
        let sheet = Sheet()
        let daemon = try TestDaemon { sheet.register(&$0) }
        let clients = try (0..<8).map { _ in try daemon.client() }
        for client in clients.dropLast() {
            _ = try client.call(.watch, .init())
            #expect(try next(client).seq == 1)
        }
        daemon.queue.sync { sheet.send() }
        _ = try clients[7].call(.watch, .init())
        #expect(try next(clients[7]) == WatchEvent(seq: 2, .snapshot(sheet.show)))
        daemon.queue.sync { sheet.send() }
        for client in clients.dropLast() { #expect(try next(client).seq == 2) }
        for client in clients {
            #expect(try next(client) == WatchEvent(seq: 3, .change(sheet.change)))
        }
        #expect(daemon.queue.sync { sheet.feed.encodings } == 10)
    }

    @Test("that is slow gets a fresh snapshot instead of a growing queue")
    func slow() throws {
        let sheet = Sheet(padding: 100_000)
        let daemon = try TestDaemon { sheet.register(&$0) }
        let client = try daemon.client()
        let quick = try daemon.client()
        _ = try client.call(.watch, .init())
        _ = try quick.call(.watch, .init())
        #expect(try next(quick).seq == 1)
        // Far more than the kernel and the connection together would hold.
        for _ in 0..<500 {
            daemon.queue.sync {
                sheet.version.withLock { $0 += 1 }
                sheet.feed.send(.snapshot(sheet.show))
            }
            _ = try next(quick)
        }
        var events: [WatchEvent] = []
        repeat { events.append(try next(client)) } while events.last?.seq != 501
        #expect(events.count < 100)
        #expect(events.last?.content == .snapshot(sheet.show))
        // And from then on every change again.
        daemon.queue.sync { sheet.send() }
        #expect(try next(client) == WatchEvent(seq: 502, .change(sheet.change)))
        #expect(try next(quick).seq == 502)
    }

    @Test("is sent the reason for the end, and disconnected")
    func trouble() throws {
        let sheet = Sheet()
        let daemon = try TestDaemon { sheet.register(&$0) }
        let client = try daemon.client()
        _ = try client.call(.watch, .init())
        #expect(try next(client).seq == 1)
        let reason = ControlError(.versionMismatch, "update this laptop")
        daemon.queue.sync { sheet.feed.end(reason) }
        #expect(throws: reason) { try next(client) }
        #expect(throws: ControlError.self) { try client.call(.watch, .init()) }
        #expect(daemon.queue.sync { sheet.feed.isEmpty })
        sheet.trouble.withLock { $0 = reason }
        let late = try daemon.client()
        _ = try late.call(.watch, .init())
        #expect(throws: reason) { try next(late) }
    }
}
