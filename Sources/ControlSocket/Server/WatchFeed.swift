package import Descriptors
package import SyncProtocol

/// Sends each watcher of a session a snapshot and then every change; a watcher that is too slow
/// gets a new snapshot instead of the changes that it missed.
///
/// Each event is encoded once, for all watchers. A change has the number of the previous event plus
/// one, a snapshot has the number of the last event. Events are not queued: a watcher whose
/// connection is congested is only marked as behind.
@EventLoop
package final class WatchFeed {
    private struct Watcher {
        let connection: ControlConnection
        var isBehind = false
    }

    /// The number of encoded frames so far, for tests.
    package private(set) var encodings = 0

    private let snapshot: @EventLoop () throws(ControlError) -> ShowReply
    private var watchers: [Watcher] = []
    private var sequence = 1

    /// Creates a feed without watchers; `snapshot` returns the sheet as of the last event.
    package init(snapshot: @escaping @EventLoop () throws(ControlError) -> ShowReply) {
        self.snapshot = snapshot
    }

    package var isEmpty: Bool { watchers.isEmpty }

    /// Whether there is a watcher to which an event would be sent now.
    package var hasReceivers: Bool {
        watchers.contains { !$0.isBehind && !$0.connection.isCongested }
    }

    /// Adds a watcher and sends it a snapshot; it is removed when its connection closes.
    package func add(_ connection: ControlConnection) {
        remove(connection)
        // A new watcher counts as behind until it has got its snapshot.
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

    /// Sends all watchers an error and disconnects them, because an outdated page must not look
    /// live.
    package func end(_ error: ControlError) {
        for watcher in watchers { watcher.connection.end(RPCFault(error)) }
    }

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

    /// Encodes an event with the current number; if it is too long, sends an error to its
    /// receivers.
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
