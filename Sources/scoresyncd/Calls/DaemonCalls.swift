import CPlatform
import ControlSocket
import SessionCRDT
import SyncEngine
import SyncProtocol

/// The calls about the daemon itself.
struct DaemonCalls {
    let sessions: SessionCatalog
    let summaries: SessionSummaries
    let network: PeerNetwork
    let loop: EngineLoop
    let alarms: Alarms
    let home: String
    /// Ends the daemon, after the answer is on its way.
    let stop: @Sendable () -> Void

    func register(on router: inout ControlRouter) {
        router.answer(StatusRequest.self) { _ in status() }
        router.answer(DaemonStopRequest.self) { _ in
            stop()
            return Done()
        }
        router.answer(DaemonOfflineRequest.self) { request in
            loop.handle(.offline(request.offline))
            return Done()
        }
    }

    private func status() -> StatusReply {
        let device = loop.engine.device
        return StatusReply(
            daemon: DaemonSummary(
                version: Versions.program,
                device: device.id.description,
                name: device.name,
                instance: device.instance.description,
                home: home,
                port: Int(network.port),
                pid: Int(platform_own_process()),
                offline: loop.engine.isOffline
            ),
            sessions: sessions.all.map(summaries.of)
                .sorted { ($0.title, $0.id) < ($1.title, $1.id) },
            alarms: alarms.all
        )
    }
}
