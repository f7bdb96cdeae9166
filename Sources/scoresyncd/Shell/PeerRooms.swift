/// The rooms about other devices: where they are, how they are linked, and who is let in.
struct PeerRooms {
    let addresses: PeerAddresses
    let invites: Invites
    let joining: Joining
    let links: Links
    let network: PeerNetwork

    init(
        _ options: DaemonOptions,
        _ sessions: SessionCatalog,
        _ intake: SessionIntake,
        _ addresses: PeerAddresses,
        _ invites: Invites,
        _ watchers: Watchers,
        _ ground: Ground
    ) {
        let (queue, log, loop) = (ground.queue, ground.log, ground.loop)
        self.addresses = addresses
        self.invites = invites
        joining = Joining(sessions, intake, addresses, watchers, loop, log, on: queue)
        links = Links(sessions, loop, log, on: queue)
        network = PeerNetwork(
            options,
            links,
            invites,
            joining,
            loop,
            ground.alarms,
            log,
            on: queue
        )
    }
}
