import ControlSocket
import SyncProtocol

/// `scorectl join`: comes in by a code.
enum JoinCommand {
    static var command: Command {
        Command(
            name: "join",
            summary: "join a session of another laptop by its code",
            words: "[CODE | -]",
            count: 0...15,
            details: [
                "Without a code it asks for one; - reads it from standard input, so that it is"
                    + " neither in the list of processes nor in the history of the shell. Upper and"
                    + " lower case, spaces and dashes make no difference."
            ],
            options: [
                CommandOption(
                    name: "peer",
                    value: "HOST[:PORT]",
                    summary: "ask this laptop, for networks without broadcast"
                )
            ],
            examples: [
                ("join 7K3MQ-ZX2RV-9WTPA", "join what the other laptop's invite shows"),
                ("join --peer 192.168.0.7", "ask for the code, then ask only that laptop"),
            ],
            action: .run(run)
        )
    }

    private static func run(_ call: Invocation) throws(ControlError) {
        let code = try code(call)
        let client = try call.connect()
        if call.console.isOutputTerminal, !call.isJSON {
            call.tell("Looking for the laptop that invites with this code…")
        }
        // The daemon decides how long to look; this bound is for one that hangs.
        let request = JoinRequest(code: code, peer: call.value("peer"))
        let reply = try client.call(request, timeoutMilliseconds: 120_000)
        try call.report(
            reply,
            [SessionList.line("Joined", reply.session)] + [
                Line("Say who you are with: scorectl player me NAME", .faint)
            ]
        )
    }

    private static func code(_ call: Invocation) throws(ControlError) -> String {
        var code = call.words.joined()
        if call.words.isEmpty {
            guard call.console.isInputTerminal else {
                throw ControlError(.usage, "no code: give it as a word, or - to read it from input")
            }
            call.console.writeError(Array("Join code: ".utf8))
            code = call.console.readLine() ?? ""
        } else if code == "-" {
            code = call.console.readLine() ?? ""
        }
        // A mistyped code is told here, before anybody is contacted.
        do {
            return try JoinCode(parsing: code).text
        } catch {
            throw ControlError(.usage, "\(error)")
        }
    }
}
