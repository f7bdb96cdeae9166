/// How the rounds of the row of points tell the turn: 4137 is the 138th place of turn 4.
///
/// Each turn has a thousand places, and a gain takes one of them by chance. So two devices that are
/// apart and enter a gain of the same player at once nearly always take two places, and both count;
/// where they take the same one, the sheet shows the conflict. The places below 1000 belong to
/// turn 1 too, so that a raw score without a round has somewhere to go.
enum TurnRounds {
    /// The last turn that there can be.
    static let lastTurn: UInt32 = 999

    private static let places: UInt32 = 1000

    /// The turn of a round.
    static func turn(of round: UInt32) -> UInt32 { max(1, round / places) }

    /// The rounds of a turn up to the last one, those of turn 1 without the ones below 1000.
    static func rounds(of turn: UInt32) -> ClosedRange<UInt32> {
        let first = min(turn, lastTurn) * places
        return first...first + places - 1
    }

    /// A round of the turn that is not taken, by chance; nil where all are.
    static func free(
        in turn: UInt32,
        using chance: inout any RandomNumberGenerator,
        isTaken: (UInt32) -> Bool
    ) -> UInt32? {
        let rounds = rounds(of: turn)
        // Of a thousand places a few are taken, so that the first few that chance says will do.
        for _ in 0..<8 {
            let round = UInt32.random(in: rounds, using: &chance)
            if !isTaken(round) { return round }
        }
        return rounds.filter { !isTaken($0) }.randomElement(using: &chance)
    }
}
