import CPlatform
import ControlSocket
import SyncProtocol

/// Where an export goes: a file that is there whole or not at all, or standard output.
///
/// The file is written beside its place under another name, flushed, and then given its name; one
/// that was there before stays until then. A signal that ends the process takes it along.
final class ExportTarget {
    /// How many bytes were written.
    private(set) var bytes = 0

    private let console: Console
    private let path: String?
    private var partial = ""
    private var descriptor: Int32 = -1

    /// A file, or with nil standard output.
    init(_ path: String?, isPrivate: Bool, _ console: Console) throws(ControlError) {
        self.path = path
        self.console = console
        guard let path else { return }
        guard try Self.check(platform_file_kind(path), "look at \(path)") < 2 else {
            throw ControlError(
                .usage,
                "\(path) is no file; to write elsewhere, let it go to standard output"
            )
        }
        partial = "\(path).partial-\(platform_own_process())"
        // Before it is there, so that no signal can come in between: its name is this process's.
        console.removeOnSignal(partial)
        descriptor = try Self.check(platform_create_file(partial, isPrivate), "make \(partial)")
    }

    deinit {
        if descriptor >= 0 {
            platform_close(descriptor)
            platform_unlink(partial)
        }
        console.removeOnSignal(nil)
    }

    /// Adds bytes.
    func write(_ content: [UInt8]) throws(ControlError) {
        bytes += content.count
        guard path != nil else { return console.write(content) }
        try Self.check(platform_write_all(descriptor, content, content.count), "write \(partial)")
    }

    /// Gives the file its name, once all of it is on disk.
    func finish() throws(ControlError) {
        guard let path else { return }
        try Self.check(platform_sync(descriptor), "write \(partial)")
        platform_close(descriptor)
        descriptor = -1
        let renamed = platform_rename(partial, path)
        if renamed < 0 { platform_unlink(partial) }
        console.removeOnSignal(nil)
        try Self.check(renamed, "write \(path)")
        let directory = path.split(separator: "/", omittingEmptySubsequences: false).dropLast()
        let parent = directory.joined(separator: "/")
        let isRoot = path.utf8.first == UInt8(ascii: "/") && parent.isEmpty
        // Some file systems cannot; the file is there nevertheless.
        _ = platform_sync_directory(isRoot ? "/" : parent.isEmpty ? "." : parent)
    }

    @discardableResult
    private static func check(_ result: Int32, _ action: String) throws(ControlError) -> Int32 {
        guard result < 0 else { return result }
        throw ControlSocketError.system(action, code: -result).controlError
    }
}
