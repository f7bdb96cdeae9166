import BoardSite
import ControlSocket
import JSONCoding
import SyncProtocol

/// A call of the owner's page that the board itself carries out.
enum AppCall {
    /// Returns the addresses, the links and the settings of the board.
    case state
    case change(Changes)
    /// Replaces the addresses of board and phones by new ones.
    case renewLinks
    /// Starts the daemon.
    case start
    /// Returns the result of `scorectl doctor --json`.
    case doctor
    /// Returns what `scorectl export` writes for other programs.
    case export(Export)
    /// Replaces this laptop's sessions by those of a backup.
    case restore(File)
    /// Ends the app.
    case quit

    /// Settings to change; nil for those that stay.
    struct Changes: Decodable {
        /// Whether phones and televisions in the network are served.
        let shared: Bool?
        /// Whether people who scan the common code may add themselves as players.
        let newPlayers: Bool?
        /// The address to show; empty for the best one.
        let address: String?
    }

    struct Export: Decodable {
        enum Format: String, Decodable {
            case csv, bgstats
        }

        let format: Format
        /// The id of a session; nil for all.
        let session: String?
    }

    struct File: Decodable {
        let file: String
    }

    /// The answer to all calls that change or return the state.
    private struct State: Encodable {
        let schema = 1
        let version = Versions.program
        let shared: Bool
        let newPlayers: Bool
        /// This machine's addresses, the one that is shown first.
        let addresses: [OwnAddress]
        /// The address that the owner chose; nil for the best one.
        let address: String?
        /// The URLs of the page that gives out links and of the board; nil if nobody can reach
        /// them.
        let joinURL: String?
        let boardURL: String?
        /// The path of the board.
        let boardPath: String
        let links: [LinkView]
    }

    /// The answer of a call that runs a program.
    private struct Outcome: Encodable {
        let schema = 1
        let succeeded: Bool
        let output: String
    }

    /// Returns the call of the board; nil for one of the daemon.
    init?(_ call: OwnerCall) throws(ControlError) {
        func parameters<Content: Decodable>() throws(ControlError) -> Content {
            try ControlJSON.decode(Content.self, from: call.parameters ?? .emptyObject)
        }
        switch call.method {
        case "app.state": self = .state
        case "app.change": self = .change(try parameters())
        case "app.renew": self = .renewLinks
        case "app.start": self = .start
        case "app.doctor": self = .doctor
        case "app.export": self = .export(try parameters())
        case "app.restore": self = .restore(try parameters())
        case "app.quit": self = .quit
        default: return nil
        }
    }

    func carryOut(on board: Board) throws(ControlError) -> [UInt8] {
        switch self {
        case .state: break
        case .change(let changes):
            if let isShared = changes.shared { try board.share(isShared) }
            board.changeKeys { keys, _ in
                keys.acceptsNewPlayers = changes.newPlayers ?? keys.acceptsNewPlayers
                if let address = changes.address { keys.address = address.isEmpty ? nil : address }
            }
        case .renewLinks: board.changeKeys { $0.renewLinks(using: &$1) }
        case .start: return try AppCall.run(["daemon", "start"], for: board, withErrors: true)
        case .doctor: return try AppCall.run(["doctor", "--json"], for: board)
        case .export(let export):
            let sessions = export.session.map { ["--session", $0] } ?? ["--all"]
            let words = ["export", "--format", export.format.rawValue, "-"]
            return try AppCall.run(words + sessions, for: board)
        case .restore(let file):
            guard !file.file.hasPrefix("-") else {
                throw ControlError(.usage, "the name of a backup does not begin with -")
            }
            return try AppCall.run(["restore", file.file, "--yes"], for: board, withErrors: true)
        case .quit: board.quit()
        }
        return try ControlJSON.encode(AppCall.state(of: board))
    }

    private static func state(of board: Board) -> State {
        let (keys, url) = (board.keys, board.networkURL)
        return State(
            shared: keys.isShared,
            newPlayers: keys.acceptsNewPlayers,
            addresses: board.addresses,
            address: keys.address,
            joinURL: url.map { $0 + keys.joining.path },
            boardURL: url.map { $0 + keys.viewer.path },
            boardPath: keys.viewer.path,
            links: board.linkViews
        )
    }

    private static func run(
        _ words: [String],
        for board: Board,
        withErrors: Bool = false
    ) throws(ControlError) -> [UInt8] {
        guard let program = InstalledProgram("scorectl") else {
            throw ControlError(.failed, "scorectl is neither next to scoresync-board nor in PATH")
        }
        let home = board.paths.isChosen ? ["--home", board.paths.home] : []
        guard let result = program.output(of: home + words, withErrors: withErrors) else {
            throw ControlError(.failed, "cannot run \(program.path)")
        }
        let outcome = Outcome(succeeded: result.status == 0, output: result.output)
        return try ControlJSON.encode(outcome)
    }
}
