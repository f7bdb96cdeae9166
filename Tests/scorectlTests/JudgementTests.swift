import ControlSocket
import SessionStore
import SyncProtocol
import Testing

@testable import scorectl

@Suite("What doctor makes of facts about the machine")
struct JudgementTests {
    /// What is not well.
    private func complaints(
        _ diagnosis: Diagnosis = Sample.diagnosis(),
        _ change: (inout MachineFacts) -> Void = { _ in }
    ) throws -> [Finding] {
        let judgement = try Sample.machine(diagnosis, change)
        return (judgement.machine + judgement.network).filter { $0.state != .ok }
    }

    @Test("All is well, each thing in a line")
    func well() throws {
        let judgement = try Sample.machine()
        #expect(
            (judgement.machine + judgement.network) == [
                .fine(.home, "/h is there, and closed to others"),
                .fine(.disk, "it takes what is written, with 5 GiB free"),
                .fine(.store, "/h/scoresync.db is there, and of a version that is known"),
                .fine(.socket, "/h/control.sock answers"),
                .fine(.daemon, "it runs as cleo-laptop: pid 4711"),
                .fine(.version, "daemon and command line are both \(Versions.program)"),
                .fine(.sessions, "one is kept here"),
                .fine(.port, "it listens on TCP 47615"),
                .fine(.interface, "wlan0 (192.168.0.9) carries announcements", of: "wlan0"),
                .fine(.echo, "what is announced on wlan0 comes back", of: "wlan0"),
                .fine(.firewall, "none was found"),
                .fine(.peer, "bob-laptop is linked (called from here)", of: "bob-laptop"),
                .fine(.broadcast, "announcements of bob-laptop come through", of: "bob-laptop"),
                .fine(.clock, "the clocks of all linked laptops agree with this one"),
            ]
        )
    }

    @Test("A home of somebody else, and one that others may enter")
    func home() throws {
        let foreign = try complaints { $0.home = .wrong(.foreignDirectory("/h", owner: 7)) }
        #expect(
            foreign == [
                Finding(
                    id: .home,
                    state: .problem,
                    text: "the state directory cannot be used",
                    cause: "/h belongs to another user (uid 7): choose another --home",
                    cure: "see that it is a directory of yours which nobody else may enter",
                    commands: ["ls -ld /h"]
                )
            ]
        )
        let open = try complaints { $0.home = .wrong(.openDirectory("/h", mode: 0o755)) }
        #expect(open.map(\.commands) == [["chmod 700 /h"]])
    }

    @Test("A disk that is full, nearly full, or takes nothing")
    func disk() throws {
        func states(_ bytes: Int64) throws -> [Finding.State] {
            try complaints { $0.disk = MachineFacts.Disk(freeBytes: bytes) }.map(\.state)
        }
        #expect(try states(Judgement.fewBytes) == [])
        #expect(try states(Judgement.fewBytes - 1) == [.warning])
        #expect(try states(Judgement.leastBytes) == [.warning])
        #expect(try states(Judgement.leastBytes - 1) == [.problem])
        let refused = Sample.diagnosis { $0.refusedWrite = "no room is left on the disk: …" }
        #expect(
            try complaints(refused) == [
                Finding(
                    id: .disk,
                    state: .problem,
                    text: "scores cannot be saved",
                    cause: "no room is left on the disk: …",
                    cure: "see that there is room, and that /h and all that is in it is yours",
                    commands: ["df -h /h", "ls -la /h"]
                )
            ]
        )
        let readOnly = try complaints {
            $0.disk = MachineFacts.Disk(freeBytes: 5 << 30, refusal: "read-only")
        }
        #expect(readOnly.map(\.cause) == ["read-only"])
        let foreign = try complaints { $0.storeRefusal = "cannot write /h/scoresync.db" }
        #expect(foreign.map(\.cause) == ["cannot write /h/scoresync.db"])
    }

    @Test("What is known of a database is what the store makes of it")
    func schema() {
        #expect(StoreHeader.knownSchema == UInt32(Schema.migrations.count))
        #expect(Int64(StoreHeader.applicationID) == Schema.applicationID)
    }

    @Test("A database that is newer, another program's or damaged")
    func store() throws {
        let newer = try complaints { $0.store = .own(schema: StoreHeader.knownSchema + 1) }
        #expect(
            newer.map(\.cause) == [
                "a later version has written /h/scoresync.db: its schema is 6, this version knows "
                    + "up to 5"
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

    @Test("A damaged database beside the one in use, as the alarm tells it, is a warning")
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
                    text: "the database was damaged and was made anew",
                    cause: alarm.text,
                    cure: "look whether your scores are there, then delete the damaged file",
                    commands: ["scorectl history"]
                )
            ]
        )
        // Any other trouble of the disk is a problem.
        let other = try complaints(Sample.diagnosis { $0.alarms = [alarm] })
        #expect(other.map(\.state) == [.problem])
    }

    @Test("A socket that cannot be, and one that is elsewhere")
    func socket() throws {
        func cause(_ file: MachineFacts.SocketFile) throws -> [String?] {
            try complaints {
                $0.daemon = .silent(process: 5)
                $0.socket = file
            }.filter { $0.id == .socket }.map(\.cause)
        }
        #expect(try cause(.socket) == [])
        #expect(try cause(.inTheWay) == ["something else is at /h/control.sock: move it away"])
        let foreign = "/h/control.sock belongs to another user (uid 9): choose another --home"
        #expect(try cause(.foreign(owner: 9)) == [foreign])
        #expect(try cause(.tooLong).first??.contains("choose a shorter --home") == true)
        let elsewhere = try complaints {
            $0.daemon = .told(Sample.diagnosis(), socket: "/elsewhere/control.sock")
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
                    text: "the daemon (pid 12) runs and does not answer",
                    cause: "it holds /h/daemon.lock and takes no call: it is stopped, or hangs",
                    cure: "end it, and start another one",
                    commands: ["kill -CONT 12", "scorectl daemon restart"]
                )
            ]
        )
        let unseen = try found(.silent(process: nil))
        #expect(unseen.map(\.id) == [.daemon])
        #expect(unseen.first?.cause?.contains("that this user cannot see") == true)
        let other = try found(.otherVersion("the daemon that runs (0.0.9) is older"))
        #expect(other.map(\.id) == [.daemon, .version])
        #expect(other.allSatisfy { $0.state == .problem && $0.commands == Judgement.restart })
    }

    @Test("A daemon of another build, one whose program was replaced, and none installed")
    func version() throws {
        let other = try complaints(Sample.diagnosis { $0.daemon.version = "0.0.9" })
        #expect(
            other.map(\.cause) == [
                "the daemon that runs is 0.0.9, this scorectl \(Versions.program)"
            ]
        )
        let replaced = try complaints(Sample.diagnosis { $0.program.replaced = true })
        #expect(
            replaced == [
                Finding(
                    id: .version,
                    state: .warning,
                    text: "the daemon that runs is not the one that is installed",
                    cause: "/usr/bin/scoresyncd was replaced since the daemon was started: an "
                        + "update",
                    cure: "start it anew",
                    commands: ["scorectl daemon restart"]
                )
            ]
        )
        let missing = try complaints { $0.program = nil }
        #expect(missing.map(\.state) == [.problem])
    }

    @Test("Ports that other programs have, while no daemon runs")
    func takenPorts() throws {
        let taken = try complaints {
            $0.daemon = .none
            $0.freePorts = 0
        }
        #expect(taken.map(\.id) == [.daemon, .port])
        #expect(taken.last?.cause == "other programs have TCP 47615–47634")
        #expect(taken.last?.state == .problem)
    }

    @Test("Every command of scorectl that a finding names is one, with words that it takes")
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
        var judgements = try diagnoses.map { try Sample.machine($0) }
        for daemon in [MachineFacts.Daemon.none, .silent(process: 3), .otherVersion("x")] {
            judgements.append(try Sample.machine { $0.daemon = daemon })
        }
        judgements.append(try Sample.machine { $0.store = .damaged })
        var count = 0
        for finding in judgements.flatMap({ $0.machine + $0.network }) {
            for command in finding.commands ?? [] where command.hasPrefix("scorectl ") {
                let words = command.split(separator: " ").dropFirst().map(String.init)
                let line = try TypedLine(words, in: CommandTree.commands)
                try line.checkWords()
                #expect(line.command?.subcommands.isEmpty == true, "\(command)")
                count += 1
            }
            // Whatever is not well has a cause, and something that can be done.
            #expect((finding.state == .ok) == (finding.cause == nil), "\(finding)")
            #expect((finding.state == .ok) == (finding.cure == nil), "\(finding)")
        }
        #expect(count > 15)
    }
}
