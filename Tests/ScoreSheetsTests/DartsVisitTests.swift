import ScoreSheets
import SyncTestKit
import Testing

@Suite("Visits and their notation")
struct DartsVisitTests {
    @Test(
        "a typed visit has one canonical spelling",
        arguments: [
            ("60", "60"), ("0", "0"), ("180", "180"), ("45+41", "86"), ("26/2", "26/2"),
            ("26/3", "26"), ("060", "60"), ("bust", "BUST"), ("Bust/1", "BUST/1"),
            ("t20 t19 d12", "T20 T19 D12"), ("T20,T19,D12", "T20 T19 D12"),
            ("20 5 1", "S20 S5 S1"), ("s20", "S20"), ("25 bull", "S25 BULL"),
            ("d25 db sb", "BULL BULL S25"), ("miss m 0", "MISS MISS MISS"), ("25", "25"),
            ("t1", "T1"), ("bull", "BULL"),
        ]
    )
    func typed(text: String, spelling: String) throws {
        let words = text.split(separator: " ").map(String.init)
        let visit = try DartsVisit(typed: words)
        #expect(visit.description == spelling)
        #expect(DartsVisit(spelling: spelling) == visit)
        #expect(try DartsVisit(typed: [text]) == visit)
    }

    @Test("the number of darts can be given with it")
    func darts() throws {
        #expect(try DartsVisit(typed: ["26"], darts: "2") == .total(26, darts: 2))
        #expect(try DartsVisit(typed: ["26"], darts: "3") == .total(26, darts: 3))
        #expect(try DartsVisit(typed: ["26"]) == .total(26, darts: 3))
        #expect(try DartsVisit(typed: ["26/2"], darts: "2") == .total(26, darts: 2))
        #expect(try DartsVisit(typed: ["bust"], darts: "1") == .bust(darts: 1))
        #expect(try DartsVisit(typed: ["T20", "D5"], darts: "2").dartCount == 2)
    }

    @Test(
        "invalid visits are rejected with a message",
        arguments: [
            (
                "", nil,
                "no visit given; enter a total (60), the darts (T20 T19 D12), or bust; "
                    + "for example: scorectl play T20 T19 D12"
            ),
            (
                "T21", nil,
                "“T21” is not on the board; enter up to three darts (T20 D16 5 25 BULL MISS) "
                    + "or one total"
            ),
            (
                "60 45", nil,
                "“60” is not on the board; enter up to three darts (T20 D16 5 25 BULL MISS) "
                    + "or one total"
            ),
            (
                "T25", nil,
                "“T25” is not on the board; enter up to three darts (T20 D16 5 25 BULL MISS) "
                    + "or one total"
            ),
            ("1 2 3 4", nil, "a visit has three darts, not 4"),
            ("60", "4", "a visit has 1, 2 or 3 darts, not “4”"),
            ("60", "x", "a visit has 1, 2 or 3 darts, not “x”"),
            ("60/2", "1", "two darts and --darts 1 contradict each other"),
            ("T20 T20", "3", "two darts and --darts 3 contradict each other"),
            ("-5", nil, "-5 cannot be scored with three darts"),
            ("1000", nil, "1000 cannot be scored with three darts"),
            (
                "99999999999999999999", nil,
                "“99999999999999999999” cannot be scored with three darts"
            ),
        ]
    )
    func refused(text: String, darts: String?, words: String) {
        let error = #expect(throws: RuleViolation.self) {
            try DartsVisit(typed: [text], darts: darts)
        }
        #expect(error?.description == words)
    }

    @Test(
        "only the canonical spelling is parsed",
        arguments: [
            "", " ", "060", "00", "60/3", "60/0", "60/", "/2", "1000", "t20", "T20  D5", "T20 ",
            " T20", "D25", "S0", "T0", "T25", "S21", "20 20", "BUST/3", "bust", "BUSTED", "MISSES",
            "T20 T20 T20 T20", "٣", "60\u{0}", "T٣", "-1", "S05", "BULL/2",
        ]
    )
    func misspelled(text: String) {
        #expect(DartsVisit(spelling: text) == nil)
    }

    @Test("every dart and every visit survives a round trip")
    func spelling() {
        for dart in Dart.scoring + [.miss] {
            #expect(DartsVisit(spelling: dart.description) == .darts([dart]))
        }
        for total in 0...999 {
            for darts in 1...3 {
                let visit = DartsVisit.total(total, darts: darts)
                #expect(DartsVisit(spelling: visit.description) == visit)
            }
        }
    }

    @Test("any input is accepted or rejected, and never traps", arguments: Seeds.below(200))
    func garbage(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let pieces = [
            "T", "D", "S", "2", "20", "0", "/", " ", ",", "BULL", "miss", "bust", "+", "-", "é",
            "٣", "👩‍👩‍👧", "\u{0}", "99999999999999999999999",
        ]
        for _ in 0..<50 {
            let text = (0..<Int.random(in: 0..<7, using: &generator))
                .compactMap { _ in pieces.randomElement(using: &generator) }.joined()
            if let visit = DartsVisit(spelling: text) { #expect(visit.description == text) }
            let darts = ["1", "2", "é"].randomElement(using: &generator)
            if let visit = try? DartsVisit(typed: [text], darts: darts) {
                #expect(DartsVisit(spelling: visit.description) == visit, "\(text), seed \(seed)")
            }
        }
    }
}
