package import Descriptors
package import SyncProtocol

/// What the watchers of one session are sent: each a snapshot, then every change, or a fresh
/// snapshot in place of the changes that it was too slow for.
///
/// News are encoded once, whoever watches, and counted for all watchers together: a change has the
/// number after that of the news before it, a snapshot that of the last news. Nothing waits in a
/// queue of its own: of a watcher whose connection is congested only a mark is kept until there is
/// room.
@EventLoop
package final class WatchFeed {
    private struct Watcher {
        let connection: ControlConnection
        var isBehind = false
    }

    /// How many frames were encoded: no more than there were news and snapshots asked for.
    package private(set) var encodings = 0

    private let snapshot: @EventLoop () throws(ControlError) -> ShowReply
    /// Who watches, the first first.
    private var watchers: [Watcher] = []
    private var sequence = 1

    /// A feed that nobody watches; `snapshot` is asked for a sheet in which all that was told, and
    /// nothing else, is taken in.
    package init(snapshot: @escaping @EventLoop () throws(ControlError) -> ShowReply) {
        self.snapshot = snapshot
    }

    /// Whether nobody watches.
    package var isEmpty: Bool { watchers.isEmpty }

    /// Whether anybody would be sent news now.
    package var isHeard: Bool {
        watchers.contains { !$0.isBehind && !$0.connection.isCongested }
    }

    /// Lets a connection watch until it closes or is removed, and sends it a snapshot.
    package func add(_ connection: ControlConnection) {
        remove(connection)
        // Behind until it has a snapshot, for which earlier news may be told first.
        watchers.append(Watcher(connection: connection, isBehind: true))
        connection.onClose { [weak self, weak connection] in
            if let connection { self?.remove(connection) }
        }
        connection.onDrain = { [weak self, weak connection] in
            if let connection { self?.catchUp(connection) }
        }
        catchUp(connection)
    }

    /// Sends a connection nothing more.
    package func remove(_ connection: ControlConnection) {
        watchers.removeAll { $0.connection === connection }
    }

    /// Sends news to everybody who has room for them.
    package func tell(_ news: WatchEvent.Content) {
        sequence += 1
        guard let frame = encode(news, for: watchers.map(\.connection)) else { return }
        skip()
        for watcher in watchers where !watcher.isBehind { watcher.connection.send(frame) }
    }

    /// Notes that there are news for which nobody, or not everybody, has room.
    package func skip() {
        for place in watchers.indices where watchers[place].connection.isCongested {
            watchers[place].isBehind = true
        }
    }

    /// Tells everybody why no more news will come, and hangs up: an old page must not look like a
    /// live one.
    package func end(_ error: ControlError) {
        for watcher in watchers { watcher.connection.end(RPCFault(error)) }
    }

    /// Hangs up on everybody.
    package func close() {
        for watcher in watchers { watcher.connection.close() }
    }

    /// Sends a snapshot to a watcher that is behind, if there is room.
    private func catchUp(_ connection: ControlConnection) {
        guard watchers.contains(where: { $0.connection === connection && $0.isBehind }),
            !connection.isCongested
        else { return }
        let show: ShowReply
        do throws(ControlError) { show = try snapshot() } catch {
            return connection.end(RPCFault(error))
        }
        guard let frame = encode(.snapshot(show), for: [connection]),
            let place = watchers.firstIndex(where: { $0.connection === connection })
        else { return }
        watchers[place].isBehind = false
        connection.send(frame)
    }

    /// The frame of news with the number of now; who would get one that is too long is told that.
    private func encode(_ news: WatchEvent.Content, for receivers: [ControlConnection]) -> [UInt8]?
    {
        encodings += 1
        do {
            let event = WatchEvent(seq: sequence, news)
            return try RPCEncoding.notification(WatchEvent.method, event)
        } catch {
            for connection in receivers { connection.end(RPCFault(error)) }
            return nil
        }
    }
}
