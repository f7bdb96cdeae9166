import ControlSocket
import ScoreSheets
import SessionCRDT
import SyncProtocol

/// The calls about the options of a session's game.
extension Daemon {
    func routeOptions(_ router: inout ControlRouter) {
        onLater(SessionOptionRequest.self, &router) {
            daemon,
            request,
            answer throws(ControlError) in
            let session = try daemon.session(request.session)
            let sheet = try daemon.sheet(of: daemon.derived(session).document)
            let chosen = try daemon.changes(request.words, in: session)
            guard !chosen.isEmpty else {
                return answer(.success(try daemon.optionsReply(session)))
            }
            // What is so already stays so, and may be said also when nothing can be changed.
            let now = daemon.draft(session).book.options
            let new = chosen.filter { now[$0.name] ?? .null != $0.value }
            guard !new.isEmpty else {
                daemon.remember(chosen, of: sheet)
                return answer(.success(try daemon.optionsReply(session)))
            }
            daemon.write(Daemon.mutations(new), to: session) { result in
                answer(
                    result.flatMap {
                        do throws(ControlError) {
                            daemon.remember(chosen, of: sheet)
                            return .success(try daemon.optionsReply(session))
                        } catch { return .failure(error) }
                    }
                )
            }
        }
    }

    /// What the words `NAME=VALUE` choose, by name, if the rules allow it.
    private func changes(
        _ words: [String],
        in session: SessionID
    ) throws(ControlError) -> [(name: Symbol, value: Value)] {
        guard !words.isEmpty else { return [] }
        let desk = try WritingDesk(self, session: session)
        var changes: [Symbol: Value] = [:]
        for word in words {
            guard word.utf8.contains(UInt8(ascii: "=")) else {
                throw ControlError(
                    .usage,
                    "say what to set it to: \(word)=VALUE, or \(word)=default"
                )
            }
            let (name, value) = try change(word, of: desk.sheet)
            noteLists(in: [(name: name, value: value)])
            guard changes.updateValue(value, forKey: name) == nil else {
                throw ControlError(.usage, "the option \(name) is there twice")
            }
            guard desk.book.options[name] ?? .null != value else { continue }
            do throws(RuleViolation) {
                try desk.sheet.rules.check(option: name, in: desk.book)
            } catch { throw ControlError(error) }
        }
        return changes.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) }
    }

    /// The option that a word `NAME=VALUE` means, and the value that it gives it.
    private func change(
        _ word: String,
        of sheet: Sheet
    ) throws(ControlError) -> (name: Symbol, value: Value) {
        do throws(RuleViolation) {
            return try EntryParser(sheet).option(word)
        } catch { throw ControlError(error) }
    }

    private func optionsReply(_ session: SessionID) throws(ControlError) -> SessionOptionReply {
        SessionOptionReply(options: try optionSummaries(session))
    }

    /// The options of a session, in the order of its sheet.
    private func optionSummaries(_ session: SessionID) throws(ControlError) -> [OptionSummary] {
        let derived = derived(session)
        return try sheet(of: derived.document).settings(of: derived.book).map { option, value in
            OptionSummary(
                name: option.name.description,
                value: Scalar(value),
                default: Scalar(option.kind.defaultValue),
                takes: option.kind.words,
                help: option.help
            )
        }
    }

    /// The options of a session that differ from their defaults; nil where its sheet cannot be
    /// read.
    func chosenOptions(_ session: SessionID) -> [String: Scalar]? {
        guard let options = try? optionSummaries(session) else { return nil }
        let chosen = options.filter { $0.value != $0.default }
        return Dictionary(chosen.map { ($0.name, $0.value) }) { first, _ in first }
    }
}
