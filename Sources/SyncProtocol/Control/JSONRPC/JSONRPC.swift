package import JSONCoding

/// What ties an answer to its call (JSON-RPC 2.0, section 4).
package enum RPCID: Codable, Hashable, Sendable {
    /// A number, as this program uses.
    case number(Int64)
    /// A text, as other clients may use.
    case text(String)
    /// In answers to what had no readable id.
    case null

    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let number = try? container.decode(Int64.self) {
            self = .number(number)
        } else {
            self = .text(try container.decode(String.self))
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .number(let number): try container.encode(number)
        case .text(let text): try container.encode(text)
        case .null: try container.encodeNil()
        }
    }
}

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

/// An error object of JSON-RPC 2.0 (section 5.1).
///
/// The standard codes tell what was wrong with the call itself. Everything else is −32000 less the
/// exit code of `scorectl`; `data` says the same in words, for clients that do not count.
package struct RPCFault: Error, Codable, Hashable, Sendable {
    /// What goes beyond the standard.
    package struct Details: Codable, Hashable, Sendable {
        /// The kind of ``ControlError``, as text because later versions may know more of them.
        package var kind: String
        /// What to type instead, for a command line.
        package var hint: String?
        /// What the user may have meant.
        package var candidates: [String]?
    }

    /// The frame holds no JSON.
    package static let notJSON = -32_700
    /// The JSON is no call.
    package static let notACall = -32_600
    /// Nobody knows the method.
    package static let unknownMethod = -32_601
    /// The parameters do not fit the method.
    package static let badParameters = -32_602
    /// The answer could not be made.
    package static let `internal` = -32_603

    /// The code of the standard, or of the kind.
    package var code: Int
    /// What went wrong, for people.
    package var message: String
    /// What goes beyond the standard.
    package var data: Details?

    /// A fault of the call itself.
    package init(code: Int, _ message: String, kind: ControlError.Kind = .usage) {
        (self.code, self.message) = (code, message)
        data = Details(kind: kind.rawValue)
    }

    /// The form in which an error travels.
    package init(_ error: ControlError) {
        code = -32_000 - Int(error.exitCode)
        message = error.message
        data = Details(
            kind: error.kind.rawValue,
            hint: error.hint,
            candidates: error.candidates
        )
    }

    /// The error that travelled; of a kind that this version does not know, just a failure.
    package var error: ControlError {
        let kind = (data?.kind).flatMap(ControlError.Kind.init(rawValue:)) ?? .failed
        return ControlError(kind, message, hint: data?.hint, candidates: data?.candidates)
    }
}

/// The frames of JSON-RPC 2.0 that this program sends, each with its length before it.
package enum RPCEncoding {
    /// A call that expects an answer.
    package static func request<Parameters, Reply>(
        _ method: Method<Parameters, Reply>,
        _ parameters: Parameters,
        id: RPCID
    ) throws(ControlError) -> [UInt8] {
        try frame(Call(id: id, method: method.name, params: parameters))
    }

    /// A call that expects none.
    package static func notification(
        _ method: String,
        _ parameters: some Encodable
    ) throws(ControlError) -> [UInt8] {
        try frame(Call(id: nil, method: method, params: parameters))
    }

    /// The answer to a call.
    package static func result(_ reply: some Encodable, id: RPCID) throws(ControlError) -> [UInt8] {
        try frame(Answer(id: id, result: reply))
    }

    /// The error instead of an answer.
    ///
    /// It never fails: an error too long for a frame is replaced by a short one.
    package static func fault(_ fault: RPCFault, id: RPCID) -> [UInt8] {
        if let frame = try? frame(Failure(error: fault, id: id)) { return frame }
        let short = RPCFault(code: fault.code, "an error too long to be sent", kind: .failed)
        return (try? frame(Failure(error: short, id: .null))) ?? []
    }

    private static func frame(_ envelope: some Encodable) throws(ControlError) -> [UInt8] {
        var frame = try ControlJSON.encode(envelope, behind: Frame.header)
        do { try Frame.finish(&frame, limit: Limits.controlFrameBytes) } catch {
            throw ControlError(.failed, "\(error)")
        }
        return frame
    }

    // The fields of each stand in the order in which they are written, so that nothing is moved.

    private struct Call<Parameters: Encodable>: Encodable {
        let id: RPCID?
        let jsonrpc = "2.0"
        let method: String
        let params: Parameters
    }

    private struct Answer<Reply: Encodable>: Encodable {
        let id: RPCID
        let jsonrpc = "2.0"
        let result: Reply
    }

    private struct Failure: Encodable {
        let error: RPCFault
        let id: RPCID
        let jsonrpc = "2.0"
    }
}
