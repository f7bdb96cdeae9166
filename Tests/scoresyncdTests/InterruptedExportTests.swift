import ControlSocket
import FoundationEssentials
import LaptopKit
import QueueKit
import SyncProtocol
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// An export that somebody ends in the middle.
@Suite(.timeLimit(.minutes(10)))
struct InterruptedExportTests {
    /// A daemon that begins no export, however long one waits.
    private final class Slow {
        let home: String
        private let directory: ScratchDirectory
        private let thread = QueueThread()
        private let listener: ControlListener

        init() throws {
            directory = try ScratchDirectory()
            home = try directory.directory("home")
            let paths = try ControlPaths.current(chosen: home)
            var router = ControlRouter()
            router.on(.startExport) { _, _ in }
            listener = try ControlListener(
                paths: paths,
                lock: ControlLock(paths),
                queue: thread.queue,
                router: router
            )
            listener.start()
        }

        deinit { listener.stop() }
    }

    @Test(
        "It leaves nothing, touches no file that was there, and ends as the signal ends others",
        arguments: [SIGINT, SIGTERM, SIGHUP, SIGPIPE]
    )
    func interrupted(signal: Int32) throws {
        let daemon = try Slow()
        let place = try ScratchDirectory()
        let path = place.path + "/scores.json"
        try Data("before".utf8).write(to: URL(filePath: path))
        let words = ["--no-spawn", "--home", daemon.home, "export", path]
        let export = try Running([try Programs.path(of: "scorectl")] + words, .captured)
        let partial = "scores.json.partial-\(export.process)"
        func files() throws -> Set<String> {
            Set(try FileManager.default.contentsOfDirectory(atPath: place.path))
        }
        try eventually(within: .seconds(20), "it has begun") {
            try files() == ["scores.json", partial]
        }
        export.signal(signal)
        let outcome = try export.outcome()
        #expect(outcome.status == 128 + signal, "\(outcome)")
        #expect(try files() == ["scores.json"])
        #expect(try place.bytes(of: "scores.json") == Array("before".utf8))
        withExtendedLifetime(daemon) {}
    }
}
