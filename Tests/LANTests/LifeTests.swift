import FoundationEssentials
import LaptopKit
import SessionCRDT
import SyncProtocol
import Testing

// Needs real time: the time to converge is promised.

extension LAN {
    struct LifeTests {
        @Test("An offline laptop can be used alone, and catches up when it is online again")
        func offline() throws {
            let lab = try Lab("ann-laptop", "bob-laptop")
            try lab.play("Ann", "Bob")
            try lab[1].run("daemon", "offline")
            try eventually(within: .seconds(5), "both are alone") {
                try lab.laptops.allSatisfy { try $0.online == 0 }
            }
            try lab[0].run("score", "Ann", "round.1=1")
            try lab[1].run("score", "Bob", "round.1=2")
            let alone = try lab[1].attempt("wait", "--for", "synced", "--timeout", "0.1")
            #expect(alone.status == 7, "\(alone)")
            try lab[1].run("daemon", "online")
            try lab.agree()
            #expect(try lab[0].read(ShowDocument.self, "show").players.map(\.total) == [1, 2])
        }

        @Test("A finished session closes its links and rejects scores; reopened, it goes on")
        func finishing() throws {
            let lab = try Lab("ann-laptop", "bob-laptop", "cem-laptop")
            try lab.play("Ann", "Bob", "Cem")
            try lab[0].run("score", "Ann", "round.1=1")
            try lab[1].run("session", "finish")
            try eventually(within: .seconds(10), "all links are closed") {
                try lab.laptops.allSatisfy { try $0.online == 0 }
            }
            for laptop in lab.laptops {
                let sheet = try laptop.read(ShowDocument.self, "show")
                #expect(sheet.session.status == "finished")
                #expect(sheet.players.map(\.total) == [1, 0, 0])
            }
            let refused = try lab[2].attempt("score", "Cem", "round.1=3")
            #expect(refused.status == 5, "\(refused)")
            try lab[2].run("session", "reopen")
            try lab[2].run("score", "Cem", "round.1=3")
            let took = try lab.agree()
            print("reopened on all: \(took)")
            #expect(try lab[0].read(ShowDocument.self, "show").session.status == "open")
        }

        @Test("Leaving asks for confirmation if no other laptop has some scores")
        func leaving() throws {
            let lab = try Lab("ann-laptop", "bob-laptop")
            try lab.play("Ann", "Bob")
            try lab[1].run("daemon", "offline")
            try lab[1].run("score", "Bob", "round.1=2")
            let refused = try lab[1].attempt("session", "leave")
            #expect(refused.status == 2, "\(refused)")
            #expect(refused.errors.contains("1 of your scores is on no other laptop"))
            #expect(refused.errors.contains("--yes"), "\(refused)")
            try lab[1].run("daemon", "online")
            try lab.agree()
            try lab[1].waitUntilSynced()
            let asked = try lab[1].attempt("session", "leave")
            #expect(asked.errors.contains("Others have all that was entered here."), "\(asked)")
            #expect(asked.errors.contains("an invite by ann-laptop"), "\(asked)")
            try lab[1].run("session", "leave", "--yes")
            let left = try lab[1].read(SessionListReply.self, "session", "list").items
            #expect(left.isEmpty)
            try eventually(within: .seconds(5), "the other is alone") { try lab[0].online == 0 }
            #expect(try lab[0].read(ShowDocument.self, "show").players.map(\.total) == [0, 2])
        }

        @Test("A laptop that gets another address while linked is in sync again soon")
        func changedAddress() throws {
            let lab = try Lab("ann-laptop", "bob-laptop", "cem-laptop")
            try lab.play("Ann", "Bob", "Cem")
            try lab[2].room.run(
                "ip addr flush dev eth0; ip addr add 10.77.0.99/24 brd + dev eth0"
            )
            let start = ContinuousClock.now
            try lab[2].run("score", "Cem", "round.1=3")
            try lab[0].run("score", "Ann", "round.1=1")
            try lab.agree(within: .seconds(20))
            let took = ContinuousClock.now - start
            print("equal after another address: \(took)")
            #expect(took < .seconds(5))
            try eventually(within: .seconds(5), "the new address is known") {
                try lab[0].read(PeerListReply.self, "peer", "list").items
                    .contains { $0.online && $0.address?.hasPrefix("10.77.0.99") == true }
            }
        }

        @Test("When stopped during a call, it answers that call and does not spin meanwhile")
        func stopping() throws {
            let lab = try Lab("ann-laptop")
            try lab[0].start()
            // Nobody is there, which takes three seconds to see.
            let nobody = "10.77.0.250"
            let join = try lab[0].begin(["join", "--peer", nobody, "00000-00000-00000"])
            try eventually(within: .seconds(5), "it dials") {
                // SYN_SENT, as proc_net_tcp(5) shows it.
                (try? lab[0].room.run("grep -q ' 02 ' /proc/net/tcp")) != nil
            }
            let start = ContinuousClock.now
            let process = try #require(lab[0].terminate())
            let before = try #require(Self.processorTicks(of: process))
            var last = before
            while lab[0].isRunning { last = Self.processorTicks(of: process) ?? last }
            #expect(ContinuousClock.now - start > .milliseconds(900), "it was busy")
            #expect(last - before < 20, "of 100 a second")
            let outcome = try join.outcome()
            #expect(outcome.status == 1)
            let said = "stopped before it answered; it may have been carried out"
            #expect(outcome.errors.contains(said), "\(outcome)")
        }

        /// The processor time that a process has used, user and system (proc_pid_stat(5)).
        private static func processorTicks(of process: Int32) -> Int? {
            let path = "/proc/\(process)/stat"
            guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return nil }
            let fields = text.split(separator: ")").last?.split(separator: " ") ?? []
            guard fields.count > 12, let user = Int(fields[11]), let system = Int(fields[12]) else {
                return nil
            }
            return user + system
        }

        @Test("On a full disk nothing is acknowledged or lost, and it goes on once there is space")
        func fullDisk() throws {
            let lab = try Lab("ann-laptop", "bob-laptop", diskBytes: 6 << 20)
            try lab.play("Ann", "Bob")
            try lab[1].run("score", "Bob", "round.1=1")
            let ballast = "\(lab[1].home)/ballast"
            try lab[1].room.run("head -c 10000000 /dev/zero > '\(ballast)' || true")
            var saved = 1
            var failure: Outcome?
            while failure == nil, saved < 400 {
                let outcome = try lab[1].attempt("score", "Bob", "round.\(saved + 1)=1")
                if outcome.status == 0 { saved += 1 } else { failure = outcome }
            }
            let said = try #require(failure)
            #expect(said.status == 1)
            #expect(said.errors.contains("the disk is full"))
            #expect(try lab[1].storageAlarms.contains { $0.contains("the disk is full") })
            #expect(try lab[1].total(of: "Bob") == saved)
            func problem() throws -> String? {
                try lab[0].read(PeerListReply.self, "peer", "list").items.first?.storage
            }
            try eventually(within: .seconds(5), "ann-laptop sees who cannot save") {
                try problem() == "disk-full"
            }
            // Entries of others cannot be stored either, and must not stop anything.
            try lab[0].run("score", "Ann", "round.1=7")
            try lab[1].room.run("rm '\(ballast)'")
            try lab[1].run("score", "Bob", "round.\(saved + 1)=1")
            #expect(try lab[1].storageAlarms.isEmpty)
            try lab.agree()
            #expect(try problem() == nil)
            #expect(try lab[0].total(of: "Bob") == saved + 1)
            #expect(try lab[1].total(of: "Ann") == 7)
            lab[1].kill()
            try lab[1].start()
            #expect(try lab[1].total(of: "Bob") == saved + 1)
        }
    }
}

extension Laptop {
    /// Its report about its disk.
    fileprivate var storageAlarms: [String] {
        get throws {
            try read(StatusReply.self, "status").alarms.filter { $0.kind == "storage" }.map(\.text)
        }
    }

    /// The total of a player.
    fileprivate func total(of player: String) throws -> Int? {
        let total = try read(ShowDocument.self, "show").players.first { $0.name == player }?.total
        return total?.whole.map(Int.init)
    }
}
