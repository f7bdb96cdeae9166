import SyncProtocol

/// What the board was told on its command line.
struct BoardOptions: Hashable, Sendable {
    var home: String?
    var session: String?
    /// The port that was asked for; nil is the first free one.
    var port: UInt16?
    /// Whether it serves the room, and not only this laptop.
    var servesRoom = false
    /// Whether phones enter.
    var letsPhonesEnter = false
    /// How long it serves, in milliseconds; nil is until somebody ends it.
    var lasting: Int64?
    var opensBrowser = true
    /// Whether the addresses are told as JSON.
    var isJSON = false
    var wish = Wish.serve

    /// What to do.
    enum Wish: Hashable, Sendable {
        case serve
        case help
        case version
    }

    /// The ports that are tried where none was asked for: beside those of the daemon.
    static let ports: ClosedRange<UInt16> = 47_640...47_649

    static let help = """
        scoresync-board – shows a score sheet in browsers (started by scorectl board)

        Usage: scoresync-board [--home DIR] [--session S] [--port N] [--lan] [--enter]
                               [--for TIME] [--no-open] [--json]

          --home DIR     the state directory of the daemon
          --session S    another session than the current one
          --port N       the TCP port to listen on (else the first free one of
                         47640–47649)
          --lan          show it to the room: televisions, tablets, phones
          --enter        each player has a link of their own, to enter by phone
          --for TIME     end after so long, as in 90m or 4h
          --no-open      do not open the browser of this laptop
          --json         print the addresses as one line of JSON
          --version      print the version
          --help         print this

        """

    /// What these words say.
    ///
    /// - Throws: `usage`, with the word that makes no sense.
    init(_ words: [String]) throws(ControlError) {
        var rest = words[...]
        while let word = rest.popFirst() {
            switch word {
            case "--help": wish = .help
            case "--version": wish = .version
            case "--lan": servesRoom = true
            case "--enter": letsPhonesEnter = true
            case "--no-open": opensBrowser = false
            case "--json": isJSON = true
            case "--home": home = try BoardOptions.value(of: word, &rest)
            case "--session": session = try BoardOptions.value(of: word, &rest)
            case "--port":
                let text = try BoardOptions.value(of: word, &rest)
                guard let number = UInt16(text), number > 0 else {
                    throw ControlError(
                        .usage,
                        "--port takes a number from 1 to 65535, not '\(text)'"
                    )
                }
                port = number
            case "--for":
                let text = try BoardOptions.value(of: word, &rest)
                guard let time = BoardOptions.milliseconds(text) else {
                    let words = "--for takes a time up to a week, such as 90m or 4h, not '\(text)'"
                    throw ControlError(.usage, words)
                }
                lasting = time
            default: throw ControlError(.usage, "scoresync-board knows no '\(word)'")
            }
        }
    }

    private static func value(
        of word: String,
        _ rest: inout ArraySlice<String>
    ) throws(ControlError) -> String {
        guard let value = rest.popFirst() else {
            throw ControlError(.usage, "\(word) needs a value")
        }
        return value
    }

    /// A time as people write it, `90m`, `4h` or `2d`, in milliseconds; at most a week.
    private static func milliseconds(_ text: String) -> Int64? {
        let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3600, "d": 86_400]
        guard let unit = text.last.flatMap({ units[$0] }), let count = Int64(text.dropLast()),
            (1...604_800).contains(count), count * unit <= 604_800
        else { return nil }
        return count * unit * 1000
    }
}
