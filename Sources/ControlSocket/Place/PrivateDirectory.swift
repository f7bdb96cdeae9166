internal import CPlatform

/// A directory that nobody but its owner may enter.
package enum PrivateDirectory {
    /// Makes the directory and those above it where they are missing, and checks it.
    package static func prepare(_ path: String) throws(ControlSocketError) {
        var file = platform_file()
        if platform_file_status(path, &file) < 0 {
            var (step, failure) = ("", (path: path, code: Int32(0)))
            for name in path.split(separator: "/") {
                step += "/" + name
                let made = platform_make_directory(step)
                // What is there need not be made, nor what another process made meanwhile.
                if made < 0, platform_file_status(step, &file) < 0 {
                    failure = (step, made)
                    break
                }
            }
            try ControlSocketError.check(failure.code, "make the directory \(failure.path)")
        }
        try check(path)
    }

    /// Throws unless the directory exists, belongs to this user and is closed to others.
    package static func check(_ path: String) throws(ControlSocketError) {
        var file = platform_file()
        try ControlSocketError.check(platform_file_status(path, &file), "look at \(path)")
        guard file.is_directory else { throw .inTheWay(path) }
        guard file.owner == platform_own_user() else {
            throw .foreignDirectory(path, owner: file.owner)
        }
        guard file.mode & 0o077 == 0 else { throw .openDirectory(path, mode: file.mode) }
    }
}
