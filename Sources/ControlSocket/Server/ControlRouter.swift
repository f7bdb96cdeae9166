package import Descriptors
internal import JSONCoding
package import SyncProtocol

/// The handlers of the methods of the control socket.
///
/// They are called on the event queue, for each connection in the order of its calls; replies may
/// be sent at once or later, in any order.
package struct ControlRouter: Sendable {
    typealias Route = @EventLoop (ControlConnection, RPCID, JSONValue) -> Void

    private var routes: [String: Route] = [:]
    /// The answer to calls that change something; nil if they are handled.
    private let refusal: ControlError?
    /// The methods that are handled in any case.
    private let exceptions: Set<String>

    /// Creates a router; with a refusal, that is the answer to all calls but reading ones and
    /// exceptions.
    package init(refusing refusal: ControlError? = nil, except exceptions: Set<String> = []) {
        (self.refusal, self.exceptions) = (refusal, exceptions)
    }

    /// Sets the handler of a method.
    ///
    /// A call with malformed parameters gets an error, without calling the handler.
    package mutating func on<Parameters, Reply>(
        _ method: Method<Parameters, Reply>,
        _ handle: @escaping @EventLoop (Parameters, ControlCall<Reply>) -> Void
    ) {
        let refusal = method.isReading || exceptions.contains(method.name) ? nil : refusal
        routes[method.name] = { connection, id, json in
            if let refusal { return connection.answer(id, fault: RPCFault(refusal)) }
            let parameters: Parameters
            do throws(ControlError) {
                // A type without required fields could be decoded from anything.
                guard json.isObject else { throw .usage("params is not an object") }
                parameters = try ControlJSON.decode(Parameters.self, from: json)
            } catch {
                let text = "\(method.name): \(error.message)"
                connection.answer(id, fault: RPCFault(code: RPCFault.badParameters, text))
                return
            }
            handle(parameters, ControlCall(connection: connection, id: id))
        }
    }

    package var methods: [String] { routes.keys.sorted() }

    subscript(_ method: String) -> Route? { routes[method] }
}

/// A call that is waiting for its reply.
///
/// It must be answered exactly once; the reply is dropped if the caller has disconnected.
@EventLoop
package struct ControlCall<Reply: Codable & Sendable>: Sendable {
    /// The connection of the caller, for notifications and to observe its end.
    package let connection: ControlConnection
    let id: RPCID

    package func respond(_ reply: Reply) { connection.answer(id, reply: reply) }

    package func fail(_ error: ControlError) { connection.answer(id, fault: RPCFault(error)) }

    package func respond(_ result: Result<Reply, ControlError>) {
        switch result {
        case .success(let reply): respond(reply)
        case .failure(let error): fail(error)
        }
    }
}
