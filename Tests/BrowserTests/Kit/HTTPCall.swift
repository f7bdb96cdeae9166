import Foundation
import LaptopKit

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// An HTTP request to this machine.
///
/// Foundation's client rejects the headers of chromedriver.
enum HTTPCall {
    /// Sends a request with a body, and returns the body of the response.
    static func answer(
        _ port: UInt16,
        _ method: String,
        _ path: String,
        _ body: Data
    ) throws -> (status: Int, body: Data) {
        let descriptor = try connection(to: port)
        defer { close(descriptor) }
        let head = [
            "\(method) \(path) HTTP/1.1", "Host: 127.0.0.1:\(port)", "Connection: close",
            "Content-Type: application/json", "Content-Length: \(body.count)", "", "",
        ]
        try send(Array(head.joined(separator: "\r\n").utf8) + body, to: descriptor)
        let answer = receive(from: descriptor)
        guard let head = headEnd(of: answer) else {
            throw Failure("no answer to \(method) \(path)")
        }
        let status = String(decoding: answer.prefix(12).suffix(3), as: UTF8.self)
        return (Int(status) ?? 0, Data(answer[head...]))
    }

    /// Returns the offset of the body; nil if the head is incomplete.
    private static func headEnd(of answer: Data) -> Int? {
        answer.range(of: Data("\r\n\r\n".utf8))?.upperBound
    }

    /// Returns the length of the whole response; nil if the head is incomplete.
    private static func length(of answer: Data) -> Int? {
        guard let end = headEnd(of: answer) else { return nil }
        let lines = String(decoding: answer[..<end], as: UTF8.self).lowercased().split(
            separator: "\r\n"
        )
        let length = lines.first { $0.hasPrefix("content-length:") }?.dropFirst(15)
        return end + (Int(length?.trimmingCharacters(in: .whitespaces) ?? "") ?? 0)
    }

    private static func connection(to port: UInt16) throws -> Int32 {
        #if canImport(Glibc)
        let stream = Int32(SOCK_STREAM.rawValue)
        #else
        let stream = SOCK_STREAM
        #endif
        let descriptor = socket(AF_INET, stream, 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
        // The timeout for the browser's response.
        var patience = timeval(tv_sec: 60, tv_usec: 0)
        setsockopt(
            descriptor,
            SOL_SOCKET,
            SO_RCVTIMEO,
            &patience,
            socklen_t(MemoryLayout<timeval>.size)
        )
        let result = withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                connect(descriptor, address, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else {
            close(descriptor)
            throw Failure("nobody listens on port \(port)")
        }
        return descriptor
    }

    private static func send(_ bytes: [UInt8], to descriptor: Int32) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else { throw Failure("the server took no more") }
            rest = rest.dropFirst(count)
        }
    }

    private static func receive(from descriptor: Int32) -> Data {
        var (answer, buffer) = (Data(), [UInt8](repeating: 0, count: 1 << 16))
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            guard count > 0 else { return answer }
            answer.append(contentsOf: buffer[..<count])
            if let length = length(of: answer), answer.count >= length { return answer }
        }
    }
}
