internal import JSONCoding
package import SyncProtocol

/// Which method is answered by whom.
///
/// Handlers are called on the queue of the listener, in the order of the calls of one connection;
/// they may answer at once or later, also out of order.
package struct ControlRouter: Sendable {
    typealias Route = @Sendable (ControlConnection, RPCID, JSONValue) -> Void

    private var routes: [String: Route] = [:]

    /// A router that knows no method.
    package init() {}

    /// Lets `handle` answer the calls of one type.
    ///
    /// Parameters that do not fit the type are answered before it is called.
    package mutating func on<Request: ControlRequest>(
        _ type: Request.Type,
        _ handle: @escaping @Sendable (Request, ControlCall<Request.Reply>) -> Void
    ) {
        routes[Request.method] = { connection, id, parameters in
            let request: Request
            do throws(ControlError) {
                request = try ControlJSON.decode(Request.self, from: parameters)
            } catch {
                let text = "\(Request.method): \(error.message)"
                connection.answer(id, fault: RPCFault(code: RPCFault.badParameters, text))
                return
            }
            handle(request, ControlCall(connection: connection, id: id))
        }
    }

    /// The methods that have an answer, sorted.
    package var methods: [String] { routes.keys.sorted() }

    subscript(_ method: String) -> Route? { routes[method] }
}

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
