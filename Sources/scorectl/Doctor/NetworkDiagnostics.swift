import ControlSocket
import SessionCRDT
import SyncProtocol

/// The checks of the network, from the daemon's diagnosis.
extension Diagnostics {
    func sessions(_ diagnosis: Diagnosis) -> [Finding] {
        var broken = diagnosis.sessions.filter { !$0.readable }.map(unreadable)
        var keyless = diagnosis.sessions.filter { $0.readable && !$0.hasKey && !$0.finished }
        for alarm in diagnosis.alarms {
            guard let index = keyless.firstIndex(where: { alarm.text.contains($0.id.prefix(8)) })
            else { continue }
            broken.append(damage(of: keyless.remove(at: index), alarm))
        }
        if !keyless.isEmpty { broken.append(linkless(keyless)) }
        guard broken.isEmpty else { return broken }
        let count = diagnosis.sessions.count
        guard count > 0 else {
            return [.ok(.sessions, "none yet: scorectl session new GAME, or scorectl join")]
        }
        return [.ok(.sessions, count == 1 ? "one on this laptop" : "\(count) on this laptop")]
    }

    private func unreadable(_ session: Diagnosis.Held) -> Finding {
        .problem(.sessions, "“\(session.title)” cannot be read", of: session.title)
            .because("what is stored of it could not be read from the disk")
            .fix("the daemon will try again; check what it reports about the disk")
            .run(["scorectl status", "scorectl daemon logs"])
    }

    private func damage(of session: Diagnosis.Held, _ alarm: Alarm) -> Finding {
        let text = "“\(session.title)” can be used on this laptop, but no other one is linked in it"
        return .problem(.sessions, text, of: session.title).because(alarm.text)
            .fix("on another laptop: scorectl session invite; then here:").run(["scorectl join"])
    }

    /// Sessions whose keys are not here, without a trace of damage.
    private func linkless(_ sessions: [Diagnosis.Held]) -> Finding {
        let one = sessions.count == 1 ? sessions[0].title : nil
        let subject = one.map { "“\($0)”" } ?? "\(sessions.count) sessions"
        let text = "\(subject) can be used on this laptop only: the key is not here"
        return .warning(.sessions, text, of: one)
            .because("keys are left out of an export, and can be lost if the database is damaged")
            .fix("to link with others, on another laptop: scorectl session invite; then here:")
            .run(["scorectl join"])
    }

    func port(_ diagnosis: Diagnosis) -> Finding {
        let port = diagnosis.daemon.port
        guard port > 0 else { return noPort(diagnosis.listenFailure ?? "the reason is unknown") }
        guard Ports.listening.contains(UInt16(clamping: port)) else {
            let own = ownAddress(diagnosis, port: port) ?? "ADDRESS:\(port)"
            return .warning(.port, "other laptops do not call this one by themselves")
                .because(
                    "it listens on TCP \(port), and a port outside \(Self.range) is called only "
                        + "where it was added as an address"
                )
                .fix(
                    "start the daemon without --port, or on each other laptop: scorectl peer "
                        + "add \(own)"
                )
                .run(Self.restart)
        }
        let callers = Set(diagnosis.peers.filter { $0.caller == .there }.map(\.name)).sorted()
        let called = callers.isEmpty ? "" : "; called by " + callers.joined(separator: ", ")
        return .ok(.port, "listening on TCP \(port)\(called)")
    }

    // MARK: Announcements

    func announcing(_ diagnosis: Diagnosis) -> [Finding] {
        let announcing = diagnosis.announcing
        if diagnosis.daemon.offline {
            let text = "this laptop is offline: it does not look for others or link with them"
            return [
                .warning(.interface, text)
                    .because("it was set offline with: scorectl daemon offline")
                    .fix("go online again").run(["scorectl daemon online"])
            ]
        }
        guard announcing.enabled else {
            let text = "discovery is off: other laptops are found only by added addresses"
            return [
                .warning(.interface, text).because("the daemon was started with --no-discovery")
                    .fix("start it without that option").run(Self.restart)
            ]
        }
        if let failure = announcing.failure {
            return [
                .problem(.interface, "announcements cannot be sent or received").because(failure)
                    .fix("find the program that uses UDP \(announcing.port), and end it")
                    .run(["ss -lunp | grep \(announcing.port)"])
            ]
        }
        let networks = Self.networks(announcing)
        let others = Self.byName(
            announcing.interfaces.filter { !$0.loopback && !$0.carriesToLaptops }
        )
        .map { Self.withoutLaptops($0[0]) }
        guard !networks.isEmpty else { return [noNetwork(announcing)] + others }
        return networks.flatMap { network in
            network.map { interface($0, of: network) }
                + [echo(network, announcing)].compactMap(\.self)
        } + others
    }

    /// The addresses on which other laptops can be found, by interface.
    private static func networks(_ announcing: Diagnosis.Announcing) -> [[Diagnosis.Interface]] {
        byName(announcing.interfaces.filter { !$0.loopback && $0.carriesToLaptops })
    }

    /// Returns the addresses of each interface.
    private static func byName(_ found: [Diagnosis.Interface]) -> [[Diagnosis.Interface]] {
        var names: [String] = []
        for interface in found where !names.contains(interface.name) {
            names.append(interface.name)
        }
        return names.map { name in found.filter { $0.name == name } }
    }

    /// Returns the finding about an interface that leads to no laptops that could be found.
    private static func withoutLaptops(_ interface: Diagnosis.Interface) -> Finding {
        let name = "\(interface.name) (\(interface.address))"
        let text =
            interface.broadcasts
            ? "\(name) leads to containers or virtual machines of this laptop, not to other laptops"
            : "\(name) carries no announcements: add the address of each laptop on it: scorectl "
                + "peer add HOST"
        return .ok(.interface, text, of: interface.name)
    }

    private func noNetwork(_ announcing: Diagnosis.Announcing) -> Finding {
        let named = announcing.only.joined(separator: ", ")
        let others = announcing.interfaces.filter { !$0.loopback }
        let tunnels = others.filter { !$0.broadcasts }.map(\.name)
        let finding = Finding.problem(
            .interface,
            "not connected to a network where other laptops can be found"
        )
        guard named.isEmpty else {
            return finding.because(
                "the daemon may use only \(named) (--interface), which is down or missing"
            ).fix("connect it, or start the daemon without --interface").run(Self.restart)
        }
        guard tunnels.isEmpty else {
            return finding.because(
                "only \(tunnels.joined(separator: ", ")) is up, which carries no announcements: a "
                    + "VPN or a dial-up connection"
            ).fix("if the other laptops are on it, too, add the address of one of them")
                .run(["scorectl peer add HOST"])
        }
        return finding.because(
            others.isEmpty
                ? "no interface is up that has an address and carries announcements"
                : "only \(others[0].name) is up, which leads to containers or virtual machines"
        ).fix("connect to the same Wi-Fi or wired network as the other laptops")
            .run(["ip address"])
    }

    /// The address at which others most likely reach this laptop, as they type it; nil without one.
    private func ownAddress(_ diagnosis: Diagnosis, port: Int) -> String? {
        let addresses = diagnosis.announcing.interfaces.filter { !$0.loopback }.compactMap { each in
            IPAddress(each.address).map {
                OwnAddress(interface: each.name, address: $0, prefixLength: 128)
            }
        }
        guard let port = UInt16(exactly: port), port > 0 else { return nil }
        return OwnAddress.ranked(addresses, peers: []).first?.typed(port: port)
    }

    /// Whether another laptop is linked, or was heard lately.
    private func meetsOthers(_ diagnosis: Diagnosis) -> Bool {
        diagnosis.peers.contains { $0.caller != nil }
            || diagnosis.announcing.othersHeardMs.map { $0 < 60_000 } ?? false
    }

    /// Returns the finding about a network inside of another one, which shows only by its silence.
    func host(_ diagnosis: Diagnosis) -> [Finding] {
        guard !diagnosis.daemon.offline, !meetsOthers(diagnosis) else { return [] }
        let (udp, tcp) = (Ports.discovery, Ports.listening)
        func rule(_ name: String, _ ports: String) -> String {
            "New-NetFirewallHyperVRule -Name ScoreSync-\(name) -DisplayName ScoreSync-\(name) "
                + "-Direction Inbound -VMCreatorId '{40E0AC32-46A5-438A-A0B2-2B479E8F2E90}' "
                + "-Protocol \(name) -LocalPorts \(ports)"
        }
        switch facts.surroundings {
        case .plain: return []
        case .windows:
            return [
                .warning(.host, "this system runs in Windows (WSL), and no other laptop is heard")
                    .because("usually WSL has a network of its own, which others cannot reach")
                    .fix(
                        "on Windows 11: write networkingMode=mirrored below [wsl2] into "
                            + "%UserProfile%\\.wslconfig, and type the following in PowerShell as "
                            + "administrator; if others are still not found, add an address: "
                            + "scorectl peer add HOST"
                    )
                    .run([
                        rule("TCP", "\(tcp.lowerBound)-\(tcp.upperBound)"),
                        rule("UDP", "\(udp)"), "wsl --shutdown",
                    ])
            ]
        case .container:
            return [
                .warning(.host, "this system is a container, and no other laptop is heard")
                    .because(
                        "usually a container has a network of its own, a bridge that passes no "
                            + "announcements on"
                    )
                    .fix("start it with the network of its host").run([
                        "docker run --network host …"
                    ])
            ]
        }
    }

    /// Returns the finding about one of the addresses of an interface.
    private func interface(
        _ interface: Diagnosis.Interface,
        of network: [Diagnosis.Interface]
    ) -> Finding {
        let name = "\(interface.name) (\(interface.address))"
        guard let failure = interface.failure else {
            return .ok(.interface, "\(name) carries announcements", of: interface.name)
        }
        let text = "announcements cannot be sent on \(name)"
        // One kind of address is enough, unless the other laptops have only the other.
        let isUsable = network.contains { $0.failure == nil }
        let state = isUsable ? Finding.State.warning : .problem
        return Finding(id: .interface, subject: interface.name, state: state, text: text)
            .because(failure)
            .fix("reconnect it; if sending is not permitted, a firewall of this laptop blocks it")
            .run(["ip address show \(ShellWord.quoted(interface.name))"])
    }

    /// Returns the finding about the announcements on the addresses of one interface.
    private func echo(
        _ network: [Diagnosis.Interface],
        _ announcing: Diagnosis.Announcing
    ) -> Finding? {
        let sent = network.filter { $0.failure == nil }
        guard announcing.probed, let name = sent.first?.name else { return nil }
        let heard = sent.filter(\.heardBack)
        guard heard.isEmpty else {
            let kinds = Set(heard.map(\.kind)).sorted()
            let only = heard.count == sent.count ? "" : " by " + kinds.joined(separator: " and ")
            return .ok(.echo, "announcements on \(name) come back\(only)", of: name)
        }
        let text = "announcements on \(name) do not come back"
        let commands = facts.firewalls.flatMap(\.commands)
        let hearsOthers = announcing.othersHeardMs.map { $0 < 60_000 } ?? false
        let silent =
            hearsOthers
            ? Finding.warning(.echo, text, of: name)
                .because("others are heard, so this laptop may only fail to hear itself")
            : Finding.problem(.echo, text, of: name)
                .because(
                    "a firewall of this laptop drops UDP \(announcing.port), so it does not hear "
                        + "other laptops either"
                )
        return silent.fix("let UDP \(announcing.port) and TCP \(Self.range) in")
            .run(commands.isEmpty ? ["sudo nft list ruleset"] : commands)
    }

    /// Whether announcements come back on every interface that leads to laptops; nil if there is
    /// none, or none was tested.
    func hasEcho(_ diagnosis: Diagnosis) -> Bool? {
        let sent = Self.networks(diagnosis.announcing).map { $0.filter { $0.failure == nil } }
            .filter { !$0.isEmpty }
        guard diagnosis.announcing.probed, !sent.isEmpty else { return nil }
        return sent.allSatisfy { $0.contains(where: \.heardBack) }
    }

    func firewalls(hasEcho: Bool?) -> [Finding] {
        guard !facts.firewalls.isEmpty else { return [.ok(.firewall, "none found")] }
        let isCalled = facts.diagnosis?.peers.contains { $0.caller == .there } ?? false
        return facts.firewalls.map { firewall in
            let (name, subject) = (firewall.name, firewall.kind.rawValue)
            if firewall.opening == .open {
                return .ok(.firewall, "\(name) lets other laptops in", of: subject)
            }
            // Connections that arrive are better evidence than the firewall's files.
            if isCalled, hasEcho == true {
                return .ok(.firewall, "\(name) is on, and other laptops get through", of: subject)
            }
            let ports = "UDP \(Ports.discovery) and TCP \(Self.range)"
            return .warning(.firewall, "\(name) may keep other laptops out", of: subject)
                .because(
                    firewall.opening == .closed
                        ? "it is on, and its rules do not name \(ports)"
                        : "it is on; only root can read whether \(ports) are open"
                )
                .fix("open them; doing so twice does no harm").run(firewall.commands)
        }
    }

    // MARK: Other laptops

    /// The age of a link from which a peer without an announcement is a finding: an idle daemon
    /// announces every ten seconds, and a broadcast over Wi-Fi may be lost.
    static let broadcastGraceMs: Int64 = 25_000
    /// The age up to which an announcement of a linked laptop counts as recent.
    private static let linkedAnnouncementMs: Int64 = 40_000
    /// The age up to which an announcement of a missing laptop, which announces every five seconds,
    /// counts as recent.
    private static let missingAnnouncementMs: Int64 = 12_000

    private struct OtherLaptop {
        let peers: [Diagnosis.Peer]

        var name: String { peers.first?.name ?? "" }
        var callers: Set<Diagnosis.Caller> { Set(peers.compactMap(\.caller)) }
        var linkedMs: Int64? { peers.compactMap(\.linkedMs).max() }
        var heardMs: Int64? { peers.compactMap(\.heardMs).min() }

        var lastSeen: Timestamp? {
            peers.compactMap(\.lastSeen).max { $0.milliseconds < $1.milliseconds }
        }

        /// Each address once, with the latest dial.
        var addresses: [Diagnosis.Address] {
            let same = Dictionary(grouping: peers.flatMap(\.addresses), by: \.address)
            return same.sorted { $0.key < $1.key }.compactMap { _, dials in
                var latest = dials.min { $0.agoMs ?? .max < $1.agoMs ?? .max }
                latest?.typed = dials.contains(where: \.typed)
                return latest
            }
        }

        /// Returns an address as users type it: without the standard port.
        static func typed(_ address: Diagnosis.Address) -> String {
            let text = address.address
            guard let endpoint = Endpoint(text), endpoint.port == Ports.standard
            else { return ShellWord.quoted(text) }
            return "\(endpoint.address)"
        }
    }

    func peers(_ diagnosis: Diagnosis) -> [Finding] {
        guard !diagnosis.daemon.offline else { return [] }
        let groups = Dictionary(grouping: diagnosis.peers) { $0.device ?? $0.name }
        let others = groups.values.map(OtherLaptop.init).sorted { $0.name < $1.name }
        guard !others.isEmpty else {
            guard diagnosis.sessions.contains(where: { !$0.finished }) else { return [] }
            let own = ownAddress(diagnosis, port: diagnosis.daemon.port) ?? "HOST"
            let text =
                "no other laptop has joined yet: scorectl session invite; if it is not found "
                + "there: scorectl join CODE --peer \(own)"
            return [.ok(.peer, text)]
        }
        return others.flatMap { other in
            other.callers.isEmpty
                ? [missing(other, diagnosis)]
                : [linked(other), broadcast(other, diagnosis.announcing)].compactMap(\.self)
        }
    }

    private func linked(_ other: OtherLaptop) -> Finding {
        let name = other.name
        let isCalled = other.callers.contains(.here)
        let failed = other.peers.compactMap(\.probe).first { $0.outcome != .linked }
        guard !isCalled, let failed else {
            let way = isCalled ? "called from here" : "it called this laptop"
            return .ok(.peer, "\(name) is linked (\(way))", of: name)
        }
        let text = "\(name) calls this laptop, and cannot be called from here"
        return .warning(.peer, text, of: name).because(failed.text ?? "the reason is unknown")
            .fix(
                "games go on; to find it again sooner, open TCP \(Self.range) in the firewall "
                    + "of \(name), and run there: scorectl doctor"
            )
    }

    private func broadcast(_ other: OtherLaptop, _ announcing: Diagnosis.Announcing) -> Finding? {
        let name = other.name
        guard announcing.enabled, announcing.failure == nil,
            let linkedMs = other.linkedMs, linkedMs >= Self.broadcastGraceMs
        else { return nil }
        if let heardMs = other.heardMs, heardMs < Self.linkedAnnouncementMs {
            return .ok(.broadcast, "announcements of \(name) come through", of: name)
        }
        let addresses = other.addresses
        if let typed = addresses.first(where: \.typed) {
            let text =
                "announcements of \(name) do not come through; it is called at "
                + "\(typed.address), which was added as an address"
            return .ok(.broadcast, text, of: name)
        }
        let address = addresses.first { $0.outcome == .linked } ?? addresses.first
        let text = "announcements of \(name) do not come through, though it is linked"
        return .warning(.broadcast, text, of: name)
            .because(
                "the network blocks broadcasts (a guest Wi-Fi, a VPN, a switch), or \(name) "
                    + "does not announce"
            )
            .fix("if the link is lost, an address is needed: add it now, here and there")
            .run(address.map { ["scorectl peer add \(OtherLaptop.typed($0))"] })
    }

    /// Returns what else may keep two laptops of one network apart, to be added to a remedy.
    private func suspects(_ diagnosis: Diagnosis) -> String {
        let tunnels = diagnosis.announcing.interfaces.filter {
            !$0.loopback && (!$0.broadcasts || OwnAddress.isOfTunnel($0.name))
        }.map(\.name)
        let guests =
            "; if both are awake in the same Wi-Fi, it may keep its guests apart: use another "
            + "network, such as the hotspot of a phone"
        guard let tunnel = tunnels.first else { return guests }
        return guests + "; if \(tunnel) is a VPN, allow access to the local network in its settings"
    }

    private func missing(_ other: OtherLaptop, _ diagnosis: Diagnosis) -> Finding {
        let name = other.name
        let seen = other.lastSeen.map { "last seen " + Ago.text($0, now: now) }
        let isHeard = other.heardMs.map { $0 < Self.missingAnnouncementMs } ?? false
        // The most informative outcome comes first.
        let order: [Diagnosis.Outcome] = [
            .wrongKey, .unknownSession, .refused, .silent, .absent, .noWay, .failed,
        ]
        let addresses = other.addresses
        let dialed = order.lazy.compactMap { outcome in
            addresses.first { $0.outcome == outcome }
        }.first
        let text = "\(name) is not linked (\(seen ?? "not reached yet"))"
        let warning = Finding.warning(.peer, text, of: name)
        let problem = Finding.problem(.peer, text, of: name)
        func reason(_ usual: String) -> String { dialed?.text ?? usual }
        switch dialed?.outcome {
        case .wrongKey?:
            return problem.because(reason("its key differs"))
                .fix(
                    "a key never changes: a backup or another session is there; let it leave the "
                        + "session and join again:"
                )
                .run(["scorectl session invite"])
        case .unknownSession?:
            return warning.because(reason("it does not have the session"))
                .fix(
                    "it has left the session, or another laptop has its address now; to let it in "
                        + "again:"
                )
                .run(["scorectl session invite"])
        case .silent? where isHeard, .absent? where isHeard:
            return problem.because("it announces itself, and does not answer: \(reason(""))")
                .fix(
                    "a firewall of \(name) drops TCP \(Self.range): run there: scorectl doctor"
                        + suspects(diagnosis)
                )
        case .refused?:
            return warning.because(reason("nothing listens there"))
                .fix("the laptop is on, but no daemon listens there; run there: scorectl status")
        case .silent?, .absent?:
            return warning.because(reason("it does not answer"))
                .fix(
                    "check that \(name) is awake and in the same network, and that its firewall is "
                        + "open (there: scorectl doctor); if its address has changed: scorectl peer "
                        + "add HOST" + suspects(diagnosis)
                )
        case .noWay?:
            return warning.because(reason("no route leads there"))
                .fix("join the network of \(name); if the address is no longer its own, forget it:")
                .run(dialed.map { ["scorectl peer remove \(OtherLaptop.typed($0))"] })
        case .failed?:
            return warning.because(reason("calling it failed"))
                .fix("run on \(name): scorectl doctor")
        case .linked?, nil:
            return
                warning.because(
                    isHeard
                        ? "it announces itself, and has not been called yet"
                        : "this run of the daemon has neither heard nor called it"
                )
                .fix(
                    "check that \(name) is awake and in the same network, and that its daemon is "
                        + "running (there: scorectl doctor)"
                )
        }
    }

    func clocks(_ diagnosis: Diagnosis) -> [Finding] {
        let skews = Dictionary(
            diagnosis.peers.compactMap { peer in peer.clockSkewMs.map { (peer.name, $0) } },
            uniquingKeysWith: { $1 }
        )
        let alarms = diagnosis.alarms.filter { $0.kind == "clock-skew" }
        guard !alarms.isEmpty else {
            guard !skews.isEmpty else { return [] }
            return [.ok(.clock, "the clocks of all linked laptops agree with this one")]
        }
        // If all others differ in the same direction, this laptop's clock is wrong.
        let isOwn =
            alarms.count > 1 && alarms.count == skews.count
            && Set(skews.values.map { $0 > 0 }).count == 1
        let text = isOwn ? "the clock of this laptop is wrong" : "two clocks differ"
        let remedy = isOwn ? "set it, here" : "set it, on the laptop that is wrong"
        return alarms.map { alarm in
            .warning(.clock, text).because(alarm.text)
                .fix(remedy).run(["sudo timedatectl set-ntp true"])
        }
    }
}

extension Diagnosis.Interface {
    /// Whether announcements on it may reach other laptops.
    fileprivate var carriesToLaptops: Bool { broadcasts && !OwnAddress.isOfContainers(name) }

    /// The kind of its address.
    fileprivate var kind: String { IPAddress(address)?.ipv4 == nil ? "IPv6" : "IPv4" }
}
