import ControlSocket
import SyncProtocol
import Synchronization

@testable import scorectl

/// Runs `scorectl` with a console of its own and captures the output.
final class Harness: Sendable {
    struct Outcome: Hashable {
        var status: Int32
        var output: String
        var errors: String
    }

    let home: String
    private let output = Mutex<[UInt8]>([])
    private let errors = Mutex<[UInt8]>([])
    private let launches = Mutex<[[String]]>([])

    init(_ home: TemporaryHome) { self.home = home.path }

    static func paths(_ home: String?) throws(ControlError) -> ControlPaths {
        try ControlPaths(
            chosen: home,
            in: ControlPaths.Environment(
                variable: { _ in nil },
                currentDirectory: "/",
                userID: 0,
                isPrivateDirectory: { _ in false }
            )
        )
    }

    /// The standard output so far.
    var printed: String { output.withLock { String(decoding: $0, as: UTF8.self) } }
    /// The arguments of every daemon that was to be started.
    var launched: [[String]] { launches.withLock { $0 } }

    /// Runs a command.
    func run(
        _ arguments: [String],
        input: String? = nil,
        columns: Int? = nil,
        variables: [String: String] = [:],
        launch: @escaping () throws(ControlError) -> Void = {},
        adjust: (inout Console) -> Void = { _ in }
    ) -> Outcome {
        output.withLock { $0 = [] }
        errors.withLock { $0 = [] }
        var console = Console(
            write: { [self] bytes in output.withLock { $0 += bytes } },
            writeError: { [self] bytes in errors.withLock { $0 += bytes } },
            readLine: { input },
            isOutputTerminal: columns != nil,
            size: { (columns ?? 80, 24) },
            environmentVariable: { variables[$0] },
            now: { Sample.now },
            timeOfDay: { "at \(($0 - Sample.now) / 60_000)" },
            date: Sample.date,
            paths: { [self] (chosen) throws(ControlError) in try Self.paths(chosen ?? home) },
            launch: { [self] (_, arguments) throws(ControlError) in
                launches.withLock { $0.append(arguments) }
                try launch()
            }
        )
        adjust(&console)
        let status = Program.run(arguments, console)
        let texts = (printed, errors.withLock { String(decoding: $0, as: UTF8.self) })
        return Outcome(status: status, output: texts.0, errors: texts.1)
    }
}
