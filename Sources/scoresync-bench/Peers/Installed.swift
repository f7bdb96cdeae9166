import CPlatform
import Foundation

/// Another store, where this machine has it: its program, and how long it may take to begin.
enum Installed {
    /// The path of a program that a shell would find.
    static func path(of program: String) -> String? {
        (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
            .map { "\($0)/\(program)" }.first { platform_is_executable($0) }
    }

    /// Does what fails until a server is there, for some seconds.
    static func waiting<Result>(_ body: () throws -> Result) throws -> Result {
        for _ in 0..<200 {
            if let result = try? body() { return result }
            Thread.sleep(forTimeInterval: 0.05)
        }
        return try body()
    }
}
