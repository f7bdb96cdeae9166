import ControlSocket
import SyncProtocol

/// A daemon with a home of its own.
final class DaemonProcess {
    /// Its process id.
    var process: Int32 { child.process }

    private let child: Child
    private let home: Home

    /// Starts it; how it finds others is for the caller to say.
    init(_ stage: Stage, _ home: Home, _ words: [String]) throws(BenchError) {
        self.home = home
        child = try Child(
            stage.daemonProgram,
            words + ["--home", home.path, "--log-level", "warning"],
            home: home.path,
            log: home.path + "/bench.log"
        )
    }

    /// Starts one that listens on the home's port, announces nothing, and is ready.
    static func quiet(_ stage: Stage, _ home: Home) throws -> DaemonProcess {
        let daemon = try DaemonProcess(stage, home, ["--port", "\(home.port)", "--no-discovery"])
        try daemon.waitUntilReady()
        let port = try daemon.client().call(StatusRequest()).daemon.port
        guard port == Int(home.port) else { throw BenchError("port \(home.port) is taken") }
        return daemon
    }

    /// Waits until it answers.
    func waitUntilReady() throws(BenchError) { try child.waitUntilReady() }

    /// A new connection to it.
    func client() throws(ControlError) -> ControlClient { try home.client() }

    /// Ends it and waits for that.
    func stop() throws(BenchError) { try child.stop() }
}

extension ControlClient {
    /// Waits until the session's daemon and its peers have the same.
    func waitUntilSynced(_ session: SampleSession) throws(ControlError) {
        try wait(for: .synced, session)
    }

    /// Waits until so many peers are linked.
    func waitForPeers(_ count: Int, _ session: SampleSession) throws(ControlError) {
        try wait(for: .peers(count), session)
    }

    private func wait(
        for condition: WaitCondition,
        _ session: SampleSession
    ) throws(ControlError) {
        _ = try call(
            WaitRequest(
                session: session.name,
                condition: condition,
                timeoutMilliseconds: 60_000
            ),
            timeoutMilliseconds: 61_000
        )
    }
}
