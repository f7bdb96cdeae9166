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

    /// The lines; none before the game is over, and none where nobody has a place.
    var lines: [Line] {
        let players = ranking
        guard show.document.finished, players.contains(where: { $0.rank != nil }) else { return [] }
        let pieces = PlayerTable(show, page)
        let holders = Dictionary(grouping: players.filter { !$0.removed }.compactMap(\.rank)) { $0 }
        var table = Table([
            Table.Column("Place", .right), Table.Column("Player"),
            Table.Column(show.context.totalLabel + " ", .right), Table.Column(""),
        ])
        for player in players {
            table.add([
                Line(player.rank.map { "\($0)" } ?? "–"),
                Line(TextWidth.truncated(player.name, to: 24), player.removed ? .faint : .strong),
                total(player),
                Line(
                    remark(
                        player,
                        isShared: !player.removed
                            && (player.rank.map { holders[$0]?.count ?? 0 } ?? 0) > 1,
                        pieces.piece(of: player)
                    ),
                    .faint
                ),
            ])
        }
        let title = Line("  Final places", .strong)
        // A sheet tells below its table what decided between equal totals.
        let notes =
            show.document.panels.isEmpty
            ? [] : TieBreakNotes(players.filter { !$0.removed }, columns: page.columns).lines
        return [title] + table.lines.map { Line("  ") + $0.withoutTrailingSpace } + notes
    }

    /// Those with a place by it, equals in seat order; then those without, the removed ones last.
    private var ranking: [ShownPlayer] {
        func place(_ player: ShownPlayer) -> (Int, Int) {
            (player.removed ? 1 : 0, player.removed ? .max : player.rank ?? .max)
        }
        return show.document.players.enumerated().sorted { left, right in
            let (first, second) = (place(left.element), place(right.element))
            return first != second ? first < second : left.offset < right.offset
        }.map(\.element)
    }

    private func total(_ player: ShownPlayer) -> Line {
        Line("\(player.total)", player.winner ? .good : .strong)
            + Line(player.winner ? "★" : " ", .good)
    }

    /// What else is to know about a player, in words.
    private func remark(_ player: ShownPlayer, isShared: Bool, _ piece: String) -> String {
        let words = [
            isShared ? "shared" : "", player.removed ? "removed" : "",
            player.id == show.context.me ? "you" : "", piece,
        ]
        return words.filter { !$0.isEmpty }.joined(separator: ", ")
    }
}
