import Testing

@testable import scorectl

@Suite("Firewalls, detected by their files")
struct FirewallTests {
    /// The firewalls of a machine with these files.
    private func found(_ files: [String: String?]) -> [Firewall] {
        FirewallSearch(
            read: { files[$0] ?? nil },
            exists: { files.keys.contains($0) }
        ).found
    }

    @Test("none is found without files, or if it is off")
    func none() {
        #expect(found([:]) == [])
        #expect(found(["/etc/ufw/ufw.conf": "# ENABLED=yes\nENABLED=no\n"]) == [])
        #expect(found(["/etc/nftables.conf": "policy drop"]) == [], "its unit is not enabled")
        let unit = "/etc/systemd/system/sysinit.target.wants/nftables.service"
        let accepting = "table inet filter {\n chain input { policy accept; }\n}"
        #expect(found([unit: "", "/etc/nftables.conf": accepting]) == [])
        #expect(found(["/etc/iptables/rules.v4": ":INPUT ACCEPT [0:0]\n"]) == [])
    }

    @Test("ufw: on, with rules that root alone can read, that are closed, or open")
    func ufw() {
        let on = ["/etc/ufw/ufw.conf": "LOGLEVEL=low\n  ENABLED=yes\n"]
        #expect(found(on) == [Firewall(kind: .ufw, opening: .unknown)])
        let closed = on.merging(["/etc/ufw/user.rules": "# 47615 udp tcp\n"]) { $1 }
        #expect(found(closed) == [Firewall(kind: .ufw, opening: .closed)])
        let rules = """
            -A ufw-user-input -p udp --dport 47615 -j ACCEPT
            -A ufw-user-input -p tcp -m multiport --dports 47615:47634 -j ACCEPT
            """
        let open = on.merging(["/etc/ufw/user.rules": rules]) { $1 }
        #expect(found(open) == [Firewall(kind: .ufw, opening: .open)])
    }

    @Test("firewalld: the zone that it uses by default")
    func firewalld() {
        let on = ["/run/firewalld.pid": "5"]
        #expect(found(on) == [Firewall(kind: .firewalld, opening: .unknown)])
        let zone = """
            <zone><port port="47615" protocol="udp"/>
            <port port="47615-47634" protocol="tcp"/></zone>
            """
        let files = [
            "/run/firewalld.pid": "5", "/etc/firewalld/firewalld.conf": "DefaultZone=home\n",
            "/etc/firewalld/zones/home.xml": zone,
        ]
        #expect(found(files) == [Firewall(kind: .firewalld, opening: .open)])
        let other = files.merging(["/etc/firewalld/firewalld.conf": "DefaultZone=public"]) { $1 }
            .merging(["/usr/lib/firewalld/zones/public.xml": "<zone/>"]) { $1 }
        #expect(found(other) == [Firewall(kind: .firewalld, opening: .closed)])
    }

    @Test("nftables, iptables and macOS")
    func others() {
        let unit = "/etc/systemd/system/multi-user.target.wants/nftables.service"
        let rules = "chain input { type filter hook input priority 0; policy drop; }"
        let nftables = found([unit: nil, "/etc/nftables.conf": rules])
        #expect(nftables == [Firewall(kind: .nftables, opening: .closed)])
        let iptables = found(["/etc/iptables/rules.v4": ":INPUT DROP [0:0]\n"])
        #expect(iptables == [Firewall(kind: .iptables, opening: .closed)])
        let rules6 = [
            "/etc/iptables/rules.v4": ":INPUT ACCEPT", "/etc/iptables/rules.v6": "-j DROP",
        ]
        let ip6tables = found(rules6)
        #expect(ip6tables == [Firewall(kind: .ip6tables, opening: .closed)])
        let opening = ip6tables.first?.commands.first
        #expect(opening == "sudo ip6tables -I INPUT -p udp --dport 47615 -j ACCEPT")
        let macOS = found(["/usr/libexec/ApplicationFirewall/socketfilterfw": nil])
        #expect(macOS == [Firewall(kind: .macOS, opening: .unknown)])
        for kind in Firewall.Kind.allCases {
            let commands = Firewall(kind: kind, opening: .closed).commands
            #expect(!commands.isEmpty && commands.allSatisfy { $0.hasPrefix("sudo ") })
        }
    }
}
