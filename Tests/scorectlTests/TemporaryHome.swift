import FoundationEssentials

/// A directory of its own for one test, removed with it.
final class TemporaryHome: Sendable {
    let path: String

    init() throws {
        let name = "scorectl-" + UUID().uuidString.prefix(13)
        path = FileManager.default.temporaryDirectory.appending(path: name).path
        try FileManager.default.createDirectory(
            atPath: path,
            withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o700]
        )
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Writes an executable script.
    func script(_ name: String, _ lines: String) throws -> String {
        let file = path + "/" + name
        try Data("#!/bin/sh\n\(lines)\n".utf8).write(to: URL(filePath: file))
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: file)
        return file
    }
}
