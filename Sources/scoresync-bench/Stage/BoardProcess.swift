import CPlatform
import Foundation

/// A board of a daemon's session, and what browsers need of it.
final class BoardProcess {
    /// Its process id.
    var process: Int32 { child.process }

    private let child: Child
    private let port: UInt16
    private let path: String

    private struct Told: Decodable { let url: String }

    /// Starts it on a free port and waits until it has said where it is.
    init(_ stage: Stage, _ session: SampleSession, at home: Home) throws {
        port = try stage.freePort()
        let output = home.path + "/board-\(port).json"
        let words = ["--home", home.path, "--session", session.name, "--port", "\(port)"]
        let quiet = ["--no-open", "--json"]
        // Whatever it says goes to a file; it keeps the process of the shell.
        child = try Child(
            "/bin/sh",
            ["-c", "exec \"$0\" \"$@\" >'\(output)'", stage.boardProgram] + words + quiet,
            home: home.path,
            log: home.path + "/board.log"
        )
        var line: String?
        for _ in 0..<2000 where line?.hasSuffix("\n") != true {
            _ = platform_wait(-1, false, -1, 5)
            line = try? String(contentsOfFile: output, encoding: .utf8)
        }
        let told = try JSONDecoder().decode(Told.self, from: Data((line ?? "").utf8))
        guard let secret = told.url.split(separator: "/").last else {
            throw BenchError("the board has no address: \(told.url)")
        }
        path = "/\(secret)/events"
    }

    /// A browser that has the page open and has been shown the sheet.
    func browser() throws -> FrameSocket {
        let browser = try FrameSocket(port: port, Self.events)
        let head = "GET \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\r\n"
        try browser.send(Array(head.utf8))
        // The head of the answer has none, the sheet is the first.
        try browser.wait(forFrames: 1)
        return browser
    }

    /// Ends it and waits for that.
    func stop() throws(BenchError) { try child.stop() }

    /// Cuts events at the empty lines behind them; the lengths of chunks stay between them.
    private static func events(_ arrived: inout [UInt8]) -> [[UInt8]] {
        let end = Array("\n\n".utf8)
        var frames: [[UInt8]] = []
        var start = 0
        while let place = arrived.place(of: end, from: start) {
            frames.append(Array(arrived[start..<place]))
            start = place + end.count
        }
        arrived.removeFirst(start)
        return frames
    }
}
