import ControlSocket
import SyncProtocol

/// `scorectl peer …`: the other laptops.
enum PeerCommands {
    static let group = Command(
        name: "peer",
        summary: "the other laptops",
        details: ["Without a command it lists them."],
        alone: "list",
        action: .group([list, add, remove])
    )

    private static let list = Command(
        name: "list",
        summary: "who else has the session, online or not",
        takesSession: true,
        action: .run { call throws(ControlError) in
            let reply = try call.call(.peers, .init(session: call.session))
            try call.print(reply, lines(reply.peers, now: call.console.now()))
        }
    )

    private static let add = Command(
        name: "add",
        summary: "tell where another laptop is, for networks without broadcast",
        words: "HOST[:PORT]",
        examples: [("peer add 192.168.0.7", "its daemon listens on the usual port")],
        takesSession: true,
        action: .run { call throws(ControlError) in
            let address = call.words[0]
            let request = AddressParameters(session: call.session, address: address)
            try call.confirm(try call.call(.addPeer, request), [Line("Added \(address).")])
        }
    )

    private static let remove = Command(
        name: "remove",
        summary: "forget an address",
        words: "HOST[:PORT]",
        takesSession: true,
        action: .run { call throws(ControlError) in
            let address = call.words[0]
            let request = AddressParameters(session: call.session, address: address)
            try call.confirm(try call.call(.removePeer, request), [Line("Removed \(address).")])
        }
    )

    /// The other laptops as a table.
    static func lines(_ peers: [PeerSummary], now: Int64) -> [Line] {
        guard !peers.isEmpty else {
            return [Line("No other laptop yet: scorectl session invite")]
        }
        var table = Table([
            Table.Column(""), Table.Column("Name"), Table.Column("Address"), Table.Column("State"),
            Table.Column("Clock", .right),
        ])
        for peer in peers {
            table.add([
                PeerState.mark(peer), Line(TextWidth.truncated(peer.name, to: 30)),
                Line(peer.address ?? "–"), PeerState.line(peer, now: now), skew(peer.clockSkewMs),
            ])
        }
        return table.lines
    }

    /// How far the clock of another laptop is off, where that is worth a look.
    private static func skew(_ milliseconds: Int64?) -> Line {
        guard let milliseconds else { return Line("–", .faint) }
        guard milliseconds.magnitude >= 1000 else { return Line("ok", .faint) }
        let sign = milliseconds < 0 ? "-" : "+"
        return Line(sign + SpokenTime.text(milliseconds), .warning)
    }
}

/// `scorectl session invite`: opens the door and says how to come in.
enum InviteCommand {
    static let command = Command(
        name: "invite",
        summary: "let other laptops join, with a code",
        words: "[SESSION]",
        details: [
            "The code works on the same network until it runs out or the door is closed."
                + " Laptops that have joined need no code again."
        ],
        options: [
            CommandOption(
                "minutes N",
                "how long from now (\(InviteLife.usual), or as long as the open door was given)"
            ),
            CommandOption("close", "close the door now"),
        ],
        takesSession: true,
        action: .run { call throws(ControlError) in
            let minutes = try call.number("minutes", in: InviteLife.allowed)
            guard minutes == nil || !call.has("close") else {
                throw ControlError(.usage, "--close and --minutes exclude each other")
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

/// `scorectl join`: comes in by a code.
enum JoinCommand {
    static let command = Command(
        name: "join",
        summary: "join a session of another laptop by its code",
        words: "[CODE | -]",
        arity: 0...15,
        details: [
            "Without a code it asks for one; - reads it from standard input, so that it is"
                + " neither in the list of processes nor in the history of the shell. Upper and"
                + " lower case, spaces and dashes make no difference."
        ],
        options: [
            CommandOption("peer HOST[:PORT]", "ask this laptop, for networks without broadcast")
        ],
        examples: [
            ("join 7K3MQ-ZX2RV-9WTPA", "join what the other laptop's invite shows"),
            ("join --peer 192.168.0.7", "ask for the code, then ask only that laptop"),
        ],
        action: .run { call throws(ControlError) in
            let code = try code(call)
            let client = try call.connect()
            if call.console.isOutputTerminal, !call.isJSON {
                call.inform("Looking for the laptop that invites with this code…")
            }
            // The daemon decides how long to look; this bound is for one that hangs.
            let request = JoinParameters(code: code, peer: call.value("peer"))
            let reply = try client.call(.join, request, timeoutMilliseconds: 120_000)
            try call.confirm(
                reply,
                [SessionList.line("Joined", reply.session)] + [
                    Line("Say who you are with: scorectl player me NAME", .faint)
                ]
            )
        }
    )

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

/// Whether another laptop is there, as a mark and in words.
enum PeerState {
    /// A full circle for who is online, an empty one for who is not.
    static func mark(_ peer: PeerSummary) -> Line {
        Line(peer.online ? "●" : "○", peer.online ? .good : .faint)
    }

    /// The same in words.
    static func line(_ peer: PeerSummary, now: Int64) -> Line {
        if peer.online { return peer.synced ? Line("synced", .good) : Line("syncing", .warning) }
        guard let seen = peer.lastSeen else { return Line("not reached yet", .faint) }
        return Line("last seen " + Ago.text(seen, now: now), .faint)
    }
}
