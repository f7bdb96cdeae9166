/// Redis as it is nearest to a daemon on each laptop: one that syncs its file for each write, and a
/// replica, at which the watcher listens.
///
/// The replica syncs once a second: it promises less than ScoreSync does.
enum RedisPeer {
    static func scene(on stage: Stage) throws -> Scene? {
        guard let program = Installed.path(of: "redis-server") else { return nil }
        let main = try stage.freePort()
        let replica = try stage.freePort()
        let first = try start(program, main, ["--appendfsync", "always"], stage)
        let second = try start(program, replica, ["--replicaof", "127.0.0.1", "\(main)"], stage)
        try Installed.waiting {
            let socket = try FrameSocket(port: replica, replies("master_link_status:up"))
            try socket.send(command(["INFO", "replication"]))
            guard try !FrameSocket.readable([socket], milliseconds: 200).isEmpty,
                try !socket.received().isEmpty
            else { throw BenchError("the replica of Redis is not linked") }
        }
        let watcher = try FrameSocket(port: replica, replies(""))
        try watcher.send(command(["SUBSCRIBE", "cells"]))
        // The answer comes in several lines, in one piece.
        _ = try FrameSocket.readable([watcher])
        _ = try watcher.received()
        return Scene(
            // A write is answered by +OK and the number of listeners, of which one counts.
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
        let usual = [
            "--port", "\(port)", "--bind", "127.0.0.1", "--dir", directory, "--save", "",
            "--appendonly", "yes", "--auto-aof-rewrite-percentage", "0",
        ]
        let child = try Child(program, usual + words, home: directory, log: directory + "/log")
        _ = try Installed.waiting { try FrameSocket(port: port, replies("")) }
        return child
    }

    /// The lines that begin so.
    private static func replies(_ beginning: String) -> FrameSocket.Cutter {
        let first = Array(beginning.utf8)
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
