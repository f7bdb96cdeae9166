import ControlSocket
import SyncProtocol

/// `scorectl board`: the score sheet in browsers, by a program of its own that takes this one's
/// place.
enum BoardCommand {
    static let command = Command(
        name: "board",
        summary: "the score sheet live in a browser, until Ctrl-C",
        words: "[SESSION]",
        details: [
            "Opens the browser of this laptop. With --lan everybody on the same network"
                + " who has the address sees the scores: a television, a tablet, phones, which"
                + " read it from the picture in the terminal. Nobody can guess the address, and"
                + " it is another one each time; what is shown can be read on the network,"
                + " though.",
            "With --enter the board also shows a code for each player. Who scans it has a"
                + " score pad for that player; whoever sees the board can. What a phone enters"
                + " counts as this laptop's, and 'history' says that it came by phone.",
            "The page waits for a daemon that restarts.",
        ],
        options: [
            CommandOption("lan", "show it to the room, with a code to scan"),
            CommandOption("enter", "phones enter, each for one player"),
            CommandOption("for TIME", "end after 90m, 4h, …"),
            CommandOption("port N", "the port (47640 to 47649)"),
            CommandOption("no-open", "do not open the browser"),
        ],
        examples: [
            ("board --lan --for 4h", "for the television, this evening"),
            ("board --lan --enter", "everybody enters by phone"),
        ],
        takesSession: true,
        action: .run { call throws(ControlError) in
            let session = try call.namedSession()
            // What is wrong with the session is said before anything is opened, as by 'show'.
            let show = try call.call(.show, .init(session: session))
            guard let program = InstalledProgram("scoresync-board") else {
                let text = "scoresync-board is neither beside scorectl nor in PATH"
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
