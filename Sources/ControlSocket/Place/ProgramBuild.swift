internal import CPlatform

/// Which build of a program a file is: two of one version may still differ.
///
/// It is the file's length and when it last changed, which costs one call of the system; whoever
/// installs anew changes the time, also where nothing else changes.
package struct ProgramBuild: Hashable, Sendable {
    /// The length of the file in bytes.
    package let bytes: Int64
    /// When the file last changed, in nanoseconds since 1970.
    package let changed: Int64

    /// A build of these parts.
    package init(bytes: Int64, changed: Int64) {
        self.bytes = bytes
        self.changed = changed
    }

    /// The build of the file at a path; nil where none is.
    package init?(at path: String) {
        var content = platform_content()
        guard platform_content_status(path, &content) == 0, content.is_regular else { return nil }
        self.init(bytes: content.bytes, changed: content.changed)
    }

    /// The build that its text says; nil for a text of another form, as a later version may have.
    package init?(_ text: String) {
        let parts = text.split(separator: "-").map { Int64($0) }
        guard parts.count == 2, let bytes = parts[0], let changed = parts[1] else { return nil }
        self.init(bytes: bytes, changed: changed)
    }

    /// The build that this process was started from, as it is before anybody replaces the file.
    package static var ofThisProcess: ProgramBuild? {
        InstalledProgram.ownPath.flatMap { ProgramBuild(at: $0) }
    }

    /// The text by which a daemon tells it.
    package var text: String { "\(bytes)-\(changed)" }
}
