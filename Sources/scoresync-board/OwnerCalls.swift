import BoardSite
import CPlatform
import ControlSocket
import Dispatch
import JSONCoding
import SyncProtocol
import Synchronization

/// Carries out the calls of the owner's pages: those of the control socket, which are passed to the
/// daemon as they are, and those of the board itself.
final class OwnerCalls: Sendable {
    typealias Outcome = SubmissionQueue.Outcome

    /// The maximum number of connections that pages keep, such as for an export.
    private static let maxConnections = 16
    /// The timeout of a call: a large import or a copy takes a while.
    private static let timeoutMilliseconds = 60_000

    /// A connection to the daemon that several calls use, one after the other.
    private final class Connection: Sendable {
        let client = Mutex<ControlClient?>(nil)
        let usedAt: Int64

        init(at now: Int64) { usedAt = now }
    }

    private let paths: ControlPaths
    /// A blocking call occupies a thread of its own, so that one page does not wait for another.
    private let queue = DispatchQueue(label: "scoresync.board.calls", attributes: .concurrent)
    private let connections = Mutex<[String: Connection]>([:])

    init(_ paths: ControlPaths) { self.paths = paths }

    func carryOut(
        _ call: OwnerCall,
        for board: Board,
        completion: @escaping @Sendable (Outcome) -> Void
    ) {
        queue.async { @Sendable [self] in
            do throws(ControlError) {
                guard let own = try AppCall(call) else {
                    return completion(.success(try relay(call)))
                }
                completion(.success(try own.carryOut(on: board)))
            } catch { completion(.failure(HTTPError(error))) }
        }
    }

    /// Adds a player to a session; the result is all players.
    func addPlayer(
        _ name: String,
        to session: String,
        completion: @escaping @Sendable (Result<[PlayerSummary], HTTPError>) -> Void
    ) {
        queue.async { @Sendable [self] in
            do throws(ControlError) {
                let wish = AddPlayersParameters(session: session, names: [name])
                completion(.success(try client().call(.addPlayers, wish).items))
            } catch { completion(.failure(HTTPError(error))) }
        }
    }

    private func relay(_ call: OwnerCall) throws(ControlError) -> [UInt8] {
        let parameters = call.parameters.map { Array($0.bytes) } ?? Array("{}".utf8)
        guard let name = call.connection else {
            return try client()
                .relay(call.method, parameters, timeoutMilliseconds: Self.timeoutMilliseconds)
        }
        return try connection(name).client.withLock { kept throws(ControlError) in
            let client = if let kept { kept } else { try client() }
            kept = client
            do throws(ControlError) {
                return
                    try client
                    .relay(call.method, parameters, timeoutMilliseconds: Self.timeoutMilliseconds)
            } catch {
                if error.isAbsence || error.kind == .timedOut { kept = nil }
                throw error
            }
        }
    }

    private func client() throws(ControlError) -> ControlClient {
        let socket = ControlLock.socket(paths) ?? paths.socket
        return try ControlClient(path: socket, client: "app", home: paths.home)
    }

    /// Returns a kept connection, or a new one in place of the one that was opened first.
    private func connection(_ name: String) -> Connection {
        connections.withLock { connections in
            if let connection = connections[name] { return connection }
            if connections.count >= OwnerCalls.maxConnections,
                let first = connections.min(by: { $0.value.usedAt < $1.value.usedAt })
            {
                connections[first.key] = nil
            }
            let connection = Connection(at: platform_steady_milliseconds())
            connections[name] = connection
            return connection
        }
    }
}
