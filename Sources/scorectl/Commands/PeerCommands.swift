import ControlSocket
import SyncProtocol
import TerminalText

enum PeerCommands {
    static let group = Command(
        usage: "peer",
        summary: "the other laptops",
        details: "Without a subcommand it lists them.",
        defaultSubcommand: "list",
        action: .group([list, add, remove, known, forget])
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
        usage: "remove LAPTOP",
        summary: "take a laptop that is away, or an address, off the list",
        kinds: ["LAPTOP": .peer],
        details: "LAPTOP is a name or an address as 'peer list' prints it. The laptop is not looked"
            + " for any more. It keeps its copy of the session, though, and its key: when it comes"
            + " back, it is listed again, and has the scores of all. To play on without it, start a"
            + " new session and invite the others.\n"
            + "'peer forget' is something else: whether a laptop can join other games by a yes.",
        examples: [("peer remove old-laptop", "one that will not come back")],
        takesSession: true,
        action: .confirm(.removePeer, { .init(session: $0.session, address: $0.words[0]) }) {
            _,
            call in
            [Line("Removed \(call.words[0]).")]
        }
    )

    private static let known = Command(
        usage: "known",
        summary: "list the laptops that this one has played with",
        details: "They can join each other's games by one yes, without symbols to compare.",
        action: .print(.knownLaptops) { reply, call in lines(reply, now: call.console.now()) }
    )

    private static let forget = Command(
        usage: "forget LAPTOP...",
        summary: "forget laptops: with them, symbols are compared again",
        action: .confirm(.forgetLaptops, { .init(names: $0.words) }) { _, call in
            [Line("Forgot \(call.words.joined(separator: ", ")).")]
        }
    )

    private static func lines(_ reply: KnownLaptopsReply, now: Int64) -> [Line] {
        guard !reply.laptops.isEmpty else { return [Line("This laptop knows no other one yet.")] }
        var table = Table(["Name", "Joined last"])
        for laptop in reply.laptops {
            table.add([
                Line(TextWidth.truncated(laptop.name, to: 30)),
                Line(Ago.text(laptop.lastPlayed, now: now)),
            ])
        }
        return table.lines
    }

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

/// The state of another laptop, as a mark and in words.
enum PeerState {
    static func mark(_ peer: PeerSummary) -> Line {
        if peer.online { return Line("●", .good) }
        return peer.synced ? Line("✓", .good) : Line("○", .faint)
    }

    static func line(_ peer: PeerSummary, now: Int64) -> Line {
        if let storage = peer.storage {
            return Line("cannot save: \(StorageProblem(rawValue: storage) ?? .failed)", .warning)
        }
        if peer.online { return peer.synced ? Line("synced", .good) : Line("syncing", .warning) }
        // The game is finished, and the link was closed because nothing is missing.
        if peer.synced { return Line("has the final scores", .faint) }
        guard let seen = peer.lastSeen else { return Line("not reached yet", .faint) }
        return Line("last seen " + Ago.text(seen, now: now), .faint)
    }
}
