import BoardSite
import CPlatform
import SyncProtocol
import Synchronization

/// The state that the threads of the board share: its routes, its pages, and its phones.
final class Board: Sendable {
    let site: Site
    /// The URL of this server for phones, without a path.
    let address: String
    let broadcast = Broadcast()

    private struct Phones {
        var links = PhoneLinks()
        /// The sessions that were shown, the current one last: a phone may submit late what was
        /// typed in an earlier game.
        var sessions: [String] = []
        var generator = SystemRandomNumberGenerator()

        func session(of submission: Submission) throws(HTTPError) -> String {
            guard let session = submission.session ?? sessions.last, sessions.contains(session)
            else { throw .otherSession }
            return session
        }
    }

    /// The maximum number of earlier sessions that phones may still submit to.
    private static let maxSessions = 64

    private let phones = Mutex(Phones())
    private let submissions: SubmissionQueue

    init(_ site: Site, address: String, _ submissions: SubmissionQueue) {
        self.site = site
        self.address = address
        self.submissions = submissions
    }

    /// Returns the URL for phones if the board was opened under this name of the machine.
    ///
    /// It contains the same name, which is known in that network, except for `localhost`, which
    /// means a different machine everywhere.
    func address(for host: String) -> String {
        let name = host.prefix { $0 != ":" }
        return ["127.0.0.1", "localhost", ""].contains(name) ? address : "http://\(host)"
    }

    func response(to request: BrowserRequest) -> Site.Response {
        phones.withLock { site.response(to: request, $0.links) }
    }

    /// Updates the links for the players of the session that is shown, and publishes them.
    func updatePlayers(_ players: [PlayerSummary], of session: String) throws(ControlError) {
        let links = phones.withLock { phones in
            phones.links.update(players, using: &phones.generator)
            phones.sessions = phones.sessions.filter { $0 != session } + [session]
            if phones.sessions.count > Board.maxSessions { phones.sessions.removeFirst() }
            return phones.links.valid
        }
        try broadcast.send(links.map { LinkView($0, at: address) })
    }

    /// Submits the body of a player's request, unless the player's rate limit is reached.
    func submit(
        _ body: [UInt8],
        of player: String,
        isUndo: Bool,
        completion: @escaping @Sendable (SubmissionQueue.Outcome) -> Void
    ) {
        do throws(HTTPError) {
            let submission = try Submission(body, isUndo: isUndo)
            let session = try phones.withLock { phones throws(HTTPError) in
                try phones.links.admit(player, at: platform_steady_milliseconds())
                return try phones.session(of: submission)
            }
            submissions.submit(submission, of: player, in: session, completion: completion)
        } catch { completion(.failure(error)) }
    }

    /// Closes all pages after the submission in progress.
    func close() {
        submissions.close()
        broadcast.close()
    }
}
