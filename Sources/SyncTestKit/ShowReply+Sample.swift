package import SyncProtocol

extension ShowReply {
    /// What is shown of a session without players.
    package static func sample(
        of session: String,
        title: String,
        next: NamedSession? = nil
    ) -> ShowReply {
        ShowReply(
            document: ShowDocument(
                session: ShownSession(id: session, title: title, game: "points", status: "open"),
                players: [],
                finished: false,
                winners: []
            ),
            context: ShowContext(
                gameName: "Points",
                rows: [],
                lowestWins: false,
                leaders: [],
                peers: [],
                offline: false,
                unsynced: 0,
                notes: [],
                next: next
            )
        )
    }
}
