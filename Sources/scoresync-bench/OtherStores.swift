import CPlatform
import Foundation

/// Writes to other stores with similar guarantees, if they are installed, next to ScoreSync.
enum OtherStores {
    static func measure(on stage: Stage) throws -> [Measurement] {
        var scenes: [(name: String, title: String, scene: Scene)] = []
        if let redis = try RedisPeer.scene(on: stage) {
            scenes.append(("redis", "Redis, which syncs each write, and a replica", redis))
        }
        if let etcd = try EtcdPeer.scene(on: stage) {
            scenes.append(("etcd", "etcd, one member", etcd))
        }
        var daemons: [DaemonProcess] = []
        for cells in [100, 10_000] {
            let session = SampleSession(cells: cells)
            let (scene, pair) = try PeerWrite.scene(of: session, on: stage)
            scenes.append(("scoresync-\(cells)", "ScoreSync, \(cells) cells", scene))
            daemons += pair
        }
        let lines = try FlowComparison(stage).measure(scenes).flatMap { [$0.write, $0.flow] }
        for daemon in daemons { try daemon.stop() }
        return lines
    }
}

/// Programs of other stores.
enum Installed {
    /// The path of a program in `PATH`.
    static func path(of program: String) -> String? {
        (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
            .map { "\($0)/\(program)" }.first { platform_is_executable($0) }
    }

    /// Retries for some seconds, until a server is ready.
    static func retry<Result>(_ body: () throws -> Result) throws -> Result {
        for _ in 0..<200 {
            if let result = try? body() { return result }
            Thread.sleep(forTimeInterval: 0.05)
        }
        return try body()
    }
}

/// Redis with a replica, the nearest to a daemon on each laptop: the first syncs its file for each
/// write, and the watcher subscribes at the replica.
///
/// The replica syncs once a second, which guarantees less than ScoreSync does.
enum RedisPeer {
    static func scene(on stage: Stage) throws -> Scene? {
        guard let program = Installed.path(of: "redis-server") else { return nil }
        let main = try stage.freePort()
        let replica = try stage.freePort()
        let first = try start(program, main, ["--appendfsync", "always"], stage)
        let second = try start(program, replica, ["--replicaof", "127.0.0.1", "\(main)"], stage)
        try Installed.retry {
            let socket = try FrameSocket(port: replica, replies("master_link_status:up"))
            try socket.send(command(["INFO", "replication"]))
            guard try !FrameSocket.readable([socket], milliseconds: 200).isEmpty,
                try !socket.received().isEmpty
            else { throw BenchError("the replica of Redis is not linked") }
        }
        let watcher = try FrameSocket(port: replica, replies(""))
        try watcher.send(command(["SUBSCRIBE", "cells"]))
        // The reply has several lines, which arrive together.
        _ = try FrameSocket.readable([watcher])
        _ = try watcher.received()
        return Scene(
            // The replies to a write are +OK and the number of subscribers; the latter counts.
            writer: try FrameSocket(port: main, replies(":")),
            watchers: [watcher],
            processes: [first.process, second.process]
        ) { number in
            let mark = "\(100_000 + number)"
            let cell = "cell/\(number % 1000)"
            let value = mark + String(repeating: " ", count: 100 - mark.utf8.count)
            let frame = command(["SET", cell, value]) + command(["PUBLISH", "cells", value])
            return Scene.Score(frame: frame, mark: mark)
        }
    }

    private static func start(
        _ program: String,
        _ port: UInt16,
        _ words: [String],
        _ stage: Stage
    ) throws -> Child {
        let directory = try stage.newDirectory()
        let common = [
            "--port", "\(port)", "--bind", "127.0.0.1", "--dir", directory, "--save", "",
            "--appendonly", "yes", "--auto-aof-rewrite-percentage", "0",
        ]
        let child = try Child(program, common + words, home: directory)
        _ = try Installed.retry { try FrameSocket(port: port, replies("")) }
        return child
    }

    /// Splits the stream into lines, and keeps those with a prefix.
    private static func replies(_ prefix: String) -> FrameSocket.Splitter {
        let first = Array(prefix.utf8)
        return { arrived in
            guard let end = arrived.lastIndex(of: 0x0A) else { return [] }
            let lines = arrived[...end].split(separator: 0x0A).filter { $0.starts(with: first) }
            arrived.removeFirst(end + 1)
            return lines.map { Array($0) }
        }
    }

    private static func command(_ words: [String]) -> [UInt8] {
        let parts = words.map { "$\($0.utf8.count)\r\n\($0)\r\n" }
        return Array("*\(words.count)\r\n\(parts.joined())".utf8)
    }
}

/// etcd with one member, which is durable on one disk; the watcher watches the same member.
///
/// The client speaks the least of HTTP/2 that carries gRPC: literal headers, windows that never
/// close, and only data frames of the responses.
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
        let child = try Child(program, words, home: directory)
        let writer = try Installed.retry { try connection(port) }
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
        let maxWindow = UInt32(0x7FFF_FFFF)
        try socket.send(
            Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)
                + frame(4, 0, 0, [0, 4] + bytes(maxWindow))
                + frame(8, 0, 0, bytes(maxWindow - 65_535))
        )
        return socket
    }

    /// The contents of data frames (RFC 9113, 6.1).
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
        // POST and http from the static table, literal others (RFC 7541, 6.1 and 6.2.2).
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
