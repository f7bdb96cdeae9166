internal import CPlatform

/// Which file of this machine something is: its path may lead to another one by now.
struct FileIdentity: Hashable, Sendable {
    private let device: UInt64
    private let number: UInt64

    /// What is at a path, a link itself and not what it points to; nil where nothing is.
    init?(at path: String) {
        var file = platform_file()
        guard platform_file_status(path, &file) == 0 else { return nil }
        self.init(file)
    }

    /// The file that is open.
    init?(of descriptor: Int32) {
        var file = platform_file()
        guard platform_descriptor_status(descriptor, &file) == 0 else { return nil }
        self.init(file)
    }

    private init(_ file: platform_file) {
        device = file.device
        number = file.number
    }
}
