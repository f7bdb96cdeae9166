import SessionCRDT
import SessionStore
import SyncProtocol

/// What a session takes over from the one before: on this device, beside the data.
struct Heritage: Sendable {
    /// The session before.
    let session: SessionID
    /// The player of this device, who has the same id in both.
    let me: PlayerID?
    /// The computers for which this device moves, whose players have the same ids in both.
    let computers: OwnComputers
    /// The addresses of the members, who are the same in both.
    let addresses: [Endpoint: StoredAddress]
    /// All next sessions that were begun or taken up here after it, this one too.
    let successors: [SessionID]
    /// The session from which this device comes by itself; nil where somebody here begins it.
    let origin: SessionID?

    /// The heritage of a session that counts `next` among its next sessions already.
    init(of session: Session, from origin: SessionID? = nil) {
        self.origin = origin
        self.session = session.id
        me = session.facts.me
        computers = session.facts.computers
        addresses = session.facts.addresses
        successors = session.facts.successors
    }

    /// Writes it down for the next session.
    func save(for next: SessionID, to store: SessionStore) throws(StoreError) {
        try store.set(Setting.me, of: next, to: me?.description)
        try store.set(Setting.origin, of: next, to: origin?.description)
        for (_, address) in addresses.sorted(by: { $0.key < $1.key }) {
            try store.note(address, for: next)
        }
        let words = successors.map(\.description).joined(separator: " ")
        try store.set(Setting.successors, of: session, to: words)
    }
}
