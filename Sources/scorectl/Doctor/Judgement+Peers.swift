import ControlSocket
import SyncProtocol

/// The other laptops.
extension Judgement {
    /// How long a link must have been there before announcements are missed: who idles announces
    /// every ten seconds, and a broadcast over Wi-Fi may be lost.
    static let patientMs: Int64 = 25_000
    /// How long ago an announcement may be of who is there.
    private static let presentMs: Int64 = 40_000
    /// The same for one that is missed, and announces every five seconds where it misses others.
    private static let recentMs: Int64 = 12_000

    /// A laptop, over all sessions.
    struct OtherLaptop {
        let name: String
        let isLinked: Bool
        let callers: Set<Diagnosis.Caller>
        let linkedMs: Int64?
        let heardMs: Int64?
        let lastSeen: Timestamp?
        /// What came of knocking where it listens, where it called this laptop.
        let knocks: [Diagnosis.Address]
        /// Each address once, with the last dial.
        let addresses: [Diagnosis.Address]

        /// What is known of one laptop, session by session.
        init(_ peers: [Diagnosis.Peer]) {
            name = peers.first?.name ?? ""
            callers = Set(peers.compactMap(\.caller))
            isLinked = !callers.isEmpty
            linkedMs = peers.compactMap(\.linkedMs).max()
            heardMs = peers.compactMap(\.heardMs).min()
            knocks = peers.compactMap(\.knock)
            lastSeen = peers.compactMap(\.lastSeen).max { $0.milliseconds < $1.milliseconds }
            var latest: [String: Diagnosis.Address] = [:]
            for address in peers.flatMap(\.addresses) {
                let before = latest[address.address]
                let isNewer = (address.agoMs ?? .max) < (before?.agoMs ?? .max)
                var kept = before.map { isNewer ? address : $0 } ?? address
                kept.typed = address.typed || before?.typed ?? false
                latest[address.address] = kept
            }
            addresses = latest.values.sorted { $0.address < $1.address }
        }

        /// The address without its port where that is the usual one, as people type it.
        func typed(_ address: Diagnosis.Address) -> String {
            let usual = ":\(Ports.standard)"
            let text = address.address
            return text.hasSuffix(usual) ? String(text.dropLast(usual.count)) : text
        }
    }

    func peers(_ diagnosis: Diagnosis) -> [Finding] {
        guard !diagnosis.daemon.offline else { return [] }
        let groups = Dictionary(grouping: diagnosis.peers) { $0.device ?? $0.name }
        let others = groups.values.map(OtherLaptop.init).sorted { $0.name < $1.name }
        guard !others.isEmpty else { return nobody(diagnosis) }
        return others.flatMap { other in
            other.isLinked ? linked(other, diagnosis) : [missing(other)]
        }
    }

    private func nobody(_ diagnosis: Diagnosis) -> [Finding] {
        guard diagnosis.sessions.contains(where: { !$0.finished }) else { return [] }
        let text =
            "no other laptop has joined yet: scorectl session invite; where it cannot be "
            + "found there: scorectl join CODE --peer HOST"
        return [.fine(.peer, text)]
    }

    // MARK: Linked

    private func linked(_ other: OtherLaptop, _ diagnosis: Diagnosis) -> [Finding] {
        [reach(other)] + [broadcast(other, diagnosis)].compactMap(\.self)
    }

    private func reach(_ other: OtherLaptop) -> Finding {
        let way = other.callers.contains(.here) ? "called from here" : "it called this laptop"
        let text = "\(other.name) is linked (\(way))"
        let isCalled = other.callers.contains(.here)
        let failed = other.knocks.first { $0.outcome != .linked }
        guard !isCalled, let failed else { return .fine(.peer, text, of: other.name) }
        return Finding(
            id: .peer,
            subject: other.name,
            state: .warning,
            text: "\(other.name) calls this laptop, and cannot be called from here",
            cause: failed.text,
            cure: "games go on; so that it is found again sooner, open TCP \(Self.range) in the "
                + "firewall of \(other.name), and type there: scorectl doctor"
        )
    }

    private func broadcast(_ other: OtherLaptop, _ diagnosis: Diagnosis) -> Finding? {
        let announcing = diagnosis.announcing
        guard announcing.enabled, announcing.failure == nil,
            let linkedMs = other.linkedMs, linkedMs >= Self.patientMs
        else { return nil }
        if let heardMs = other.heardMs, heardMs < Self.presentMs {
            return .fine(.broadcast, "announcements of \(other.name) come through", of: other.name)
        }
        if let typed = other.addresses.first(where: \.typed) {
            let text =
                "announcements of \(other.name) do not come through; it is called at "
                + "\(typed.address), which somebody typed"
            return .fine(.broadcast, text, of: other.name)
        }
        let address = other.addresses.first { $0.outcome == .linked } ?? other.addresses.first
        return Finding(
            id: .broadcast,
            subject: other.name,
            state: .warning,
            text: "announcements of \(other.name) do not come through, though it is linked",
            cause: "the network keeps broadcasts back (a guest Wi-Fi, a VPN, a switch), or "
                + "\(other.name) does not announce",
            cure: "once the two have lost each other, an address is needed: type it now, here and "
                + "there",
            commands: address.map { ["scorectl peer add \(other.typed($0))"] }
        )
    }

    // MARK: Not linked

    private func missing(_ other: OtherLaptop) -> Finding {
        let seen = other.lastSeen.map { "last seen " + Ago.text($0, now: now) }
        let isHeard = other.heardMs.map { $0 < Self.recentMs } ?? false
        let order: [Diagnosis.Outcome] = [
            .wrongKey, .unknownSession, .refused, .silent, .absent, .noWay, .failed,
        ]
        let told = order.lazy.compactMap { outcome in
            other.addresses.first { $0.outcome == outcome }
        }.first
        let isHiding = isHeard && (told?.outcome == .silent || told?.outcome == .absent)
        let advice = advice(of: told, for: other, isHeard: isHeard)
        return Finding(
            id: .peer,
            subject: other.name,
            state: isHiding || told?.outcome == .wrongKey ? .problem : .warning,
            text: "\(other.name) is not linked (\(seen ?? "not reached yet"))",
            cause: advice.cause,
            cure: advice.cure,
            commands: advice.commands
        )
    }

    private typealias Advice = (cause: String, cure: String, commands: [String]?)

    private func advice(
        of told: Diagnosis.Address?,
        for other: OtherLaptop,
        isHeard: Bool
    ) -> Advice {
        let name = other.name
        let typed = told.map { ["scorectl peer remove \(other.typed($0))"] }
        let reason = told?.text
        switch told?.outcome {
        case .wrongKey?:
            return (
                reason ?? "its key differs",
                "a key does not change: a backup or another session "
                    + "is there; let it leave the session and join anew: scorectl session invite",
                ["scorectl session invite"]
            )
        case .unknownSession?:
            return (
                reason ?? "the session is not held there",
                "it has left the session, or another laptop has its address now; to let it in "
                    + "again:", ["scorectl session invite"]
            )
        case .silent? where isHeard, .absent? where isHeard:
            return (
                "it announces itself, and does not answer: \(reason ?? "")",
                "a firewall of \(name) drops TCP \(Self.range); type there: scorectl doctor", nil
            )
        case .refused?:
            return (
                reason ?? "nobody listens there",
                "the laptop is on, and no daemon listens there; type there: scorectl status", nil
            )
        case .silent?, .absent?:
            return (
                reason ?? "nobody answers",
                "see that \(name) is awake and in the same network, that its firewall is open "
                    + "(there: scorectl doctor); where it has another address now: scorectl peer "
                    + "add HOST", nil
            )
        case .noWay?:
            return (
                reason ?? "no way leads there",
                "join the network that \(name) is in; an address that is not its own any more can "
                    + "be forgotten", typed
            )
        case .failed?:
            return (
                reason ?? "calling it failed", "type on \(name): scorectl doctor",
                nil
            )
        case .linked?, nil:
            return (
                isHeard
                    ? "it announces itself, and has not been called yet"
                    : "it has not been heard, nor called by this run of the daemon",
                "see that \(name) is awake, in the same network, and that its daemon runs (there: "
                    + "scorectl doctor)", nil
            )
        }
    }

    // MARK: Clocks

    func clocks(_ diagnosis: Diagnosis) -> [Finding] {
        var skews: [String: Int64] = [:]
        for peer in diagnosis.peers {
            if let skew = peer.clockSkewMs { skews[peer.name] = skew }
        }
        let off = diagnosis.alarms.filter { $0.kind == "clock-skew" }
        guard !off.isEmpty else {
            guard !skews.isEmpty else { return [] }
            return [.fine(.clock, "the clocks of all linked laptops agree with this one")]
        }
        let isOwn =
            off.count > 1 && off.count == skews.count
            && (Set(skews.values.map { $0 > 0 }).count == 1)
        return off.map { alarm in
            Finding(
                id: .clock,
                state: .warning,
                text: isOwn ? "the clock of this laptop is wrong" : "two clocks differ",
                cause: alarm.text,
                cure: isOwn ? "set it right, here" : "set it right, on the laptop that is wrong",
                commands: ["sudo timedatectl set-ntp true"]
            )
        }
    }

    // MARK: What else status says

    /// The alarms that no finding has told yet.
    func alarms(_ diagnosis: Diagnosis, besides told: [Finding]) -> [Finding] {
        let texts = Set(told.compactMap(\.cause))
        let rest = diagnosis.alarms.filter { !texts.contains($0.text) }
        return rest.map { alarm in
            switch alarm.kind {
            case "cloned-home":
                Finding(
                    id: .clone,
                    state: .problem,
                    text: "two daemons run with the same home",
                    cause: alarm.text,
                    cure: "on one of the two laptops: stop the daemon, move its home away, join",
                    commands: ["scorectl daemon stop"] + Self.moveAway(facts.paths.home)
                        + ["scorectl join"]
                )
            case "storage": storage(alarm)
            case "version":
                Finding(
                    id: .version,
                    state: .problem,
                    text: "another laptop has another version",
                    cause: alarm.text,
                    cure: "install the same version on both"
                )
            default:
                Finding(
                    id: .alarm,
                    subject: alarm.kind,
                    state: .warning,
                    text: "status says that something should be looked at",
                    cause: alarm.text,
                    cure: "see status",
                    commands: ["scorectl status"]
                )
            }
        }
    }

    private func storage(_ alarm: Alarm) -> Finding {
        if let file = facts.setAside.first(where: alarm.text.contains) {
            return aside(file, alarm.text)
        }
        return Finding(
            id: .store,
            state: .problem,
            text: "the daemon has trouble with what it keeps",
            cause: alarm.text,
            cure: "see what it has said of it",
            commands: ["scorectl daemon logs"]
        )
    }
}
