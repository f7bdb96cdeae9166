import FoundationEssentials

/// What a program that has ended left behind.
package struct Outcome: Sendable {
    /// What was called, for messages.
    package let command: String
    /// The exit status; 128 + the signal when one ended it.
    package let status: Int32
    /// What it wrote to standard output.
    package let output: String
    /// What it wrote to standard error.
    package let errors: String

    /// The value that it printed as JSON.
    package func decoded<Value: Decodable>(as type: Value.Type) throws -> Value {
        do {
            return try JSONDecoder().decode(type, from: Data(output.utf8))
        } catch {
            throw Failure("\(command): \(error) in \(output.prefix(500))")
        }
    }
}

extension Outcome: CustomStringConvertible {
    package var description: String {
        "\(command)\nexit \(status)\n\(output.suffix(2_000))\n\(errors.suffix(2_000))"
    }
}
