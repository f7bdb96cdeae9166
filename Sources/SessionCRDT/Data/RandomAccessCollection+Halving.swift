extension RandomAccessCollection {
    /// The first index whose element belongs to the second part, found by halving; the end where
    /// none does.
    ///
    /// The elements of which `belongsBehind` is false must all come before those of which it is
    /// true.
    @inlinable
    package func partitioningIndex(where belongsBehind: (Element) -> Bool) -> Index {
        var low = startIndex
        var count = count
        while count > 0 {
            let half = count / 2
            let middle = index(low, offsetBy: half)
            if belongsBehind(self[middle]) {
                count = half
            } else {
                low = index(after: middle)
                count -= half + 1
            }
        }
        return low
    }
}
