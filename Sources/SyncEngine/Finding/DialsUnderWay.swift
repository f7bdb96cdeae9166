import SessionCRDT
import SyncProtocol

/// The dials to each address that have not ended, and the sessions that wait for one of them to.
///
/// A peer that shares many sessions would refuse as many dials at once, and where nobody answers,
/// one session's dial says as much as that of all.
struct DialsUnderWay: Sendable {
    /// The most dials to one address at a time: half of what its listener lets one address have.
    static let most = 4

    private struct Place {
        /// When each began.
        var begun: [UInt64] = []
        /// Who waits, the first come first.
        var waiting: [SessionID] = []
    }

    private var places: [Endpoint: Place] = [:]

    /// Notes that a dial begins, or that the session waits; whether it may begin.
    mutating func begin(_ session: SessionID, _ endpoint: Endpoint, at now: Moment) -> Bool {
        var place = places[endpoint] ?? Place()
        defer { places[endpoint] = place }
        // Every dial ends within that time; what went missing must not keep a place for ever.
        place.begun.removeAll { $0 + Timing.longestDial < now.uptime }
        if place.begun.count < DialsUnderWay.most {
            place.begun.append(now.uptime)
            place.waiting.removeAll { $0 == session }
            return true
        }
        if !place.waiting.contains(session) { place.waiting.append(session) }
        return false
    }

    /// Notes that a dial ended because somebody answered.
    mutating func answered(at endpoint: Endpoint) {
        guard var place = places[endpoint] else { return }
        if !place.begun.isEmpty { place.begun.removeFirst() }
        keep(place, of: endpoint)
    }

    /// Who has waited longest for an address that has room again; it waits no longer, whether it
    /// dials or has been linked meanwhile.
    mutating func takeTurn() -> (session: SessionID, endpoint: Endpoint)? {
        let free = places.lazy.filter { _, place in
            !place.waiting.isEmpty && place.begun.count < DialsUnderWay.most
        }
        guard let endpoint = free.map(\.key).min(), var place = places[endpoint] else { return nil }
        let session = place.waiting.removeFirst()
        keep(place, of: endpoint)
        return (session, endpoint)
    }

    /// The session is held no longer.
    mutating func forget(_ session: SessionID) {
        for endpoint in places.keys { places[endpoint]?.waiting.removeAll { $0 == session } }
    }

    /// Notes that a dial ended because nobody answered; for whom that holds as well.
    mutating func unanswered(at endpoint: Endpoint) -> [SessionID] {
        let waiting = places[endpoint]?.waiting ?? []
        places[endpoint]?.waiting = []
        answered(at: endpoint)
        return waiting
    }

    private mutating func keep(_ place: Place, of endpoint: Endpoint) {
        places[endpoint] = place.begun.isEmpty && place.waiting.isEmpty ? nil : place
    }
}
