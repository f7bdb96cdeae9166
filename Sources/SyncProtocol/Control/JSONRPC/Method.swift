/// A call on the control socket: its name, and the types of its parameters and its reply.
///
/// `Methods.swift` lists all calls; a use reads `client.call(.score, .init(words: words))`.
/// Parameters contain names as the user typed them: only the daemon can resolve them.
package struct Method<Parameters: Codable & Sendable, Reply: Codable & Sendable>: Sendable {
    package let name: String
    /// Whether the call changes nothing, so that it may be repeated if its reply is lost.
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
/// Initializers take the required fields; ``with(_:)`` sets the optional ones.
package protocol Document: Codable, Hashable, Sendable {}

extension Document {
    /// Returns a copy of the document in which `change` has set some fields.
    @inlinable
    package func with(_ change: (inout Self) -> Void) -> Self {
        var document = self
        change(&document)
        return document
    }
}

/// A part of a document that is a text in JSON and a type of its own in Swift.
protocol TextDocument: Document, LosslessStringConvertible {
    /// A description of the expected form, for error messages about other texts.
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

/// The reply of a call that returns nothing.
package struct Done: Document {
    package var schema = 1

    package init() {}
}

/// The parameters of a call that asks for confirmation before it does something irreversible.
///
/// A reply with a question means that nothing was done. The same call with that question's token is
/// then carried out, unless its effect has changed meanwhile: then the daemon asks again.
package protocol Confirmable: Document {
    /// The session; nil for the current one.
    var session: String? { get }
    /// The token of the question that the user has confirmed; nil before the user was asked.
    var token: String? { get set }
}

extension Confirmable {
    /// Returns the question to ask; nil if the user has confirmed exactly this question.
    package func unanswered(_ question: Question) -> Question? {
        token == question.token ? nil : question
    }

    /// The session of the confirmed question, even if another session has become the current one
    /// since; without a token the session of the parameters.
    package var subject: String? {
        guard let named = token?.split(separator: ":"), named.count == 2 else { return session }
        return String(named[0])
    }
}

/// A reply that contains a question if confirmation is needed.
package protocol ConfirmationReply: Document {
    /// The question; nil if the change was made.
    var question: Question? { get }
}

/// A question that the user must confirm before a change is made.
package struct Question: Document {
    /// A text for people, which states what would be lost.
    package var text: String
    /// Identifies the question; a different effect gives a different token.
    ///
    /// A question about a session begins with the id of the session and a colon.
    package var token: String

    package init(_ text: String, token: String) { (self.text, self.token) = (text, token) }
}
