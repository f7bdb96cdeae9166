import SessionCRDT
import SyncProtocol

/// A dial of the last moments, which is not repeated too soon even when the address was forgotten
/// meanwhile.
struct RecentDial: Hashable, Sendable {
    let session: SessionID
    let endpoint: Endpoint
}

/// The addresses of one session's members, typed, announced, exchanged or remembered.
struct AddressBook: Sendable {
    private(set) var contacts: [Endpoint: Contact] = [:]
    /// The members that hold the same of a finished session, whatever their addresses.
    private(set) var agreed: Set<DeviceID> = []

    /// The contacts in the order of their addresses.
    var sorted: [Contact] { contacts.values.sorted { $0.endpoint < $1.endpoint } }

    subscript(endpoint: Endpoint) -> Contact? { contacts[endpoint] }

    /// The most addresses that are kept because members answered there; the rest of the book is for
    /// those that may become known.
    static let mostProven = Limits.addresses * 3 / 4

    /// The earliest time at which one of the contacts is due.
    var nextDue: UInt64? { contacts.values.filter { !$0.isDialling }.compactMap(\.dueAt).min() }

    /// The most addresses that only announcements speak for.
    static let mostRumours = Limits.addresses / 4

    /// Adds an address that is not known yet, if there is room or some can be made.
    mutating func add(_ contact: Contact) {
        guard contacts[contact.endpoint] == nil, makeRoom(for: contact) else { return }
        contacts[contact.endpoint] = contact
        forgetStalest()
    }

    /// Drops an address that is worth less than the new one, when the book is full.
    private mutating func makeRoom(for contact: Contact) -> Bool {
        let rumours = sorted.filter(\.isRumour)
        let isFull = contacts.count >= Limits.addresses
        guard isFull || contact.isRumour && rumours.count >= AddressBook.mostRumours else {
            return true
        }
        let idle = sorted.filter { !$0.isTyped && !$0.isDialling }
        var least = rumours.first { !$0.isDialling }
        if !contact.isRumour { least = least ?? rumours.first ?? idle.first { !$0.isProven } }
        if contact.isTyped || contact.isProven { least = least ?? idle.min(by: isStaler) }
        guard let least else { return false }
        contacts[least.endpoint] = nil
        return true
    }

    /// Notes that a member answered at an address.
    mutating func reach(
        _ endpoint: Endpoint,
        _ device: DeviceID,
        _ instance: InstanceID,
        at now: Moment
    ) {
        var contact = contacts[endpoint] ?? Contact(endpoint, member: device)
        contact.reach(device, instance, at: now)
        if contacts[endpoint] == nil { add(contact) } else { contacts[endpoint] = contact }
        forgetStalest()
    }

    /// Forgets the address where no member has answered for longest, when there are too many.
    private mutating func forgetStalest() {
        let proven = sorted.filter { $0.isProven && !$0.isTyped && !$0.isDialling }
        guard proven.count > AddressBook.mostProven,
            let stalest = proven.min(by: isStaler)
        else { return }
        contacts[stalest.endpoint] = nil
    }

    private func isStaler(_ one: Contact, _ other: Contact) -> Bool {
        (one.reachedAt, one.endpoint) < (other.reachedAt, other.endpoint)
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

    /// Lets all addresses of a member rest that holds the same of a finished session.
    mutating func agree(_ device: DeviceID) {
        agreed.insert(device)
        updateAll { contact in
            if contact.member == device { contact.rest(untilNews: true) }
        }
    }

    /// Notes that the member may hold something else, or everybody.
    mutating func doubt(_ device: DeviceID? = nil) {
        if let device { agreed.remove(device) } else { agreed = [] }
    }

    /// Forgets an address.
    mutating func remove(_ endpoint: Endpoint) {
        contacts[endpoint] = nil
    }
}
