/// A call on the control socket: its parameters, its method's name and the form of its answer.
///
/// The parameters hold what the user typed: the daemon resolves names, because only it knows them.
package protocol ControlRequest: Codable, Sendable {
    /// What the daemon answers.
    associatedtype Reply: Codable & Sendable
    /// The JSON-RPC method.
    static var method: String { get }
    /// Whether it changes nothing: see ``ReadingRequest``.
    static var isReading: Bool { get }
    /// Whether its parameters hold a secret, which nothing may print.
    static var isSecret: Bool { get }
}

extension ControlRequest {
    /// Most change something.
    package static var isReading: Bool { false }
    /// Most hold none.
    package static var isSecret: Bool { false }
}

/// The answer of calls that have nothing to say.
package struct Done: Codable, Hashable, Sendable {
    /// The version of the JSON documents.
    package var schema = 1

    /// The answer.
    package init() {}
}
