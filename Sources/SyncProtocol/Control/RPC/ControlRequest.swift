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

/// A call that changes nothing: who does not hear its answer has lost nothing, and may ask again.
package protocol ReadingRequest: ControlRequest {}

extension ReadingRequest {
    package static var isReading: Bool { true }
}

/// A call that asks before it does what the user might regret.
///
/// While the reply has a question, nothing was done. The same call with the token of that question
/// does it, unless by then it would do something else: then it asks anew.
package protocol Confirmable: ControlRequest where Reply: Asking {
    /// The token of the question that the user has agreed to; nil asks.
    var token: String? { get set }
}

/// One of a session, which stays the one that was asked about while the user thinks.
package protocol ConfirmableOfSession: Confirmable {
    /// Which session: its id, a beginning of it, or its title; nil is the current one.
    var session: String? { get }
}

extension ConfirmableOfSession {
    /// The session that the user has agreed about, or that is meant.
    package var subject: String? {
        guard let named = token?.split(separator: ":"), named.count == 2 else { return session }
        return String(named[0])
    }
}

extension Confirmable {
    /// What to ask now; nil where the user has agreed to exactly this.
    package func unanswered(_ question: Question) -> Question? {
        token == question.token ? nil : question
    }
}

/// A reply that may be a question.
package protocol Asking {
    /// What to ask; nil when it is done.
    var question: Question? { get }
}

/// What to ask before something is done.
package struct Question: Codable, Hashable, Sendable {
    /// A question in words, which says what would be lost.
    package var text: String
    /// What stands for exactly this question; where it is about a session, its id comes first,
    /// and a colon.
    package var token: String

    /// A question by its words and a token that is another's as soon as something else would be
    /// done.
    package init(_ text: String, token: String) {
        self.text = text
        self.token = token
    }
}
