import LaptopKit
import SessionCRDT
import SyncProtocol
import Testing

extension LAN {
    struct JoiningTests {
        @Test("Wrong, mistyped, closed and unknown codes have different errors")
        func wrongCodes() throws {
            let lab = try Lab("ann-laptop", "bob-laptop", "cem-laptop")
            for laptop in lab.laptops { try laptop.start() }
            try lab[0].run("session", "new", "points", "--player", "Ann")
            let code = try lab[0].read(InviteCode.self, "session", "invite").code
            // The two that nobody holds take the longest: all who invite are waited for.
            let unknown = try lab[2].begin(["join", Self.strange(to: code)])
            let wrong = try lab[1].attempt("join", try #require(Self.other(than: code)))
            try lab[0].run("session", "invite", "--close")
            let closed = try lab[1].begin(["join", code])
            let mistyped = try lab[2].attempt("join", Self.mistyped(code))
            try expect(wrong, 6, "wrong")
            try expect(mistyped, 2, "mistyped")
            try expect(closed.outcome(), 4, "is offering that code")
            try expect(unknown.outcome(), 4, "is offering that code")
            for laptop in lab.laptops.dropFirst() {
                let sessions = try laptop.read(SessionListReply.self, "session", "list").items
                #expect(sessions.isEmpty)
            }
        }

        private func expect(_ outcome: Outcome, _ status: Int32, _ words: String) throws {
            #expect(outcome.status == status && outcome.errors.contains(words), "\(outcome)")
        }

        @Test("Without broadcasts, an address is enough to join and to link")
        func withoutDiscovery() throws {
            let lab = try Lab("ann-laptop", "bob-laptop", "cem-laptop")
            for laptop in lab.laptops { try laptop.start("--no-discovery") }
            try lab[0].run("session", "new", "points", "--player", "Ann")
            let code = try lab[0].read(InviteCode.self, "session", "invite").code
            for laptop in lab.laptops.dropFirst() {
                try laptop.run("join", code, "--peer", Lab.address(of: 0))
            }
            // Linked ones tell each other the addresses of the rest.
            for laptop in lab.laptops { try laptop.waitForPeers(2) }
            try lab[2].run("score", "Ann", "5")
            try lab.agree()
            // Forgotten, it is found again once its address is typed.
            try lab[1].stop()
            try lab[2].stop()
            for laptop in lab.laptops.dropFirst() { try laptop.start("--no-discovery") }
            try lab[1].run("peer", "add", Lab.address(of: 2))
            for laptop in lab.laptops { try laptop.waitForPeers(2) }
            try lab[1].run("score", "Ann", "6")
            try lab.agree()
        }

        /// A well-formed code with another hint.
        private static func strange(to code: String) -> String {
            var generator = SystemRandomNumberGenerator()
            while true {
                let strange = JoinCode.random(using: &generator)
                if strange.hint != code.prefix(2) { return strange.text }
            }
        }

        /// A well-formed code with the same hint and another secret.
        private static func other(than code: String) -> String? {
            var letters = Array(code)
            letters[3] = letters[3] == "A" ? "B" : "A"
            return "0123456789ABCDEFGHJKMNPQRSTVWXYZ".lazy
                .map { String(letters.dropLast() + [$0]) }
                .first { (try? JoinCode(parsing: $0)) != nil }
        }

        /// The code with one wrong character.
        private static func mistyped(_ code: String) -> String {
            var letters = Array(code)
            letters[4] = letters[4] == "A" ? "B" : "A"
            return String(letters)
        }
    }
}
