import SessionCRDT
import SyncProtocol

/// A firewall of this machine, as far as world-readable files describe it.
struct Firewall: Hashable, Sendable {
    enum Kind: String, Hashable, Sendable, CaseIterable {
        case ufw, firewalld, nftables, iptables, ip6tables, macOS
    }

    /// Whether its rules name the ports; unknown if they cannot be read.
    enum Opening: Hashable, Sendable {
        case open, closed, unknown
    }

    let kind: Kind
    let opening: Opening

    var name: String { kind == .macOS ? "the macOS firewall" : kind.rawValue }

    var commands: [String] {
        let (udp, tcp) = (Ports.discovery, Ports.listening)
        let (first, last) = (tcp.lowerBound, tcp.upperBound)
        let program = "/usr/libexec/ApplicationFirewall/socketfilterfw"
        return switch kind {
        case .ufw: ["sudo ufw allow \(udp)/udp", "sudo ufw allow \(first):\(last)/tcp"]
        case .firewalld:
            [
                "sudo firewall-cmd --add-port=\(udp)/udp --add-port=\(first)-\(last)/tcp",
                "sudo firewall-cmd --runtime-to-permanent",
            ]
        case .nftables:
            [
                "sudo nft insert rule inet filter input udp dport \(udp) accept",
                "sudo nft insert rule inet filter input tcp dport \(first)-\(last) accept",
            ]
        case .iptables, .ip6tables:
            [
                "sudo \(kind) -I INPUT -p udp --dport \(udp) -j ACCEPT",
                "sudo \(kind) -I INPUT -p tcp --dport \(first):\(last) -j ACCEPT",
            ]
        case .macOS:
            [
                "sudo \(program) --add \"$(command -v scoresyncd)\"",
                "sudo \(program) --unblockapp \"$(command -v scoresyncd)\"",
            ]
        }
    }
}

/// Finds active firewalls by their world-readable files: asking the kernel would need root.
struct FirewallSearch {
    let read: (String) -> String?
    let exists: (String) -> Bool
    var found: [Firewall] {
        let tables = [iptables(.iptables, "v4"), iptables(.ip6tables, "v6")]
        return ([ufw, firewalld, nftables] + tables + [macOS]).compactMap(\.self)
    }

    private var ufw: Firewall? {
        guard let settings = read("/etc/ufw/ufw.conf"),
            lines(of: settings).contains(where: { $0.lowercased() == "enabled=yes" })
        else { return nil }
        return Firewall(kind: .ufw, opening: opening(of: read("/etc/ufw/user.rules")))
    }

    private var firewalld: Firewall? {
        guard exists("/run/firewalld.pid") || exists("/run/firewalld/firewalld.pid") else {
            return nil
        }
        // Zones of the user come before those of the package.
        let zones = ["/etc/firewalld/zones/", "/usr/lib/firewalld/zones/"]
        let settings = read("/etc/firewalld/firewalld.conf").map(lines) ?? []
        let zone = settings.first { $0.hasPrefix("DefaultZone=") }?.dropFirst(12) ?? "public"
        let rules = zones.lazy.compactMap { read("\($0)\(zone).xml") }.first
        return Firewall(kind: .firewalld, opening: opening(of: rules))
    }

    private var nftables: Firewall? {
        let links = ["sysinit", "multi-user"].map {
            "/etc/systemd/system/\($0).target.wants/nftables.service"
        }
        guard links.contains(where: exists) else { return nil }
        let rules = read("/etc/nftables.conf") ?? read("/etc/sysconfig/nftables.conf")
        if let rules, !filters(rules, ["policy drop", "policy reject", "drop", "reject"]) {
            return nil
        }
        return Firewall(kind: .nftables, opening: opening(of: rules))
    }

    /// Returns one of the two firewalls with rules of their own for IPv4 and IPv6.
    private func iptables(_ kind: Firewall.Kind, _ version: String) -> Firewall? {
        let path = "/etc/iptables/rules.\(version)"
        guard exists(path) else { return nil }
        let rules = read(path)
        if let rules, !filters(rules, [":INPUT DROP", "-j DROP", "-j REJECT"]) { return nil }
        return Firewall(kind: kind, opening: opening(of: rules))
    }

    private var macOS: Firewall? {
        guard exists("/usr/libexec/ApplicationFirewall/socketfilterfw") else { return nil }
        return Firewall(kind: .macOS, opening: .unknown)
    }

    /// Returns whether rules open the ports; unknown if they cannot be read.
    private func opening(of rules: String?) -> Firewall.Opening {
        guard let rules else { return .unknown }
        let named = lines(of: rules).filter { $0.contains("\(Ports.discovery)") }
        let isOpen = ["udp", "tcp"].allSatisfy { kind in named.contains { $0.contains(kind) } }
        return isOpen ? .open : .closed
    }

    private func filters(_ rules: String, _ words: [String]) -> Bool {
        lines(of: rules).contains { line in words.contains { line.contains($0) } }
    }

    /// Returns the lines without comments and surrounding space.
    private func lines(of text: String) -> [String] {
        text.split(whereSeparator: \.isNewline).compactMap { line in
            let words = line.split(whereSeparator: \.isWhitespace)
            guard let first = words.first, first.first != "#" else { return nil }
            return words.joined(separator: " ")
        }
    }
}
