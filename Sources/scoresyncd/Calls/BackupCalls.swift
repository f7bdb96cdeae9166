import CPlatform
import ControlSocket
import SessionStore
import SyncProtocol

/// The calls about copies of everything.
struct BackupCalls {
    let disk: Disk
    let home: String

    func register(on router: inout ControlRouter) {
        router.answerLater(BackupMakeRequest.self, with: make)
        router.answer(BackupListRequest.self) { _ in list() }
    }

    private func make(
        _ request: BackupMakeRequest,
        then answer: @escaping Answer<BackupMakeReply>
    ) throws(ControlError) {
        let file = request.file
        guard file.hasPrefix("/"), !file.utf8.contains(0) else {
            throw ControlError(.usage, "the file of a copy is named from the root: not “\(file)”")
        }
        guard !isOurs(directoryOf: file) else {
            let text = "the copy would be among the daemon's own files; choose another directory"
            throw ControlError(.refused, text)
        }
        disk.copy(to: file, replacing: request.replace ?? false) { result in
            answer(
                result.map { BackupMakeReply(copy: CopySummary($0, file)) }
                    .mapError(BackupCalls.refusal)
            )
        }
    }

    /// Whether a file would stand among those of the daemon, whatever links lead there.
    private func isOurs(directoryOf file: String) -> Bool {
        let directory = file.prefix(through: file.lastIndex(of: "/") ?? file.startIndex)
        var place = platform_file()
        guard platform_file_status("\(directory).", &place) >= 0 else { return false }
        return [home, CopyShelf(home: home).directory].contains { own in
            var found = platform_file()
            return platform_file_status(own + "/.", &found) >= 0 && found.device == place.device
                && found.number == place.number
        }
    }

    private static func refusal(_ error: StoreError) -> ControlError {
        if case .inTheWay = error { return ControlError(.refused, "\(error)") }
        return ControlError(.failed, "\(error)")
    }

    private func list() -> BackupListReply {
        let shelf = CopyShelf(home: home)
        return BackupListReply(
            directory: shelf.directory,
            copies: shelf.copies.reversed().map { copy in
                KeptCopySummary(
                    name: String(copy.name.dropLast(3)),
                    file: copy.path,
                    madeAt: Timestamp(milliseconds: copy.madeAt),
                    bytes: copy.bytes,
                    reason: copy.reason == .weekly ? "weekly" : "schema"
                )
            }
        )
    }
}
