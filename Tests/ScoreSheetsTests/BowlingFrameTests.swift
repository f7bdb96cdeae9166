import ScoreSheets
import SyncTestKit
import Testing

@Suite("Frames and their notation")
struct BowlingFrameTests {
    @Test(
        "a typed frame has one canonical spelling",
        arguments: [
            ("X", 1, "X"), ("x", 1, "X"), ("7/", 1, "7/"), ("7 /", 1, "7/"), ("7 3", 1, "7/"),
            ("73", 1, "7/"), ("72", 1, "72"), ("7 2", 1, "72"), ("7,2", 1, "72"),
            ("-/", 1, "-/"), ("0/", 1, "-/"), ("9-", 1, "9-"), ("90", 1, "9-"), ("--", 9, "--"),
            ("-9", 1, "-9"), ("F9", 1, "-9"), ("g/", 1, "-/"), ("1-", 1, "1-"),
            ("X X X", 10, "XXX"), ("xxx", 10, "XXX"), ("9/8", 10, "9/8"), ("9 1 8", 10, "9/8"),
            ("X72", 10, "X72"), ("X7/", 10, "X7/"), ("X73", 10, "X7/"), ("XX-", 10, "XX-"),
            ("7/X", 10, "7/X"), ("72", 10, "72"), ("X-/", 10, "X-/"), ("-/-", 10, "-/-"),
        ]
    )
    func typed(text: String, number: Int, spelling: String) throws {
        let frame = try BowlingFrame(
            typed: text.split(separator: " ").map(String.init),
            number: number
        )
        #expect(frame.spelling == spelling)
        #expect(BowlingFrame(spelling: spelling, number: number) == frame)
        #expect(try BowlingFrame(typed: [text], number: number) == frame)
    }

    @Test(
        "an impossible frame is rejected with a message",
        arguments: [
            ("", 1, "no frame given; frames are X, 7/, 72 or 9-; for example: scorectl play 7/"),
            ("10", 1, "10 is ambiguous: enter X for a strike, or 1- for one pin and a miss"),
            ("75", 1, "7 and 5 are more than the ten pins; a spare is 7/"),
            ("X75", 10, "7 and 5 are more than the ten pins; a spare is 7/"),
            ("7X", 1, "X is a strike, with all pins up; to take the 3 that are left is /"),
            ("/", 1, "/ takes what a ball before it has left; a strike is X"),
            ("X/", 10, "/ takes what a ball before it has left; a strike is X"),
            ("7", 1, "7 lacks the ball after it: add /, a number, or - for none"),
            ("X7", 10, "X7 lacks the ball after it: add /, a number, or - for none"),
            ("X", 10, "X has a ball to come: add X, a number, or - for none"),
            ("7/", 10, "7/ has a ball to come: add X, a number, or - for none"),
            ("X X", 10, "XX has a ball to come: add X, a number, or - for none"),
            ("XX", 3, "frame 3 ends with X; play one frame at a time"),
            ("7/5", 3, "frame 3 ends with 7/; play one frame at a time"),
            ("721", 10, "the game ends with 72; leave out what follows"),
            ("XXXX", 10, "the game ends with XXX; leave out what follows"),
            ("sieben", 1, "“sieben” is not a frame: X, 7/, 72, 9-, --; and XXX or 9/8 in frame 10"),
        ]
    )
    func refused(text: String, number: Int, words: String) {
        let error = #expect(throws: RuleViolation.self) {
            try BowlingFrame(typed: [text], number: number)
        }
        #expect(error?.description == words)
    }

    @Test(
        "only the canonical spelling is parsed",
        arguments: ["", " ", "x", "73", "7 2", "0/", "F9", "X ", "XX", "XXX", "7", "٣٤", "7/\u{0}"]
    )
    func misspelled(text: String) {
        #expect(BowlingFrame(spelling: text, number: 1) == nil)
    }

    @Test("every possible frame survives a round trip, and their number is right")
    func all() throws {
        let marks = ["X", "/", "-"] + (1...9).map(String.init)
        func count(_ number: Int) -> Int {
            var found: Set<BowlingFrame> = []
            for first in marks {
                for second in marks + [""] {
                    for third in marks + [""] where !(second.isEmpty && !third.isEmpty) {
                        let spelling = first + second + third
                        let frame = BowlingFrame(spelling: spelling, number: number)
                        guard let frame else { continue }
                        #expect(frame.spelling == spelling)
                        found.insert(frame)
                    }
                }
            }
            return found.count
        }
        // A strike, or 10 − n ways to go on after n pins, and one spare.
        #expect(count(1) == 66)
        // 55 open frames; ten spares and what follows; a strike and 66 ways to go on, of which that
        // with a strike has eleven.
        #expect(count(10) == 55 + 10 * 11 + 65 + 11)
    }

    @Test("any input is accepted or rejected, and never traps", arguments: Seeds.below(50))
    func garbage(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let pieces = ["X", "x", "/", "-", "7", "3", "10", "0", " ", ",", "é", "٣", "\u{0}", "F"]
        for _ in 0..<50 {
            let text = (0..<Int.random(in: 0..<6, using: &generator))
                .compactMap { _ in pieces.randomElement(using: &generator) }.joined()
            let number = Int.random(in: 1...10, using: &generator)
            if let frame = BowlingFrame(spelling: text, number: number) {
                #expect(frame.spelling == text)
            }
            if let frame = try? BowlingFrame(typed: [text], number: number) {
                #expect(BowlingFrame(spelling: frame.spelling, number: number) == frame, "\(text)")
                #expect(frame.rolls.reduce(0, +) <= 30)
            }
        }
    }
}
