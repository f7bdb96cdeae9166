/// A message of JSON-RPC 2.0 as it was received: its head read, its content still bytes.
package enum RPCMessage: Hashable, Sendable {
    /// A call that expects an answer.
    case request(id: RPCID, method: String, parameters: ArraySlice<UInt8>)
    /// A call that expects none.
    case notification(method: String, parameters: ArraySlice<UInt8>)
    /// The answer to a call.
    case result(id: RPCID, ArraySlice<UInt8>)
    /// The error instead of an answer.
    case fault(id: RPCID, RPCFault)

    /// Reads the head of a message, after a scan that lets nothing dangerous reach a decoder.
    ///
    /// Parameters and results stay bytes that ``ControlJSON/decode(_:from:)`` may be given.
    package init(_ bytes: [UInt8]) throws(RPCFault) {
        do {
            try JSONScan.check(bytes)
        } catch {
            throw RPCFault(code: RPCFault.notJSON, "the frame holds no usable JSON: \(error)")
        }
        guard let members = RPCMembers(bytes) else {
            throw RPCFault(code: RPCFault.notACall, "the frame holds no JSON object")
        }
        guard members["jsonrpc"].map(Array.init) == Array(#""2.0""#.utf8) else {
            throw RPCFault(code: RPCFault.notACall, "jsonrpc must be \"2.0\"")
        }
        let id = try members["id"].map { (bytes) throws(RPCFault) in
            try Self.read(RPCID.self, bytes)
        }
        if let method = members["method"] {
            let name = try Self.read(String.self, method)
            let parameters = members["params"] ?? Array("{}".utf8)[...]
            self =
                id.map { .request(id: $0, method: name, parameters: parameters) }
                ?? .notification(method: name, parameters: parameters)
        } else if let id, let result = members["result"] {
            self = .result(id: id, result)
        } else if let id, let fault = members["error"] {
            self = .fault(id: id, try Self.read(RPCFault.self, fault))
        } else {
            throw RPCFault(code: RPCFault.notACall, "neither a call nor an answer")
        }
    }

    private static func read<Part: Decodable>(
        _ type: Part.Type,
        _ bytes: ArraySlice<UInt8>
    ) throws(RPCFault) -> Part {
        do {
            return try ControlJSON.decode(type, from: bytes)
        } catch {
            throw RPCFault(code: RPCFault.notACall, error.message)
        }
    }
}
