import ControlSocket
import Dispatch
import SyncProtocol

/// Which call is answered by whom.
extension Daemon {
    func makeRouter() -> ControlRouter {
        var router = ControlRouter()
        routeSessions(&router)
        routeAgain(&router)
        routePlayers(&router)
        routePeople(&router)
        routeScores(&router)
        routePlay(&router)
        routeSheet(&router)
        routeGames(&router)
        routeOptions(&router)
        routeStatistics(&router)
        routeDaemon(&router)
        return router
    }

    /// Answers a call at once.
    func on<Request: ControlRequest>(
        _ type: Request.Type,
        _ router: inout ControlRouter,
        _ answer: @escaping @Sendable (Daemon, Request) throws(ControlError) -> Request.Reply
    ) {
        router.on(type) { @Sendable [weak self] request, call in
            guard let self else { return }
            do throws(ControlError) {
                call.respond(try answer(self, request))
            } catch { call.fail(error) }
        }
    }

    /// Answers a call when its last argument is called; what it throws is an answer, too.
    func onLater<Request: ControlRequest>(
        _ type: Request.Type,
        _ router: inout ControlRouter,
        _ answer:
            @escaping @Sendable (
                Daemon, Request, @escaping @Sendable (Result<Request.Reply, ControlError>) -> Void
            ) throws(ControlError) -> Void
    ) {
        router.on(type) { @Sendable [weak self] request, call in
            guard let self else { return }
            do throws(ControlError) {
                try answer(self, request) { @Sendable result in call.respond(result) }
            } catch { call.fail(error) }
        }
    }
}
