import SyncProtocol

/// How this machine is found by others, and finds them.
extension Judgement {
    // MARK: Sessions

    func sessions(_ diagnosis: Diagnosis) -> [Finding] {
        let troubled = diagnosis.sessions.compactMap { trouble(of: $0, diagnosis.alarms) }
        guard troubled.isEmpty else { return troubled }
        let count = diagnosis.sessions.count
        guard count > 0 else {
            return [.fine(.sessions, "none yet: scorectl session new GAME, or scorectl join")]
        }
        return [.fine(.sessions, count == 1 ? "one is kept here" : "\(count) are kept here")]
    }

    private func trouble(of session: Diagnosis.Held, _ alarms: [Alarm]) -> Finding? {
        if !session.readable {
            return Finding(
                id: .sessions,
                subject: session.title,
                state: .problem,
                text: "“\(session.title)” cannot be read",
                cause: "the disk did not give back what is stored of it",
                cure: "the daemon tries it again; see what it says of the disk",
                commands: ["scorectl status", "scorectl daemon logs"]
            )
        }
        guard !session.hasKey else { return nil }
        return Finding(
            id: .sessions,
            subject: session.title,
            state: .problem,
            text: "“\(session.title)” can be read and written here, and nobody is linked in it",
            cause: alarms.first { $0.text.contains(session.id.prefix(8)) }?.text
                ?? "its key was lost to damage",
            cure: "on another laptop: scorectl session invite; then here:",
            commands: ["scorectl join"]
        )
    }

    // MARK: Being called

    func port(_ diagnosis: Diagnosis) -> Finding {
        let port = diagnosis.daemon.port
        guard port > 0 else {
            let text = diagnosis.listenFailure ?? "nothing is said of why"
            return takenPorts(text)
        }
        let callers = Set(
            diagnosis.peers.filter { $0.caller == .there }.map(\.name)
        ).sorted().joined(separator: ", ")
        guard Ports.listening.contains(UInt16(clamping: port)) else {
            let own = diagnosis.announcing.interfaces.first { !$0.loopback }?.address ?? "ADDRESS"
            return Finding(
                id: .port,
                state: .warning,
                text: "other laptops do not call this one by themselves",
                cause: "it listens on TCP \(port), and a port outside \(Self.range) is called only "
                    + "where somebody typed it",
                cure: "start the daemon without --port, or on each other laptop: scorectl peer add "
                    + "\(own):\(port)",
                commands: Self.restart
            )
        }
        let text = "it listens on TCP \(port)"
        return .fine(.port, callers.isEmpty ? text : text + "; called by \(callers)")
    }

    // MARK: Announcing

    func announcing(_ diagnosis: Diagnosis) -> [Finding] {
        let announcing = diagnosis.announcing
        if diagnosis.daemon.offline {
            return [
                Finding(
                    id: .interface,
                    state: .warning,
                    text: "this laptop is offline: nobody is looked for or linked",
                    cause: "somebody typed scorectl daemon offline",
                    cure: "let it go on",
                    commands: ["scorectl daemon online"]
                )
            ]
        }
        guard announcing.enabled else {
            return [
                Finding(
                    id: .interface,
                    state: .warning,
                    text:
                        "nothing is announced or heard: laptops are found by typed addresses only",
                    cause: "the daemon was started with --no-discovery",
                    cure: "start it without",
                    commands: Self.restart
                )
            ]
        }
        if let failure = announcing.failure {
            return [
                Finding(
                    id: .interface,
                    state: .problem,
                    text: "nothing can be announced or heard",
                    cause: failure,
                    cure: "see which program has UDP \(announcing.port), and end it",
                    commands: ["ss -lunp | grep \(announcing.port)"]
                )
            ]
        }
        let tunnels = announcing.interfaces.filter { !$0.broadcasts }.map { tunnel in
            let text =
                "\(tunnel.name) (\(tunnel.address)) carries no broadcasts: who is found by "
                + "it must be typed, scorectl peer add HOST"
            return Finding.fine(.interface, text, of: tunnel.name)
        }
        let networks = announcing.interfaces.filter { !$0.loopback && $0.broadcasts }
        guard !networks.isEmpty else { return [alone(announcing)] + tunnels }
        return networks.flatMap { [interface($0)] + echo($0, announcing) } + tunnels
    }

    private func alone(_ announcing: Diagnosis.Announcing) -> Finding {
        let named = announcing.only.joined(separator: ", ")
        return Finding(
            id: .interface,
            state: .problem,
            text: "this laptop is in no network in which others can be found",
            cause: named.isEmpty
                ? "no interface is up with an IPv4 address and carries broadcasts"
                : "the daemon may use \(named) only (--interface), which is not up or not there",
            cure: "join the Wi-Fi, or plug in the cable, of the other laptops; in a network "
                + "without broadcast (a VPN), type the address of one: scorectl peer add HOST",
            commands: ["ip -4 address"]
        )
    }

    private func interface(_ interface: Diagnosis.Interface) -> Finding {
        let place = "\(interface.name) (\(interface.address))"
        guard let failure = interface.failure else {
            return .fine(.interface, "\(place) carries announcements", of: interface.name)
        }
        return Finding(
            id: .interface,
            subject: interface.name,
            state: .problem,
            text: "nothing can be announced on \(place)",
            cause: failure,
            cure: "connect it anew; where sending is not permitted, a firewall of this laptop "
                + "forbids it",
            commands: ["ip address show \(ShellWord.quoted(interface.name))"]
        )
    }

    private func echo(
        _ interface: Diagnosis.Interface,
        _ announcing: Diagnosis.Announcing
    ) -> [Finding] {
        guard announcing.probed, interface.failure == nil else { return [] }
        let name = interface.name
        guard !interface.heardBack else {
            return [.fine(.echo, "what is announced on \(name) comes back", of: name)]
        }
        let hearsOthers = announcing.othersHeardMs.map { $0 < 60_000 } ?? false
        return [
            Finding(
                id: .echo,
                subject: name,
                state: hearsOthers ? .warning : .problem,
                text: "what is announced on \(name) does not come back",
                cause: hearsOthers
                    ? "others are heard, so this laptop may only not hear itself"
                    : "a firewall of this laptop drops UDP \(announcing.port), so that it does not "
                        + "hear other laptops either",
                cure: "let UDP \(announcing.port) and TCP \(Self.range) in",
                commands: facts.firewalls.isEmpty
                    ? ["sudo nft list ruleset"] : facts.firewalls.flatMap(\.commands)
            )
        ]
    }

    /// Whether announcements come back wherever they went out; nil where none did.
    func hasEcho(_ diagnosis: Diagnosis) -> Bool? {
        let sent = diagnosis.announcing.interfaces.filter {
            !$0.loopback && $0.broadcasts && $0.failure == nil
        }
        guard diagnosis.announcing.probed, !sent.isEmpty else { return nil }
        return sent.allSatisfy(\.heardBack)
    }

    // MARK: Firewalls

    func firewalls(hasEcho: Bool?) -> [Finding] {
        guard !facts.firewalls.isEmpty else {
            return [.fine(.firewall, "none was found")]
        }
        let isCalled = facts.diagnosis?.peers.contains { $0.caller == .there } ?? false
        return facts.firewalls.map { firewall in
            let name = firewall.name
            if firewall.opening == .open {
                return .fine(.firewall, "\(name) lets other laptops in", of: firewall.kind.rawValue)
            }
            // What gets through tells more than files do.
            if isCalled, hasEcho == true {
                let text = "\(name) is on, and other laptops get through"
                return .fine(.firewall, text, of: firewall.kind.rawValue)
            }
            let isKnown = firewall.opening == .closed
            return Finding(
                id: .firewall,
                subject: firewall.kind.rawValue,
                state: .warning,
                text: "\(name) may keep other laptops out",
                cause: isKnown
                    ? "it is on, and its rules do not name UDP \(Ports.discovery) and TCP "
                        + Self.range
                    : "it is on; only root can read whether UDP \(Ports.discovery) and TCP "
                        + "\(Self.range) are open",
                cure: "open them; to do that twice does no harm",
                commands: firewall.commands
            )
        }
    }
}
