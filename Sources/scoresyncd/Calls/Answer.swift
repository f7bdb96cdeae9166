import SyncProtocol

/// Answers a call, once, on the daemon's queue.
typealias Answer<Reply> = @Sendable (Result<Reply, ControlError>) -> Void
