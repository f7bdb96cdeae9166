import ControlSocket
import Descriptors
import QueueKit
import SyncProtocol

/// A daemon of the control socket only: a listener with a few answers, on a queue of its own.
final class TestDaemon: Sendable {
    let home: TemporaryHome
    let paths: ControlPaths
    private let thread = QueueThread()
    let listener: ControlListener

    init(
        limits: ControlLimits = ControlLimits(),
        runtime: String? = nil,
        router: ControlRouter = ControlRouter(),
        _ register: (inout ControlRouter) -> Void = { _ in }
    ) throws {
        let home = try TemporaryHome()
        self.home = home
        paths = try runtime.map { try home.paths(runtime: $0) } ?? home.paths
        var router = router
        router.on(.sessions) { _, call in
            call.respond(SessionListReply([]))
        }
        router.on(.score) { request, call in
            if request.words == ["Bob", "1"] {
                call.fail(ControlError(.notFound, "no Bob", candidates: ["Ann", "Bea"]))
            } else {
                call.respond(WrittenReply(player: request.words.joined(separator: " "), cells: []))
            }
        }
        register(&router)
        listener = try ControlListener(
            paths: paths,
            lock: ControlLock(paths),
            queue: thread.queue,
            router: router,
            limits: limits
        )
        listener.start()
    }

    var queue: EventQueue { thread.queue }

    func client() throws -> ControlClient {
        try ControlClient(path: paths.socket, client: "tests 0")
    }

    deinit { listener.stop() }
}
