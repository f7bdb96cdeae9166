import FoundationEssentials

/// The programs that were built beside the tests.
package enum Programs {
    /// The path of a program.
    package static func path(of name: String) throws -> String {
        for argument in CommandLine.arguments {
            var directory = URL(filePath: argument).deletingLastPathComponent()
            for _ in 0..<4 {
                let program = directory.appending(path: name).path
                if FileManager.default.isExecutableFile(atPath: program) { return program }
                directory = directory.deletingLastPathComponent()
            }
        }
        throw Failure("the program \(name) was not built beside the tests")
    }
}
