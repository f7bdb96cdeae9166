/// How the simulation of one history ended.
package struct SimulationOutcome: Sendable {
    /// The history.
    package let history: History
    /// What was found wrong; nothing when all is well.
    package let violations: [String]
    /// The last things that happened, when the simulation was traced.
    package let trace: [String]
    /// How long it took after the last fault until all replicas were equal, in milliseconds.
    package let millisecondsToEqual: UInt64
    /// How long it took after the last fault until the network was quiet, in milliseconds.
    package let millisecondsToQuiet: UInt64
    /// What occurred, and how often.
    package let marks: [Mark: Int]

    /// Whether nothing was found wrong.
    package var isGood: Bool { violations.isEmpty }
}

extension SimulationOutcome: CustomStringConvertible {
    package var description: String {
        let seed = history.scenario.seed
        guard !isGood else { return "seed \(seed) is good" }
        return "SCORESYNC_SEED=\(seed): \(violations.joined(separator: "; "))\n"
            + trace.suffix(80).joined(separator: "\n")
    }
}

extension Simulation {
    /// Plays a history; one that fails is played again with a trace.
    package static func outcome(of history: History, tracing: Bool = false) -> SimulationOutcome {
        let outcome = Simulation(history, tracing: tracing).play()
        return outcome.isGood || tracing ? outcome : self.outcome(of: history, tracing: true)
    }

    /// Plays the history of a seed.
    package static func outcome(seed: UInt64, tracing: Bool = false) -> SimulationOutcome {
        outcome(of: History.random(seed: seed), tracing: tracing)
    }

    /// The least of a history that fails in the same way: with the same first words.
    package static func shrunk(_ history: History, tries: Int = 2_000) -> History {
        guard let kind = kind(of: history) else { return history }
        return Shrinker.shrink(history, tries: tries) { Simulation.kind(of: $0) == kind }
    }

    /// How a history fails, without what differs from run to run.
    private static func kind(of history: History) -> String? {
        Simulation(history).play().violations.first.map { text in
            String(text.filter { !$0.isNumber }.prefix(24))
        }
    }
}
