package import JSONCoding

/// A message of JSON-RPC 2.0 as it was received: its head read, its content still JSON.
package enum RPCMessage: Hashable, Sendable {
    /// A call that expects an answer.
    case request(id: RPCID, method: String, parameters: JSONValue)
    /// A call that expects none.
    case notification(method: String, parameters: JSONValue)
    /// The answer to a call.
    case result(id: RPCID, JSONValue)
    /// The error instead of an answer.
    case fault(id: RPCID, RPCFault)

    /// Reads the head of a message; parameters and results are for
    /// ``ControlJSON/decode(_:from:)``.
    package init(_ bytes: [UInt8]) throws(RPCFault) {
        let message: JSONValue
        do { message = try JSONText(bytes).root } catch {
            throw RPCFault(code: RPCFault.notJSON, "the frame holds no usable JSON: \(error)")
        }
        guard message.isObject else {
            throw RPCFault(code: RPCFault.notACall, "the frame holds no JSON object")
        }
        guard message["jsonrpc"]?.string == "2.0" else {
            throw RPCFault(code: RPCFault.notACall, "jsonrpc must be \"2.0\"")
        }
        let id = try message["id"].map { (id) throws(RPCFault) in try Self.read(RPCID.self, id) }
        if let method = message["method"] {
            let name = try Self.read(String.self, method)
            let parameters = message["params"] ?? .emptyObject
            self =
                id.map { .request(id: $0, method: name, parameters: parameters) }
                ?? .notification(method: name, parameters: parameters)
        } else if let id, let result = message["result"] {
            self = .result(id: id, result)
        } else if let id, let fault = message["error"] {
            self = .fault(id: id, try Self.read(RPCFault.self, fault))
        } else {
            throw RPCFault(code: RPCFault.notACall, "neither a call nor an answer")
        }
    }

    private static func read<Part: Decodable>(
        _ type: Part.Type,
        _ value: JSONValue
    ) throws(RPCFault) -> Part {
        do {
            return try ControlJSON.decode(type, from: value)
        } catch {
            throw RPCFault(code: RPCFault.notACall, error.message)
        }
    }
}
