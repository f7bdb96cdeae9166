import CPlatform
import SyncProtocol
/// One run of the program: from the words that were typed to the exit status.
enum BenchProgram {
    /// Does what the words say and answers with the exit status.
    static func run(_ words: [String]) -> Int32 {
        if words.first == Relay.word { return Relay.run(Array(words.dropFirst())) }
        do {
            let options = try BenchOptions(words)
            let benchmarks = try Benchmark.chosen(options.only)
            switch options.wish {
            case .help: print(BenchOptions.help, terminator: "")
            case .list: print(list(benchmarks).joined(separator: "\n"))
            case .measure: return measure(benchmarks, options)
            }
            return 0
        } catch let error as ControlError {
            tell("scoresync-bench: \(error.text)")
            return 2
        } catch {
            tell("scoresync-bench: \(error)")
            return 2
        }
    }

    private static func list(_ benchmarks: [Benchmark]) -> [String] {
        TextTable.aligned(benchmarks.map { [$0.name, $0.summary] }, [.left, .left])
    }

    private static func measure(_ benchmarks: [Benchmark], _ options: BenchOptions) -> Int32 {
        platform_ignore_broken_pipes()
        do {
            let stage = try Stage(options)
            defer { Cleanup.shared.run() }
            var measurements: [Measurement] = []
            for benchmark in benchmarks {
                tell("measuring \(benchmark.name): \(benchmark.summary)")
                measurements += try benchmark.run(stage)
            }
            let report = Report(measurements, directory: stage.directory)
            print(options.isJSON ? try report.json : report.text)
            return 0
        } catch {
            tell("scoresync-bench: \(error)")
            return 1
        }
    }

    /// Says something on standard error, which keeps standard output for the result.
    static func tell(_ text: String) {
        let bytes = Array((text + "\n").utf8)
        _ = platform_write_all(2, bytes, bytes.count)
    }
}

/// Why something could not be measured.
struct BenchError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}

/// Outside of the main actor, to which everything in this file would belong.
platform_exit(BenchProgram.run(Array(CommandLine.arguments.dropFirst())))
