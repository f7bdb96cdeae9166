#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

extension Array where Element == UInt8 {
    /// Takes off what stands before a mark, and the mark; nil where it is not there yet.
    ///
    /// By the C library, because a sheet has hundreds of thousands of bytes.
    mutating func take(until mark: String) -> [UInt8]? {
        let mark = Array(mark.utf8)
        let place = withUnsafeBytes { bytes -> Int? in
            guard let start = bytes.baseAddress else { return nil }
            var place = 0
            while let found = memchr(start + place, Int32(mark[0]), bytes.count - place) {
                place = UnsafeRawPointer(found) - start
                guard bytes.count - place >= mark.count else { return nil }
                if memcmp(found, mark, mark.count) == 0 { return place }
                place += 1
            }
            return nil
        }
        guard let place else { return nil }
        defer { removeSubrange(..<(place + mark.count)) }
        return Array(self[..<place])
    }
}
