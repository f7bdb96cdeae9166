import SyncProtocol
import Testing

@testable import scorectl

@Suite("Diagnostics of the network")
struct NetworkDiagnosticsTests {
    private func complaints(
        _ diagnosis: Diagnosis,
        firewalls: [Firewall] = []
    ) throws -> [Finding] {
        let diagnostics = try Sample.machine(diagnosis) { $0.firewalls = firewalls }
        return (diagnostics.machine + diagnostics.network).filter { $0.state != .ok }
    }

    @Test("A laptop without a network, offline, without discovery, or bound to a missing interface")
    func alone() throws {
        let none = try complaints(
            Sample.diagnosis {
                $0.announcing.interfaces = [
                    Diagnosis.Interface(name: "lo", address: "127.0.0.1").with {
                        $0.loopback = true
                        $0.heardBack = true
                    }
                ]
            }
        )
        #expect(none.map(\.id) == [.interface])
        #expect(
            none.map(\.cause) == [
                "no interface is up that has an address and carries announcements"
            ]
        )
        #expect(none.map(\.state) == [.problem])
        let tunnel = Diagnosis.Interface(name: "tun0", address: "10.8.0.2").with {
            $0.broadcasts = false
        }
        let only = try complaints(Sample.diagnosis { $0.announcing.interfaces = [tunnel] })
        #expect(only.map(\.id) == [.interface])
        #expect(only.first?.cause?.hasPrefix("only tun0 is up, which carries no") == true)
        #expect(only.map(\.commands) == [["scorectl peer add HOST"]])
        #expect(try complaints(Sample.diagnosis { $0.announcing.interfaces.append(tunnel) }) == [])
        let bound = try complaints(
            Sample.diagnosis {
                $0.announcing.interfaces = []
                $0.announcing.only = ["eth7"]
            }
        )
        #expect(bound.first?.cause?.contains("may use only eth7 (--interface)") == true)
        let offline = try complaints(
            Sample.diagnosis {
                $0.daemon.offline = true
                $0.announcing.probed = false
                $0.peers[0].caller = nil
            }
        )
        #expect(offline.map(\.commands) == [["scorectl daemon online"]])
        #expect(offline.map(\.state) == [.warning])
        let silent = try complaints(Sample.diagnosis { $0.announcing.enabled = false })
        #expect(silent.map(\.cause) == ["the daemon was started with --no-discovery"])
    }

    private func interface(_ name: String, _ address: String) -> Diagnosis.Interface {
        Diagnosis.Interface(name: name, address: address).with { $0.heardBack = true }
    }

    @Test("A bridge of containers is no network of laptops, and its missing echo no firewall")
    func containers() throws {
        let bridge = interface("docker0", "172.17.0.1").with { $0.heardBack = false }
        let beside = Sample.diagnosis { $0.announcing.interfaces.append(bridge) }
        #expect(try complaints(beside) == [])
        let text =
            "docker0 (172.17.0.1) leads to containers or virtual machines of this laptop, not to "
            + "other laptops"
        #expect(try Sample.machine(beside).network.contains(.ok(.interface, text, of: "docker0")))
        let alone = try complaints(Sample.diagnosis { $0.announcing.interfaces = [bridge] })
        #expect(
            alone.map(\.cause) == [
                "only docker0 is up, which leads to containers or virtual machines"
            ]
        )
    }

    @Test("Both kinds of addresses of an interface are one network, of which one kind is enough")
    func bothKinds() throws {
        func echo(_ heard: Bool...) throws -> [Finding] {
            let addresses = ["192.168.0.9", "fe80::9%wlan0"]
            let diagnosis = Sample.diagnosis {
                $0.announcing.interfaces = zip(addresses, heard).map { address, heard in
                    interface("wlan0", address).with { $0.heardBack = heard }
                }
            }
            return try Sample.machine(diagnosis).network.filter { $0.id == .echo }
        }
        let text = "announcements on wlan0 come back"
        #expect(try echo(true, true) == [.ok(.echo, text, of: "wlan0")])
        #expect(try echo(true, false) == [.ok(.echo, text + " by IPv4", of: "wlan0")])
        #expect(try echo(false, true) == [.ok(.echo, text + " by IPv6", of: "wlan0")])
        #expect(try echo(false, false).map(\.state) == [.problem])
        let failing = Sample.diagnosis {
            let ipv6 = interface("wlan0", "fe80::9%wlan0").with { $0.failure = "not permitted" }
            $0.announcing.interfaces.append(ipv6)
        }
        #expect(try complaints(failing).map(\.state) == [.warning])
    }

    @Test("The address for others is that of Wi-Fi, and a link-local one has their interface")
    func ownAddress() throws {
        func advice(port: Int = 47_615, _ interfaces: Diagnosis.Interface...) throws -> String {
            let diagnosis = Sample.diagnosis {
                $0.peers = []
                $0.daemon.port = port
                $0.announcing.interfaces = interfaces
            }
            let all = try Sample.machine(diagnosis).network
            return all.filter { $0.id == .peer || $0.id == .port }.map {
                $0.text + ($0.remedy ?? "")
            }.joined(separator: " ")
        }
        let (docker, wifi) = (interface("docker0", "172.17.0.1"), interface("wlan0", "192.168.7.3"))
        let ipv6 = interface("wlan0", "fe80::3%wlan0")
        #expect(try advice(docker, wifi, ipv6).hasSuffix("join CODE --peer 192.168.7.3"))
        #expect(try advice(docker, ipv6).hasSuffix("join CODE --peer fe80::3%INTERFACE"))
        #expect(try advice(port: 5000, ipv6).contains("peer add [fe80::3%INTERFACE]:5000"))
        #expect(try advice().hasSuffix("join CODE --peer HOST"))
    }

    @Test("A network inside of another one is named if no other laptop is heard")
    func surroundings() throws {
        func found(
            _ surroundings: MachineFacts.Surroundings,
            _ change: (inout Diagnosis) -> Void = { _ in }
        ) throws -> [Finding] {
            let diagnosis = Sample.diagnosis {
                $0.peers = []
                change(&$0)
            }
            let diagnostics = try Sample.machine(diagnosis) { $0.surroundings = surroundings }
            return diagnostics.network.filter { $0.state != .ok }
        }
        #expect(try found(.plain) == [])
        let windows = try #require(try found(.windows).first)
        #expect(windows.id == .host && windows.state == .warning)
        #expect(windows.remedy?.contains("networkingMode=mirrored") == true)
        #expect(windows.commands?.last == "wsl --shutdown")
        let container = try found(.container)
        #expect(container.map(\.commands) == [["docker run --network host …"]])
        #expect(try found(.windows) { $0.announcing.othersHeardMs = 5000 } == [])
        #expect(try found(.windows) { $0.announcing.othersHeardMs = 60_000 } == [windows])
        #expect(try found(.container) { $0.peers = [Sample.bob()] } == [])
        #expect(try found(.windows) { $0.daemon.offline = true }.map(\.id) == [.interface])
    }

    @Test("An announcement port in use is reported once, with its alarm")
    func discoveryInUse() throws {
        let text = "other laptops cannot be found automatically: …"
        let found = try complaints(
            Sample.diagnosis {
                $0.announcing.failure = text
                $0.announcing.interfaces = []
                $0.alarms = [Alarm(kind: "network", text: text)]
            }
        )
        #expect(found.map(\.id) == [.interface])
        #expect(found.map(\.cause) == [text])
        #expect(found.map(\.commands) == [["ss -lunp | grep 47615"]])
    }

    @Test("An interface on which nothing can be sent is named with the errno")
    func refusedSending() throws {
        let failure = "cannot announce on wlan0: Operation not permitted (errno 1)"
        let found = try complaints(
            Sample.diagnosis {
                $0.announcing.interfaces[0].failure = failure
                $0.announcing.interfaces[0].heardBack = false
            }
        )
        #expect(
            found == [
                Finding(
                    id: .interface,
                    subject: "wlan0",
                    state: .problem,
                    text: "announcements cannot be sent on wlan0 (192.168.0.9)",
                    cause: failure,
                    remedy: "reconnect it; if sending is not permitted, a firewall of this laptop "
                        + "blocks it",
                    commands: ["ip address show wlan0"]
                )
            ]
        )
    }

    @Test("An announcement that does not come back points to the firewall, with its commands")
    func noEcho() throws {
        let silent = Sample.diagnosis { $0.announcing.interfaces[0].heardBack = false }
        let found = try complaints(
            silent,
            firewalls: [Firewall(kind: .ufw, opening: .unknown)]
        )
        #expect(found.map(\.id) == [.echo, .firewall])
        let commands = ["sudo ufw allow 47615/udp", "sudo ufw allow 47615:47634/tcp"]
        #expect(found.map(\.commands) == [commands, commands])
        #expect(found.map(\.state) == [.problem, .warning])
        #expect(try complaints(silent).map(\.commands) == [["sudo nft list ruleset"]])
        // A laptop that hears others can receive.
        var hearing = silent
        hearing.announcing.othersHeardMs = 3000
        #expect(try complaints(hearing).map(\.state) == [.warning])
    }

    @Test("A firewall that lets others through is ok, regardless of its files")
    func firewall() throws {
        let closed = Firewall(kind: .firewalld, opening: .closed)
        let called = Sample.diagnosis { $0.peers[0].caller = .there }
        #expect(try complaints(called, firewalls: [closed]) == [])
        let found = try complaints(Sample.diagnosis(), firewalls: [closed])
        #expect(
            found == [
                Finding(
                    id: .firewall,
                    subject: "firewalld",
                    state: .warning,
                    text: "firewalld may keep other laptops out",
                    cause: "it is on, and its rules do not name UDP 47615 and TCP 47615–47634",
                    remedy: "open them; doing so twice does no harm",
                    commands: [
                        "sudo firewall-cmd --add-port=47615/udp --add-port=47615-47634/tcp",
                        "sudo firewall-cmd --runtime-to-permanent",
                    ]
                )
            ]
        )
        let open = Firewall(kind: .ufw, opening: .open)
        #expect(try complaints(Sample.diagnosis(), firewalls: [open]) == [])
    }

    @Test("A port in use, and one that others do not dial")
    func port() throws {
        let text = "other laptops cannot connect to this one: …"
        let taken = try complaints(
            Sample.diagnosis {
                $0.daemon.port = 0
                $0.listenFailure = text
                $0.alarms = [Alarm(kind: "network", text: text)]
            }
        )
        #expect(taken.map(\.id) == [.port])
        #expect(taken.map(\.cause) == [text])
        #expect(taken.map(\.state) == [.problem])
        let outside = try complaints(Sample.diagnosis { $0.daemon.port = 5000 })
        #expect(outside.map(\.state) == [.warning])
        #expect(outside.first?.remedy?.contains("scorectl peer add 192.168.0.9:5000") == true)
    }

    @Test("Broadcasts that do not come through are missed only after a while, and by addresses")
    func broadcast() throws {
        func found(_ change: (inout Diagnosis.Peer) -> Void) throws -> [Finding] {
            try complaints(Sample.diagnosis { $0.peers = [Sample.bob(change)] })
        }
        let missed = try found { $0.heardMs = nil }
        #expect(missed.map(\.id) == [.broadcast])
        #expect(missed.map(\.state) == [.warning])
        #expect(missed.map(\.commands) == [["scorectl peer add 192.168.0.8"]])
        #expect(try found { $0.heardMs = 60_000 } == missed)
        let odd = try found {
            $0.heardMs = nil
            $0.addresses[0].address = "192.168.0.8:47616"
        }
        #expect(odd.map(\.commands) == [["scorectl peer add 192.168.0.8:47616"]])
        for (address, typed) in [
            ("[fe80::8%wlan0]:47615", "fe80::8%wlan0"),
            ("[2001:db8::8]:47616", "'[2001:db8::8]:47616'"),
        ] {
            let ipv6 = try found {
                $0.heardMs = nil
                $0.addresses[0].address = address
            }
            #expect(ipv6.map(\.commands) == [["scorectl peer add \(typed)"]])
        }
        let young = try found {
            $0.heardMs = nil
            $0.linkedMs = Diagnostics.broadcastGraceMs - 1
        }
        #expect(young == [])
        let typed = try found {
            $0.heardMs = nil
            $0.addresses[0].typed = true
        }
        #expect(typed == [])
    }

    @Test("A laptop that connects here but cannot be reached is reported, once for all sessions")
    func oneDirection() throws {
        let found = try complaints(
            Sample.diagnosis {
                $0.peers = ["f00d", "feed"].map { (session: String) -> Diagnosis.Peer in
                    Sample.bob {
                        $0.session = session
                        $0.caller = .there
                        $0.probe = Diagnosis.Address(address: "192.168.0.8:47615").with {
                            $0.outcome = .silent
                            $0.text = "timed out while connecting"
                        }
                    }
                }
            }
        )
        #expect(found.map(\.id) == [.peer])
        #expect(found.map(\.cause) == ["timed out while connecting"])
        #expect(found.map(\.state) == [.warning])
        // An earlier failed dial is no evidence: the laptop may not have been there yet.
        let earlier = try complaints(
            Sample.diagnosis {
                $0.peers[0].caller = .there
                $0.peers[0].addresses[0].outcome = .refused
                $0.peers[0].addresses[0].text = "refused"
                $0.peers[0].probe = Diagnosis.Address(address: "…").with { $0.outcome = .linked }
            }
        )
        #expect(earlier == [])
    }

    @Test(
        "A missing laptop is reported with the result of calling it",
        arguments: Diagnosis.Outcome.allCases
    )
    func missing(_ outcome: Diagnosis.Outcome) throws {
        let found = try complaints(Sample.missingBob(outcome))
        #expect(found.map(\.id) == [.peer])
        #expect(found.map(\.text) == ["bob-laptop is not linked (last seen 3 min ago)"])
        #expect(found.map(\.state) == [outcome == .wrongKey ? .problem : .warning])
        if outcome != .linked {
            #expect(found.map(\.cause) == ["the reason: \(outcome.rawValue)"])
        }
    }

    @Test("A laptop that announces itself and does not answer has a firewall in the way")
    func heardAndSilent() throws {
        let found = try complaints(Sample.missingBob(.silent, heardMs: 2000))
        #expect(found.map(\.state) == [.problem])
        let guests =
            "; if both are awake in the same Wi-Fi, it may keep its guests apart: use another "
            + "network, such as the hotspot of a phone"
        let firewall =
            "a firewall of bob-laptop drops TCP 47615–47634: run there: scorectl doctor"
        #expect(found.map(\.remedy) == [firewall + guests])
        let tunnel = interface("wg0", "10.2.0.2").with { $0.broadcasts = false }
        for (outcome, heardMs) in [(.silent, 2000), (.absent, nil)]
            as [(Diagnosis.Outcome, Int64?)]
        {
            var diagnosis = Sample.missingBob(outcome, heardMs: heardMs)
            diagnosis.announcing.interfaces.append(tunnel)
            let remedy = try complaints(diagnosis).first?.remedy
            let advice =
                guests + "; if wg0 is a VPN, allow access to the local network in its settings"
            #expect(remedy?.hasSuffix(advice) == true, "\(remedy ?? "")")
        }
    }

    @Test("Clock skew is reported with its alarm; if all others agree, this clock is wrong")
    func clocks() throws {
        func alarm(_ name: String) -> Alarm {
            Alarm(kind: "clock-skew", text: "the clock of \(name) is 2 h ahead of this one")
        }
        let one = try complaints(
            Sample.diagnosis {
                $0.peers[0].clockSkewMs = 7_200_000
                $0.alarms = [alarm("bob-laptop")]
            }
        )
        #expect(one.map(\.text) == ["two clocks differ"])
        #expect(one.map(\.cause) == [alarm("bob-laptop").text])
        #expect(one.map(\.state) == [.warning])
        let all = try complaints(
            Sample.diagnosis {
                $0.peers = ["bob-laptop", "cem-laptop"].map { (name: String) -> Diagnosis.Peer in
                    Sample.bob {
                        $0.device = name
                        $0.name = name
                        $0.clockSkewMs = 7_200_000
                    }
                }
                $0.alarms = [alarm("bob-laptop"), alarm("cem-laptop")]
            }
        )
        #expect(Set(all.map(\.text)) == ["the clock of this laptop is wrong"])
    }

    @Test("A copied home, an unreadable session, one without its key, and other alarms")
    func alarms() throws {
        let cloned = try complaints(
            Sample.diagnosis { $0.alarms = [Alarm(kind: "cloned-home", text: "two daemons run")] }
        )
        #expect(
            cloned == [
                Finding(
                    id: .clone,
                    state: .problem,
                    text: "two daemons use the same home",
                    cause: "two daemons run",
                    remedy: "on one of the two laptops of that name, and on no other: stop the "
                        + "daemon, move its home away, join",
                    commands: ["scorectl daemon stop", "mv -n /h /h.aside", "scorectl join"]
                )
            ]
        )
        let unread = try complaints(Sample.diagnosis { $0.sessions[0].readable = false })
        #expect(unread.map(\.id) == [.sessions])
        #expect(unread.map(\.subject) == ["Friday"])
        let text = "the key of session f00dfeed was lost to damage: …"
        let keyless = try complaints(
            Sample.diagnosis {
                $0.sessions[0].hasKey = false
                $0.alarms = [Alarm(kind: "storage", text: text)]
            }
        )
        #expect(keyless.map(\.cause) == [text])
        let rest = try complaints(
            Sample.diagnosis { $0.alarms = [Alarm(kind: "too-much", text: "eve sends more")] }
        )
        #expect(rest.map(\.id) == [.alarm])
        #expect(rest.map(\.subject) == ["too-much"])
        #expect(rest.map(\.state) == [.warning])
        let version = try complaints(
            Sample.diagnosis { $0.alarms = [Alarm(kind: "version", text: "bob speaks 2–2")] }
        )
        #expect(version.map(\.id) == [.version])
    }
}
