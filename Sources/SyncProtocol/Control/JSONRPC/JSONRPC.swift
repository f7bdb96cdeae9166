package import JSONCoding

/// The id that a call and its reply share: a number, a text, or null in a reply to a frame without
/// a readable id (JSON-RPC 2.0, section 4).
package typealias RPCID = Scalar

/// A received message of JSON-RPC 2.0, of which only the envelope is decoded.
package enum RPCMessage: Hashable, Sendable {
    case request(id: RPCID, method: String, parameters: JSONValue)
    /// A call that gets no reply.
    case notification(method: String, parameters: JSONValue)
    case result(id: RPCID, JSONValue)
    case fault(id: RPCID, RPCFault)

    /// Decodes the envelope of a message; ``ControlJSON/decode(_:from:)`` decodes its content.
    package init(_ bytes: [UInt8]) throws(RPCFault) {
        let message: JSONValue
        do { message = try JSONText(bytes).root } catch {
            throw RPCFault(code: RPCFault.notJSON, "the frame contains no usable JSON: \(error)")
        }
        guard message.isObject else {
            throw RPCFault(code: RPCFault.notACall, "the frame contains no JSON object")
        }
        guard message["jsonrpc"]?.string == "2.0" else {
            throw RPCFault(code: RPCFault.notACall, "jsonrpc must be \"2.0\"")
        }
        let id = try message["id"].map { (id) throws(RPCFault) in try Self.read(RPCID.self, id) }
        if case .boolean = id {
            throw RPCFault(code: RPCFault.notACall, "the id must be a number or a text")
        }
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
            throw RPCFault(code: RPCFault.notACall, "neither a call nor a reply")
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

/// An error object of JSON-RPC 2.0 (section 5.1).
///
/// Malformed calls have the standard codes. Every other code is −32000 minus the exit code of
/// `scorectl`, and `data` contains the kind of the error as a word.
package struct RPCFault: Document, Error {
    /// The fields that JSON-RPC leaves to the application.
    package struct Details: Document {
        /// The kind of ``ControlError``, as text because later versions may have further kinds.
        package var kind: String
        package var hint: String?
        package var candidates: [String]?
        package var conflict: WriteConflict?
    }

    package static let notJSON = -32_700
    package static let notACall = -32_600
    package static let unknownMethod = -32_601
    package static let badParameters = -32_602
    package static let `internal` = -32_603

    package var code: Int
    package var message: String
    package var data: Details?

    /// Creates the fault of a malformed call.
    package init(code: Int, _ message: String, kind: ControlError.Kind = .usage) {
        (self.code, self.message) = (code, message)
        data = Details(kind: kind.rawValue)
    }

    package init(_ error: ControlError) {
        code = -32_000 - Int(error.exitCode)
        message = error.message
        data = Details(
            kind: error.kind.rawValue,
            hint: error.hint,
            candidates: error.candidates,
            conflict: error.conflict
        )
    }

    /// The error that was sent; a kind that this version does not know becomes `failed`.
    ///
    /// A method that the other side does not know is one of another version.
    package var error: ControlError {
        let known = (data?.kind).flatMap(ControlError.Kind.init(rawValue:)) ?? .failed
        let kind = code == Self.unknownMethod ? .versionMismatch : known
        return ControlError(kind, message, hint: data?.hint, candidates: data?.candidates).with {
            $0.conflict = data?.conflict
        }
    }
}

/// Encodes messages of JSON-RPC 2.0 as frames, each preceded by its length.
package enum RPCEncoding {
    package static func request<Parameters, Reply>(
        _ method: Method<Parameters, Reply>,
        _ parameters: Parameters,
        id: RPCID
    ) throws(ControlError) -> [UInt8] {
        try frame(Envelope(id: id, method: method.name, params: parameters))
    }

    /// Encodes a call whose parameters are JSON already; the name contains letters and dots only.
    package static func request(
        named method: String,
        json parameters: [UInt8],
        id: Int64
    ) throws(ControlError) -> [UInt8] {
        let head = "{\"id\":\(id),\"jsonrpc\":\"2.0\",\"method\":\"\(method)\",\"params\":"
        var frame = Frame.header + Array(head.utf8) + parameters + Array("}".utf8)
        do { try Frame.finish(&frame, limit: Limits.controlFrameBytes) } catch {
            throw ControlError(.failed, "\(error)")
        }
        return frame
    }

    package static func notification(
        _ method: String,
        _ parameters: some Encodable
    ) throws(ControlError) -> [UInt8] { try frame(Envelope(method: method, params: parameters)) }

    package static func result(_ reply: some Encodable, id: RPCID) throws(ControlError) -> [UInt8] {
        try frame(Envelope(id: id, result: reply))
    }

    /// Encodes an error; an error too long for a frame is replaced by a short one.
    package static func fault(_ fault: RPCFault, id: RPCID) -> [UInt8] {
        if let frame = try? frame(Envelope<RPCFault>(error: fault, id: id)) { return frame }
        let short = RPCFault(code: fault.code, "the error is too long to send", kind: .failed)
        return (try? frame(Envelope<RPCFault>(error: short, id: .null))) ?? []
    }

    private static func frame(_ envelope: some Encodable) throws(ControlError) -> [UInt8] {
        var frame = try ControlJSON.encode(envelope, behind: Frame.header)
        do { try Frame.finish(&frame, limit: Limits.controlFrameBytes) } catch {
            throw ControlError(.failed, "\(error)")
        }
        return frame
    }

    /// A message; its fields are declared in alphabetical order, so that sorting moves no bytes.
    private struct Envelope<Content: Encodable>: Encodable {
        var error: RPCFault?
        var id: RPCID?
        let jsonrpc = "2.0"
        var method: String?
        var params: Content?
        var result: Content?
    }
}
