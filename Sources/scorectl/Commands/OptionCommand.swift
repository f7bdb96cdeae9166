import SyncProtocol

/// `scorectl session option`: what is set for a session, and setting it.
enum OptionCommand {
    static var command: Command {
        Command(
            name: "option",
            summary: "the options of a session's game, or change them",
            words: "[NAME=VALUE...]",
            count: 0...64,
            details: [
                "Alone it lists them. Names and choices may be shortened; NAME=default goes back."
            ],
            examples: [
                ("session option wins=lowest target=100", "change two options"),
                ("session option target=default", "without a target again"),
            ],
            takesSession: true,
            action: .run { call throws(ControlError) in
                let request = SessionOptionRequest(session: call.session, words: call.words)
                let reply = try call.call(request)
                call.tell(reply.notes)
                let lines = OptionList.lines(
                    reply.options,
                    named: call.words,
                    columns: call.columns
                )
                try call.print(reply, lines)
            }
        )
    }
}
