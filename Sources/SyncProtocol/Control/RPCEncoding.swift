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
