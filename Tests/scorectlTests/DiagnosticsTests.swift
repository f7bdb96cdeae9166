import ControlSocket
import SessionStore
import SyncProtocol
import Testing

@testable import scorectl

@Suite("Diagnostics of the machine")
struct DiagnosticsTests {
    private func complaints(
        _ diagnosis: Diagnosis = Sample.diagnosis(),
        _ change: (inout MachineFacts) -> Void = { _ in }
    ) throws -> [Finding] {
        let diagnostics = try Sample.machine(diagnosis, change)
        return (diagnostics.machine + diagnostics.network).filter { $0.state != .ok }
    }

    @Test("All is well, each thing in a line")
    func well() throws {
        let diagnostics = try Sample.machine()
        #expect(
            (diagnostics.machine + diagnostics.network) == [
                .ok(.home, "/h exists, private (0700)"),
                .ok(.disk, "writable, 5 GiB free"),
                .ok(.store, "/h/scoresync.db exists, schema version supported"),
                .ok(.socket, "/h/control.sock answers"),
                .ok(.daemon, "running as cleo-laptop, pid 4711"),
                .ok(.version, "the daemon and scorectl are both \(Versions.program)"),
                .ok(.sessions, "one on this laptop"),
                .ok(.port, "listening on TCP 47615"),
                .ok(.interface, "wlan0 (192.168.0.9) carries announcements", of: "wlan0"),
                .ok(.echo, "announcements on wlan0 come back", of: "wlan0"),
                .ok(.firewall, "none found"),
                .ok(.peer, "bob-laptop is linked (called from here)", of: "bob-laptop"),
                .ok(.broadcast, "announcements of bob-laptop come through", of: "bob-laptop"),
                .ok(.clock, "the clocks of all linked laptops agree with this one"),
            ]
        )
    }

    @Test("A home of another user, and one that others can enter")
    func home() throws {
        let foreign = try complaints { $0.home = .wrong(.foreignDirectory("/h", owner: 7)) }
        #expect(
            foreign == [
                Finding(
                    id: .home,
                    state: .problem,
                    text: "the state directory cannot be used",
                    cause: "/h belongs to another user (uid 7); choose another --home",
                    remedy: "make it a directory that you own and that no one else can enter",
                    commands: ["ls -ld /h"]
                )
            ]
        )
        let open = try complaints { $0.home = .wrong(.openDirectory("/h", mode: 0o755)) }
        #expect(open.map(\.commands) == [["chmod 700 /h"]])
    }

    @Test("A disk that is full, nearly full, or read-only")
    func disk() throws {
        func states(_ bytes: Int64) throws -> [Finding.State] {
            try complaints { $0.freeBytes = bytes }.map(\.state)
        }
        #expect(try states(Diagnostics.warningBytes) == [])
        #expect(try states(Diagnostics.warningBytes - 1) == [.warning])
        #expect(try states(Diagnostics.problemBytes) == [.warning])
        #expect(try states(Diagnostics.problemBytes - 1) == [.problem])
        let refused = Sample.diagnosis { $0.refusedWrite = "no room is left on the disk: …" }
        #expect(
            try complaints(refused) == [
                Finding(
                    id: .disk,
                    state: .problem,
                    text: "scores cannot be saved",
                    cause: "no room is left on the disk: …",
                    remedy: "free some space, and check that you own /h and everything in it",
                    commands: ["df -h /h", "ls -la /h"]
                )
            ]
        )
        let readOnly = try complaints { $0.writeFailure = "read-only" }
        #expect(readOnly.map(\.cause) == ["read-only"])
        let foreign = try complaints { $0.writeFailure = "cannot write /h/scoresync.db" }
        #expect(foreign.map(\.cause) == ["cannot write /h/scoresync.db"])
    }

    @Test("The known schema and application id are those of the store")
    func schema() {
        #expect(StoreHeader.knownSchema == UInt32(Schema.migrations.count))
        #expect(Int64(StoreHeader.applicationID) == Schema.applicationID)
    }

    @Test("A database that is newer, another program's or damaged")
    func store() throws {
        let newer = try complaints { $0.store = .own(schema: StoreHeader.knownSchema + 1) }
        #expect(
            newer.map(\.cause) == [
                "/h/scoresync.db was written by a later version: its schema is "
                    + "\(StoreHeader.knownSchema + 1), this version knows up to "
                    + "\(StoreHeader.knownSchema)"
            ]
        )
        let foreign = try complaints { $0.store = .foreign(9) }
        #expect(
            foreign.map(\.commands) == [["mv -n /h/scoresync.db /h/scoresync.db.aside"]]
        )
        let damaged = try complaints { $0.store = .damaged }
        #expect(damaged.map(\.commands) == [["scorectl daemon stop", "scorectl daemon start"]])
        #expect((newer + foreign + damaged).allSatisfy { $0.id == .store && $0.state == .problem })
        #expect(try complaints { $0.store = .empty } == [])
    }

    @Test("A damaged database that was set aside, with its alarm, is a warning")
    func setAside() throws {
        let file = "/h/scoresync.db.damaged-1"
        let alarm = Alarm(kind: "storage", text: "2 scores were lost; the file is \(file)")
        let told = try complaints(Sample.diagnosis { $0.alarms = [alarm] }) {
            $0.setAside = [file]
        }
        #expect(
            told == [
                Finding(
                    id: .store,
                    subject: file,
                    state: .warning,
                    text: "the database was damaged and was rebuilt",
                    cause: alarm.text,
                    remedy: "check that your scores are there, then delete the damaged file",
                    commands: ["scorectl history"]
                )
            ]
        )
        // Any other trouble of the disk is a problem.
        let other = try complaints(Sample.diagnosis { $0.alarms = [alarm] })
        #expect(other.map(\.state) == [.problem])
    }

    @Test("A socket path that cannot be used, and a socket that is elsewhere")
    func socket() throws {
        func cause(_ error: ControlSocketError?) throws -> [String?] {
            try complaints {
                $0.daemon = .silent(process: 5)
                $0.socketError = error
            }.filter { $0.id == .socket }.map(\.cause)
        }
        #expect(try cause(nil) == [])
        #expect(
            try cause(.inTheWay("/h/control.sock")) == [
                "something else is at /h/control.sock; move it away"
            ]
        )
        let foreign = "/h/control.sock belongs to another user (uid 9); choose another --home"
        #expect(try cause(.foreignDirectory("/h/control.sock", owner: 9)) == [foreign])
        #expect(
            try cause(.pathTooLong("/h/control.sock")).first??.contains("choose a shorter --home")
                == true
        )
        let elsewhere = try complaints {
            $0.daemon = .answered(Sample.diagnosis(), socket: "/elsewhere/control.sock")
        }
        #expect(elsewhere.map(\.id) == [.socket])
        #expect(elsewhere.map(\.state) == [.warning])
    }

    @Test("A daemon that does not run, does not answer, or is another one")
    func daemon() throws {
        func found(_ daemon: MachineFacts.Daemon) throws -> [Finding] {
            try complaints { $0.daemon = daemon }
        }
        #expect(try found(.none).map(\.state) == [.warning])
        #expect(
            try found(.silent(process: 12)) == [
                Finding(
                    id: .daemon,
                    state: .problem,
                    text: "the daemon (pid 12) is running but does not answer",
                    cause:
                        "it holds /h/daemon.lock and accepts no connections: "
                        + "it is suspended, or hangs",
                    remedy: "end it, and start another one",
                    commands: ["kill -CONT 12", "scorectl daemon restart"]
                )
            ]
        )
        let unseen = try found(.silent(process: nil))
        #expect(unseen.map(\.id) == [.daemon])
        #expect(unseen.first?.cause?.contains("that this user cannot see") == true)
        let other = try found(.otherVersion("the running daemon (0.0.9) is older"))
        #expect(other.map(\.id) == [.daemon, .version])
        #expect(other.allSatisfy { $0.state == .problem && $0.commands == Diagnostics.restart })
    }

    @Test("A daemon of another build, one whose program was replaced, and none installed")
    func version() throws {
        let other = try complaints(Sample.diagnosis { $0.daemon.version = "0.0.9" })
        #expect(
            other.map(\.cause) == [
                "the running daemon is 0.0.9, this scorectl \(Versions.program)"
            ]
        )
        let replaced = try complaints(Sample.diagnosis { $0.program.replaced = true })
        #expect(
            replaced == [
                Finding(
                    id: .version,
                    state: .warning,
                    text: "the running daemon is not the installed one",
                    cause: "/usr/bin/scoresyncd was updated after the daemon was started",
                    remedy: "restart it",
                    commands: ["scorectl daemon restart"]
                )
            ]
        )
        let missing = try complaints { $0.program = nil }
        #expect(missing.map(\.state) == [.problem])
    }

    @Test("Ports that other programs have, while no daemon is running")
    func portsInUse() throws {
        let taken = try complaints {
            $0.daemon = .none
            $0.freePorts = 0
        }
        #expect(taken.map(\.id) == [.daemon, .port])
        #expect(taken.last?.cause == "other programs use TCP 47615–47634")
        #expect(taken.last?.state == .problem)
    }

    @Test("Every command of scorectl in a finding is valid")
    func commands() throws {
        var diagnoses: [Diagnosis] = [
            Sample.diagnosis { $0.peers[0].heardMs = nil },
            Sample.diagnosis { $0.daemon.offline = true },
            Sample.diagnosis { $0.daemon.port = 9 },
            Sample.diagnosis { $0.daemon.port = 0 },
            Sample.diagnosis { $0.announcing.interfaces = [] },
            Sample.diagnosis { $0.sessions[0].readable = false },
            Sample.diagnosis { $0.sessions[0].hasKey = false },
            Sample.diagnosis {
                $0.alarms = ["cloned-home", "storage", "version", "digest-mismatch"].map {
                    Alarm(kind: $0, text: $0)
                }
            },
        ]
        diagnoses += Diagnosis.Outcome.allCases.map { Sample.missingBob($0) }
        var all = try diagnoses.map { try Sample.machine($0) }
        for daemon in [MachineFacts.Daemon.none, .silent(process: 3), .otherVersion("x")] {
            all.append(try Sample.machine { $0.daemon = daemon })
        }
        all.append(try Sample.machine { $0.store = .damaged })
        var count = 0
        for finding in all.flatMap({ $0.machine + $0.network }) {
            for command in finding.commands ?? [] where command.hasPrefix("scorectl ") {
                let words = command.split(separator: " ").dropFirst().map(String.init)
                let line = try ParsedArguments(words, in: CommandTree.commands)
                try line.checkWords()
                #expect(line.command?.subcommands.isEmpty == true, "\(command)")
                count += 1
            }
            // Every problem has a cause and a remedy.
            #expect((finding.state == .ok) == (finding.cause == nil), "\(finding)")
            #expect((finding.state == .ok) == (finding.remedy == nil), "\(finding)")
        }
        #expect(count > 15)
    }
}
