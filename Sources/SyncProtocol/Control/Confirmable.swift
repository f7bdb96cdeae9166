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
