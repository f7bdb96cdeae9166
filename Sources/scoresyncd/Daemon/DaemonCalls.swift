import CPlatform
import ControlSocket
import Descriptors
import SessionCRDT
import SessionStore
import SyncEngine
import SyncProtocol

@EventLoop
struct DaemonCalls: CallGroup {
    let daemon: Daemon

    func register(on router: inout ControlRouter) {
        router.answer(.status) { _ in status() }
        router.answer(.stopDaemon) { _ in
            // Stops the daemon only after the reply was sent.
            queue.async(after: .milliseconds(5)) { daemon.stop() }
            return Done()
        }
        router.answer(.renameDaemon, with: rename)
        router.answer(.setOffline) { request in
            driver.handle(.offline(request.offline))
            network.publishPort()
            return Done()
        }
    }

    /// Stores a new device name, and then uses it.
    private func rename(_ request: NameParameters) async throws(ControlError) -> DaemonRenameReply {
        let name = try DaemonOptions.deviceName(request.name)
        let before = driver.engine.device.name
        try await storage.run { store throws(StoreError) in
            try store.set(Setting.deviceName, to: name)
        }
        driver.handle(.renamed(name))
        return DaemonRenameReply(name: name, before: before)
    }

    private func status() -> StatusReply {
        StatusReply(
            daemon: DaemonSummary(driver.engine, port: network.port, home: daemon.home),
            sessions: sessions.all.map(summaries.summary)
                .sorted { ($0.title, $0.id) < ($1.title, $1.id) },
            alarms: alarms.all
        )
    }
}

extension DaemonSummary {
    init(_ engine: SyncEngine, port: UInt16, home: String) {
        let device = engine.device
        self.init(
            version: Versions.program,
            device: device.id.description,
            name: device.name,
            instance: device.instance.description
        )
        self.home = home
        self.port = Int(port)
        self.pid = Int(platform_own_process())
        self.offline = engine.isOffline
    }
}
