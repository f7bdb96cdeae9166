import ScoreSheets
import SessionCRDT
import SessionStore

/// What has ended in a session, and the state that it was derived from, which says whether it is
/// still true.
///
/// It is kept in place of the document, of which nothing else is needed for results.
struct EndedGames: Sendable {
    let vector: VersionVector
    let digest: Digest
    /// The sheet of the session; nil where its game is not known here.
    let sheet: Sheet?
    /// What has ended; nil where that cannot be told.
    let results: [ResultRecord]?

    /// Whether it was derived from this data.
    func isTrue(of map: CausalMap) -> Bool { vector == map.vector && digest == map.tally.digest }
}
