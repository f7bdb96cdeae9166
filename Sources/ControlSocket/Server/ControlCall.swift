package import SyncProtocol

/// A call that waits for its answer.
///
/// It must be answered exactly once, on the queue of the listener; if the caller has gone
/// meanwhile, the answer is dropped.
package struct ControlCall<Reply: Codable & Sendable>: Sendable {
    /// Where the call came from: for notifications, and to hear when the caller has gone.
    package let connection: ControlConnection
    private let id: RPCID

    init(connection: ControlConnection, id: RPCID) {
        self.connection = connection
        self.id = id
    }

    /// Answers.
    package func respond(_ reply: Reply) {
        connection.answer(id, reply: reply)
    }

    /// Answers with an error.
    package func fail(_ error: ControlError) {
        connection.answer(id, fault: RPCFault(error))
    }

    /// Answers with either.
    package func respond(_ result: Result<Reply, ControlError>) {
        switch result {
        case .success(let reply): respond(reply)
        case .failure(let error): fail(error)
        }
    }
}
