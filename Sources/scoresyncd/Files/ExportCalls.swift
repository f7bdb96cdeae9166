import ControlSocket
import Descriptors
import PeerTransport
import SessionCRDT
import SessionStore
import SyncEngine
import SyncProtocol

/// The calls that write sessions into a file: owns what is being exported, one session for each
/// connection at most, until it is over or the connection ends.
///
/// Invariant for `@unchecked Sendable`: used on the daemon's queue only.
final class ExportCalls: @unchecked Sendable {
    private var exports: [ObjectIdentifier: SessionExport] = [:]
    private let sessions: SessionCatalog
    private let disk: Disk
    private let device: Device
    private let queue: EventQueue

    init(_ sessions: SessionCatalog, _ disk: Disk, by device: Device, on queue: EventQueue) {
        self.sessions = sessions
        self.disk = disk
        self.device = device
        self.queue = queue
    }

    func register(on router: inout ControlRouter) {
        router.on(ExportBeginRequest.self) { [self] request, call in
            do throws(ControlError) { try begin(request, call) } catch { call.fail(error) }
        }
        router.on(ExportNextRequest.self) { [self] _, call in
            let connection = ObjectIdentifier(call.connection)
            guard let export = exports[connection] else {
                return call.fail(ControlError(.usage, "no export was begun on this connection"))
            }
            export.next { [self] result in
                if case .success(let page) = result, !page.isLast { return call.respond(result) }
                exports[connection] = nil
                call.respond(result)
            }
        }
    }

    private func begin(
        _ request: ExportBeginRequest,
        _ call: ControlCall<ExportBeginReply>
    ) throws(ControlError) {
        let session = try sessions.session(request.session)
        let isKeyMissing = request.withKey && !session.facts.hasKey
        disk.ask { [id = session.id] store throws(StoreError) in
            try store.journalEnd(of: id)
        } then: { [self] result in
            let end: (last: Int64, count: Int)?
            switch result {
            case .failure(let error): return call.fail(error)
            case .success(let found): end = found
            }
            // Here what is committed is just what the disk held when the journal was asked for.
            guard call.connection.isOpen,
                let export = sessions.export(session, withKey: request.withKey, end, disk)
            else { return call.fail(session.unreadableError) }
            let reply = ExportBeginReply(
                session: session.id.description,
                title: session.title,
                header: String(decoding: header.line + [0x0A], as: UTF8.self),
                rows: export.rowCount,
                isKeyMissing: isKeyMissing
            )
            export.sort(on: queue) { [self] in
                keep(export, for: call.connection)
                call.respond(reply)
            }
        }
    }

    private func keep(_ export: SessionExport, for connection: ControlConnection) {
        let id = ObjectIdentifier(connection)
        if exports.updateValue(export, forKey: id) == nil {
            connection.onClose { @Sendable [weak self] in self?.exports[id] = nil }
        }
    }

    private var header: ExportHeader {
        ExportHeader(
            program: Versions.program,
            at: Timestamp(milliseconds: Clock.wallMilliseconds),
            device: device.id.description,
            name: device.name
        )
    }
}

extension SessionCatalog {
    /// An export of what is on disk of a session now; nil where that cannot be read.
    fileprivate func export(
        _ session: Session,
        withKey: Bool,
        _ journal: (last: Int64, count: Int)?,
        _ disk: Disk
    ) -> SessionExport? {
        guard let committed = session.committedMap else { return nil }
        let facts = ExportedSession(
            id: session.id,
            title: session.title,
            joinedAt: session.facts.joinedAt,
            isCurrent: current == session.id,
            key: withKey && session.facts.hasKey ? session.facts.key.bytes : nil,
            vector: committed.vector,
            count: committed.live.reduce(0) { $0 + $1.value.count }
        )
        return SessionExport(facts, committed, withKeys: withKey, journal, disk)
    }
}
