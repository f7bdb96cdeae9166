import Foundation
import SyncTestKit

/// The simulator as a program.
enum Program {
    /// Does what the command line asks for.
    ///
    /// - Returns: the exit status: 0 when all is well, 1 when something was found wrong, 2 for a
    ///   command line that is not understood.
    static func run(_ arguments: [String]) -> Int32 {
        do {
            let options = try Options(arguments) { try String(contentsOfFile: $0, encoding: .utf8) }
            return run(options) ? 0 : 1
        } catch {
            FileHandle.standardError.write(Data("\(error)\n".utf8))
            return 2
        }
    }

    /// Does one task; whether all is well.
    private static func run(_ options: Options) -> Bool {
        switch options.task {
        case .help: print(Options.usage)
        case .campaign(let first, let count):
            return Campaign(options, first: first, count: count).run()
        case .show(let seed): print(History.random(seed: seed).lines)
        case .shrink(let history):
            let shrunk = Simulation.shrunk(history)
            let outcome = Simulation.outcome(of: shrunk)
            print("# \(outcome.violations.first ?? "good")\n\(shrunk.lines)")
            return outcome.isGood
        case .replay(let history):
            let outcome = Simulation.outcome(of: history, tracing: true)
            print((outcome.trace + outcome.violations).joined(separator: "\n"))
            return outcome.isGood
        }
        return true
    }
}
