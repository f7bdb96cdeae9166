/// The frames of JSON-RPC 2.0 that this program sends, each with its length before it.
package enum RPCEncoding {
    /// A call that expects an answer.
    package static func request<Request: ControlRequest>(
        _ request: Request,
        id: RPCID
    ) throws(ControlError) -> [UInt8] {
        try frame(Call(id: id, method: Request.method, params: request))
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
        if let frame = try? frame(Failure(id: id, error: fault)) { return frame }
        let short = RPCFault(code: fault.code, "an error too long to be sent", kind: .failed)
        return (try? frame(Failure(id: .null, error: short))) ?? []
    }

    private static func frame(_ envelope: some Encodable) throws(ControlError) -> [UInt8] {
        do {
            let payload = try ControlJSON.encode(envelope)
            return try Frame.encode(payload, limit: Limits.controlFrameBytes)
        } catch let error as FrameError {
            throw ControlError(.failed, "\(error)")
        } catch let error as ControlError {
            throw error
        } catch {
            throw ControlError(.failed, "\(error)")
        }
    }

    private struct Call<Parameters: Encodable>: Encodable {
        let jsonrpc = "2.0"
        let id: RPCID?
        let method: String
        let params: Parameters
    }

    private struct Answer<Reply: Encodable>: Encodable {
        let jsonrpc = "2.0"
        let id: RPCID
        let result: Reply
    }

    private struct Failure: Encodable {
        let jsonrpc = "2.0"
        let id: RPCID
        let error: RPCFault
    }
}
