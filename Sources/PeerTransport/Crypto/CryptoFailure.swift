internal import COpenSSL

/// A call of OpenSSL that failed outside a handshake: memory, or parameters that it refuses.
package struct CryptoFailure: Error, Hashable, Sendable {
    /// The function that failed.
    package let operation: String
    /// What OpenSSL says about it; never a secret.
    package let reason: String

    init(_ operation: String, reason: String) {
        self.operation = operation
        self.reason = reason
    }

    /// The failure that the thread's error queue describes; empties the queue.
    init(_ operation: String) {
        self.init(operation, reason: OpenSSLErrors.takeFirst().text)
    }
}

extension CryptoFailure: CustomStringConvertible {
    package var description: String { "\(operation) failed: \(reason)" }
}

/// The error queue that OpenSSL keeps for each thread.
enum OpenSSLErrors {
    /// The oldest error, which is the cause of those after it; empties the queue.
    static func takeFirst() -> (reason: Int32, text: String) {
        let code = ERR_get_error()
        ERR_clear_error()
        guard code != 0 else { return (0, "no reason given") }
        let text = unsafe ERR_reason_error_string(code).map { unsafe String(cString: $0) }
        return (shim_ERR_GET_REASON(code), text ?? "error \(code)")
    }
}
