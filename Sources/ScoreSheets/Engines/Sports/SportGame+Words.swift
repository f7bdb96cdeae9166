import SessionCRDT

extension SportGame {
    /// What is told below the table: what was won last, deuce, ends, what is at stake, who serves.
    func notes(isFinished: Bool) -> [Note] {
        if let endNote { return [.sport(endNote)] }
        let next = isFinished ? [] : [endsNote, stakeNote, serveNote]
        return ([wonNote, callNote] + next).compactMap(\.self).map(Note.sport)
    }

    /// The score that a player is told who has just entered a point; nothing where a game ended.
    var scoreNote: [Note] {
        guard board.winner == nil, board.points.sum > 0,
            case .points(let first, let second) = board.score
        else { return [] }
        return [.sport(.score(sides(first, second)))]
    }

    private func sides(_ first: String, _ second: String) -> SportNote.Sides {
        SportNote.Sides(
            first: terms.name(of: .first),
            firstHas: first,
            second: terms.name(of: .second),
            secondHas: second
        )
    }

    /// The part or the game that the last point won.
    private var wonNote: SportNote? {
        guard board.points.sum == 0 else { return nil }
        if board.games.sum > 0 {
            guard let winner = turns.last?.result.side else { return nil }
            let games = SportSide.allCases.map { "\(board.games[$0])" }
            return .game(terms.name(of: winner), sides(games[0], games[1]))
        }
        return board.parts.last.map { part in
            .part(
                terms.part.rawValue,
                number: board.parts.count,
                winner: terms.name(of: part.winner),
                score: SportGame.words(of: part, for: part.winner)
            )
        }
    }

    private var callNote: SportNote? {
        switch board.score {
        case .points: nil
        case .deuce: .deuce
        case .decidingPoint: .decidingPoint
        case .advantage(let side): .advantage(terms.name(of: side))
        }
    }

    private var endsNote: SportNote? { board.changesEnds ? .ends : nil }

    private var stakeNote: SportNote? {
        board.stake.map { side, stake in
            .stake(stake == .match ? "match" : terms.part.rawValue, terms.name(of: side))
        }
    }

    private var serveNote: SportNote? {
        guard terms.missing == nil, let server = board.server else { return nil }
        let name = terms.name(of: server)
        return terms.service.order == .jack ? .jack(name) : .serve(name)
    }

    private var endNote: SportNote? {
        guard let winner = board.winner else { return nil }
        return .match(
            winner: terms.name(of: winner),
            won: board.won[winner],
            lost: board.won[winner.other],
            scores: board.parts.map { SportGame.words(of: $0, for: winner) }
        )
    }

    /// How a part ended, the points of a side first: `11–7`, `6–7 (5)` with what the loser of the
    /// tie-break had.
    static func words(of part: SportPart, for side: SportSide) -> String {
        "\(part.score[side])–\(part.score[side.other])"
            + (part.tieBreak.map { " (\($0[part.winner.other]))" } ?? "")
    }
}
