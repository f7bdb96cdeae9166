import SessionCRDT
import SyncProtocol

/// The addresses of one session's members, typed, announced, exchanged or remembered.
struct AddressBook: Sendable {
    private(set) var contacts: [Endpoint: Contact] = [:]

    /// The contacts in the order of their addresses.
    var sorted: [Contact] { contacts.values.sorted { $0.endpoint < $1.endpoint } }

    subscript(endpoint: Endpoint) -> Contact? { contacts[endpoint] }

    /// The earliest time at which one of the contacts is due.
    var nextDue: UInt64? { contacts.values.compactMap(\.dueAt).min() }

    /// Adds an address that is not known yet; when the book is full, one that never worked makes
    /// room, or the address is left out.
    mutating func add(_ contact: Contact) {
        guard contacts[contact.endpoint] == nil else { return }
        if contacts.count >= Limits.addresses {
            guard
                let stale = sorted.first(where: { !$0.isProven && !$0.isTyped && !$0.isDialling })
            else { return }
            contacts[stale.endpoint] = nil
        }
        contacts[contact.endpoint] = contact
    }

    /// Changes a contact, if it is known.
    mutating func update(_ endpoint: Endpoint, _ change: (inout Contact) -> Void) {
        guard var contact = contacts[endpoint] else { return }
        change(&contact)
        contacts[endpoint] = contact.isHopeless ? nil : contact
    }

    /// Changes every contact, in the order of their addresses.
    mutating func updateAll(_ change: (inout Contact) -> Void) {
        for contact in sorted { update(contact.endpoint, change) }
    }

    /// Forgets an address.
    mutating func remove(_ endpoint: Endpoint) {
        contacts[endpoint] = nil
    }
}
