import CPlatform
import ControlSocket
import SyncProtocol

/// One run of the program, from its arguments to its exit status.
enum BenchProgram {
    static func run(_ arguments: [String]) -> Int32 {
        var failure: Int32 = 2
        do {
            if arguments.first == Relay.argument {
                try Relay.run(Array(arguments.dropFirst()))
                return 0
            }
            let options = try BenchOptions(arguments)
            let benchmarks = try Benchmark.named(options.only)
            switch options.action {
            case .help: print(BenchOptions.help, terminator: "")
            case .list:
                let rows = benchmarks.map { [$0.name, $0.summary] }
                print(TextTable.lines(rows, [.left, .left]).joined(separator: "\n"))
            case .measure:
                failure = 1
                try measure(benchmarks, options)
            }
            return 0
        } catch {
            log("\((error as? ControlError)?.text ?? "\(error)")")
            return failure
        }
    }

    private static func measure(_ benchmarks: [Benchmark], _ options: BenchOptions) throws {
        platform_ignore_broken_pipes()
        defer { Cleanup.shared.run() }
        let stage = try Stage(options)
        var measurements: [Measurement] = []
        for benchmark in benchmarks {
            log("measuring \(benchmark.name): \(benchmark.summary)")
            measurements += try benchmark.run(stage)
        }
        for unknown in measurements.filter(\.series.isEmpty) {
            log("this system does not report \(unknown.name)")
        }
        measurements.removeAll(where: \.series.isEmpty)
        let report = Report(measurements: measurements, directory: stage.directory)
        print(options.isJSON ? try report.json : report.text)
    }

    /// Writes to standard error, because standard output is for the result.
    static func log(_ text: String) {
        let bytes = Array("scoresync-bench: \(text)\n".utf8)
        _ = platform_write_all(2, bytes, bytes.count)
    }
}

struct BenchError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

struct BenchOptions {
    enum Action {
        case measure
        case list
        case help
    }

    var action = Action.measure
    /// The names of the benchmarks to run; empty for all.
    var only: [String] = []
    /// The number of samples; nil for the default of each benchmark.
    var samples: Int?
    var isJSON = false
    /// The parent of temporary homes; nil for the directory of this program.
    var directory: String?
    var idleSeconds = 20
    /// Whether to take few samples, and to leave out what is slow to set up.
    var isQuick = false

    static let help = """
        scoresync-bench – measures ScoreSync on this machine

        Usage: scoresync-bench [--list] [--only NAME]… [--quick] [--samples N]
                               [--idle-seconds N] [--directory DIR] [--json]

          --list             list the benchmarks
          --only NAME        run only this benchmark; may be repeated
          --quick            take few samples and set up less: under a minute
          --samples N        the number of samples (default: each benchmark's own)
          --idle-seconds N   how long to observe idle daemons (20)
          --directory DIR    the parent of temporary homes, whose disk is measured
                             (default: the directory of this program)
          --json             print one JSON object
          --help             print this

        The daemon and the command line are those in the directory of this program. Exit
        status: 0 measured, whether or not targets are met · 1 failed · 2 usage error.

        """

    init(_ arguments: [String]) throws(ControlError) {
        var reader = ArgumentReader(arguments)
        while let argument = try reader.next() {
            switch argument {
            case "--list": action = .list
            case "--help", "-h": action = .help
            case "--json": isJSON = true
            case "--quick": isQuick = true
            case "--only": only.append(try reader.value())
            case "--samples": samples = try reader.number(in: 1...100_000)
            case "--idle-seconds": idleSeconds = try reader.number(in: 1...100_000)
            case "--directory": directory = try reader.value()
            default: throw reader.unknown(in: "scoresync-bench")
            }
        }
    }
}

// Top-level closures would be isolated to the main actor, so a function does all the work.
platform_exit(BenchProgram.run(Array(CommandLine.arguments.dropFirst())))
