import BoardSite
import CPlatform
import ControlSocket
import Dispatch
import SyncProtocol
import Synchronization

/// The state that the threads of the board share: its paths, its pages, and its phones.
final class Board: Sendable {
    /// A way in: one server with its pages and its port.
    struct Door: Sendable {
        let site: Site
        let port: UInt16
        /// Whether other machines can open it.
        let servesNetwork: Bool
    }

    let feeds: Feeds
    let paths: ControlPaths

    private struct State {
        var keys: BoardKeys
        var network = OwnNetwork()
        /// Whether the players are known; before, kept links may be those of an earlier game.
        var knowsPlayers = false
        /// The addresses of the other laptops of the session.
        var peers: [String] = []
        /// The port that other machines can open; nil if there is none.
        var networkPort: UInt16?
        /// The name of this machine in its network; nil if no other machine finds it by one.
        var localName: String?
        var generator = SystemRandomNumberGenerator()
    }

    private let state: Mutex<State>
    /// Whether phones may enter scores.
    private let allowsPhones: Bool
    private let file: KeysFile?
    /// The server of the network that the owner switches on and off.
    private let networkServer = Mutex<HTTPServer?>(nil)
    /// The writing end of a pipe whose end makes the app end.
    private let quitting: Mutex<Int32?>
    private let submissions: SubmissionQueue
    private let calls: OwnerCalls

    init(
        _ paths: ControlPaths,
        _ keys: BoardKeys,
        keptIn file: KeysFile?,
        allowsPhones: Bool = true,
        quittingBy pipe: Int32? = nil
    ) {
        (self.paths, self.file, self.allowsPhones) = (paths, file, allowsPhones)
        quitting = Mutex(pipe)
        state = Mutex(State(keys: keys))
        feeds = Feeds(paths)
        submissions = SubmissionQueue(paths)
        calls = OwnerCalls(paths)
    }

    var keys: BoardKeys { state.withLock(\.keys) }

    /// Changes the keys, keeps them in the home, ends the pages whose addresses have become invalid,
    /// and publishes the links.
    func changeKeys(
        _ change: (inout BoardKeys, inout SystemRandomNumberGenerator) -> Void
    ) {
        state.withLock { state in
            let before = state.keys
            change(&state.keys, &state.generator)
            file?.write(state.keys)
            endPages(before, state.keys)
        }
        publishLinks()
    }

    private func endPages(_ before: BoardKeys, _ now: BoardKeys) {
        feeds.main.close { page in
            switch page {
            case .board: before.viewer != now.viewer
            case .joining: before.joining != now.joining
            case .phone(let token): now.links.link(token.text) == nil
            case .owner: false
            }
        }
    }

    /// Sets the port that other machines can open, or none.
    func setNetworkPort(_ port: UInt16?) {
        state.withLock { $0.networkPort = port }
        let name = addresses.first.flatMap { LocalName.name(of: $0.text) }
        state.withLock { $0.localName = name }
        publishLinks()
    }

    /// The URL of this server for other machines by name, without a path; nil if there is none.
    var namedURL: String? {
        state.withLock { state in
            guard let port = state.networkPort else { return nil }
            return state.localName.map { "http://\($0):\(port)" }
        }
    }

    // MARK: Addresses

    /// The addresses of this machine, the best one for others first.
    var addresses: [OwnAddress] { state.withLock { Board.addresses(&$0) } }

    private static func addresses(_ state: inout State) -> [OwnAddress] {
        guard state.networkPort != nil else { return [] }
        let all = state.network.addresses(at: platform_steady_milliseconds())
        return OwnAddress.ranked(all, peers: state.peers, preferring: state.keys.address)
    }

    /// The URL of this server for other machines, without a path; nil without a network.
    var networkURL: String? { state.withLock { Board.networkURL(&$0) } }

    private static func networkURL(_ state: inout State) -> String? {
        guard let port = state.networkPort, let best = addresses(&state).first else { return nil }
        return "http://\(best.urlHost):\(port)"
    }

    /// The URL of this server that is shown with the links.
    private static func shownURL(_ state: inout State) -> String {
        networkURL(&state) ?? "http://127.0.0.1:\(state.keys.port ?? 0)"
    }

    /// Returns the URL for phones if the board was opened under this name of the machine.
    ///
    /// It contains the same name, which is known in that network, except for names that mean a
    /// different machine everywhere, and for those of multicast DNS, which old phones do not know.
    func url(for host: String) -> String {
        let name = host.prefix { $0 != ":" }
        guard ["127.0.0.1", "localhost", ""].contains(name) || name.hasSuffix(".local") else {
            return "http://\(host)"
        }
        return networkURL ?? "http://\(host)"
    }

    func response(to request: BrowserRequest, at door: Door) -> Site.Response {
        state.withLock { state in
            var names = ["127.0.0.1", "localhost"]
            if door.servesNetwork {
                let own = state.network.addresses(at: platform_steady_milliseconds())
                names += own.map(\.urlHost)
                if let name = state.localName { names.append(name) }
            }
            let hosts = Set(names.map { "\($0):\(door.port)" })
            return door.site.response(to: request, state.keys, hosts: hosts)
        }
    }

    // MARK: Phones

    /// Updates the links for the players of the session that is shown, and publishes them.
    func updatePlayers(_ players: [PlayerSummary], of show: ShowReply) {
        let session = show.document.session.id
        state.withLock { state in
            state.peers = show.context.peers.compactMap(\.address)
            state.knowsPlayers = true
            let before = state.keys.links.valid
            state.keys.links.update(players, of: session, using: &state.generator)
            if state.keys.links.valid != before { file?.write(state.keys) }
        }
        publishLinks()
    }

    /// The links as they are shown.
    var linkViews: [LinkView] {
        state.withLock { state in
            let url = Board.shownURL(&state)
            return state.keys.links.valid.map { LinkView($0, at: url) }
        }
    }

    func publishLinks() {
        guard allowsPhones, state.withLock(\.knowsPlayers) else { return }
        let links = keys.links
        feeds.main.setPlayers(
            Dictionary(links.usable.map { ($0.token, $0.player) }) { first, _ in first }
        )
        feeds.main.send(linkViews, links.valid.map(SeatView.init))
    }

    /// Marks that a phone shows the page of a link.
    func markOpened(_ token: PathToken) {
        let isFirst = state.withLock { state in
            guard state.keys.links.markOpened(token) else { return false }
            file?.write(state.keys)
            return true
        }
        if isFirst { publishLinks() }
    }

    // MARK: Requests with a body

    /// Carries out a request with a body, and calls `completion` with the JSON of the answer.
    func carryOut(
        _ post: Site.Post,
        _ body: [UInt8],
        completion: @escaping @Sendable (SubmissionQueue.Outcome) -> Void
    ) {
        do throws(HTTPError) {
            switch post {
            case .submission(let token, let isUndo):
                let submission = try Submission(body, isUndo: isUndo)
                let (player, session) = try seat(of: token, in: submission.session)
                submissions.submit(submission, of: player, in: session, completion: completion)
            case .claim: claim(try Claim(body), completion: completion)
            case .call: calls.carryOut(try OwnerCall(body), for: self, completion: completion)
            }
        } catch { completion(.failure(error)) }
    }

    /// Returns the player of a link in a session, by default in the one that is shown.
    ///
    /// - Throws: `tooFast`; `gone` and `otherSession` if the player does not take part in it.
    private func seat(
        of token: PathToken,
        in session: String?
    ) throws(HTTPError) -> (player: String, session: String) {
        try state.withLock { state throws(HTTPError) in
            let link = try state.keys.links.admit(token, at: platform_steady_milliseconds())
            let session = session ?? state.keys.links.session
            guard let player = link.player(in: session) else {
                throw session == state.keys.links.session ? .gone : .otherSession
            }
            return (player, session)
        }
    }

    private func claim(
        _ claim: Claim,
        completion: @escaping @Sendable (SubmissionQueue.Outcome) -> Void
    ) {
        guard let name = claim.name else {
            return completion(link(of: claim.player ?? "", by: claim))
        }
        let (isAllowed, session) = state.withLock {
            ($0.keys.acceptsNewPlayers, $0.keys.links.session)
        }
        guard isAllowed else {
            let text = "New players are added on the laptop that shows this code."
            return completion(.failure(HTTPError(403, "refused", text)))
        }
        calls.addPlayer(name, to: session) { result in
            completion(
                result.flatMap { players in
                    guard let player = players.last(where: { $0.name == name && !$0.removed })
                    else { return .failure(.otherSession) }
                    self.update(players, of: session)
                    return self.link(of: player.id, by: claim)
                }
            )
        }
    }

    /// Makes the link of a player who was just added, before the sheet with that player arrives.
    private func update(_ players: [PlayerSummary], of session: String) {
        changeKeys { keys, generator in
            keys.links.update(players, of: session, using: &generator)
        }
    }

    private func link(of player: String, by claim: Claim) -> SubmissionQueue.Outcome {
        let result = state.withLock { state -> Result<PhoneLinks.Link, HTTPError> in
            let before = state.keys
            do throws(HTTPError) {
                let link = try state.keys.links.claim(
                    player,
                    knowing: claim.paths ?? [],
                    handsOver: claim.handsOver == true,
                    using: &state.generator
                )
                file?.write(state.keys)
                endPages(before, state.keys)
                return .success(link)
            } catch { return .failure(error) }
        }
        publishLinks()
        return result.flatMap { link in
            (try? ControlJSON.encode(["path": link.path])).map { .success($0) }
                ?? .failure(.otherSession)
        }
    }

    // MARK: The owner

    /// Starts or stops serving phones and televisions in the network.
    ///
    /// - Throws: `failed` if no port is free.
    func share(_ isShared: Bool) throws(ControlError) {
        try networkServer.withLock { server throws(ControlError) in
            guard isShared != (server != nil) else { return }
            server?.stop()
            server = nil
            if isShared {
                let site = Site(files: PageFile.names, roles: [.viewer, .player])
                server = try BoardProgram.listen(at: keys.networkPort, self, site, isNetwork: true)
            }
        }
        let port = networkServer.withLock { $0?.port }
        setNetworkPort(port)
        changeKeys { keys, _ in
            keys.isShared = isShared
            keys.networkPort = port ?? keys.networkPort
        }
    }

    /// Ends the app once the page that asks for it has got its answer.
    func quit() {
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(200)) { @Sendable in
            self.quitting.withLock { pipe in
                if let pipe { platform_close(pipe) }
                pipe = nil
            }
        }
    }

    /// Closes all pages after the submission in progress.
    func close() {
        submissions.close()
        networkServer.withLock { server in
            server?.stop()
            server = nil
        }
        feeds.close()
    }
}

/// The addresses of this machine, read again when a second has passed: the network may change.
///
/// Link-local IPv6 addresses are left out, because browsers open no URL with a zone.
struct OwnNetwork {
    private static let interval: Int64 = 1000
    private var found: [OwnAddress] = []
    private var readAt: Int64?

    mutating func addresses(at now: Int64) -> [OwnAddress] {
        if let readAt, now - readAt < OwnNetwork.interval { return found }
        readAt = now
        var all = [platform_interface](repeating: platform_interface(), count: 64)
        let count = unsafe platform_interfaces(&all, Int32(all.count))
        found = all.prefix(max(0, Int(count))).filter { $0.is_up && !$0.is_loopback }
            .compactMap { interface in
                let name = unsafe withUnsafeBytes(of: interface.name) { bytes in
                    unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
                }
                let address = IPAddress(high: interface.high, low: interface.low, zone: name)
                guard !address.isLinkLocal else { return nil }
                return OwnAddress(
                    interface: name,
                    address: address,
                    prefixLength: Int(interface.prefix_length)
                )
            }
        return found
    }
}

/// The file that keeps a board's paths, links and port in the home, while this process holds its
/// lock.
final class KeysFile: Sendable {
    private let path: String
    private let lock: ControlLock

    /// The names of the files of boards and of apps.
    static let board = "board"
    static let app = AppFiles.name

    /// Opens the file `NAME.json` of a home; nil if another board has it or the disk cannot be
    /// written: then the addresses of this board end with it.
    init?(_ name: String, in paths: ControlPaths) {
        do throws(ControlSocketError) {
            try PrivateDirectory.prepare(paths.state)
            lock = try ControlLock(file: "\(paths.state)/\(name).lock")
        } catch { return nil }
        path = "\(paths.state)/\(name).json"
    }

    /// Reads the keys; nil if there are none that can be read.
    func read() -> BoardKeys? {
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        let count = unsafe platform_read_file(path, 0, &bytes, bytes.count)
        return count > 0 ? try? ControlJSON.decode(BoardKeys.self, from: bytes[..<count]) : nil
    }

    /// Publishes the URL of the app, and which build of the program serves it, for `scorectl app`.
    func publish(_ url: String) {
        try? lock.write([url, ProgramBuild.ofThisProcess?.text ?? ""])
    }

    /// Replaces the file as a whole; without success the addresses end with this board.
    func write(_ keys: BoardKeys) {
        guard let bytes = try? ControlJSON.encode(keys) else { return }
        let partial = path + ".partial"
        guard (try? PrivateDirectory.write(bytes, to: partial)) != nil else { return }
        _ = unsafe platform_rename(partial, path)
    }
}
