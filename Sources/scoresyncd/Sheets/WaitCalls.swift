import ControlSocket
import Descriptors
import ScoreSheets
import SessionCRDT
import SyncEngine
import SyncProtocol

@EventLoop
struct WaitCalls: CallGroup {
    let daemon: Daemon

    func register(on router: inout ControlRouter) {
        router.on(.wait) { request, call in
            do throws(ControlError) { try wait(request, for: call) } catch { call.fail(error) }
        }
    }

    private func wait(
        _ request: WaitParameters,
        for call: ControlCall<Done>
    ) throws(ControlError) {
        guard request.condition != .ready else { return call.respond(Done()) }
        let session = try sessions.session(request.session)
        let condition = try resolved(request.condition, in: session)
        // A peer that has just gone silent must not count as having everything.
        if condition == .synced { driver.handle(.peerCheckRequested(session.id)) }
        let wait = watchers.wait(
            in: session.id,
            milliseconds: request.timeoutMilliseconds,
            for: { state(of: condition, in: session) },
            then: { call.respond($0) }
        )
        call.connection.onClose { wait.cancel() }
    }

    /// Returns the condition with the id of its player, so that the name is looked up only once.
    private func resolved(
        _ condition: WaitCondition,
        in session: Session
    ) throws(ControlError) -> WaitCondition {
        guard condition.kind == .turn else { return condition }
        let players = session.board.presentPlayers
        if let name = condition.player {
            return .turn(player: try Naming.player(name, among: players).id.description)
        }
        guard let me = session.facts.me, players.contains(where: { $0.id == me }) else {
            throw .usage(
                "Whose turn?",
                hint: "Add --player NAME, or say once who you are: scorectl player me NAME",
                candidates: players.map(\.name)
            )
        }
        return .turn(player: me.description)
    }

    private func state(of condition: WaitCondition, in session: Session) -> WaitState {
        let linked = driver.engine.peers(session.id).count
        switch condition.kind {
        case .ready: return .met
        case .synced:
            if driver.engine.isSynced(session.id) { return .met }
            return .unmet(
                linked == 0 ? "no other laptop is linked" : "not in sync with the other laptops"
            )
        case .peers:
            let count = condition.count ?? 1
            return linked >= count ? .met : .unmet("\(linked) of \(count) laptops are linked")
        case .turn:
            if let turn = session.turn {
                return turn.id.description == condition.player
                    ? .met : .unmet("\(turn.name) is to move")
            }
            let board = session.board
            let sheet: Sheet
            do throws(ControlError) { sheet = try board.playedSheet() } catch {
                // A sheet that has not arrived may still come; one that cannot be read stays
                // unreadable.
                return board.header.sheet == nil ? .unmet("no one is to move") : .impossible(error)
            }
            if session.isOver { return .impossible(ControlError(.refused, "the game is over")) }
            return sheet.hasMoves
                ? .unmet("no one is to move")
                : .impossible(ControlError(RuleViolation.noMoves(game: sheet.name)))
        }
    }
}

enum WaitState {
    case met
    /// Not met yet; the text is the reason to report at the timeout.
    case unmet(String)
    /// Impossible to meet, with the error to report.
    case impossible(ControlError)
}

/// A client or a call that waits for a condition in a session.
@EventLoop
final class Wait {
    private let state: () -> WaitState
    private var answer: ((Result<Done, ControlError>) -> Void)?

    init(for state: @escaping () -> WaitState, then: @escaping (Result<Done, ControlError>) -> Void)
    {
        (self.state, answer) = (state, then)
    }

    var isOver: Bool { answer == nil }

    /// Answers if the condition is met, or can no longer be met.
    func check() {
        guard !isOver else { return }
        switch state() {
        case .met: finish(.success(Done()))
        case .unmet: break
        case .impossible(let error): finish(.failure(error))
        }
    }

    func fail(_ reason: ControlError) { finish(.failure(reason)) }

    /// Ends the wait without an answer.
    func cancel() { answer = nil }

    func expire(after milliseconds: Int) {
        guard !isOver, case .unmet(let reason) = state() else { return check() }
        let seconds = Double(milliseconds + 50) / 1000
        let rounded = "\(Int(seconds)).\(Int(seconds * 10) % 10)"
        fail(ControlError(.timedOut, "\(reason) after \(rounded) s"))
    }

    private func finish(_ result: Result<Done, ControlError>) {
        guard let answer else { return }
        self.answer = nil
        answer(result)
    }
}
