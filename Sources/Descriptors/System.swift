internal import CPlatform

package struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The attempted action, as it follows "cannot" in a message: "listen on 0.0.0.0:47615".
    package let operation: String
    package let code: Int32

    package init(_ operation: String, code: Int32) {
        (self.operation, self.code) = (operation, code)
    }

    /// Returns the result of a CPlatform function; throws if it is a negated errno.
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

    package static func text(of code: Int32) -> String {
        written(upTo: 128) { platform_error_text(code, $0, 128) }
    }
}

package enum TimeText {
    /// Returns the time in milliseconds since 1970, in a format of strftime(3).
    package static func format(_ milliseconds: Int64, _ format: String, isLocal: Bool) -> String {
        written(upTo: 32) { platform_time_text(milliseconds, isLocal, format, $0) }
    }
}

private func written(upTo bytes: Int, _ write: (UnsafeMutablePointer<CChar>) -> Void) -> String {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: bytes) { buffer in
        guard let start = buffer.baseAddress else { return "" }
        write(start)
        return String(cString: start)
    }
}

/// Identifies a file on this machine; its path may name another file later.
package struct FileIdentity: Hashable, Sendable {
    private let device: UInt64
    private let number: UInt64

    /// Identifies the file at a path, without following a link; nil if there is none.
    package init?(at path: String) {
        var file = platform_file()
        guard platform_file_status(path, &file) == 0 else { return nil }
        (device, number) = (file.device, file.number)
    }

    package init?(of descriptor: Int32) {
        var file = platform_file()
        guard platform_descriptor_status(descriptor, &file) == 0 else { return nil }
        (device, number) = (file.device, file.number)
    }
}
