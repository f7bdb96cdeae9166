import SessionCRDT

/// Where a game stands in which everybody moves in turn, in a recorded order.
protocol MatchStand: TurnStand where Terms == MatchTerms<Mode> {
    /// How the game is set.
    associatedtype Mode: TurnMode

    /// Who moves in which order.
    var rotation: TurnRotation { get set }
}

extension MatchStand {
    var mover: Int? { isOver ? nil : rotation.mover }

    mutating func begin(_ turn: UInt32, _ terms: Terms) {
        rotation.begin(terms.order, at: turn, terms.seats)
    }

    func seating(_ terms: Terms, isPast: Bool) -> Self {
        guard !isOver else { return self }
        var stand = self
        stand.rotation = rotation.seating(terms.players, terms.present, isPast: isPast)
        return stand
    }
}

extension TurnRecord where Stand: MatchStand {
    /// The order that the next turn has to record; nil where what is recorded holds.
    var orderToRecord: TurnOrder? {
        guard !stand.isOver else { return nil }
        var next = terms.order.setting(terms.mode.text)
        let seats = stand.rotation.seats
        if seats != recorded.rotation.seats {
            next = next.changing(at: openTurn, to: seats.map { terms.players[$0].id })
        }
        return next == terms.recorded ? nil : next
    }
}
