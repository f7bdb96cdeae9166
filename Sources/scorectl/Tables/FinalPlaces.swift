import SyncProtocol

/// The end of a game: everybody from the best to the last, equals beside each other.
///
/// The score sheet keeps the order of the seats, so that nobody has to look for their column; this
/// stands above it once the game is over.
struct FinalPlaces {
    private let show: ShowReply
    private let page: PageForm

    /// The final places of a sheet.
    init(_ show: ShowReply, _ page: PageForm) {
        self.show = show
        self.page = page
    }

    /// What holds a place: a team with its members, or a player alone.
    private struct Holder {
        let name: Line
        let rank: Int?
        let total: Int64
        let isWinner: Bool
        var isRemoved = false
        let remarks: [String]
    }

    /// The lines; none before the game is over, and none where nobody has a place.
    var lines: [Line] {
        let holders = holders
        guard show.document.finished, holders.contains(where: { $0.rank != nil }) else { return [] }
        let counts = Dictionary(grouping: holders.filter { !$0.isRemoved }.compactMap(\.rank)) {
            $0
        }
        var table = Table([
            Table.Column("Place", .right),
            Table.Column(show.document.teams.isEmpty ? "Player" : "Team"),
            Table.Column(show.context.totalLabel + " ", .right), Table.Column(""),
        ])
        for holder in holders {
            let isShared = holder.rank.map { (counts[$0]?.count ?? 0) > 1 } ?? false
            let remarks = (isShared && !holder.isRemoved ? ["shared"] : []) + holder.remarks
            table.add([
                Line(holder.rank.map { "\($0)" } ?? "–"), holder.name,
                Line("\(holder.total)", holder.isWinner ? .good : .strong)
                    + Line(holder.isWinner ? "★" : " ", .good),
                Line(remarks.filter { !$0.isEmpty }.joined(separator: ", "), .faint),
            ])
        }
        let title = Line("  Final places", .strong)
        // A sheet tells below its table what decided between equal totals.
        let players = show.document.players.filter { !$0.removed }
            .sorted { ($0.rank ?? .max, $0.seat) < ($1.rank ?? .max, $1.seat) }
        let notes =
            show.document.panels.isEmpty
            ? [] : TieBreakNotes(players, columns: page.columns).lines
        return [title] + table.lines.map { Line("  ") + $0.withoutTrailingSpace } + notes
    }

    /// Those with a place by it, equals in seat order; then those without, the removed ones last.
    private var holders: [Holder] {
        let members = Set(show.document.teams.flatMap(\.players))
        let alone = show.document.players.filter { !members.contains($0.id) }.map(holder)
        func place(_ holder: Holder) -> (Int, Int) {
            (holder.isRemoved ? 1 : 0, holder.isRemoved ? .max : holder.rank ?? .max)
        }
        return (show.document.teams.map(holder) + alone).enumerated().sorted { left, right in
            let (first, second) = (place(left.element), place(right.element))
            return first != second ? first < second : left.offset < right.offset
        }.map(\.element)
    }

    private func holder(_ player: ShownPlayer) -> Holder {
        Holder(
            name: Line(TextWidth.truncated(player.name, to: 24), player.removed ? .faint : .strong),
            rank: player.rank,
            total: player.total,
            isWinner: player.winner,
            isRemoved: player.removed,
            remarks: [
                player.removed ? "removed" : "", you(player),
                PlayerTable(show, page).piece(of: player),
            ]
        )
    }

    private func holder(_ team: ShownTeam) -> Holder {
        Holder(
            name: Line(TextWidth.truncated(team.name, to: 24), .strong),
            rank: team.rank,
            total: team.total,
            isWinner: team.winner,
            remarks: show.document.players.filter { team.players.contains($0.id) }.map { player in
                let name = TextWidth.truncated(player.name, to: 24)
                return [name, "\(player.total)", you(player)].filter { !$0.isEmpty }
                    .joined(separator: " ")
            }
        )
    }

    private func you(_ player: ShownPlayer) -> String {
        player.id == show.context.me ? "you" : ""
    }
}
