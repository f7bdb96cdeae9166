import Dispatch
import Foundation
import Synchronization

/// The files of this repository, found from where this one was compiled.
enum Repository {
    /// The folder that holds `Package.swift`.
    static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// Every Swift file of `Sources` and `Tests`.
    static let swiftFiles: [SourceFile] = read(swiftPaths)

    /// Every file of C, which only the rules about text concern.
    static let otherSources: [SourceFile] = paths(under: "Sources")
        .filter { $0.hasSuffix(".c") || $0.hasSuffix(".h") }
        .map { SourceFile(path: $0, text: text(of: $0)) }

    /// The Swift files of the product.
    static var sources: [SourceFile] { swiftFiles.filter(\.isSource) }

    /// The Swift files of the tests.
    static var tests: [SourceFile] { swiftFiles.filter { !$0.isSource } }

    private static var swiftPaths: [String] {
        (paths(under: "Sources") + paths(under: "Tests")).filter { $0.hasSuffix(".swift") }
    }

    /// The text of a file, or nothing when it cannot be read.
    static func text(of path: String) -> String {
        guard let data = FileManager.default.contents(atPath: root.appending(path: path).path)
        else { return "" }
        return String(decoding: data, as: UTF8.self)
    }

    /// Whether something is at `path`.
    static func exists(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: root.appending(path: path).standardized.path)
    }

    /// The files below a folder in a fixed order, as paths from the root.
    static func paths(under folder: String) -> [String] {
        let found = FileManager.default.enumerator(atPath: root.appending(path: folder).path)
        let names = found?.compactMap { $0 as? String } ?? []
        return names.map { "\(folder)/\($0)" }.sorted()
    }

    /// Scans the files on every core: in a debug build that is most of what these tests do.
    private static func read(_ paths: [String]) -> [SourceFile] {
        let files = Mutex([SourceFile?](repeating: nil, count: paths.count))
        DispatchQueue.concurrentPerform(iterations: paths.count) { index in
            let file = SourceFile(path: paths[index], text: text(of: paths[index]))
            files.withLock { $0[index] = file }
        }
        return files.withLock { $0.compactMap(\.self) }
    }
}
