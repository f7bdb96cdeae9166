import SessionCRDT
import SyncProtocol

extension ShowReply {
    /// Whether a team is one scorer.
    var isOfSides: Bool { context.teams == "together" }

    /// The columns of the sheet: the present players, or the teams in place of their members if a
    /// team is one scorer.
    var scorers: [ShownPlayer] {
        isOfSides ? sides.map(scorer) : activePlayers
    }

    /// The columns of an export: also of players who were removed, with what they have entered.
    ///
    /// Entries for a team that is one scorer are in the column of the team.
    var exportedScorers: [ShownPlayer] {
        guard !isOfSides else { return scorers }
        return scorers
            + document.players.filter { $0.removed && !$0.cells.isEmpty }.map { player in
                var player = player
                player.name += " (removed)"
                return player
            }
    }

    /// The members of each team that is one scorer, as `Reds: Ann, Cem`.
    var memberLists: [String] {
        guard isOfSides else { return [] }
        return sides.compactMap { members in
            guard let team = members[0].team, !team.isEmpty else { return nil }
            return "\(team): \(members.map(\.name).joined(separator: ", "))"
        }
    }

    /// The present players, each team together.
    private var sides: [[ShownPlayer]] {
        var sides: [[ShownPlayer]] = []
        var places: [String: Int] = [:]
        for player in activePlayers {
            let team = player.team?.lowercased() ?? ""
            if let place = places[team] {
                sides[place].append(player)
            } else {
                if !team.isEmpty { places[team] = sides.count }
                sides.append([player])
            }
        }
        return sides
    }

    /// Returns the column of a team, with the cells of all members.
    private func scorer(for members: [ShownPlayer]) -> ShownPlayer {
        let ids = [document.turn, context.me]
        let shown = ids.lazy.compactMap { id in members.first { $0.id == id } }.first ?? members[0]
        guard let team = members[0].team, !team.isEmpty else { return shown }
        var scorer = shown
        scorer.name = team
        scorer.cells = []
        var places: [String: Int] = [:]
        // An entry that does not count is shown only where none does.
        let uncounted = Set(
            document.flags.map { [$0.player, CellAddress.text($0.row, $0.round)] }
        )
        // The entries of members who were removed still count.
        let removed = document.players.filter { player in
            player.removed && player.team?.lowercased() == team.lowercased()
        }
        let entries = (members + removed).flatMap { member in
            member.cells.map { cell in
                let address = CellAddress.text(cell.row, cell.round)
                return (cell, address, counts: !uncounted.contains([member.id, address]))
            }
        }
        for (cell, address, counts) in entries.filter(\.counts) + entries.filter({ !$0.counts }) {
            if let place = places[address] {
                if counts { scorer.cells[place].add(cell) }
            } else {
                places[address] = scorer.cells.count
                scorer.cells.append(cell)
            }
        }
        return scorer
    }
}

extension ShownCell {
    /// Adds what a partner has entered in the same place, in the form of a sum.
    fileprivate mutating func add(_ other: ShownCell) {
        let (own, their) = (text ?? value.description, other.text ?? other.value.description)
        text = own + (their.hasPrefix("-") ? "" : "+") + their
        if let number = other.count { count = (count ?? 0) + number }
        if let more = other.points { points = (points ?? 0) + more }
        conflict += other.conflict
    }
}

/// The entries, flags and points of a sheet by their places, found without a search through all.
struct SheetPlaces {
    private struct Place: Hashable {
        let player: String
        let row: String
        let round: Int?
    }

    /// The columns of the sheet.
    let scorers: [ShownPlayer]
    private var cells: [Place: ShownCell] = [:]
    private let flagged: Set<Place>
    /// The fields of each group.
    private let fields: [String: [ShownPadRow]]

    init(_ show: ShowReply) { self.init(show, show.scorers) }

    init(_ show: ShowReply, _ scorers: [ShownPlayer]) {
        self.scorers = scorers
        flagged = Set(
            show.document.flags.map { Place(player: $0.player, row: $0.row, round: $0.round) }
        )
        let fields = show.context.pad.filter { $0.group != nil }
        self.fields = Dictionary(grouping: fields) { $0.group ?? "" }
        for player in scorers {
            for cell in player.cells {
                cells[Place(player: player.id, row: cell.row, round: cell.round)] = cell
            }
        }
    }

    func cell(of player: ShownPlayer, _ row: ShownRow) -> ShownCell? {
        cells[Place(player: player.id, row: row.row, round: row.round)]
    }

    func isFlagged(_ player: ShownPlayer, _ row: ShownRow) -> Bool {
        flagged.contains(Place(player: player.id, row: row.row, round: row.round))
    }

    /// Returns the points of a row without an entry of a player; nil if there are none yet.
    func computedPoints(of player: ShownPlayer, _ row: ShownRow) -> Points? {
        guard row.round != nil, row.computed else {
            return player.computed.first { $0.row == row.row }?.points
        }
        // A round of several fields has no points while a required one is empty.
        var points: Points?
        for field in fields[row.row] ?? [] {
            let place = Place(player: player.id, row: field.row, round: row.round)
            if let cell = cells[place] {
                points = (points ?? 0) + (cell.points ?? 0)
            } else if field.optional != true {
                return nil
            }
        }
        return points
    }
}
