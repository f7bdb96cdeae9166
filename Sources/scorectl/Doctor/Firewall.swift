import SyncProtocol

/// A firewall of this machine, as far as files tell that everybody may read.
struct Firewall: Hashable, Sendable {
    /// Which one.
    enum Kind: String, Hashable, Sendable, CaseIterable {
        case ufw
        case firewalld
        case nftables
        case iptables
        case macOS
    }

    /// Whether it lets other laptops in.
    enum Opening: Hashable, Sendable {
        /// Its rules name the ports.
        case open
        /// Its rules can be read, and do not.
        case closed
        /// Its rules cannot be read.
        case unknown
    }

    /// Which one.
    let kind: Kind
    /// Whether it lets other laptops in.
    let opening: Opening

    /// What it is called.
    var name: String { kind == .macOS ? "the firewall of macOS" : kind.rawValue }

    /// What opens it, as lines to type.
    var commands: [String] { Self.commands(kind) }

    private static let udp = "\(Ports.discovery)"
    private static let first = "\(Ports.listening.lowerBound)"
    private static let last = "\(Ports.listening.upperBound)"

    private static func commands(_ kind: Kind) -> [String] {
        switch kind {
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
        case .iptables:
            [
                "sudo iptables -I INPUT -p udp --dport \(udp) -j ACCEPT",
                "sudo iptables -I INPUT -p tcp --dport \(first):\(last) -j ACCEPT",
            ]
        case .macOS:
            [
                "sudo \(program) --add \"$(command -v scoresyncd)\"",
                "sudo \(program) --unblockapp \"$(command -v scoresyncd)\"",
            ]
        }
    }

    private static let program = "/usr/libexec/ApplicationFirewall/socketfilterfw"
}
