import ControlSocket
import Descriptors
import ScoreSheets
import SessionCRDT
import SyncEngine
import SyncProtocol

/// The call that waits until something about a session is so.
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
        let condition = try settled(request.condition, in: session)
        // A peer that fell silent a moment ago must not count as one that has everything.
        if condition == .synced { driver.handle(.peerCheckRequested(session.id)) }
        let wait = Wait(
            for: session.id,
            until: { isSo(condition, in: session) },
            what: { shortfall(condition, in: session) },
            unless: { hindrance(to: condition, in: session) },
            milliseconds: request.timeoutMilliseconds,
            on: queue,
            then: { result in call.respond(result) }
        )
        watchers.add(wait)
        call.connection.onClose { wait.cancel() }
    }

    private func isSo(_ condition: WaitCondition, in session: Session) -> Bool {
        switch condition.kind {
        case .ready: true
        case .synced: driver.engine.isSynced(session.id)
        case .peers: driver.engine.peers(session.id).count >= condition.count ?? 1
        case .turn: session.board.turn?.id.description == condition.player
        }
    }

    /// The reason why a wait timed out.
    private func shortfall(_ condition: WaitCondition, in session: Session) -> String {
        let linked = driver.engine.peers(session.id).count
        return switch condition.kind {
        case .ready: "the daemon is not ready"
        case .synced:
            linked == 0 ? "no other laptop is linked" : "not in sync with the other laptops"
        case .peers: "\(linked) of \(condition.count ?? 1) laptops are linked"
        case .turn: "\(session.board.turn?.name ?? "nobody") is to move"
        }
    }

    /// A condition with the player that it names as an id, so that it is found once.
    private func settled(
        _ condition: WaitCondition,
        in session: Session
    ) throws(ControlError) -> WaitCondition {
        guard condition.kind == .turn else { return condition }
        let players = session.board.presentPlayers
        if let name = condition.player {
            let player = try Naming.player(name, among: players)
            return .turn(player: player.id.description)
        }
        guard let me = session.facts.me, players.contains(where: { $0.id == me }) else {
            throw ControlError(
                .usage,
                "say whose turn with --player NAME, or once who you are with: "
                    + "scorectl player me NAME",
                candidates: players.map(\.name)
            )
        }
        return .turn(player: me.description)
    }

    /// The reason why a condition can never hold; nil while it can.
    private func hindrance(to condition: WaitCondition, in session: Session) -> ControlError? {
        guard condition.kind == .turn else { return nil }
        let board = session.board
        guard board.turn == nil else { return nil }
        let sheet: Sheet
        do throws(ControlError) { sheet = try board.playedSheet() } catch {
            // One that has not come yet will come; one that cannot be read will stay so.
            return board.header.sheet == nil ? nil : error
        }
        if board.isOver { return ControlError(.refused, "the game is over") }
        return sheet.hasMoves ? nil : ControlError(RuleViolation.noMoves(game: sheet.name))
    }
}

/// Somebody who waits until something about a session is so.
@EventLoop
final class Wait {
    /// The session that it is about.
    let session: SessionID

    private let isTrue: () -> Bool
    private let what: () -> String
    private let hindrance: () -> ControlError?
    private var answer: ((Result<Done, ControlError>) -> Void)?

    /// A wait until `isTrue`, or for so many milliseconds; nil waits for ever.
    ///
    /// `what` says why it was in vain, `hindrance` that it can never be so.
    init(
        for session: SessionID,
        until isTrue: @escaping () -> Bool,
        what: @escaping () -> String,
        unless hindrance: @escaping () -> ControlError? = { nil },
        milliseconds: Int?,
        on queue: EventQueue,
        then answer: @escaping (Result<Done, ControlError>) -> Void
    ) {
        self.session = session
        self.isTrue = isTrue
        self.what = what
        self.hindrance = hindrance
        self.answer = answer
        // More than that is for ever.
        guard let milliseconds, milliseconds <= 31_536_000_000 else { return }
        queue.async(after: .milliseconds(max(0, milliseconds))) {
            [weak self] in self?.expire(after: milliseconds)
        }
    }

    /// Whether it is over.
    var isOver: Bool { answer == nil }

    /// Answers if it is so now.
    func check() {
        guard answer != nil else { return }
        if isTrue() { return finish(.success(Done())) }
        if let hindrance = hindrance() { finish(.failure(hindrance)) }
    }

    /// It cannot be waited for any longer.
    func abandon(_ reason: ControlError) { finish(.failure(reason)) }

    /// Nobody waits for the answer any more.
    func cancel() { answer = nil }

    private func expire(after milliseconds: Int) {
        let seconds = Double(milliseconds + 50) / 1000
        let rounded = "\(Int(seconds)).\(Int(seconds * 10) % 10)"
        finish(.failure(ControlError(.timedOut, "\(what()) after \(rounded) s")))
    }

    private func finish(_ result: Result<Done, ControlError>) {
        guard let answer else { return }
        self.answer = nil
        answer(result)
    }
}
