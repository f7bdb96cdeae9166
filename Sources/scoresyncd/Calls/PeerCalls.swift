import ControlSocket
import SyncProtocol

/// The calls about the laptops that hold a session.
struct PeerCalls {
    let sessions: SessionCatalog
    let peers: PeerList
    let addresses: PeerAddresses
    let network: PeerNetwork

    func register(on router: inout ControlRouter) {
        router.answer(PeerListRequest.self) { request throws(ControlError) in
            PeerListReply(peers: peers.of(try sessions.session(request.session)))
        }
        router.answerLater(PeerAddRequest.self) { request, answer throws(ControlError) in
            let session = try sessions.session(request.session)
            addresses.resolveLaptop(request.address) { result in
                answer(result.flatMap { add($0, to: session) })
            }
        }
        router.answerLater(PeerRemoveRequest.self) { request, answer throws(ControlError) in
            let session = try sessions.session(request.session)
            addresses.resolve(request.address) { result in
                answer(result.flatMap { addresses.remove($0, from: session) })
            }
        }
    }

    private func add(_ endpoints: [Endpoint], to session: Session) -> Result<Done, ControlError> {
        let others = endpoints.filter { !network.isOwn($0) }
        guard !others.isEmpty else {
            let text = "that is where this laptop itself listens; add another one"
            return .failure(ControlError(.refused, text))
        }
        addresses.call(others, of: session)
        return .success(Done())
    }
}
