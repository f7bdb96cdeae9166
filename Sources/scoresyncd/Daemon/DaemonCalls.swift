import CPlatform
import ControlSocket
import SessionCRDT
import SessionStore
import SyncEngine
import SyncProtocol

/// The calls about the daemon itself.
struct DaemonCalls {
    let sessions: SessionCatalog
    let summaries: SessionSummaries
    let network: PeerNetwork
    let loop: EngineLoop
    let alarms: Alarms
    let disk: Disk
    let home: String
    /// Ends the daemon, after the answer is on its way.
    let stop: @Sendable () -> Void

    func register(on router: inout ControlRouter) {
        router.answer(.status) { _ in status() }
        router.answer(.stopDaemon) { _ in
            stop()
            return Done()
        }
        router.answerLater(.renameDaemon, with: rename)
        router.answer(.setOffline) { request in
            loop.handle(.offline(request.offline))
            return Done()
        }
    }

    /// Keeps the name, and takes it once it is on disk.
    private func rename(
        _ request: NameParameters,
        then answer: @escaping Answer<DaemonRenameReply>
    ) throws(ControlError) {
        let name = try DaemonOptions.deviceName(request.name)
        let before = loop.engine.device.name
        disk.ask { store throws(StoreError) in
            try store.set(Setting.deviceName, to: name)
        } then: { result in
            answer(
                result.map { _ in
                    loop.handle(.renamed(name))
                    return DaemonRenameReply(name: name, before: before)
                }
            )
        }
    }

    private func status() -> StatusReply {
        StatusReply(
            daemon: DaemonSummary(loop.engine, port: network.port, home: home),
            sessions: sessions.all.map(summaries.of)
                .sorted { ($0.title, $0.id) < ($1.title, $1.id) },
            alarms: alarms.all
        )
    }
}

extension DaemonSummary {
    /// The daemon of an engine, which listens on a port and keeps a home.
    init(_ engine: SyncEngine, port: UInt16, home: String) {
        let device = engine.device
        self.init(
            version: Versions.program,
            device: device.id.description,
            name: device.name,
            instance: device.instance.description,
            home: home,
            port: Int(port),
            pid: Int(platform_own_process()),
            offline: engine.isOffline
        )
    }
}
