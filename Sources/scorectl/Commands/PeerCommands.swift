import SyncProtocol

/// `scorectl peer …`: the other laptops.
enum PeerCommands {
    static var group: Command {
        Command(
            name: "peer",
            summary: "the other laptops",
            details: ["Without a command it lists them."],
            alone: "list",
            action: .group([list, add, remove])
        )
    }

    private static var list: Command {
        Command(
            name: "list",
            summary: "who else has the session, online or not",
            takesSession: true,
            action: .run(list)
        )
    }

    private static func list(_ call: Invocation) throws(ControlError) {
        let reply = try call.call(PeerListRequest(session: call.session))
        try call.print(reply, lines(reply.peers, now: call.console.now()))
    }

    private static var add: Command {
        Command(
            name: "add",
            summary: "tell where another laptop is, for networks without broadcast",
            words: "HOST[:PORT]",
            count: 1...1,
            examples: [("peer add 192.168.0.7", "its daemon listens on the usual port")],
            takesSession: true,
            action: .run { call throws(ControlError) in
                let address = call.words[0]
                let request = PeerAddRequest(session: call.session, address: address)
                try call.report(try call.call(request), [Line("Added \(address).")])
            }
        )
    }

    private static var remove: Command {
        Command(
            name: "remove",
            summary: "forget an address",
            words: "HOST[:PORT]",
            count: 1...1,
            takesSession: true,
            action: .run { call throws(ControlError) in
                let address = call.words[0]
                let request = PeerRemoveRequest(session: call.session, address: address)
                try call.report(try call.call(request), [Line("Removed \(address).")])
            }
        )
    }

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
