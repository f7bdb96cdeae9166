import SessionCRDT
import Testing

struct VerdictTests {
    private static let players = (1...3).map { PlayerID(high: 0, low: $0) }

    @Test(
        "A verdict has a text",
        arguments: [
            Verdict.winners([players[0]]), .winners(players), .allWon, .allLost, .noWinner,
        ]
    )
    func text(verdict: Verdict) { #expect(Verdict(verdict.description) == verdict) }

    @Test(
        "Any other text is none",
        arguments: [
            "", "winners", "winners ", "winners Ann", "all-won 1", "nobody",
            "winners  \(players[0])", "\(players[0])",
        ]
    )
    func others(text: String) { #expect(Verdict(text) == nil) }

    @Test("A verdict counts only while the session is finished")
    func finished() {
        var header = SessionHeader()
        let stamp = Stamp(milliseconds: 5)
        header.apply(Field.verdict, .text("all-won"), at: stamp)
        #expect(header.verdict == nil)
        header.apply(Field.status, .text("finished"), at: stamp)
        #expect(header.verdict?.word == .allWon)
        header.apply(Field.verdict, .null, at: stamp)
        #expect(header.verdict == nil)
    }
}
