import SessionCRDT

/// A match of darts.
struct DartsGame: TurnGame {
    let rules: DartsRules
    var record: TurnRecord<DartsStand>
    var kept: KeptStandings

    /// How the match is set.
    var mode: DartsMode { terms.mode }

    /// The finished legs.
    var legs: Chunks<DartsLeg> { record.parts }

    var totalLabel: String { mode.hasSets ? "Sets" : "Legs" }

    var endings: Standings.Endings {
        .legs(DartsLegs(legs: legs, players: terms.players, start: mode.start))
    }
}
