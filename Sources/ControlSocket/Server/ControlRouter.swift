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
