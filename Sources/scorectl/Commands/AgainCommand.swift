import SyncProtocol

/// `scorectl session new --again`: the next game of the same people.
enum AgainCommand {
    /// The options that mean something only here.
    static let options = [
        CommandOption(
            name: "again",
            summary: "the next game with the same game, options and players, on all laptops"
        ),
        CommandOption(name: "rotate", summary: "with --again: the next player starts"),
        CommandOption(name: "shuffle", summary: "with --again: chance says who starts"),
        CommandOption(name: "replay", summary: "with --again: with the same deal"),
    ]

    /// Begins the next game, after asking where the one before is not over.
    static func run(_ call: Invocation, _ options: [String: String]) throws(ControlError) {
        if let word = call.words.first {
            throw ControlError(.usage, "--again begins the same game, so '\(word)' is too much")
        }
        for name in ["player", "fresh"] where call.has(name) {
            throw ControlError(.usage, "--again and --\(name) exclude each other")
        }
        guard !(call.has("rotate") && call.has("shuffle")) else {
            throw ControlError(.usage, "--rotate and --shuffle exclude each other")
        }
        let request = SessionAgainRequest(
            session: call.session,
            title: call.value("title"),
            options: options,
            rotate: call.has("rotate"),
            shuffle: call.has("shuffle"),
            replay: call.has("replay")
        )
        let reply = try call.confirmed(request)
        guard let session = reply.session else {
            throw ControlError(.failed, "the daemon did not say which session it began")
        }
        call.tell(reply.notes)
        try call.report(
            SessionReply(session: session, notes: reply.notes),
            [
                SessionList.line("Began", session),
                Line("The other laptops take it up by themselves.", .faint),
            ]
        )
    }
}
