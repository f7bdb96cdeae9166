import SessionCRDT
import SyncProtocol

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
