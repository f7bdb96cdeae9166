import SyncProtocol

/// `scorectl session restore`: puts back the sheet that somebody has replaced.
enum RestoreCommand {
    static var command: Command {
        Command(
            name: "restore",
            summary: "put back a sheet that somebody broke",
            words: "[SESSION]",
            count: 0...1,
            details: [
                "It is the last other one that this laptop could read. Scores are not touched."
                    + " You are asked first."
            ],
            options: [.yes],
            takesSession: true,
            action: .run(run)
        )
    }

    private static func run(_ call: Invocation) throws(ControlError) {
        let session = try call.namedSession()
        let reply = try call.confirmed(SessionRestoreRequest(session: session))
        try call.report(
            reply,
            reply.session.map { [SessionList.line("Put back:", $0)] } ?? []
        )
    }
}
