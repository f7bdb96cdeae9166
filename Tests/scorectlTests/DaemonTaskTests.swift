import CPlatform
import ControlSocket
import SyncProtocol
import Testing

@testable import scorectl

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

@Suite("Tasks of the daemon's program", .timeLimit(.minutes(10)))
struct DaemonTaskTests {
    private func run(
        _ lines: String,
        in home: TemporaryHome,
        telling tell: (Double?) -> Void = { _ in }
    ) throws(ControlError) -> String {
        let script: String
        do { script = try home.script("daemon", lines) } catch {
            throw ControlError(.failed, "\(error)")
        }
        let errand = DaemonTask(
            paths: try Harness.paths(home.path),
            arguments: ["--restore"],
            program: script
        )
        return String(decoding: try errand.run(progress: tell), as: UTF8.self)
    }

    @Test("Progress is reported, unknown at first")
    func progress() throws {
        let home = try TemporaryHome()
        let gate = home.path + "/gate"
        #expect(mkfifo(gate, 0o600) == 0)
        var told: [Double?] = []
        let said = try run(
            """
            cat \(gate) > /dev/null
            printf '\\n\\n\\n' >&3
            printf '\\n{"a":\\n1}\\n' >&3
            """,
            in: home,
            telling: { share in
                // Only now it goes on.
                if told.isEmpty { #expect(platform_write_file(gate, "x", 1) == 0) }
                told.append(share)
            }
        )
        #expect(said == "{\"a\":\n1}\n")
        #expect(told.first == .some(nil) && told.last == 0.04, "\(told)")
    }

    @Test("An error is reported without the progress before it")
    func failure() throws {
        let home = try TemporaryHome()
        let error = #expect(throws: ControlError.self) {
            try run("printf '\\n\\n!no room' >&3; exit 5", in: home)
        }
        #expect(error == ControlError(.refused, "no room"))
    }
}
