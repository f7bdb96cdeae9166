package import SessionCRDT

extension Delta {
    /// The delta that a test made by hand; one that is not sound is a bug of the test.
    package static func sample(
        base: VersionVector = VersionVector(),
        upto: VersionVector = VersionVector(),
        changes: [KeyedLiveSet] = [],
        isUnion: Bool = false
    ) -> Delta {
        do throws(DeltaError) {
            return try Delta(base: base, upto: upto, changes: changes, isUnion: isUnion)
        } catch { preconditionFailure("a test made a delta in which \(error)") }
    }
}
