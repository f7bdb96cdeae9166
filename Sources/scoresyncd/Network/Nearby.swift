import Descriptors
import PeerTransport
import SessionCRDT
import SyncEngine
import SyncProtocol

/// The games of other laptops that this one could join: looks at their doors, knocks, and waits to
/// be admitted.
@EventLoop
final class Nearby: DaemonPart {
    /// A session at a laptop, at any of its addresses.
    private struct NearbyDoor: Hashable {
        let session: SessionID
        let device: DeviceID
    }

    private struct Place: Hashable {
        let endpoint: Endpoint
        let session: SessionID
    }

    /// The time for which an open invite is listed after its last announcement, in milliseconds;
    /// inviters announce each second.
    private static let lifetime: UInt64 = 10_000
    /// The limit of places; a laptop has one for each of its addresses.
    private static let maxPlaces = 64
    /// The time for which a look at all doors may take.
    private static let looking = Duration.milliseconds(800)

    let daemon: Daemon
    /// The uptimes at which invites were announced last, in milliseconds.
    private var announced: [Place: UInt64] = [:]
    private var doors: [Place: Door] = [:]
    private var attempts: [KnockID: KnockAttempt] = [:]

    init(_ daemon: Daemon) { self.daemon = daemon }

    /// Records which of the announced sessions have an open invite.
    func announced(_ announcement: Announcement, at endpoint: Endpoint) {
        let now = Clock.now.uptime
        for session in announcement.sessions {
            let place = Place(endpoint: endpoint, session: session.id)
            announced[place] = session.isInviting ? now : nil
            if !session.isInviting { doors[place] = nil }
        }
        // A datagram announces several sessions.
        while announced.count > Nearby.maxPlaces,
            let oldest = announced.min(by: { $0.value < $1.value })
        {
            forget(oldest.key)
        }
    }

    private func forget(_ place: Place) {
        announced[place] = nil
        doors[place] = nil
    }

    // MARK: Looking

    /// Returns the games with an open invite on this network, as soon as there is one or the time
    /// to wait is over.
    func games(_ request: NearbyParameters) async -> [NearbyGame] {
        let end = Clock.now.uptime + UInt64(min(max(0, request.waitMilliseconds ?? 0), 60_000))
        while true {
            let games = await games().filter {
                request.laptop == nil || $0.laptop == request.laptop
            }
            guard games.isEmpty, Clock.now.uptime < end else { return games }
            await queue.pause(for: .milliseconds(50))
        }
    }

    /// Returns the games with an open invite on this network, by laptop and title; asks the laptops
    /// that were not asked before, and omits those that do not answer.
    private func games() async -> [NearbyGame] {
        let now = Clock.now.uptime
        for (place, time) in announced where time + Nearby.lifetime <= now { forget(place) }
        let unknown = announced.keys.filter { doors[$0] == nil && sessions[$0.session] == nil }
        if !unknown.isEmpty { await look(at: unknown) }
        // A laptop in several networks announces from each; the latest address is the best one.
        var shown: Set<NearbyDoor> = []
        let latestFirst = doors.sorted {
            (announced[$0.key] ?? 0, $1.key.endpoint) > (announced[$1.key] ?? 0, $0.key.endpoint)
        }
        return latestFirst.compactMap { place, door in
            guard sessions[place.session] == nil, door.device != device.id,
                shown.insert(NearbyDoor(session: place.session, device: door.device)).inserted
            else { return nil }
            let known = settings.memory.knownLaptop(door.device)
            return NearbyGame(
                session: place.session.description,
                title: door.title,
                game: door.game,
                laptop: door.laptop,
                address: "\(place.endpoint)"
            ).with {
                $0.lastPlayed = known.map { Timestamp(milliseconds: $0.lastPlayed) }
            }
        }.sorted { ($0.laptop, $0.title, $0.session) < ($1.laptop, $1.title, $1.session) }
    }

    /// Reads the doors of several places at the same time.
    private func look(at places: [Place]) async {
        let links = places.map { place in
            let link = KnockLink(
                to: place.endpoint,
                of: place.session,
                within: Nearby.looking,
                on: queue
            )
            return (place, link)
        }
        for (place, link) in links {
            if case .door(let door)? = await link.next() { doors[place] = door }
            link.close()
        }
    }

    // MARK: Knocking

    /// Knocks at a laptop, and returns the symbols that must be the same on both screens.
    func knock(_ request: KnockParameters) async throws(ControlError) -> KnockReply {
        guard let session = SessionID(request.session), let endpoint = Endpoint(request.address)
        else { throw .usage("a knock names a session and an address that were listed as nearby") }
        guard sessions[session] == nil else {
            throw .refused("this laptop is in that game already")
        }
        try network.checkOnline()
        let (door, agreed, isKnown) = try await exchange(with: endpoint, session)
        let known = isKnown ? settings.memory.knownLaptop(door.device) : nil
        let attempt = KnockAttempt(agreed, known, at: endpoint, of: door, on: queue)
        try await attempt.open()
        attempts[agreed.id] = attempt
        queue.async(after: Knocks.patience + .seconds(5)) { [self] in withdraw(agreed.id) }
        return KnockReply(
            knock: agreed.id.description,
            laptop: door.laptop,
            title: door.title
        ).with {
            $0.symbols = attempt.isKnown ? [] : agreed.symbols
            $0.lastPlayed =
                attempt.isKnown ? known.map { Timestamp(milliseconds: $0.lastPlayed) } : nil
        }
    }

    private func exchange(
        with endpoint: Endpoint,
        _ session: SessionID
    ) async throws(ControlError) -> (Door, AgreedKnock, isKnown: Bool) {
        let link = KnockLink(to: endpoint, of: session, on: queue)
        defer { link.close() }
        guard case .door(let door)? = await link.next() else {
            forget(Place(endpoint: endpoint, session: session))
            throw .notFound("\(endpoint) has no open invite to that game")
        }
        do throws(CryptoFailure) {
            if let (agreed, isKnown) = try await exchange(over: link, session, door) {
                return (door, agreed, isKnown)
            }
        } catch { throw .failed("the exchange with \(door.laptop) failed: \(error)") }
        throw .refused(
            "\(door.laptop) takes no knock from this laptop now; wait a minute, then try again"
        )
    }

    /// Exchanges keys; nil if the other laptop ends the link.
    private func exchange(
        over link: KnockLink,
        _ session: SessionID,
        _ door: Door
    ) async throws(CryptoFailure) -> (AgreedKnock, isKnown: Bool)? {
        let laptop = KnockingLaptop(device: device.id, name: device.name)
        let own = try AgreementKey()
        let commitment = try KnockTranscript.commitment(to: own.publicKey)
        link.send(.knock(laptop, commitment: commitment))
        guard case .key(let key)? = await link.next() else { return nil }
        link.send(.open(own.publicKey))
        guard case .ready(let isKnown)? = await link.next() else { return nil }
        let transcript = KnockTranscript(
            session: session,
            door: door,
            joiner: laptop,
            commitment: commitment,
            inviterKey: key,
            joinerKey: own.publicKey
        )
        return (try AgreedKnock(transcript, own: own), isKnown)
    }

    /// Waits until a person has answered a knock.
    func answer(to text: String) async throws(ControlError) -> (welcome: Welcome, from: Endpoint) {
        guard let id = KnockID(text), let attempt = attempts[id] else {
            throw .notFound("that knock has ended; knock again")
        }
        defer { attempts[id] = nil }
        return (try await attempt.answer(to: device), attempt.endpoint)
    }

    /// Ends a knock that was not answered yet.
    func withdraw(_ id: KnockID) { attempts.removeValue(forKey: id)?.withdraw() }
}

/// The link on which this laptop waits to be admitted.
@EventLoop
final class KnockAttempt {
    let endpoint: Endpoint
    private let agreed: AgreedKnock
    private let known: KnownLaptop?
    private let laptop: String
    private let queue: EventQueue
    /// Whether the link is open by a key that only laptops have that know each other.
    private(set) var isKnown = false
    private var transport: TransportLink?
    private var decoder = PeerMessageDecoder()
    private var outcome: Result<Welcome, ControlError>?
    private var waiter: CheckedContinuation<Void, Never>?

    init(
        _ agreed: AgreedKnock,
        _ known: KnownLaptop?,
        at endpoint: Endpoint,
        of door: Door,
        on queue: EventQueue
    ) {
        (self.agreed, self.known, self.endpoint) = (agreed, known, endpoint)
        (laptop, self.queue) = (door.laptop, queue)
    }

    /// Opens the link; if the two laptops know each other, by the key of their last game.
    ///
    /// If that key was lost on one side, they compare symbols as strangers do.
    func open() async throws(ControlError) {
        if let known { isKnown = await open(with: known.secret) }
        if isKnown { return }
        guard await open(with: nil) else {
            throw .failed("the connection to \(laptop) ended; try again")
        }
    }

    private func open(with pair: Secret?) async -> Bool {
        guard let secret = try? agreed.admissionKey(known: pair) else { return false }
        let identity = LinkIdentity.admission(agreed.id, isKnown: pair != nil).description
        guard let key = PreSharedKey(identity: identity, secret: secret) else { return false }
        var isOpen = false
        await withCheckedContinuation { continuation in
            waiter = continuation
            transport = TransportLink.dial(to: endpoint, key: key, on: queue) { [self] event in
                switch event {
                case .opened:
                    isOpen = true
                    resume()
                case .frame(let payload): receive(payload)
                case .closed:
                    if isOpen { finish(.failure(lost)) }
                    resume()
                case .heard, .drained: break
                }
            }
        }
        return isOpen
    }

    private func resume() {
        let waiter = waiter
        self.waiter = nil
        waiter?.resume()
    }

    private func receive(_ payload: [UInt8]) {
        switch try? decoder.receive(payload) {
        case .welcome(let welcome): finish(.success(welcome))
        case .bye(.declined):
            finish(.failure(.refused("\(laptop) did not let this laptop in")))
        case .bye:
            finish(.failure(.refused("nobody at \(laptop) has answered; knock again")))
        default: break
        }
    }

    private var lost: ControlError { .refused("the invite of \(laptop) has ended") }

    private func finish(_ outcome: Result<Welcome, ControlError>) {
        guard self.outcome == nil else { return }
        self.outcome = outcome
        resume()
    }

    /// Waits for the answer, and introduces this laptop to the one that has admitted it.
    func answer(to device: Device) async throws(ControlError) -> Welcome {
        if outcome == nil { await withCheckedContinuation { waiter = $0 } }
        let welcome = try (outcome ?? .failure(lost)).get()
        if let transport {
            let guest = KnockingLaptop(device: device.id, name: device.name)
            PeerLink(transport).send(.guest(guest))
            transport.close()
        }
        return welcome
    }

    func withdraw() {
        finish(.failure(ControlError(.timedOut, "\(laptop) did not answer the knock")))
        transport?.abort()
    }
}
