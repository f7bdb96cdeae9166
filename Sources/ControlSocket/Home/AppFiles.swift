internal import CPlatform
internal import SessionCRDT
package import SyncProtocol

/// The files by which `scorectl app` finds the running app of a home, and by which the browser gets
/// the key to it.
///
/// The key is in a file that only this user can read, and not on a command line, which all users of
/// the machine can see. It works once, within a minute.
package struct AppFiles: Sendable {
    /// The name of the app's lock and state in a home.
    package static let name = "app"

    private static let keyMilliseconds: Int64 = 60_000

    private let paths: ControlPaths

    package init(_ paths: ControlPaths) { self.paths = paths }

    private var lock: String { "\(paths.state)/\(Self.name).lock" }
    private var keyFile: String { "\(paths.directory)/open-app.html" }

    /// The URL of the running app's page, and the build of its program; nil if none is running, or
    /// until it serves.
    package var running: (url: String, build: String)? {
        let lines = platform_lock_is_held(lock) ? ControlLock.lines(of: lock) : []
        return lines.count > 2 ? (lines[1], lines[2]) : nil
    }

    /// The process of the running app.
    package var process: WatchedProcess? { WatchedProcess(holding: [lock]) }

    /// Writes a key for the app at a URL into a page that leads there; an earlier key ends.
    ///
    /// - Returns: the path of the page, and the URL with the key.
    package func makeKey(for url: String) throws(ControlError) -> (path: String, url: String) {
        let digits = (0..<2).map { _ in Hexadecimal.text(of: UInt64.random(in: 0 ... .max)) }
        let address = "\(url)open/\(digits.joined())"
        let page =
            "<!DOCTYPE html><meta charset=\"utf-8\"><title>ScoreSync</title>"
            + "<meta http-equiv=\"refresh\" content=\"0; url=\(address)\">"
            + "<p><a href=\"\(address)\">Open ScoreSync</a></p>\n"
        do throws(ControlSocketError) {
            try PrivateDirectory.prepare(paths.directory)
            try PrivateDirectory.write(Array(page.utf8), to: keyFile)
        } catch { throw error.controlError }
        return (keyFile, address)
    }

    /// Returns whether a key is valid, and ends it.
    package func consume(_ key: String) -> Bool {
        var (status, bytes) = (platform_file(), [UInt8](repeating: 0, count: 4096))
        guard platform_file_status(keyFile, &status) >= 0, key.utf8.count == 32 else {
            return false
        }
        let age = platform_wall_milliseconds() - status.changed / 1_000_000
        let count = platform_read_file(keyFile, 0, &bytes, bytes.count)
        let text = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
        // Of two browsers that bring the same key, one removes the file.
        return text.contains("/open/\(key)\"") && platform_unlink(keyFile) == 0
            && (-1000...Self.keyMilliseconds).contains(age)
    }
}
