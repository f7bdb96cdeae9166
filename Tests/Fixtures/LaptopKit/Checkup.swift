/// What `scorectl doctor` found on a laptop.
package struct Checkup: Sendable {
    /// The exit status.
    package let status: Int32
    /// What was looked at.
    package let checks: [Check]

    /// One thing that was looked at.
    package struct Check: Decodable, Hashable, Sendable {
        package let id: String
        package let subject: String?
        package let state: String
        package let text: String
        package let cause: String?
        package let cure: String?
        package let commands: [String]?
    }

    private struct Document: Decodable {
        let schema: Int
        let checks: [Check]
    }

    /// What `doctor --json` printed.
    package init(_ outcome: Outcome) throws {
        guard [0, 10].contains(outcome.status) else { throw Failure("\(outcome)") }
        status = outcome.status
        checks = try outcome.decoded(as: Document.self).checks
    }

    /// What is not well, as `id state`.
    package var complaints: [String] {
        checks.filter { $0.state != "ok" }.map { "\($0.id) \($0.state)" }
    }

    /// The first complaint of an id.
    package func complaint(_ id: String) -> Check? {
        checks.first { $0.id == id && $0.state != "ok" }
    }
}

extension Laptop {
    /// Looks what is wrong.
    package func checkUp() throws -> Checkup { try Checkup(attempt("doctor", "--json")) }
}
