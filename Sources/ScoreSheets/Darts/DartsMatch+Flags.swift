import SessionCRDT

extension DartsMatch {
    /// Everything that does not count, and why.
    func flags(of book: Book, _ settings: Settings) -> [Flag] {
        var flags = settings.flags
        let order = settings.values[DartsMatch.orderOption] ?? .null
        if order != .null, DartsMatch.order(settings) == nil {
            flags.append(Flag(.option(DartsMatch.orderOption), DartsRule.wrongOrder.violation))
        }
        let present = columns.indices.filter { columns[$0].player.isPresent }
        let removed = columns.indices.filter { !columns[$0].player.isPresent }
        // Everything behind a gap has one reason, of which there may be thousands.
        let behind = reasonBehind.violation
        for seat in present + removed {
            let column = columns[seat]
            var found = column.wrong.map { ($0.place, $0.reason) }
            for visit in column.visits where visit.points == nil {
                guard let place = visit.place else { continue }
                let isBehind = visit.turn > openTurn
                found.append(
                    (place, isBehind ? behind : reason(against: visit.turn, of: seat).violation)
                )
            }
            found.sort { $0.0 < $1.0 }
            flags += found.map { Flag(.cell(column.cells[$0.0].cell), $0.1) }
        }
        return flags
            + book.strays.filter { !$0.isEmpty }
            .map { Flag(.cell($0.cell), .unknownPlayer($0.cell.player)) }
    }

    /// Why a visit that somebody wishes to write would not count; nil when it would.
    func reason(against wish: DartsWish) -> DartsRule? {
        guard let seat = columns.firstIndex(where: { $0.player.id == wish.player }) else {
            return .otherTurn(wish.turn, thrower: nil)
        }
        let visit = columns[seat].visits.first { $0.turn == wish.turn }
        guard visit?.points == nil else { return nil }
        if wish.turn == openTurn, thrower == seat, refusal == nil { return .seatedAnew(openTurn) }
        return reason(against: wish.turn, of: seat)
    }

    /// Why the visit of a turn, which does not count, does not.
    private func reason(against turn: UInt32, of seat: Int) -> DartsRule {
        if turn < openTurn {
            let thrower = turns[Int(turn) - 1].player
            return .otherTurn(turn, thrower: columns[thrower].player.name)
        }
        if turn > openTurn || winner != nil { return reasonBehind }
        if let refusal, seat == recordedThrower { return refusal }
        return .otherTurn(turn, thrower: recordedThrower.map { columns[$0].player.name })
    }

    /// Why nothing behind the open turn counts.
    private var reasonBehind: DartsRule {
        if let winner { return .matchOver(winner: columns[winner].player.name) }
        return .gap(openTurn, thrower: thrower.map { columns[$0].player.name })
    }
}
