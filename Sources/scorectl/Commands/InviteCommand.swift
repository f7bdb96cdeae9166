import SyncProtocol

/// `scorectl session invite`: opens the door and says how to come in.
enum InviteCommand {
    static var command: Command {
        Command(
            name: "invite",
            summary: "let other laptops join, with a code",
            words: "[SESSION]",
            count: 0...1,
            details: [
                "The code works on the same network until it runs out or the door is closed."
                    + " Laptops that have joined need no code again."
            ],
            options: [
                CommandOption(
                    name: "minutes",
                    value: "N",
                    summary: "how long from now (\(InviteLife.usual), or as long as the open"
                        + " door was given)"
                ),
                CommandOption(name: "close", summary: "close the door now"),
            ],
            takesSession: true,
            action: .run(run)
        )
    }

    private static func run(_ call: Invocation) throws(ControlError) {
        let minutes = try call.number("minutes", in: InviteLife.allowed)
        guard minutes == nil || !call.has("close") else {
            throw ControlError(.usage, "--close and --minutes exclude each other")
        }
        let request = SessionInviteRequest(
            session: try call.namedSession(),
            minutes: minutes,
            close: call.has("close")
        )
        let reply = try call.call(request)
        try call.print(reply, lines(reply, call))
    }

    private static func lines(_ reply: InviteReply, _ call: Invocation) -> [Line] {
        guard let code = reply.code else { return [Line("The door is closed.")] }
        // What a script wants of it.
        if call.isQuiet { return [Line(code)] }
        let console = call.console
        var lines = [
            Line("The join code:"), Line(), Line("    ") + Line(code, .strong), Line(),
            Line("On the other laptop, in the same network, type:"), Line(),
            Line("    scorectl join \(code)"), Line(),
        ]
        if let expires = reply.expires?.milliseconds {
            let minutes = max(0, expires - console.now() + 30_000) / 60_000
            let time = console.timeOfDay(expires)
            let unit = minutes == 1 ? "minute" : "minutes"
            lines.append(Line("It works until \(time) (\(minutes) \(unit))."))
        }
        lines.append(Line("Close the door earlier with: scorectl session invite --close", .faint))
        return lines
    }
}
