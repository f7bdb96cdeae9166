import SessionCRDT
import SyncProtocol

/// The addresses of one session's members: typed, announced, sent by members, or stored.
struct Contacts: Sendable {
    /// The contacts sorted by address.
    private(set) var all: [Contact] = []
    /// The members that are known to have the same state of a finished session.
    private(set) var upToDate: Set<DeviceID> = []
    /// The devices whose home was copied: a link to one copy does not reach the other.
    private var cloned: Set<DeviceID> = []

    /// The maximum number of addresses at which members answered; the remaining ones of
    /// `Limits.addresses` are for new addresses.
    static let maxConfirmed = Limits.addresses * 3 / 4
    /// The maximum number of addresses known only from announcements.
    static let maxUnverified = Limits.addresses / 4

    subscript(endpoint: Endpoint) -> Contact? { index(of: endpoint).map { all[$0] } }

    var nextDue: UInt64? {
        // Iterates by index to avoid copies, because every input calls this.
        all.indices.lazy.compactMap { all[$0].dueAt }.min()
    }

    func hasLinked(with instance: InstanceID) -> Bool {
        all.contains { $0.linkedInstance == instance }
    }

    // MARK: Which addresses are kept

    /// Adds a new address, if there is room or a less valuable one can be dropped.
    mutating func add(_ contact: Contact) {
        guard index(of: contact.endpoint) == nil, makeRoom(for: contact) else { return }
        all.insert(contact, at: insertionIndex(of: contact.endpoint))
        evictStalest()
    }

    mutating func remove(_ endpoint: Endpoint) {
        if let index = index(of: endpoint) { all.remove(at: index) }
    }

    mutating func recordAnswer(
        at endpoint: Endpoint,
        of device: DeviceID,
        _ instance: InstanceID,
        at now: Moment
    ) {
        if let index = index(of: endpoint) {
            all[index].recordAnswer(of: device, instance, at: now)
        } else {
            var contact = Contact(endpoint, member: device)
            contact.recordAnswer(of: device, instance, at: now)
            add(contact)
        }
        evictStalest()
    }

    /// Makes room for an address by dropping a less valuable one; returns whether there is room.
    private mutating func makeRoom(for contact: Contact) -> Bool {
        let unverified = all.filter(\.isUnverified)
        let isFull = all.count >= Limits.addresses
        let isOverQuota = contact.isUnverified && unverified.count >= Contacts.maxUnverified
        guard isFull || isOverQuota else { return true }
        let idle = all.filter { !$0.isTyped && !$0.isDialling }
        var least = unverified.first { !$0.isDialling }
        if !contact.isUnverified {
            least = least ?? unverified.first ?? idle.first { !$0.isConfirmed }
        }
        if contact.isTyped || contact.isConfirmed { least = least ?? idle.min(by: isStaler) }
        guard let least else { return false }
        remove(least.endpoint)
        return true
    }

    /// Drops the address at which no member has answered for the longest time, if there are too
    /// many.
    private mutating func evictStalest() {
        let confirmed = all.filter { $0.isConfirmed && !$0.isTyped && !$0.isDialling }
        guard confirmed.count > Contacts.maxConfirmed,
            let stalest = confirmed.min(by: isStaler)
        else { return }
        remove(stalest.endpoint)
    }

    private func isStaler(_ one: Contact, _ other: Contact) -> Bool {
        (one.reachedAt, one.endpoint) < (other.reachedAt, other.endpoint)
    }

    // MARK: What is known of each

    mutating func update(_ endpoint: Endpoint, _ change: (inout Contact) -> Void) {
        guard let index = index(of: endpoint) else { return }
        change(&all[index])
        if all[index].isUnreachable { all.remove(at: index) }
    }

    mutating func updateAll(_ change: (inout Contact) -> Void) {
        for index in all.indices { change(&all[index]) }
        all.removeAll(where: \.isUnreachable)
    }

    /// Restores which members have the same state of a finished session; does not affect dials.
    mutating func restore(upToDate devices: Set<DeviceID>) { upToDate = devices }

    /// Pauses all addresses of a member that has the same state of a finished session.
    mutating func markUpToDate(_ device: DeviceID, at now: Moment, jitter: Double) {
        upToDate.insert(device)
        // Staggers the polls, starting with the address that worked most recently.
        let theirs = all.filter { $0.member == device }.sorted { isStaler($1, $0) }
        for (index, contact) in theirs.enumerated() {
            let wait = UInt64(index) * Timing.pingTimeout
            update(contact.endpoint) { $0.pauseUntilChange(at: now, jitter: jitter, wait: wait) }
        }
    }

    mutating func markOutOfDate(_ device: DeviceID) { upToDate.remove(device) }

    /// Records that two copies of the member's home run at once.
    mutating func markCloned(_ device: DeviceID) {
        if cloned.count < Limits.addresses { cloned.insert(device) }
    }

    /// Plans an immediate dial of every address.
    mutating func dialAllNow(at now: Moment) {
        updateAll { $0.dialNow(at: now) }
    }

    /// Ends the long pauses of a finished session after a write.
    mutating func wakeAll(at now: Moment) {
        if !upToDate.isEmpty { upToDate = [] }
        for index in all.indices { all[index].wake(at: now) }
    }

    /// Plans a dial of all addresses of a member whose links are silent.
    mutating func dialNow(_ device: DeviceID, at now: Moment) {
        updateAll { contact in
            if contact.member == device { contact.dialNowIfIdle(at: now) }
        }
    }

    /// Plans to replace a closed link, at any address of the peer.
    mutating func redial(_ link: Link, at now: Moment, jitter: Double, maxPause: UInt64) {
        let hasLived = link.isGreeted && now.uptime >= link.openedAt + Timing.pingTimeout
        updateAll { contact in
            if contact.endpoint == link.contactEndpoint {
                contact.recordFailure(at: now, jitter: jitter, hasLived, maxPause: maxPause)
            } else if let peer = link.peer, contact.member == peer.device {
                contact.dialNowIfIdle(at: now)
            }
        }
    }

    /// Records that the link's peer has left the session.
    mutating func memberLeft(_ link: Link) {
        let device = link.peer?.device
        updateAll { contact in
            // Before hello the peer is unknown, so only the address of the link is affected.
            let isTheirs = device != nil && contact.member == device
            if isTheirs || contact.endpoint == link.contactEndpoint { contact.memberLeft() }
        }
    }

    // MARK: Dialling

    /// Dials the addresses that are due, unless their peer is linked already.
    mutating func dialDue(for session: SessionID, linked: [Link], _ context: inout EngineContext) {
        for contact in all {
            guard let due = contact.dueAt, due <= context.now.uptime else { continue }
            let endpoint = contact.endpoint
            let links = linked.filter { leads($0, to: contact) }
            let isTrusted = links.contains { $0.pingedAt == nil }
            if isTrusted || context.discovery.ownEndpoints.contains(endpoint) {
                update(endpoint) { $0.pause() }
            } else if let until = links.compactMap(\.trustedUntil).max(),
                until >= context.now.uptime
            {
                update(endpoint) { $0.postponeDial(until: until + 1) }
            } else if let next = context.discovery.dials.start(session, endpoint, at: context.now) {
                update(endpoint) { $0.postponeDial(until: next) }
            } else {
                update(endpoint) { $0.startDial() }
                context.emit(.dial(session, endpoint))
            }
        }
    }

    /// Whether a link leads to the instance at a contact's address.
    private func leads(_ link: Link, to contact: Contact) -> Bool {
        guard let peer = link.peer else { return false }
        if link.listening == contact.endpoint {
            return contact.instance.map { $0 == peer.instance } ?? true
        }
        guard contact.device == peer.device else { return false }
        // After the device was cloned, the address may be that of the other copy, until dials fail.
        let mayBeCopy = cloned.contains(peer.device) && !contact.isUnresponsive
        return contact.instance.map { $0 == peer.instance } ?? !mayBeCopy
    }

    // MARK: Search

    private func index(of endpoint: Endpoint) -> Int? {
        let index = insertionIndex(of: endpoint)
        guard index < all.count, all[index].endpoint == endpoint else { return nil }
        return index
    }

    private func insertionIndex(of endpoint: Endpoint) -> Int {
        all.partitioningIndex { $0.endpoint >= endpoint }
    }
}
