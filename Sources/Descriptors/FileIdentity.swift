internal import CPlatform

/// Identifies a file on this machine independently of its path, which may lead to another file by
/// now.
package struct FileIdentity: Hashable, Sendable {
    private let device: UInt64
    private let number: UInt64

    /// The file at a path, a link itself and not its target; nil if there is none.
    package init?(at path: String) {
        var file = platform_file()
        guard platform_file_status(path, &file) == 0 else { return nil }
        (device, number) = (file.device, file.number)
    }

    /// The file of an open descriptor.
    package init?(of descriptor: Int32) {
        var file = platform_file()
        guard platform_descriptor_status(descriptor, &file) == 0 else { return nil }
        (device, number) = (file.device, file.number)
    }
}
