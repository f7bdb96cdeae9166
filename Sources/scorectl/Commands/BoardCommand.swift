import ControlSocket
import SyncProtocol

/// `scorectl board`: the score sheet in browsers, served by `scoresync-board`.
enum BoardCommand {
    static let command = Command(
        name: "board",
        summary: "show the score sheet live in a browser, until Ctrl-C",
        words: "[SESSION]",
        details: "Opens the browser of this laptop. With --lan anyone on the same network with the"
            + " address can see the scores: a television, a tablet, phones, which scan the QR code"
            + " in the terminal. The address cannot be guessed and is new each time, but the"
            + " connection is not encrypted.\n"
            + "With --enter the board also shows a QR code for each player. Anyone who scans it"
            + " gets a score pad for that player. Scores from phones count as those of this laptop;"
            + " 'history' shows that they came by phone.\n"
            + "The page waits for a daemon that restarts.",
        options: [
            CommandOption("lan", "show it on the local network, with a QR code"),
            CommandOption("enter", "let phones enter scores, each for one player"),
            CommandOption("for TIME", "end after 90m, 4h, …"),
            CommandOption("port N", "the port (47640 to 47649)"),
            CommandOption("no-open", "do not open the browser"),
        ],
        examples: [
            ("board --lan --for 4h", "for the television, this evening"),
            ("board --lan --enter", "everyone enters by phone"),
        ],
        takesSession: true,
        action: .run { call throws(ControlError) in
            let session = try call.namedSession()
            // Errors about the session are reported before anything is opened.
            let show = try call.call(.show, .init(session: session))
            guard let program = InstalledProgram("scoresync-board") else {
                let text = "scoresync-board is neither next to scorectl nor in PATH"
                throw ControlError(.failed, text)
            }
            let result = program.become(try words(call, show.document.session.id, session))
            throw ControlSocketError.system("start \(program.path)", code: -result).controlError
        }
    )

    private static func words(
        _ call: Invocation,
        _ id: String,
        _ session: String?
    ) throws(ControlError) -> [String] {
        var words = try call.paths().isChosen ? ["--home", call.paths().home] : []
        if session != nil { words += ["--session", id] }
        let switches = ["lan", "enter", "no-open", "json"]
        words += switches.filter { call.has($0) }.map { "--\($0)" }
        for name in ["for", "port"] {
            if let value = call.value(name) { words += ["--\(name)", value] }
        }
        return words
    }
}
