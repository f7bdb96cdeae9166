extension ShowReply {
    /// Takes in what differs.
    ///
    /// Law: a snapshot and all changes after it, in their order, are the snapshot of that moment.
    package mutating func apply(_ change: ShowChange) {
        let order = ShownOrder(context.order)
        document.apply(change.document, by: order)
        context.apply(change.context, by: order)
    }
}

extension ShowDocument {
    fileprivate mutating func apply(_ change: Change, by order: ShownOrder) {
        for change in change.players ?? [] {
            // Players only come with a snapshot.
            guard let place = players.firstIndex(where: { $0.id == change.id }) else { continue }
            players[place].apply(change, by: order)
        }
        if let now = change.teams { teams = now }
        if let now = change.finished { finished = now }
        if let now = change.turn { turn = now.wrappedValue }
        if let now = change.winners { winners = now }
        if let now = change.flags { flags = now }
        if let now = change.panels { panels = now }
    }
}

extension ShownPlayer {
    fileprivate mutating func apply(_ change: Change, by order: ShownOrder) {
        if let now = change.total { total = now }
        if let now = change.rank { rank = now.wrappedValue }
        if let now = change.tieBreak { tieBreak = now.wrappedValue }
        if let now = change.winner { winner = now }
        if let now = change.computed { computed = now }
        for place in change.cleared ?? [] { cells.remove(place, by: order) }
        for cell in change.cells ?? [] { cells.put(cell, by: order) }
    }
}

extension ShowContext {
    fileprivate mutating func apply(_ change: Change, by order: ShownOrder) {
        for place in change.gone ?? [] { rows.remove(place, by: order) }
        for row in change.rows ?? [] { rows.put(row, by: order) }
        if let now = change.me { me = now.wrappedValue }
        if let now = change.leaders { leaders = now }
        if let now = change.peers { peers = now }
        if let now = change.offline { offline = now }
        if let now = change.unsynced { unsynced = now }
        if let now = change.notes { notes = now }
        if let now = change.next { next = now.wrappedValue }
        if let now = change.inUse { inUse = now.wrappedValue }
    }
}
