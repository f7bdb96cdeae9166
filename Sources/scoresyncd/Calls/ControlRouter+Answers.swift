import ControlSocket
import SyncProtocol

extension ControlRouter {
    /// Lets a call be answered at once; what is thrown is an answer, too.
    mutating func answer<Request: ControlRequest>(
        _ type: Request.Type,
        with reply: @escaping @Sendable (Request) throws(ControlError) -> Request.Reply
    ) {
        on(type) { request, call in
            do throws(ControlError) { call.respond(try reply(request)) } catch { call.fail(error) }
        }
    }

    /// Lets a call be answered when its last argument is called; what is thrown is an answer, too.
    mutating func answerLater<Request: ControlRequest>(
        _ type: Request.Type,
        with body:
            @escaping @Sendable (
                Request, @escaping Answer<Request.Reply>
            ) throws(ControlError) -> Void
    ) {
        on(type) { request, call in
            do throws(ControlError) { try body(request) { call.respond($0) } } catch {
                call.fail(error)
            }
        }
    }
}
