import BoardSite
import CPlatform
import SyncProtocol
import Synchronization

/// All that the threads of the board share: what is served, what pages are told, and who may enter.
final class Board: Sendable {
    let site: Site
    /// The address at which phones reach this server, without a path.
    let address: String
    let broadcast = Broadcast()

    private struct Phones {
        var links = PhoneLinks()
        /// The sessions that were shown, up to the one that is: phones may bring what was typed in
        /// a game before.
        var sessions: [String] = []
        var generator = SystemRandomNumberGenerator()

        /// The session that a submission means.
        ///
        /// - Throws: that it is none of this board.
        func session(of submission: Submission) throws(Refusal) -> String {
            guard let wish = submission.session ?? sessions.last, sessions.contains(wish) else {
                throw .otherSession
            }
            return wish
        }
    }

    /// The most sessions of an evening that phones may still enter in.
    private static let mostSessions = 64

    private let phones = Mutex(Phones())
    private let clerk: Clerk

    /// A board that shows a site, at the address for phones.
    init(_ site: Site, address: String, _ clerk: Clerk) {
        self.site = site
        self.address = address
        self.clerk = clerk
    }

    /// The address for phones where the board was opened by some name of this machine: by the same
    /// one, which leads here in that network, but by no name that leads each machine to itself.
    func address(for host: String) -> String {
        let name = host.prefix { $0 != ":" }
        return ["127.0.0.1", "localhost", ""].contains(name) ? address : "http://\(host)"
    }

    /// The answer to a request.
    func answer(_ request: BrowserRequest) -> Site.Answer {
        phones.withLock { site.answer(request, $0.links) }
    }

    /// Takes in who plays in the session that is shown, and tells the links.
    func seat(_ players: [PlayerSummary], of session: String) throws(ControlError) {
        let links = phones.withLock { phones in
            phones.links.seat(players, using: &phones.generator)
            phones.sessions = phones.sessions.filter { $0 != session } + [session]
            if phones.sessions.count > Board.mostSessions { phones.sessions.removeFirst() }
            return phones.links.good
        }
        try broadcast.tell(links.map { ShownLink($0, at: address) })
    }

    /// Does what a body says for a player, if the link may enter more now.
    func enter(
        _ body: [UInt8],
        of player: String,
        isUndo: Bool,
        then answer: @escaping @Sendable (Exchange.Outcome) -> Void
    ) {
        do throws(Refusal) {
            let submission = try Submission(body, isUndo: isUndo)
            let session = try phones.withLock { phones throws(Refusal) in
                try phones.links.admit(player, at: platform_steady_milliseconds())
                return try phones.session(of: submission)
            }
            clerk.take(submission, of: player, in: session, then: answer)
        } catch { answer(.failure(error)) }
    }

    /// Ends all pages, once what was begun for a phone is done.
    func end() {
        clerk.finish()
        broadcast.end()
    }
}

/// One request, from its head to its answer: what is answered, and of a submission its body and
/// what became of it.
final class Exchange: Sendable {
    /// What became of a submission: the daemon's answer as JSON, or why there is none.
    typealias Outcome = Result<[UInt8], Refusal>

    /// What the head asks for.
    let answer: Site.Answer

    private struct State {
        var body: [UInt8] = []
        var outcome: Outcome?
    }

    private let state = Mutex(State())

    /// A request whose head has been read.
    init(_ answer: Site.Answer) { self.answer = answer }

    /// What became of the submission; nil until that is known.
    var outcome: Outcome? { state.withLock(\.outcome) }

    /// The body as far as it has come.
    var body: [UInt8] { state.withLock(\.body) }

    /// Takes in more of the body; whether it is not too long yet.
    func take(_ bytes: some Collection<UInt8>) -> Bool {
        state.withLock { state in
            guard state.body.count + bytes.count <= Submission.mostBytes else { return false }
            state.body += bytes
            return true
        }
    }

    /// Notes what became of the submission.
    func end(_ outcome: Outcome) { state.withLock { $0.outcome = outcome } }
}
