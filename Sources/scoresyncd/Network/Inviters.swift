import SyncProtocol

/// The addresses at which invites are announced, and whom of them to ask next.
///
/// Anybody can announce invites from addresses that are not theirs, hundreds a second; who really
/// invites goes on announcing at one address and answers there. So those that were heard most often
/// go first, and each question that brought nothing counts against them. A value without a clock;
/// times are uptimes in milliseconds.
struct Inviters {
    /// How many addresses are known at most: five seconds of two hundred a second.
    static let most = 1_024
    /// The least time between two questions at one address.
    static let spacing: UInt64 = 500

    /// How long an address is known after it was heard last; who invites is heard each second.
    static let life: UInt64 = 120_000

    private struct Inviter {
        var hearings = 0
        var heardAt: UInt64 = 0
        /// How often it was asked without an answer that counts.
        var questions = 0
        var mayBeAskedAt: UInt64 = 0
        /// Whether it is being asked now, or has given the answer that it would give again.
        var isSettled = false

        /// How much speaks for it: what is heard a hundred times is no more true than what is heard
        /// three times.
        var promise: Double { Double(min(hearings, 3)) / Double(1 + questions) }
    }

    private var inviters: [Endpoint: Inviter] = [:]

    /// Nobody.
    init() {}

    /// Those who were named, each once.
    init(named endpoints: [Endpoint]) {
        for endpoint in endpoints { hear(of: endpoint, at: 0) }
    }

    /// How many there are.
    var count: Int { inviters.count }

    /// An invite was announced at the address.
    mutating func hear(of endpoint: Endpoint, at now: UInt64) {
        inviters[endpoint, default: Inviter()].hearings += 1
        inviters[endpoint]?.heardAt = now
        guard inviters.count > Inviters.most else { return }
        let stalest = inviters.sorted { ($0.value.heardAt, $0.key) < ($1.value.heardAt, $1.key) }
        for (endpoint, _) in stalest.prefix(Inviters.most / 2) { inviters[endpoint] = nil }
    }

    /// Forgets those that have not announced anything for so long that their invite is over.
    mutating func forgetThoseNotHeard(since now: UInt64) {
        inviters = inviters.filter { $0.value.heardAt + Inviters.life > now }
    }

    /// Whom to ask now, who then counts as asked; nil where nobody is left for the moment.
    mutating func next(at now: UInt64) -> Endpoint? {
        let ready = inviters.filter { !$0.value.isSettled && $0.value.mayBeAskedAt <= now }
        let best = ready.max {
            // The same in every process, whatever the order of the table.
            ($0.value.promise, $0.value.heardAt, $1.key)
                < ($1.value.promise, $1.value.heardAt, $0.key)
        }
        guard let endpoint = best?.key else { return nil }
        inviters[endpoint]?.isSettled = true
        inviters[endpoint]?.questions += 1
        inviters[endpoint]?.mayBeAskedAt = now + Inviters.spacing
        return endpoint
    }

    /// Nobody has answered there, who may just be starting: it may be asked again.
    mutating func giveBack(_ endpoint: Endpoint) { inviters[endpoint]?.isSettled = false }
}
