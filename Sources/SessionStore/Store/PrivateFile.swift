#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// Files that nobody else may read from the moment they exist, and that outlive a power cut.
enum PrivateFile {
    /// Makes an empty file where nothing is, open for reading and writing.
    static func make(_ path: String, to action: String) throws(StoreError) -> Int32 {
        let flags = O_CREAT | O_EXCL | O_RDWR | O_NOFOLLOW | O_CLOEXEC
        let descriptor = unsafe open(path, flags, 0o600)
        guard descriptor >= 0 else {
            throw StoreError(systemCall: errno, action: action, path: path)
        }
        return descriptor
    }

    /// Opens whatever is at a path for reading, without waiting for the other end of a pipe.
    static func read(_ path: String) throws(StoreError) -> Int32 {
        let descriptor = unsafe open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw StoreError(systemCall: errno, action: "read the file", path: path)
        }
        return descriptor
    }

    /// Whether anything is at a path.
    static func exists(_ path: String) -> Bool {
        unsafe access(path, F_OK) == 0
    }

    /// Removes a file, if it is there.
    static func remove(_ path: String) throws(StoreError) {
        guard unsafe unlink(path) == 0 || errno == ENOENT else {
            throw StoreError(systemCall: errno, action: "remove the file", path: path)
        }
    }

    /// Gives a file another name, in place of what was there.
    static func move(
        _ old: String,
        to new: String,
        _ action: String
    ) throws(StoreError) {
        guard unsafe rename(old, new) == 0 else {
            throw StoreError(systemCall: errno, action: action, path: new)
        }
        try flush(parentOf: new)
    }

    /// Makes sure that a file, and its name, outlive a power cut.
    static func flush(file path: String) throws(StoreError) {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw StoreError(systemCall: errno, action: "open the file", path: path)
        }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else {
            throw StoreError(systemCall: errno, action: "flush the file", path: path)
        }
        try flush(parentOf: path)
    }

    /// Makes sure that a new name in a directory outlives a power cut.
    static func flush(parentOf path: String) throws(StoreError) {
        let parent = directory(of: path)
        let descriptor = unsafe open(parent, O_RDONLY | O_CLOEXEC)
        // A directory that may be written but not read cannot be flushed; nothing else is wrong.
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 || errno == EINVAL else {
            throw StoreError(systemCall: errno, action: "flush the directory", path: parent)
        }
    }

    /// The directory that a path is in.
    static func directory(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// The names in a directory, in no order; none where it cannot be read.
    static func names(in directory: String) -> [String] {
        guard let stream = unsafe opendir(directory) else { return [] }
        defer { unsafe closedir(stream) }
        var names: [String] = []
        while let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            names.append(name)
        }
        return names
    }
}
