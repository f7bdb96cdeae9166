import FoundationEssentials

/// A file of the project that is no code.
enum ProjectFile {
    /// The text of the file at a path from the top of the project.
    static func text(_ path: String) throws -> String {
        let data = try Data(contentsOf: top.appendingPathComponent(path))
        return String(decoding: data, as: UTF8.self)
    }

    /// The names of the files in a folder, sorted.
    static func names(in folder: String) throws -> [String] {
        let path = top.appendingPathComponent(folder).path
        return try FileManager.default.contentsOfDirectory(atPath: path).sorted()
    }

    /// The top of the project.
    private static var top: URL {
        URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    }
}
