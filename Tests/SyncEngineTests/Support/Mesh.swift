import SessionCRDT
import SyncEngine
import SyncProtocol

/// Many engines, each linked with each other one or with some, whose messages take a millisecond
/// and whose disks take everything at once.
struct Mesh {
    /// A message on its way, or a time to wake at.
    private struct Event {
        let host: Int
        let input: Input
    }

    private(set) var engines: [SyncEngine]
    /// The messages since the last `forget`.
    private(set) var said: [PeerMessage] = []
    /// The time, in milliseconds.
    private(set) var now: UInt64 = 10_000
    /// The events at each time, in the order in which they were scheduled.
    private var events: [UInt64: [Event]] = [:]
    /// The hosts at both ends of each link.
    private var ends: [LinkID: [Int]] = [:]
    private let areLinked: (Int, Int) -> Bool

    init(_ count: Int, areLinked: @escaping (Int, Int) -> Bool = { _, _ in true }) {
        engines = (1...count).map { .ready(device(UInt64($0))) }
        self.areLinked = areLinked
        for left in 0..<count {
            for right in 0..<left where areLinked(left, right) { link(left, right) }
        }
        run(for: 1_000)
        forget()
    }

    private mutating func link(_ left: Int, _ right: Int) {
        let link = LinkID(UInt64(ends.count + 1))
        ends[link] = [left, right]
        let (here, there) = (address(UInt32(left + 1)), address(UInt32(right + 1)))
        give(.linked(link, session, there, .dialled), to: left)
        give(.linked(link, session, here, .accepted), to: right)
    }

    /// Forgets what was said.
    mutating func forget() { said = [] }

    /// Cuts the links of a host silently: everything that it sends and is sent is lost.
    mutating func cut(_ host: Int) {
        for (link, ends) in ends where ends.contains(host) { self.ends[link] = [] }
    }

    /// A score on a host.
    mutating func write(_ value: Int64, round: UInt32 = 1, on host: Int) {
        give(.write(RequestID(now), session, score(value, round: round)), to: host)
    }

    /// A host says that the game is over.
    mutating func finish(on host: Int) {
        give(.write(RequestID(now), session, [.finished(true)]), to: host)
    }

    /// Lets so many milliseconds pass.
    mutating func run(for milliseconds: UInt64) {
        let end = now + milliseconds
        while let time = events.keys.min(), time <= end {
            now = max(now, time)
            for event in events.removeValue(forKey: time) ?? [] {
                give(event.input, to: event.host)
            }
        }
        now = end
    }

    /// Until all hold the same, in milliseconds; at most ten seconds.
    mutating func settle() -> UInt64 {
        let start = now
        while Set(engines.map(\.digest)).count > 1, now < start + 10_000 { run(for: 1) }
        return now - start
    }

    private mutating func give(_ input: Input, to host: Int) {
        for effect in engines[host].handle(input, at: ms(now)) {
            switch effect {
            case .persist(let batch, _, _): give(.persisted(batch), to: host)
            case .send(let link, let message):
                said.append(message)
                guard let other = ends[link]?.first(where: { $0 != host }) else { break }
                let event = Event(host: other, input: .received(link, message))
                events[now + 1, default: []].append(event)
            case .wake(let time):
                let time = max(time - ms(0).uptime, now)
                events[time, default: []].append(Event(host: host, input: .timePassed))
            case .load, .reply, .loaded, .changed, .peersChanged, .rememberAddress, .acknowledged,
                .answerKnock, .announce, .dial, .close, .alarm, .log:
                break
            }
        }
    }
}
