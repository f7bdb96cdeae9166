package import SyncProtocol

/// What one watcher is sent: a snapshot, then every change, or a fresh snapshot in place of the
/// changes that it was too slow for.
///
/// Nothing waits in a queue of its own: while the connection is congested only a mark is kept, and
/// the sheet is asked for when there is room. It is used on the queue of its connection.
///
/// Invariant for `@unchecked Sendable`: everything is touched on the connection's queue only.
package final class WatchFeed: @unchecked Sendable {
    private let connection: ControlConnection
    private let current: @Sendable () throws(ControlError) -> ShowReply?
    private var sequence = 0
    private var isBehind = false
    private var last: ShowReply?

    /// A feed of the sheet that `current` answers with; while that is nil, nothing is sent.
    ///
    /// When it throws, because somebody replaced the sheet by one that cannot be read here, the
    /// watcher is told that and hung up on: an old page must not look like a live one.
    package init(
        _ connection: ControlConnection,
        current: @escaping @Sendable () throws(ControlError) -> ShowReply?
    ) {
        self.connection = connection
        self.current = current
        connection.onDrain = { @Sendable [weak self] in self?.catchUp() }
    }

    /// Sends the first snapshot; to be called after the call of `watch` was answered.
    package func start() { send(.snapshot) }

    /// Tells the watcher that the sheet may have changed; nothing is sent when it looks the same.
    package func changed() {
        if connection.isCongested {
            isBehind = true
        } else {
            send(isBehind ? .snapshot : .change)
        }
    }

    private func catchUp() {
        guard isBehind, !connection.isCongested else { return }
        send(.snapshot)
    }

    private func send(_ type: WatchEvent.Kind) {
        let now: ShowReply?
        do throws(ControlError) { now = try current() } catch {
            return connection.end(RPCFault(error))
        }
        guard let show = now else { return }
        isBehind = false
        guard type == .snapshot || show != last else { return }
        last = show
        sequence += 1
        connection.notify(WatchEvent.method, WatchEvent(seq: sequence, type: type, show: show))
    }
}
