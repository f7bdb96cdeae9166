import CPlatform
import FoundationEssentials
import LaptopKit

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A raw connection to a board, which may send anything.
package final class BrowserConnection {
    let descriptor: Int32
    private var bytes: [UInt8] = []

    /// Connects to a port of this machine; `receiveBytes` limits the unread bytes.
    package init(_ port: UInt16, receiveBytes: Int32 = 0) throws {
        let board = platform_ipv4(0x7F00_0001, port)
        descriptor = platform_tcp_socket(board)
        if receiveBytes > 0 { _ = platform_set_buffers(descriptor, 0, receiveBytes) }
        _ = platform_connect(descriptor, board)
        guard platform_wait(descriptor, true, -1, 10_000) == 1,
            platform_socket_error(descriptor) == 0
        else { throw Failure("cannot connect to port \(port)") }
    }

    deinit { platform_close(descriptor) }

    /// Sends a text; the rest is dropped if the connection is closed.
    package func send(_ text: String) { send(Array(text.utf8)) }

    /// Sends bytes; the rest is dropped if the connection is closed.
    package func send(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { platform_send(descriptor, $0.baseAddress, $0.count) }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if !platform_would_block(count)
                || platform_wait(descriptor, true, -1, 10_000) != 1
            {
                return
            }
        }
    }

    /// Ends what is sent, so that the board cannot wait for more.
    package func finishWriting() { _ = platform_finish_writing(descriptor) }

    /// Sends a request as a browser does.
    package func request(
        _ method: String,
        _ path: String,
        _ headers: [String: String],
        _ body: String = ""
    ) {
        var lines = ["\(method) \(path) HTTP/1.1"]
        lines += headers.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
        if !body.isEmpty { lines.append("Content-Length: \(body.utf8.count)") }
        send((lines + ["", body]).joined(separator: "\r\n"))
    }

    /// Receives bytes; returns false at the end of the stream.
    private func receive() throws -> Bool {
        guard isReadable(within: 20_000) else {
            throw Failure("nothing received for 20 s, after \(bytes.count) bytes")
        }
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        let count = platform_receive(descriptor, &buffer, buffer.count)
        if count > 0 { bytes += buffer[..<count] }
        return count > 0
    }

    private func isReadable(within milliseconds: Int32) -> Bool {
        platform_wait(descriptor, false, -1, milliseconds) == 1
    }

    /// Waits until the board closes the connection, and drops what it sends before.
    package func isClosed() throws -> Bool {
        while try receive() {}
        return true
    }

    /// Whether the board closes the connection in time; drops what it sends before.
    package func isClosed(withinMilliseconds limit: Int32) throws -> Bool {
        while isReadable(within: limit) {
            if try !receive() { return true }
        }
        return false
    }

    /// Reads the text up to a delimiter and drops the delimiter; nil if the stream ends before.
    func read(until mark: String) throws -> String? {
        while true {
            if let found = bytes.read(until: mark) { return String(decoding: found, as: UTF8.self) }
            guard try receive() else { return nil }
        }
    }

    /// Reads a number of bytes; nil if the stream ends before them.
    func read(_ count: Int) throws -> [UInt8]? {
        while bytes.count < count {
            guard try receive() else { return nil }
        }
        defer { bytes.removeFirst(count) }
        return Array(bytes[..<count])
    }
}

/// A response of a board.
package struct BoardResponse {
    package let status: Int
    /// The headers by lowercase name.
    package let headers: [String: String]
    package let body: String

    /// Decodes the body from JSON.
    package func decoded<Value: Decodable>(as type: Value.Type) throws -> Value {
        do { return try JSONDecoder().decode(type, from: Data(body.utf8)) } catch {
            throw Failure("\(error) in \(status) \(body.prefix(500))")
        }
    }
}

extension BrowserConnection {
    /// Reads the head of the next response; nil if the connection is closed.
    package func head() throws -> BoardResponse? {
        guard let head = try read(until: "\r\n\r\n") else { return nil }
        let lines = head.split(separator: "\r\n")
        let words = lines[0].split(separator: " ")
        guard words.count > 1, let status = Int(words[1]) else { throw Failure("no head: \(head)") }
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { continue }
            let value = line[line.index(after: colon)...].drop { $0 == " " }
            headers[line[..<colon].lowercased()] = String(value)
        }
        return BoardResponse(status: status, headers: headers, body: "")
    }

    /// Reads the next response with its body; nil if the connection is closed.
    package func response() throws -> BoardResponse? {
        guard let head = try head() else { return nil }
        let count = head.headers["content-length"].flatMap { Int($0) } ?? 0
        return BoardResponse(
            status: head.status,
            headers: head.headers,
            body: String(decoding: try read(count) ?? [], as: UTF8.self)
        )
    }
}

extension Array where Element == UInt8 {
    /// Removes and returns the bytes before a delimiter and drops the delimiter; nil if it has not
    /// arrived.
    ///
    /// It uses the C library for speed, because a sheet has hundreds of thousands of bytes.
    mutating func read(until mark: String) -> [UInt8]? {
        let mark = Array(mark.utf8)
        let place = withUnsafeBytes { bytes -> Int? in
            guard let start = bytes.baseAddress else { return nil }
            var place = 0
            while let found = memchr(start + place, Int32(mark[0]), bytes.count - place) {
                place = UnsafeRawPointer(found) - start
                guard bytes.count - place >= mark.count else { return nil }
                if memcmp(found, mark, mark.count) == 0 { return place }
                place += 1
            }
            return nil
        }
        guard let place else { return nil }
        defer { removeSubrange(..<(place + mark.count)) }
        return Array(self[..<place])
    }
}
