/// A call on the control socket: its name, the type of its parameters and that of its reply.
///
/// All of them are in `Methods.swift`; a call reads `client.call(.score, .init(words: words))`.
/// The parameters hold what the user typed: the daemon resolves names, because only it knows them.
package struct Method<Parameters: Codable & Sendable, Reply: Codable & Sendable>: Sendable {
    /// The name in JSON-RPC.
    package let name: String
    /// Whether the call changes nothing, so that it may be repeated after a lost reply.
    package let isReading: Bool
    /// Whether the parameters contain a secret, which must not be printed.
    package let isSecret: Bool

    static func reads(_ name: String) -> Method {
        Method(name: name, isReading: true, isSecret: false)
    }

    static func changes(_ name: String, isSecret: Bool) -> Method {
        Method(name: name, isReading: false, isSecret: isSecret)
    }
}

extension Method: ExpressibleByStringLiteral {
    package init(stringLiteral name: String) { self = .changes(name, isSecret: false) }
}

/// The parameters of a call, its reply, or a part of one, as JSON.
///
/// Initializers take the required fields; ``with(_:)`` sets the others.
package protocol Document: Codable, Hashable, Sendable {}

extension Document {
    /// Returns the same document with some fields changed.
    package func with(_ change: (inout Self) -> Void) -> Self {
        var document = self
        change(&document)
        return document
    }
}

/// A part of a document that is one text in JSON.
protocol TextDocument: Document, LosslessStringConvertible {
    /// The description of the expected form, for the error about any other text.
    static var expectation: String { get }
}

extension TextDocument {
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let value = Self(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(
                in: container,
                debugDescription: Self.expectation
            )
        }
        self = value
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

package struct NoParameters: Document {
    package init() {}
}

/// The reply of calls that return nothing.
package struct Done: Document {
    package var schema = 1

    package init() {}
}

// MARK: Confirmation

/// The parameters of a call that asks before it does something the user might regret.
///
/// While the reply has a question, nothing was done. The same call with that question's token does
/// it, unless its effect would be different by then: then it asks again.
package protocol Confirmable: Document {
    /// The session that is meant; nil is the current one.
    var session: String? { get }
    /// The token of the question that the user has agreed to; nil asks.
    var token: String? { get set }
}

extension Confirmable {
    /// Returns the question to ask; nil if the user has agreed to exactly this one.
    package func unanswered(_ question: Question) -> Question? {
        token == question.token ? nil : question
    }

    /// The session for which the user has agreed, which stays the same while the user thinks;
    /// without a token the named one.
    package var subject: String? {
        guard let named = token?.split(separator: ":"), named.count == 2 else { return session }
        return String(named[0])
    }
}

/// A reply that may be a question.
package protocol ConfirmationReply: Document {
    /// The question; nil after the change is made.
    var question: Question? { get }
}

/// A question that is asked before something is done.
package struct Question: Document {
    /// The question, which states what would be lost.
    package var text: String
    /// Identifies this question; it differs as soon as the effect would differ.
    ///
    /// A question about a session begins with the id of the session and a colon.
    package var token: String

    package init(_ text: String, token: String) { (self.text, self.token) = (text, token) }
}
