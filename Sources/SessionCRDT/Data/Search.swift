/// Searches for whole texts, as the standard library has them.
///
/// Those of the library come with regular expressions, whose code adds 1.3 MB to each program.
extension Collection where Element: Equatable {
    /// Returns the first place where all elements of a collection follow each other, and nil if there
    /// is none.
    package func firstRange(of wanted: some Collection<Element>) -> Range<Index>? {
        var start = startIndex
        while true {
            var (end, next) = (start, wanted.startIndex)
            while next < wanted.endIndex, end < endIndex, self[end] == wanted[next] {
                end = index(after: end)
                next = wanted.index(after: next)
            }
            if next == wanted.endIndex { return start..<end }
            guard start < endIndex else { return nil }
            start = index(after: start)
        }
    }
}

extension StringProtocol {
    /// Whether a text occurs in this one.
    @_disfavoredOverload
    package func contains(_ text: some StringProtocol) -> Bool { firstRange(of: text) != nil }
}
