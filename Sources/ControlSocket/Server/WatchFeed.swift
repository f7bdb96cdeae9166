package import Descriptors
package import SyncProtocol

/// Sends the watchers of a session a snapshot, then every change, or a new snapshot in place of the
/// changes for which a watcher was too slow.
///
/// An event is encoded once and numbered for all watchers together: a change has the number after
/// that of the event before it, a snapshot that of the last event. Events are not queued: a watcher
/// with a congested connection is only marked as behind.
@EventLoop
package final class WatchFeed {
    private struct Watcher {
        let connection: ControlConnection
        var isBehind = false
    }

    /// The number of encoded frames, for tests.
    package private(set) var encodings = 0

    private let snapshot: @EventLoop () throws(ControlError) -> ShowReply
    private var watchers: [Watcher] = []
    private var sequence = 1

    /// Creates a feed without watchers; `snapshot` returns the sheet after the last sent event.
    package init(snapshot: @escaping @EventLoop () throws(ControlError) -> ShowReply) {
        self.snapshot = snapshot
    }

    package var isEmpty: Bool { watchers.isEmpty }

    /// Whether any watcher would be sent an event now.
    package var hasReceivers: Bool {
        watchers.contains { !$0.isBehind && !$0.connection.isCongested }
    }

    /// Adds a watcher, until its connection closes or is removed, and sends it a snapshot.
    package func add(_ connection: ControlConnection) {
        remove(connection)
        // A new watcher is behind until its first snapshot; earlier events may be sent before.
        watchers.append(Watcher(connection: connection, isBehind: true))
        connection.onClose { [weak self, weak connection] in
            if let connection { self?.remove(connection) }
        }
        connection.onDrain = { [weak self, weak connection] in
            if let connection { self?.catchUp(connection) }
        }
        catchUp(connection)
    }

    package func remove(_ connection: ControlConnection) {
        watchers.removeAll { $0.connection === connection }
    }

    /// Sends an event to all watchers that are not congested.
    package func send(_ content: WatchEvent.Content) {
        sequence += 1
        guard let frame = encode(content, for: watchers.map(\.connection)) else { return }
        markCongestedBehind()
        for watcher in watchers where !watcher.isBehind { watcher.connection.send(frame) }
    }

    package func markCongestedBehind() {
        for index in watchers.indices where watchers[index].connection.isCongested {
            watchers[index].isBehind = true
        }
    }

    /// Sends all watchers an error and disconnects them, since an outdated page must not look live.
    package func end(_ error: ControlError) {
        for watcher in watchers { watcher.connection.end(RPCFault(error)) }
    }

    /// Disconnects all watchers.
    package func close() { for watcher in watchers { watcher.connection.close() } }

    /// Sends a snapshot to a watcher that is behind, unless it is congested.
    private func catchUp(_ connection: ControlConnection) {
        guard watchers.contains(where: { $0.connection === connection && $0.isBehind }),
            !connection.isCongested
        else { return }
        let show: ShowReply
        do throws(ControlError) { show = try snapshot() } catch {
            return connection.end(RPCFault(error))
        }
        guard let frame = encode(.snapshot(show), for: [connection]),
            let index = watchers.firstIndex(where: { $0.connection === connection })
        else { return }
        watchers[index].isBehind = false
        connection.send(frame)
    }

    /// Encodes an event with the current number; sends its receivers an error if it is too long.
    private func encode(
        _ content: WatchEvent.Content,
        for receivers: [ControlConnection]
    ) -> [UInt8]? {
        encodings += 1
        do {
            let event = WatchEvent(seq: sequence, content)
            return try RPCEncoding.notification(WatchEvent.method, event)
        } catch {
            for connection in receivers { connection.end(RPCFault(error)) }
            return nil
        }
    }
}
