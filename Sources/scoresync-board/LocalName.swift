import CPlatform

/// The name under which the network finds this machine by multicast DNS, such as `kitchen.local`.
///
/// Only avahi is asked, by its simple protocol: `RESOLVE-ADDRESS` with an address of this machine
/// returns the name that avahi defends (RFC 6762, 9), which is not the host name after a conflict.
/// Without avahi nobody answers for the name, so there is none.
enum LocalName {
    private static let usualSocket = "/run/avahi-daemon/socket"
    /// The time in milliseconds in which avahi must answer; it knows its own name.
    private static let timeout: Int32 = 1_000
    /// The maximum length of a name (RFC 1035, 2.3.4).
    private static let maxBytes = 253

    /// Asks for the name of an address of this machine; nil without one.
    static func name(of address: String) -> String? {
        answer(to: "RESOLVE-ADDRESS \(address)\n", at: socketPath).flatMap(parsed)
    }

    /// Parses an answer such as `+ 2 0 kitchen.local`, of which the name is the last word.
    static func parsed(_ answer: String) -> String? {
        let words = answer.prefix { !$0.isNewline }.split(separator: " ")
        guard words.first == "+", let name = words.last?.lowercased(), name.hasSuffix(".local"),
            name.utf8.count <= maxBytes,
            name.utf8.allSatisfy({ byte in
                UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte
                    || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || "-.".utf8.contains(byte)
            })
        else { return nil }
        return name
    }

    private static func answer(to question: String, at path: String) -> String? {
        let socket = platform_unix_socket()
        guard socket >= 0 else { return nil }
        defer { platform_close(socket) }
        let bytes = Array(question.utf8)
        guard unsafe platform_unix_connect(socket, path) >= 0,
            unsafe platform_write_all(socket, bytes, bytes.count) >= 0,
            platform_wait(socket, false, -1, timeout) == 1
        else { return nil }
        // The answer is one line, which avahi writes at once.
        var answer = [UInt8](repeating: 0, count: 512)
        let count = unsafe platform_read(socket, &answer, answer.count)
        return count > 0 ? String(decoding: answer[..<count], as: UTF8.self) : nil
    }

    #if DEBUG
    private static var socketPath: String {
        let path = unsafe platform_environment("SCORESYNC_TEST_AVAHI")
        return unsafe path.map { unsafe String(cString: $0) } ?? usualSocket
    }
    #else
    private static var socketPath: String { usualSocket }
    #endif
}
