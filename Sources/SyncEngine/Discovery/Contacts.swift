import SessionCRDT
import SyncProtocol

/// The addresses of one session's members, typed, announced, exchanged or remembered, and which of
/// them to keep.
struct Contacts: Sendable {
    /// In the order of their addresses.
    private(set) var all: [Contact] = []
    /// The members that hold the same of a finished session, whatever their addresses.
    private(set) var agreed: Set<DeviceID> = []
    /// The members whose home was copied: a link with one copy says nothing of the other.
    private var copied: Set<DeviceID> = []

    /// The most addresses that are kept because members answered there; the other places are for
    /// those that may become known.
    static let mostProven = Limits.addresses * 3 / 4
    /// The most addresses that only announcements speak for.
    static let mostRumours = Limits.addresses / 4

    subscript(endpoint: Endpoint) -> Contact? { place(of: endpoint).map { all[$0] } }

    /// The earliest time at which one of them is due.
    var nextDue: UInt64? {
        var next: UInt64?
        for contact in all {
            if let due = contact.dueAt { next = min(next ?? due, due) }
        }
        return next
    }

    /// Whether the run was linked at one of the addresses.
    func hasMet(_ instance: InstanceID) -> Bool {
        all.contains { $0.metInstance == instance }
    }

    /// Whether a link leads to who is at the contact's address.
    func leads(_ link: Link, to contact: Contact) -> Bool {
        guard let peer = link.peer else { return false }
        if link.listening == contact.endpoint {
            return contact.instance.map { $0 == peer.instance } ?? true
        }
        guard contact.device == peer.device else { return false }
        // Of two copies the other may be there, until it seems that nobody is.
        let mayBeCopy = copied.contains(peer.device) && !contact.isDeserted
        return contact.instance.map { $0 == peer.instance } ?? !mayBeCopy
    }

    // MARK: Which addresses are kept

    /// Adds an address that is not known yet, if there is room or some can be made.
    mutating func add(_ contact: Contact) {
        guard place(of: contact.endpoint) == nil, makeRoom(for: contact) else { return }
        all.insert(contact, at: position(of: contact.endpoint))
        forgetStalest()
    }

    /// Forgets an address.
    mutating func remove(_ endpoint: Endpoint) {
        if let place = place(of: endpoint) { all.remove(at: place) }
    }

    /// Notes that a member answered at an address.
    mutating func reach(
        _ endpoint: Endpoint,
        _ device: DeviceID,
        _ instance: InstanceID,
        at now: Moment
    ) {
        if let place = place(of: endpoint) {
            all[place].reach(device, instance, at: now)
        } else {
            var contact = Contact(endpoint, member: device)
            contact.reach(device, instance, at: now)
            add(contact)
        }
        forgetStalest()
    }

    /// Drops an address that is worth less than the new one, when there is no room.
    private mutating func makeRoom(for contact: Contact) -> Bool {
        let rumours = all.filter(\.isRumour)
        let isFull = all.count >= Limits.addresses
        guard isFull || contact.isRumour && rumours.count >= Contacts.mostRumours else {
            return true
        }
        let idle = all.filter { !$0.isTyped && !$0.isDialling }
        var least = rumours.first { !$0.isDialling }
        if !contact.isRumour { least = least ?? rumours.first ?? idle.first { !$0.isProven } }
        if contact.isTyped || contact.isProven { least = least ?? idle.min(by: isStaler) }
        guard let least else { return false }
        remove(least.endpoint)
        return true
    }

    /// Forgets the address where no member has answered for longest, when there are too many.
    private mutating func forgetStalest() {
        let proven = all.filter { $0.isProven && !$0.isTyped && !$0.isDialling }
        guard proven.count > Contacts.mostProven,
            let stalest = proven.min(by: isStaler)
        else { return }
        remove(stalest.endpoint)
    }

    private func isStaler(_ one: Contact, _ other: Contact) -> Bool {
        (one.reachedAt, one.endpoint) < (other.reachedAt, other.endpoint)
    }

    // MARK: What is known of each

    /// Changes a contact, if it is known.
    mutating func update(_ endpoint: Endpoint, _ change: (inout Contact) -> Void) {
        guard let place = place(of: endpoint) else { return }
        change(&all[place])
        if all[place].isHopeless { all.remove(at: place) }
    }

    /// Changes every contact.
    mutating func updateAll(_ change: (inout Contact) -> Void) {
        for place in all.indices { change(&all[place]) }
        all.removeAll(where: \.isHopeless)
    }

    /// Lets all addresses of a member rest that holds the same of a finished session.
    mutating func agree(_ device: DeviceID, at now: Moment, jitter: Double) {
        agreed.insert(device)
        // One address after the other, the last known to be good first.
        let theirs = all.filter { $0.member == device }.sorted { isStaler($1, $0) }
        for (place, contact) in theirs.enumerated() {
            let wait = UInt64(place) * Timing.deadAfter
            update(contact.endpoint) { $0.agree(at: now, jitter: jitter, wait: wait) }
        }
    }

    /// Notes that two runs of the member's home are there at once.
    mutating func noteCopies(of device: DeviceID) {
        if copied.count < Limits.addresses { copied.insert(device) }
    }

    /// Notes that the member may hold something else.
    mutating func doubt(_ device: DeviceID) { agreed.remove(device) }

    /// Tries every address at once, whatever was known of who is there.
    mutating func searchAgain(at now: Moment) {
        agreed = []
        updateAll { $0.hurry(at: now) }
    }

    /// Something new is there for members that have been resting, or were looked for rarely.
    mutating func rouse(at now: Moment) {
        if !agreed.isEmpty { agreed = [] }
        for place in all.indices { all[place].rouse(at: now) }
    }

    /// A member's links are silent: looks for it at all its addresses.
    mutating func look(for device: DeviceID, at now: Moment) {
        updateAll { contact in
            if contact.member == device { contact.hurryIfIdle(at: now) }
        }
    }

    /// The link is gone and is wanted back, by whatever address of the peer.
    mutating func retry(_ link: Link, at now: Moment, jitter: Double, longest: UInt64) {
        let hasLived = link.isGreeted && now.uptime >= link.openedAt + Timing.deadAfter
        updateAll { contact in
            if contact.endpoint == link.contactEndpoint {
                contact.fail(at: now, jitter: jitter, hasLived: hasLived, longest: longest)
            } else if let peer = link.peer, contact.member == peer.device {
                contact.hurryIfIdle(at: now)
            }
        }
    }

    /// The link's peer is no member any more.
    mutating func leave(_ link: Link) {
        let device = link.peer?.device
        updateAll { contact in
            // Before hello nobody knows whose link it is, and nobody else's addresses go with it.
            let isTheirs = device != nil && contact.member == device
            if isTheirs || contact.endpoint == link.contactEndpoint { contact.leave() }
        }
    }

    // MARK: Where each stands

    private func place(of endpoint: Endpoint) -> Int? {
        let position = position(of: endpoint)
        guard position < all.count, all[position].endpoint == endpoint else { return nil }
        return position
    }

    /// Where the address stands, or belongs.
    private func position(of endpoint: Endpoint) -> Int {
        all.partitioningIndex { $0.endpoint >= endpoint }
    }
}

/// Whom to dial: everybody whose time has come and who is not linked.
extension Contacts {
    /// What decides whether an address is dialled, beside the address itself.
    struct Circumstances {
        let session: SessionID
        /// Whether the session is finished.
        let isFinished: Bool
        /// The links whose peer has said hello.
        let greeted: [Link]
    }

    /// Dials the addresses that are due, or puts them off, or lets them rest.
    mutating func dialWhoIsDue(
        in circumstances: Circumstances,
        at now: Moment,
        _ commons: inout Commons
    ) {
        for contact in all {
            guard let due = contact.dueAt, due <= now.uptime else { continue }
            consider(contact, circumstances, at: now, &commons)
        }
    }

    /// Dials an address that is due, unless who is there is linked.
    private mutating func consider(
        _ contact: Contact,
        _ circumstances: Circumstances,
        at now: Moment,
        _ commons: inout Commons
    ) {
        let linked = circumstances.greeted.filter { leads($0, to: contact) }
        let isTrusted = linked.contains { $0.pingedAt == nil }
        let isOwn = commons.search.ownEndpoints.contains(contact.endpoint)
        if isOwn || isTrusted {
            update(contact.endpoint) { $0.rest() }
        } else if let until = linked.compactMap(\.trustedUntil).max(), until >= now.uptime {
            update(contact.endpoint) { $0.putOff(until: until + 1) }
        } else if let next = commons.search.dial(
            circumstances.session,
            contact.endpoint,
            at: now
        ) {
            update(contact.endpoint) { $0.putOff(until: next) }
        } else {
            update(contact.endpoint) { $0.dial() }
            commons.emit(.dial(circumstances.session, contact.endpoint))
        }
    }
}
