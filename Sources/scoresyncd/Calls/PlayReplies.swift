import Descriptors
import ScoreSheets
import SessionCRDT
import SyncEngine
import SyncProtocol

/// The answers to moves, given once the computers have answered too, so that one terminal is enough
/// to play against them.
struct PlayReplies: Sendable {
    let computers: ComputerPlayers
    let watchers: Watchers
    let loop: EngineLoop
    let queue: EventQueue
    let device: DeviceID

    /// How long computers are waited for, in milliseconds: most move within a second.
    static let patience = 2000

    /// Answers a move that is on disk with how the game stands, after those of computers that come
    /// in time.
    func reply(
        to move: Move,
        _ played: Played,
        _ cells: [WrittenCell],
        _ consequences: Consequences,
        in session: Session,
        then answer: @escaping Answer<PlayReply>
    ) {
        let before = session.board
        let reply = before.reply(to: move, played, cells, consequences, by: device)
        guard isComputerToMove(in: session) else { return answer(.success(reply)) }
        let wait = Wait(
            for: session.id,
            until: { !isComputerToMove(in: session) },
            what: { "no computer has moved" },
            milliseconds: Self.patience,
            on: queue,
            then: { _ in
                let after = session.board
                var late = reply
                late.answers = after.computerMoves(since: before)
                late.tell(after)
                if !late.answers.isEmpty {
                    late.notes += (after.standings?.notes ?? []).map(\.description)
                }
                answer(.success(late))
            }
        )
        watchers.add(wait)
    }

    /// Whether a computer is to move that can, because it is on this laptop or on a linked one.
    private func isComputerToMove(in session: Session) -> Bool {
        guard let player = session.board.turn, let computer = player.computer else { return false }
        return computers.own(player.id, in: session) != nil
            || loop.engine.peers(session.id).contains { $0.device == computer.device }
    }
}

extension PlayReply {
    /// Says how the game stands on a board.
    fileprivate mutating func tell(_ board: Scoreboard) {
        let standings = board.standings
        func name(_ id: PlayerID) -> String? { board.player(id)?.name }
        turn = standings?.turn.flatMap(name)
        finished = standings?.isFinished ?? false
        winners = standings?.winners.compactMap(name) ?? []
        totalLabel = standings?.totalLabel ?? ""
        totals = (standings?.players ?? []).filter(\.player.isPresent).map {
            PlayerTotal(player: $0.player.name, total: $0.total, rank: $0.rank)
        }
        self.board =
            standings?.panels.lazy.compactMap { panel in
                guard case .board(let board) = ShownPanel(panel) else { return nil }
                return board
            }.first
    }
}

extension Scoreboard {
    /// How the game stands after a move.
    fileprivate func reply(
        to move: Move,
        _ played: Played,
        _ cells: [WrittenCell],
        _ consequences: Consequences,
        by device: DeviceID
    ) -> PlayReply {
        let touched = Set(played.writes.map(\.cell.player))
        let kept = players.filter { touched.contains($0.id) && $0.wasKeptIn }.map {
            "\($0.name) was removed by somebody meanwhile and stays in"
        }
        let losses = losses(
            of: device,
            telling: played.writes.map(\.cell),
            besides: consequences,
            standings
        )
        var reply = PlayReply(
            player: played.player.flatMap(player)?.name,
            move: move.words.joined(separator: " "),
            cells: cells,
            notes: played.notes.map(\.description) + kept + losses
                + consequences.notes,
            finished: false,
            totals: []
        )
        reply.tell(self)
        return reply
    }

    /// What computers have written since a board of before.
    fileprivate func computerMoves(since before: Scoreboard) -> [WrittenCell] {
        guard let sheet = try? sheet.get(), let game else { return [] }
        let gameWords = game.words(in: book)
        let lines = standings?.players.filter { $0.player.computer != nil } ?? []
        return lines.flatMap { line in
            line.cells.map(\.bookCell).filter { $0.value != .null && before[$0.cell] != $0.live }
                .map { bookCell in
                    WrittenCell(
                        Score(bookCell.cell, bookCell.value),
                        of: line.player.name,
                        replacing: before[bookCell.cell],
                        on: sheet,
                        in: gameWords
                    )
                }
        }
    }
}
