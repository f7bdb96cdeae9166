import SessionCRDT

/// A document and the state that it was derived from, which says whether it is still true.
struct DerivedDocument: Sendable {
    let vector: VersionVector
    let digest: Digest
    let document: SessionDocument
}
