package import Descriptors
internal import JSONCoding
package import SyncProtocol

/// Which method is answered by whom.
///
/// Handlers are called on the queue of the listener, in the order of the calls of one connection;
/// they may answer at once or later, also out of order.
package struct ControlRouter: Sendable {
    typealias Route = @EventLoop (ControlConnection, RPCID, JSONValue) -> Void

    private var routes: [String: Route] = [:]

    /// A router that knows no method.
    package init() {}

    /// Sets the handler of a method.
    ///
    /// Parameters of the wrong type are answered with an error before it is called.
    package mutating func on<Parameters, Reply>(
        _ method: Method<Parameters, Reply>,
        _ handle: @escaping @EventLoop (Parameters, ControlCall<Reply>) -> Void
    ) {
        routes[method.name] = { connection, id, json in
            let parameters: Parameters
            do throws(ControlError) {
                parameters = try ControlJSON.decode(Parameters.self, from: json)
            } catch {
                let text = "\(method.name): \(error.message)"
                connection.answer(id, fault: RPCFault(code: RPCFault.badParameters, text))
                return
            }
            handle(parameters, ControlCall(connection: connection, id: id))
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
@EventLoop
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
