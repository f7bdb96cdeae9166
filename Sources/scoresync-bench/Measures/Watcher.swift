import ControlSocket
import Foundation
import SyncProtocol
import Synchronization

/// Watches a session on a thread of its own and notes when each value was first seen, so that who
/// writes can wait for its own answer meanwhile.
final class Watcher: Sendable {
    private let seen = Mutex<[Int64: ContinuousClock.Instant]>([:])

    /// A watcher that has its first snapshot.
    init(_ home: Home, _ session: SampleSession) throws(BenchError) {
        Thread.detachNewThread { [weak self] in
            guard let client = try? home.client(),
                (try? client.call(WatchRequest(session: session.name))) != nil
            else { return }
            while let self, let event = try? Self.next(client) { self.note(event) }
        }
        try wait { !$0.isEmpty }
    }

    /// When the value was seen, which this waits for.
    func waitFor(_ value: Int) throws(BenchError) -> ContinuousClock.Instant {
        try wait { $0[Int64(value)] != nil }
        guard let instant = seen.withLock({ $0[Int64(value)] }) else {
            throw BenchError("a value that was seen is gone")
        }
        return instant
    }

    private func wait(
        until isTrue: ([Int64: ContinuousClock.Instant]) -> Bool
    ) throws(BenchError) {
        let end = ContinuousClock.now + .seconds(20)
        while !seen.withLock({ isTrue($0) }) {
            guard ContinuousClock.now < end else { throw BenchError("the watcher saw no write") }
            Thread.sleep(forTimeInterval: 0.000_2)
        }
    }

    private func note(_ event: WatchEvent) {
        let now = ContinuousClock.now
        let cells =
            switch event.news {
            case .snapshot(let show): show.document.players.flatMap(\.cells)
            case .change(let change): change.document.players?.flatMap { $0.cells ?? [] } ?? []
            }
        let values = cells.compactMap { cell in
            if case .integer(let number) = cell.value { number } else { nil }
        }
        seen.withLock { seen in
            for value in values where seen[value] == nil { seen[value] = now }
        }
    }

    /// The next event; throws when the daemon has gone.
    private static func next(_ client: ControlClient) throws(ControlError) -> WatchEvent {
        while true {
            if let event = try client.event(WatchEvent.self, method: WatchEvent.method) {
                return event
            }
            _ = try client.wait(orFor: -1, milliseconds: 10_000)
        }
    }
}
