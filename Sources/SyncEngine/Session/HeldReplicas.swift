package import SessionCRDT

/// The data of the sessions held here, by session: a view, which copies nothing.
package struct HeldReplicas: Sequence {
    private let sessions: [SessionID: HeldSession]

    init(_ sessions: [SessionID: HeldSession]) { self.sessions = sessions }

    /// The data of a session; nil where it is not held.
    package subscript(session: SessionID) -> Replica? { sessions[session]?.replica }

    /// All of them, in no order.
    package func makeIterator() -> AnyIterator<(key: SessionID, value: Replica)> {
        AnyIterator(sessions.lazy.map { (key: $0, value: $1.replica) }.makeIterator())
    }
}
