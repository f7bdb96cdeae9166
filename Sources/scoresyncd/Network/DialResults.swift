import SessionCRDT
import SyncProtocol

/// What came of the last dial to each address, for who asks why a laptop is not linked.
struct DialResults {
    /// The end of a dial.
    struct Result: Hashable {
        let outcome: Diagnosis.Outcome
        /// Why it did not become a link.
        let text: String?
        /// When that was, by the uptime of the clock.
        let uptime: UInt64
    }

    private struct Place: Hashable {
        let session: SessionID
        let endpoint: Endpoint
    }

    /// How many are kept: announcements can name any number of addresses.
    static let most = 256

    private var results: [Place: Result] = [:]

    /// The last dial to an address for a session; nil where none is known.
    subscript(session: SessionID, endpoint: Endpoint) -> Result? {
        results[Place(session: session, endpoint: endpoint)]
    }

    /// Notes the end of a dial, in place of the one that is longest ago where there are too many.
    mutating func note(_ result: Result, of endpoint: Endpoint, for session: SessionID) {
        results[Place(session: session, endpoint: endpoint)] = result
        guard results.count > DialResults.most else { return }
        let oldest = results.min { left, right in
            (left.value.uptime, left.key.endpoint) < (right.value.uptime, right.key.endpoint)
        }
        if let oldest { results[oldest.key] = nil }
    }
}
