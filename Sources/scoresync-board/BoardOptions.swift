import ControlSocket
import SyncProtocol

/// The command-line options of the board.
struct BoardOptions: Hashable, Sendable {
    var home: String?
    var session: String?
    /// The port to listen on; nil for the first free one.
    var port: UInt16?
    /// Whether the board serves the local network, and not only this laptop.
    var servesNetwork = false
    /// Whether phones enter scores.
    var allowsPhones = false
    /// The time to serve; nil for no limit.
    var duration: TypedTime?
    var opensBrowser = true
    /// Whether the links of earlier boards end.
    var renewsLinks = false
    /// Whether the board also serves the app of this laptop's owner.
    var servesOwner = false
    /// Whether the URLs are printed as JSON.
    var isJSON = false
    var action = Action.serve

    enum Action: Hashable, Sendable {
        case serve
        case help
        case version
        /// Prints a text as a QR code.
        case code(String)
    }

    /// The ports to try by default, next to those of the daemon.
    static let ports: ClosedRange<UInt16> = 47_640...47_649

    private static let durations = TypedTime(1, .seconds)...TypedTime(7, .days)

    static let help = """
        scoresync-board – shows a score sheet in browsers (started by scorectl board)

        Usage: scoresync-board [--home DIR] [--session S] [--port N] [--lan] [--enter]
                               [--new-links] [--for TIME] [--no-open] [--json]
               scoresync-board --app [--home DIR]
               scoresync-board --qr TEXT

        It serves the sheet of a session as a page that shows every change at once,
        until SIGINT, SIGTERM or the end of --for. Only this laptop can open the
        page, unless --lan lets in the network. Its address contains a random key,
        which stays the same from one board to the next until --new-links: whoever
        has it sees the scores, and with --enter those who have the link of a player
        enter for that player. The page has no encryption: others on the network
        could read along. It also serves the app of this laptop's owner (--app),
        which ends an hour after its last page was closed. Without a daemon it waits
        for one.

        Options:
          --home DIR     the state directory of the daemon
          --session S    the session to show (default: the current one)
          --port N       the TCP port to listen on (default: the first free one of
                         47640–47649)
          --lan          serve the local network: televisions, tablets, phones
          --enter        give each player a link to enter scores by phone
          --new-links    use new addresses: those of earlier boards end
          --app          serve the app of this laptop (started by scorectl app)
          --for TIME     end after this time, such as 90m, 4h or 2d
          --no-open      do not open a browser on this laptop
          --qr TEXT      only print a text as a QR code (for scorectl export --qr)
          --json         print the URLs as one line of JSON
          --version      print the version
          -h, --help     print this

        Exit status:
          0   ended by a signal, or by --for
          1   failed, for example because the port is in use
          2   wrong usage
          4   no such session
          8   incompatible versions of the board and the daemon

        Examples:
          scoresync-board                          on this laptop
          scoresync-board --lan --enter --for 4h   for a television and phones
          scoresync-board --json --no-open         for a script: only print the URLs

        """

    /// Parses the arguments.
    ///
    /// - Throws: `usage`.
    init(_ words: [String]) throws(ControlError) {
        var reader = ArgumentReader(words)
        while let argument = try reader.next() {
            switch argument {
            case "--help", "-h": action = .help
            case "--version": action = .version
            case "--lan": servesNetwork = true
            case "--enter": allowsPhones = true
            case "--no-open": opensBrowser = false
            case "--json": isJSON = true
            case "--new-links": renewsLinks = true
            case "--app": servesOwner = true
            case "--qr": action = .code(try reader.value())
            case "--home": home = try reader.value()
            case "--session": session = try reader.value()
            case "--port": port = try reader.number(in: 1 ... .max)
            case "--for":
                duration = try TypedTime(try reader.value(), of: "for", in: BoardOptions.durations)
            default: throw reader.unknown(in: "scoresync-board")
            }
        }
    }
}
