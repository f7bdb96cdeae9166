import SessionCRDT
import SyncEngine
import SyncProtocol

/// Two engines back to back, linked without delay and with disks that take everything at once.
struct Pair {
    /// The higher device, which dialled.
    var left: SyncEngine
    /// The lower device.
    var right: SyncEngine
    /// Everything that was said, in order, with who said it.
    private(set) var said: [(isLeft: Bool, message: PeerMessage)] = []
    /// The alarms of both.
    private(set) var alarms: [EngineAlarm] = []
    private var isLinked = true

    init(_ left: SyncEngine, _ right: SyncEngine) {
        self.left = left
        self.right = right
    }

    /// Links both and lets them talk until both are silent.
    mutating func meet(at now: Moment) {
        let link = LinkID(1)
        var events: [(Bool, Effect)] = []
        events += left.handle(.linked(link, session, address(2), .dialled), at: now)
            .map { (true, $0) }
        events += right.handle(.linked(link, session, address(1, port: 50_000), .accepted), at: now)
            .map { (false, $0) }
        run(events, at: now)
    }

    /// Gives one side an input, and lets both talk until both are silent.
    mutating func give(_ input: Input, toLeft isLeft: Bool, at now: Moment) {
        run(handle(input, isLeft, now), at: now)
    }

    private mutating func handle(
        _ input: Input,
        _ isLeft: Bool,
        _ now: Moment
    ) -> [(Bool, Effect)] {
        let effects = isLeft ? left.handle(input, at: now) : right.handle(input, at: now)
        return effects.map { (isLeft, $0) }
    }

    private mutating func run(_ events: [(Bool, Effect)], at now: Moment) {
        var events = events
        while !events.isEmpty, said.count < 200 {
            let (isLeft, effect) = events.removeFirst()
            switch effect {
            case .persist(let batch, _, _): events += handle(.persisted(batch), isLeft, now)
            case .send(let link, let message) where isLinked:
                said.append((isLeft, message))
                events += handle(.received(link, message), !isLeft, now)
            case .close: isLinked = false
            case .alarm(let alarm): alarms.append(alarm)
            case .send, .load, .reply, .loaded, .changed, .peersChanged, .rememberAddress,
                .acknowledged, .answerKnock, .announce, .dial, .wake, .log:
                break
            }
        }
    }
}
