import FoundationEssentials

/// All that happens to a world from outside: played again, everything happens again.
package struct History: Hashable, Sendable {
    /// The world.
    package var scenario: Scenario
    /// What happens, in order.
    package var happenings: [Happening]

    /// A history of a world.
    package init(_ scenario: Scenario, _ happenings: [Happening]) {
        self.scenario = scenario
        self.happenings = happenings
    }

    /// The history that was printed: a line for the world, then one for each event.
    ///
    /// Empty lines and those that begin with `#` say nothing.
    package init(lines: String) throws {
        let decoder = JSONDecoder()
        let lines = lines.split(separator: "\n").filter { !$0.hasPrefix("#") }
        scenario = try decoder.decode(Scenario.self, from: Data((lines.first ?? "").utf8))
        happenings = try lines.dropFirst().map {
            try decoder.decode(Happening.self, from: Data($0.utf8))
        }
    }

    /// The history as `init(lines:)` reads it.
    package var lines: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        func line(_ value: some Encodable) -> String {
            do {
                return String(decoding: try encoder.encode(value), as: UTF8.self)
            } catch { preconditionFailure("an event is no JSON: \(error)") }
        }
        return ([line(scenario)] + happenings.map(line)).joined(separator: "\n")
    }
}
