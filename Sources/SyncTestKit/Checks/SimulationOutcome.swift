/// How the simulation of one seed ended.
package struct SimulationOutcome: Sendable {
    /// The seed.
    package let seed: UInt64
    /// What was found wrong; nothing when all is well.
    package let violations: [String]
    /// The last things that happened, when the simulation was traced.
    package let trace: [String]
    /// How long it took after the last fault until all replicas were equal, in milliseconds.
    package let millisecondsToEqual: UInt64
    /// How long it took after the last fault until the network was quiet, in milliseconds.
    package let millisecondsToQuiet: UInt64
    /// How many writes were answered.
    package let writes: Int

    /// Whether nothing was found wrong.
    package var isGood: Bool { violations.isEmpty }
}

extension SimulationOutcome: CustomStringConvertible {
    package var description: String {
        guard !isGood else { return "seed \(seed) is good" }
        return "SCORESYNC_SEED=\(seed): \(violations.joined(separator: "; "))\n"
            + trace.suffix(80).joined(separator: "\n")
    }
}

extension Simulation {
    /// Runs one seed; one that fails is run again with a trace.
    package static func outcome(seed: UInt64, tracing: Bool = false) -> SimulationOutcome {
        let simulation = Simulation(Scenario(seed: seed), tracing: tracing)
        let outcome = simulation.play()
        return outcome.isGood || tracing ? outcome : self.outcome(seed: seed, tracing: true)
    }
}
