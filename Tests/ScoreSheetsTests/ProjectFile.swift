import FoundationEssentials

/// A file of the project that is no code.
enum ProjectFile {
    /// The text of the file at a path from the top of the project.
    static func text(_ path: String, from file: String = #filePath) throws -> String {
        let folder = URL(fileURLWithPath: file).resolvingSymlinksInPath()
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let data = try Data(contentsOf: folder.appendingPathComponent(path))
        return String(decoding: data, as: UTF8.self)
    }
}
