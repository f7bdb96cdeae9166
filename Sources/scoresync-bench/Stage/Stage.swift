import CPlatform
import Foundation

/// Where benchmarks play: temporary homes, free ports, and the programs under test.
final class Stage: Sendable {
    /// The directory of all homes.
    let directory: String
    /// This program.
    let ownProgram: String
    /// The daemon beside this program.
    let daemonProgram: String
    /// The command line beside this program.
    let commandProgram: String
    /// The board beside this program.
    let boardProgram: String
    /// A program that does nothing, to see what starting one costs.
    let floorProgram = "/usr/bin/true"
    /// How long idle daemons are looked at, in seconds.
    let idleSeconds: Int
    /// Whether a look at everything is enough.
    let isQuick: Bool

    private let samples: Int?

    /// Makes the directory, and makes sure that it will be gone.
    init(_ options: BenchOptions) throws(BenchError) {
        ownProgram = try Self.ownPath()
        let folder = URL(filePath: ownProgram).deletingLastPathComponent()
            .path(percentEncoded: false)
        daemonProgram = folder + "/scoresyncd"
        commandProgram = folder + "/scorectl"
        boardProgram = folder + "/scoresync-board"
        let programs = [daemonProgram, commandProgram, boardProgram]
        for program in programs where !platform_is_executable(program) {
            throw BenchError("\(program) is missing: build it first (make build)")
        }
        let parent =
            options.directory ?? folder
        var template = Array((parent + "/scoresync-bench.XXXXXX").utf8CString)
        guard mkdtemp(&template) != nil else {
            throw BenchError("no directory can be made in \(parent)")
        }
        directory = String(decoding: template.dropLast().map(UInt8.init), as: UTF8.self)
        samples = options.samples
        isQuick = options.isQuick
        idleSeconds = options.isQuick ? 3 : options.idleSeconds
        Cleanup.shared.guardDirectory(directory)
    }

    /// Milliseconds since 1970.
    static var wall: UInt64 { UInt64(max(0, platform_wall_milliseconds())) }

    /// Measures so often, unless the user wants it otherwise.
    func samples(_ count: Int) -> Int { samples ?? (isQuick ? max(3, count / 10) : count) }

    /// A new directory that only this user may enter.
    func newDirectory() throws(BenchError) -> String {
        var template = Array((directory + "/XXXXXX").utf8CString)
        guard mkdtemp(&template) != nil else {
            throw BenchError("no directory can be made in \(directory)")
        }
        return String(decoding: template.dropLast().map(UInt8.init), as: UTF8.self)
    }

    /// A port of this machine that nobody listens on, outside of what the system gives away.
    func freePort() throws(BenchError) -> UInt16 {
        for _ in 0..<100 {
            let port = UInt16.random(in: 20_000..<32_000)
            if Network.isFree(port) { return port }
        }
        throw BenchError("no port of this machine is free")
    }

    private static func ownPath() throws(BenchError) -> String {
        var path = [CChar](repeating: 0, count: 4096)
        let count = platform_own_path(&path, path.count)
        guard count > 0 else { throw BenchError("this program cannot be found") }
        return String(decoding: path.prefix(count).map(UInt8.init), as: UTF8.self)
    }
}
