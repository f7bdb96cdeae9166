#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// A file that is read and never written; one that is missing has nothing in it.
final class ReadOnlyFile {
    private let descriptor: Int32

    /// The file of a name.
    init(path: String) {
        descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// How many bytes it has.
    var count: Int { descriptor < 0 ? 0 : Int(lseek(descriptor, 0, SEEK_END)) }

    /// So many bytes from an offset on; nil where they are not there.
    func bytes(at offset: Int, _ count: Int) -> [UInt8]? {
        guard descriptor >= 0 else { return nil }
        var bytes = [UInt8](repeating: 0, count: count)
        let done = unsafe pread(descriptor, &bytes, count, off_t(offset))
        return done == count ? bytes : nil
    }
}
