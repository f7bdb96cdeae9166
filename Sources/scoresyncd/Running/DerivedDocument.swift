import ScoreSheets
import SessionCRDT

/// What is derived from a session's data, and the state that it was derived from, which says
/// whether it is still true.
struct DerivedDocument: Sendable {
    let vector: VersionVector
    let digest: Digest
    let document: SessionDocument
    let book: Book
    /// What the book comes to by the document's own sheet, once somebody has asked.
    var standings: Standings?

    /// What is derived from this data.
    init(_ map: CausalMap) {
        vector = map.vector
        digest = map.tally.digest
        document = SessionDocument(map.live)
        book = Book(document)
    }

    /// Whether it was derived from this data.
    func isTrue(of map: CausalMap) -> Bool { vector == map.vector && digest == map.tally.digest }
}
