/// etcd with one member, which keeps the promise of one disk; the watcher listens to the same.
///
/// The client speaks the least of HTTP/2 that carries gRPC: headers as they are, windows that never
/// close, and of what comes only the frames with content.
enum EtcdPeer {
    static func scene(on stage: Stage) throws -> Scene? {
        guard let program = Installed.path(of: "etcd") else { return nil }
        let directory = try stage.newDirectory()
        let port = try stage.freePort()
        let clients = "http://127.0.0.1:\(port)"
        let members = "http://127.0.0.1:\(try stage.freePort())"
        let words = [
            "--data-dir", directory + "/data", "--log-level", "error",
            "--listen-client-urls", clients, "--advertise-client-urls", clients,
            "--listen-peer-urls", members, "--initial-advertise-peer-urls", members,
            "--initial-cluster", "default=\(members)",
        ]
        let child = try Child(program, words, home: directory, log: directory + "/log")
        let writer = try Installed.waiting { try connection(port) }
        let watcher = try connection(port)
        let range = field(1, Array("cell/".utf8)) + field(2, Array("cell0".utf8))
        try watcher.send(call(1, "/etcdserverpb.Watch/Watch", field(1, range), isLast: false))
        try watcher.wait(forFrames: 1)
        return Scene(writer: writer, watchers: [watcher], processes: [child.process]) { number in
            let mark = "\(100_000 + number)"
            let value = mark + String(repeating: " ", count: 100 - mark.utf8.count)
            let put = field(1, Array("cell/\(number % 1000)".utf8)) + field(2, Array(value.utf8))
            let stream = UInt32(number * 2 + 1)
            return Scene.Score(frame: call(stream, "/etcdserverpb.KV/Put", put), mark: mark)
        }
    }

    private static func connection(_ port: UInt16) throws(BenchError) -> FrameSocket {
        let socket = try FrameSocket(port: port, contents)
        let most = UInt32(0x7FFF_FFFF)
        try socket.send(
            Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)
                + frame(4, 0, 0, [0, 4] + bytes(most))
                + frame(8, 0, 0, bytes(most - 65_535))
        )
        return socket
    }

    /// The content of the frames that have some (RFC 9113, 6.1).
    private static func contents(_ arrived: inout [UInt8]) -> [[UInt8]] {
        var contents: [[UInt8]] = []
        var start = 0
        while arrived.count - start >= 9 {
            let length = arrived[start..<start + 3].reduce(0) { $0 << 8 | Int($1) }
            let first = start + 9
            guard arrived.count - first >= length else { break }
            if arrived[start + 3] == 0, length > 0 {
                contents.append(Array(arrived[first..<first + length]))
            }
            start = first + length
        }
        arrived.removeFirst(start)
        return contents
    }

    /// A call with one message.
    private static func call(
        _ stream: UInt32,
        _ path: String,
        _ message: [UInt8],
        isLast: Bool = true
    ) -> [UInt8] {
        let names = [
            (":path", path), (":authority", "bench"), ("content-type", "application/grpc"),
            ("te", "trailers"),
        ]
        // POST and http from the static table, the others as they are (RFC 7541, 6.1 and 6.2.2).
        let headers = names.reduce(into: [0x83, 0x86] as [UInt8]) { headers, header in
            headers += [0] + text(header.0) + text(header.1)
        }
        return frame(1, 4, stream, headers)
            + frame(0, isLast ? 1 : 0, stream, [0] + bytes(UInt32(message.count)) + message)
    }

    private static func text(_ text: String) -> [UInt8] {
        [UInt8(text.utf8.count)] + Array(text.utf8)
    }

    private static func frame(
        _ kind: UInt8,
        _ flags: UInt8,
        _ stream: UInt32,
        _ content: [UInt8]
    ) -> [UInt8] {
        Array(bytes(UInt32(content.count)).dropFirst()) + [kind, flags] + bytes(stream) + content
    }

    private static func bytes(_ number: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }

    /// A field of bytes, at most 127 (protocol buffers, wire type 2).
    private static func field(_ number: UInt8, _ content: [UInt8]) -> [UInt8] {
        [number << 3 | 2, UInt8(content.count)] + content
    }
}
