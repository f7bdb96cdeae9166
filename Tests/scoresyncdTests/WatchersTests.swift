import ControlSocket
import Descriptors
import FoundationEssentials
import QueueKit
import ScoreSheets
import SessionCRDT
import SyncProtocol
import Synchronization
import Testing

@testable import scoresyncd

@Suite("Watchers of a session", .timeLimit(.minutes(10)))
struct WatchersTests {
    /// Watchers of one table, behind a control socket.
    private final class Stage: Sendable {
        let table: WatchedTable
        private let thread = QueueThread()
        var queue: EventQueue { thread.queue }
        let watchers: Watchers
        private let home: String
        private let socket: String
        private let listener: ControlListener

        init(_ table: WatchedTable) throws {
            self.table = table
            let watchers = Watchers(on: thread.queue)
            self.watchers = watchers
            let name = "scoresync-" + UUID().uuidString.prefix(13)
            home = FileManager.default.temporaryDirectory.appending(path: name).path
            try FileManager.default.createDirectory(
                atPath: home,
                withIntermediateDirectories: false,
                attributes: [.posixPermissions: 0o700]
            )
            let paths = try ControlPaths.current(chosen: home)
            socket = paths.socket
            var router = ControlRouter()
            router.on(.watch) { @Sendable [table] _, call in
                call.respond(Done())
                watchers.add(call.connection, of: table)
            }
            listener = try ControlListener(
                paths: paths,
                lock: try ControlLock(paths),
                queue: thread.queue,
                router: router
            )
            listener.start()
        }

        deinit {
            listener.stop()
            try? FileManager.default.removeItem(atPath: home)
        }

        func client() throws -> ControlClient {
            try ControlClient(path: socket, client: "tests 0")
        }

        /// Writes a score, and tells of it at the end of the turn of the queue.
        func score(_ round: UInt32, _ points: Int64) {
            queue.sync {
                let cell = Cell(player: table.player(0), row: Symbol(known: "round"), round: round)
                _ = table.apply([table.put(.cell(cell), .integer(points))])
                var change = ScoreboardChange()
                change.cells = [cell]
                change.lines = [cell.player]
                watchers.changed(table.id, change)
            }
        }

        /// The amount rendered and encoded so far.
        var work: [Int] {
            queue.sync {
                watchers[table.id].map { [$0.renderings, $0.feed.encodings] } ?? []
            }
        }
    }

    private func table(players: Int = 2, rounds: UInt32 = 3) throws -> WatchedTable {
        let sheet = try SheetLibrary.builtIn.sheet(named: "rounds")
        let table = WatchedTable(sheet, players: players, seed: 1)
        let row = Symbol(known: "round")
        let changes = (0..<players).flatMap { number in
            (1...rounds).map { round in
                let cell = Cell(player: table.player(number), row: row, round: round)
                return table.put(.cell(cell), .integer(Int64(round % 60)))
            }
        }
        _ = table.apply(changes)
        return table
    }

    private func next(_ client: ControlClient) throws -> WatchEvent {
        while true {
            if let event = try client.event(WatchEvent.self, method: WatchEvent.method) {
                return event
            }
            try #require(client.wait(orFor: [-1], milliseconds: 20_000) == .message)
        }
    }

    @Test("get a score of a sheet of 10,000 cells by one rendering and one short frame")
    func once() throws {
        let stage = try Stage(try table(players: 10, rounds: 1000))
        let clients = try (0..<8).map { _ in try stage.client() }
        for client in clients {
            _ = try client.call(.watch, .init())
            guard case .snapshot(let show) = try next(client).content else {
                return #expect(Bool(false), "no snapshot")
            }
            #expect(show.document.players.flatMap(\.cells).count == 10_000)
        }
        #expect(stage.work == [8, 8])
        stage.score(1001, 5)
        let events = try clients.map { try next($0) }
        #expect(stage.work == [9, 9])
        #expect(Set(events).count == 1)
        let event = try #require(events.first)
        let frame = try RPCEncoding.notification(WatchEvent.method, event)
        #expect(frame.count < 2 << 10)
        guard case .change(let change) = event.content else {
            return #expect(Bool(false), "no change")
        }
        #expect(change.document.players?.first?.cells?.map(\.round) == [1001])
    }

    @Test("that join later continue from the number of their snapshot")
    func later() throws {
        let stage = try Stage(try table())
        let first = try stage.client()
        _ = try first.call(.watch, .init())
        let begin = try next(first).seq
        stage.score(4, 9)
        #expect(try next(first).seq == begin + 1)
        let second = try stage.client()
        _ = try second.call(.watch, .init())
        let snapshot = try next(second)
        #expect(snapshot.seq == begin + 1)
        #expect(snapshot.content == .snapshot(try stage.queue.sync { try stage.table.show }))
        stage.score(5, 9)
        #expect(try next(first) == next(second))
    }

    @Test(
        "get no event if nothing looks different, and one for a change that only this device knows"
    )
    func localContext() throws {
        let stage = try Stage(try table())
        let client = try stage.client()
        _ = try client.call(.watch, .init())
        let begin = try next(client).seq
        stage.queue.sync { stage.watchers.changed(stage.table.id) }
        stage.queue.sync {
            stage.table.localContext.notes = ["the disk is full"]
            stage.watchers.changed(stage.table.id)
        }
        var change = ShowChange()
        change.context.notes = ["the disk is full"]
        #expect(try next(client) == WatchEvent(seq: begin + 1, .change(change)))
    }

    @Test("cost nothing once they are gone, and are disconnected when the session is left")
    func gone() throws {
        let stage = try Stage(try table())
        var client: ControlClient? = try stage.client()
        _ = try client?.call(.watch, .init())
        client = nil
        while stage.queue.sync(execute: { stage.watchers[stage.table.id] != nil }) {}
        stage.score(4, 1)
        #expect(stage.work == [])
        let other = try stage.client()
        _ = try other.call(.watch, .init())
        _ = try next(other)
        stage.queue.sync { stage.watchers.left(stage.table.id) }
        #expect(throws: ControlError.self) { try next(other) }
    }

    @Test("that wait are checked again when their session changes, until the condition holds")
    func waits() throws {
        let stage = try Stage(try table())
        let asked = Mutex(0)
        let answers = Mutex(0)
        let isSo = Mutex(false)
        stage.queue.sync {
            _ = stage.watchers.wait(
                in: stage.table.id,
                milliseconds: nil,
                for: {
                    asked.withLock { $0 += 1 }
                    return isSo.withLock { $0 } ? .met : .unmet("it is not so")
                },
                then: { _ in answers.withLock { $0 += 1 } }
            )
        }
        stage.queue.sync { stage.watchers.changed(SessionID(high: 0, low: 2)) }
        stage.queue.sync {}
        // Once as it begins to wait, and not for another session.
        #expect(asked.withLock { $0 } == 1)
        stage.score(4, 1)
        stage.queue.sync {}
        #expect(asked.withLock { $0 } == 2 && answers.withLock { $0 } == 0)
        isSo.withLock { $0 = true }
        for _ in 0..<2 {
            stage.queue.sync { stage.watchers.changed(stage.table.id) }
            stage.queue.sync {}
        }
        #expect(asked.withLock { $0 } == 3 && answers.withLock { $0 } == 1)
    }
}
