internal import CPlatform

/// A directory that nobody but its owner may enter.
package enum PrivateDirectory {
    /// Makes the directory and those above it where they are missing, and checks it.
    package static func prepare(_ path: String) throws(ControlSocketError) {
        var file = platform_file()
        if platform_file_status(path, &file) < 0 {
            let above = path.split(separator: "/").dropLast()
            var parent = ""
            for name in above {
                parent += "/" + name
                // Whatever is wrong with it shows in the next step.
                _ = platform_make_directory(parent)
            }
            let made = platform_make_directory(path)
            // Another process may have made it meanwhile.
            if platform_file_status(path, &file) < 0 {
                try ControlSocketError.check(made, "make the directory \(path)")
            }
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
