import ControlSocket
import SyncProtocol

enum PeerCommands {
    static let group = Command(
        usage: "peer",
        summary: "the other laptops",
        details: "Without a subcommand it lists them.",
        defaultSubcommand: "list",
        action: .group([list, add, remove])
    )

    private static let list = Command(
        usage: "list",
        summary: "list the other laptops of the session, online or not",
        takesSession: true,
        action: .print(.peers) { reply, call in lines(reply.items, now: call.console.now()) }
    )

    private static let add = Command(
        usage: "add HOST[:PORT]",
        summary: "add an address, for networks without broadcast",
        examples: [("peer add 192.168.0.7", "its daemon listens on the usual port")],
        takesSession: true,
        action: .confirm(.addPeer, { .init(session: $0.session, address: $0.words[0]) }) {
            _,
            call in
            [Line("Added \(call.words[0]).")]
        }
    )

    private static let remove = Command(
        usage: "remove HOST[:PORT]",
        summary: "forget an address",
        takesSession: true,
        action: .confirm(.removePeer, { .init(session: $0.session, address: $0.words[0]) }) {
            _,
            call in
            [Line("Removed \(call.words[0]).")]
        }
    )

    static func lines(_ peers: [PeerSummary], now: Int64) -> [Line] {
        guard !peers.isEmpty else { return [Line("No other laptop yet: scorectl session invite")] }
        var table = Table(["", "Name", "Address", "State", .right("Clock")])
        for peer in peers {
            table.add([
                PeerState.mark(peer), Line(TextWidth.truncated(peer.name, to: 30)),
                Line(peer.address ?? (peer.online ? "does not listen" : "–")),
                PeerState.line(peer, now: now), skew(peer.clockSkewMs),
            ])
        }
        return table.lines
    }

    /// Returns the clock skew of another laptop, if it is at least a second.
    private static func skew(_ milliseconds: Int64?) -> Line {
        guard let milliseconds else { return Line("–", .faint) }
        guard milliseconds.magnitude >= 1000 else { return Line("ok", .faint) }
        let sign = milliseconds < 0 ? "-" : "+"
        return Line(sign + SpokenTime.text(milliseconds), .warning)
    }
}

enum InviteCommand {
    static let command = Command(
        usage: "invite [SESSION]",
        summary: "let other laptops join, with a code",
        details: "The code works on the same network until it expires or the invite is closed."
            + " Laptops that have joined do not need it again.",
        options: [
            CommandOption(
                "minutes N",
                "how long from now (\(InviteLife.usual), or the time of the open invite)"
            ),
            CommandOption("close", "close the invite now"),
        ],
        takesSession: true,
        action: .run { call throws(ControlError) in
            let minutes = try call.number("minutes", in: InviteLife.allowed)
            guard minutes == nil || !call.has("close") else {
                throw .usage("--close and --minutes exclude each other")
            }
            let request = InviteParameters(
                session: try call.namedSession(),
                minutes: minutes,
                close: call.has("close")
            )
            let reply = try call.call(.invite, request)
            try call.print(reply, lines(reply, call))
        }
    )

    private static func lines(_ reply: InviteReply, _ call: Invocation) -> [Line] {
        guard let code = reply.code else { return [Line("Invite closed.")] }
        if call.isQuiet { return [Line(code)] }
        let console = call.console
        var lines = [
            Line("The join code:"), Line(), Line("    ") + Line(code, .strong), Line(),
            Line("On the other laptop, on the same network, type:"), Line(),
            Line("    scorectl join \(code)"), Line(),
        ]
        if let expires = reply.expires?.milliseconds {
            let minutes = max(0, expires - console.now() + 30_000) / 60_000
            let time = console.timeOfDay(expires)
            let unit = minutes == 1 ? "minute" : "minutes"
            lines.append(Line("It works until \(time) (\(minutes) \(unit))."))
        }
        lines.append(Line("To stop inviting: scorectl session invite --close", .faint))
        return lines
    }
}

enum JoinCommand {
    static let command = Command(
        usage: "join [CODE | -]",
        summary: "join a session of another laptop by its code",
        arity: 0...15,
        details: "Without a code it asks for one; - reads it from standard input, so that it"
            + " appears neither in the process list nor in the history of the shell. Case, spaces"
            + " and dashes do not matter.",
        options: [
            CommandOption("peer HOST[:PORT]", "ask this laptop, for networks without broadcast")
        ],
        examples: [
            ("join 7K3MQ-ZX2RV-9WTPA", "join with the code of the other laptop's invite"),
            ("join --peer 192.168.0.7", "enter the code, then ask only that laptop"),
        ],
        action: .run { call throws(ControlError) in
            let code = try code(call)
            let client = try call.connect()
            if call.console.isOutputTerminal, !call.isJSON {
                call.inform("Looking for a laptop with this code…")
            }
            // The daemon limits the search; this timeout is for a daemon that hangs.
            let request = JoinParameters(code: code, peer: call.value("peer"))
            let reply = try client.call(.join, request, timeoutMilliseconds: 120_000)
            let hint = Line("Say who you are: scorectl player me NAME", .faint)
            try call.confirm(reply, [SessionList.line("Joined", reply.session), hint])
        }
    )

    private static func code(_ call: Invocation) throws(ControlError) -> String {
        var code = call.words.joined()
        if call.words.isEmpty {
            guard call.console.isInputTerminal else {
                let hint = "pass it as an argument, or - to read standard input"
                throw .usage("missing join code", hint: hint)
            }
            call.console.writeError(Array("Join code: ".utf8))
            code = call.console.readLine() ?? ""
        } else if code == "-" {
            code = call.console.readLine() ?? ""
        }
        // A mistyped code is rejected before any laptop is contacted.
        do {
            return try JoinCode(parsing: code).text
        } catch {
            throw .usage("\(error)")
        }
    }
}

/// The state of another laptop, as a mark and in words.
enum PeerState {
    static func mark(_ peer: PeerSummary) -> Line {
        Line(peer.online ? "●" : "○", peer.online ? .good : .faint)
    }

    static func line(_ peer: PeerSummary, now: Int64) -> Line {
        if let storage = peer.storage {
            return Line("cannot save: \(StorageProblem(rawValue: storage) ?? .failed)", .warning)
        }
        if peer.online { return peer.synced ? Line("synced", .good) : Line("syncing", .warning) }
        guard let seen = peer.lastSeen else { return Line("not reached yet", .faint) }
        return Line("last seen " + Ago.text(seen, now: now), .faint)
    }
}
