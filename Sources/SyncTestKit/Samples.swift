package import SessionCRDT
package import SyncProtocol

extension Delta {
    /// Creates a delta from hand-written test data; traps if it is invalid.
    package static func sample(
        base: VersionVector = VersionVector(),
        upto: VersionVector = VersionVector(),
        changes: [KeyedLiveSet] = [],
        isUnion: Bool = false
    ) -> Delta {
        do throws(DeltaError) {
            return try Delta(base: base, upto: upto, changes: changes, isUnion: isUnion)
        } catch { preconditionFailure("a test made an invalid delta: \(error)") }
    }
}

extension ShowReply {
    /// Creates the sheet of a session without players.
    package static func sample(
        of session: String,
        title: String,
        next: NamedSession? = nil
    ) -> ShowReply {
        ShowReply(
            document: ShowDocument(
                session: ShownSession(id: session, title: title, game: "points", status: "open"),
                players: []
            ),
            context: ShowContext(gameName: "Points").with { $0.next = next }
        )
    }
}
