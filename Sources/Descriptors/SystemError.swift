internal import CPlatform

/// A failed call of the operating system.
package struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The attempted action, in words that follow "cannot": "listen on 0.0.0.0:47615".
    package let operation: String
    /// The errno.
    package let code: Int32

    package init(_ operation: String, code: Int32) {
        (self.operation, self.code) = (operation, code)
    }

    /// Returns the result of a call of CPlatform, or throws its negated errno.
    @discardableResult
    package static func check(
        _ result: Int32,
        _ operation: @autoclosure () -> String
    ) throws(SystemError) -> Int32 {
        guard result < 0 else { return result }
        throw SystemError(operation(), code: -result)
    }

    package var description: String {
        "cannot \(operation): \(SystemError.text(of: code)) (errno \(code))"
    }

    /// The system's description of an errno.
    package static func text(of code: Int32) -> String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 128) { buffer in
            guard let start = buffer.baseAddress else { return "" }
            platform_error_text(code, start, buffer.count)
            return String(cString: start)
        }
    }
}
