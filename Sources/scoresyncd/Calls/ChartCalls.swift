import ControlSocket
import Descriptors
import Dispatch
import ScoreSheets
import SessionCRDT
import SyncProtocol

/// The call that tells how everybody came to stand as they do.
struct ChartCalls {
    let sessions: SessionCatalog
    /// The daemon's queue.
    let queue: EventQueue
    /// Where games are gone through, one after the other, so that no score waits for a chart.
    private let replays = DispatchQueue(label: "charts", qos: .utility)

    init(sessions: SessionCatalog, queue: EventQueue) {
        self.sessions = sessions
        self.queue = queue
    }

    func register(on router: inout ControlRouter) {
        router.answerLater(ChartRequest.self, with: chart)
    }

    private func chart(
        _ request: ChartRequest,
        then answer: @escaping Answer<ChartReply>
    ) throws(ControlError) {
        let session = try sessions.session(request.session)
        let board = session.board
        let sheet = try board.playedSheet()
        replays.async { @Sendable [queue, id = session.id] in
            let reply = ChartReply(Course(of: board.book, by: sheet), of: id, board, sheet)
            queue.async { @Sendable in answer(.success(reply)) }
        }
    }
}

extension ChartReply {
    fileprivate init(_ course: Course, of id: SessionID, _ board: Scoreboard, _ sheet: Sheet) {
        self.init(
            session: ShownSession(id, board.header, sheet),
            label: course.label,
            lowestWins: sheet.winRule(of: board.book) == .lowest,
            unit: sheet.goesByRounds(board.book)
                ? sheet.gameEngine == .rows ? .round : .move : .time,
            steps: course.steps.map { step in
                switch step {
                case .round(let round): Step(round: Int(round))
                case .moment(let moment): Step(at: Timestamp(milliseconds: moment))
                }
            },
            players: course.players.map { line in
                Line(id: line.player.id.description, name: line.player.name, totals: line.totals)
            },
            teams: course.teams.map { Line(name: $0.name, totals: $0.totals) }
        )
    }
}
