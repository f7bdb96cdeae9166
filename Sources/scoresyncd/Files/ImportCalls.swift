import ControlSocket
import Descriptors
import Dispatch
import SyncProtocol

/// The calls that take sessions in from a file: owns what is being read, one file for each
/// connection at most, until the connection ends.
///
/// Lines are read beside the daemon's queue; what they come to is taken in on it. Invariant for
/// `@unchecked Sendable`: used on the daemon's queue only.
final class ImportCalls: @unchecked Sendable {
    private static let reading = DispatchQueue(label: "scoresync.import", qos: .userInitiated)

    private var files: [ObjectIdentifier: ImportFile] = [:]
    private let importer: Importer
    private let queue: EventQueue

    init(_ importer: Importer, _ queue: EventQueue) {
        self.importer = importer
        self.queue = queue
    }

    func register(on router: inout ControlRouter) {
        router.on(ImportBeginRequest.self) { [self] request, call in
            let id = ObjectIdentifier(call.connection)
            let file = ImportFile(isDryRun: request.dryRun)
            if files.updateValue(file, forKey: id) == nil {
                call.connection.onClose { @Sendable [weak self] in self?.files[id] = nil }
            }
            call.respond(Done())
        }
        router.on(ImportAddRequest.self) { [self] request, call in
            do throws(ControlError) {
                let file = try file(of: call.connection)
                try add(request.text, to: file) { call.respond($0) }
            } catch { call.fail(error) }
        }
        router.on(ImportFinishRequest.self) { [self] _, call in
            do throws(ControlError) {
                let file = try file(of: call.connection)
                files[ObjectIdentifier(call.connection)] = nil
                do throws(ExportError) { try file.finish() } catch {
                    throw ControlError(.failed, "\(error)")
                }
                importer.finish(file) { result in
                    call.respond(result.map { ImportReply(sessions: []) })
                }
            } catch { call.fail(error) }
        }
    }

    private func file(of connection: ControlConnection) throws(ControlError) -> ImportFile {
        guard let file = files[ObjectIdentifier(connection)] else {
            throw ControlError(.usage, "no import was begun on this connection")
        }
        guard !file.isBusy else {
            throw ControlError(.usage, "the lines before are still being read")
        }
        return file
    }

    private func add(
        _ text: String,
        to file: ImportFile,
        then answer: @escaping Answer<ImportReply>
    ) throws(ControlError) {
        guard text.utf8.last == 0x0A else {
            throw ControlError(.usage, "import.add takes whole lines")
        }
        file.isBusy = true
        ImportCalls.reading.async { @Sendable [queue] in
            let read = file.read(text)
            queue.async { @Sendable [self] in
                take(read.sessions.reversed(), read.error, into: file, [], then: answer)
            }
        }
    }

    /// Takes sessions in, the last one first; then tells of a line that could not be read.
    ///
    /// Nobody keeps a session that is on its way to disk: it is the size of all that is held of it.
    private func take(
        _ sessions: [ImportedSession],
        _ error: ExportError?,
        into file: ImportFile,
        _ done: [ImportedSummary],
        then answer: @escaping Answer<ImportReply>
    ) {
        var rest = sessions
        guard let session = rest.popLast() else {
            file.isBusy = false
            if let error { return answer(.failure(ControlError(.failed, "\(error)"))) }
            return answer(.success(ImportReply(sessions: done)))
        }
        importer.take(session, for: file) { [self, rest] result in
            switch result {
            case .success(let summary):
                take(rest, error, into: file, done + [summary], then: answer)
            case .failure(let error):
                file.isBusy = false
                answer(.failure(error))
            }
        }
    }
}
