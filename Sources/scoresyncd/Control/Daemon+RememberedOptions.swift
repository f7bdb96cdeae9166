import ScoreSheets
import SessionCRDT
import SessionStore
import SyncProtocol

/// The options of games, as they are chosen and remembered.
extension Daemon {
    /// The options that words `NAME=VALUE` mean for a sheet, each once, by name.
    func options(
        _ words: [String],
        of sheet: Sheet
    ) throws(ControlError) -> [(name: Symbol, value: Value)] {
        var options: [Symbol: Value] = [:]
        for word in words {
            guard word.utf8.contains(UInt8(ascii: "=")) else {
                throw ControlError(
                    .usage,
                    "say what to set it to: \(word)=VALUE, or \(word)=default"
                )
            }
            let (name, value) = try option(word, of: sheet)
            guard options.updateValue(value, forKey: name) == nil else {
                throw ControlError(.usage, "the option \(name) is there twice")
            }
        }
        if let ghost = sheet.rules as? GhostRules {
            let book = Book(players: [], cells: [:], options: options)
            do throws(RuleViolation) { try WordSource.check(ghost.wordList(of: book)) } catch {
                throw ControlError(error)
            }
        }
        let chosen = options.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) }
        noteLists(in: chosen)
        return chosen
    }

    /// The option that a word means, which must be one that people choose.
    private func option(
        _ word: String,
        of sheet: Sheet
    ) throws(ControlError) -> (name: Symbol, value: Value) {
        do throws(RuleViolation) {
            let option = try EntryParser(sheet).option(word)
            guard !sheet.rules.isChoice(option.name) else { return option }
            let help = sheet.option(option.name).map { ": " + $0.help } ?? ""
            throw .game("the game writes \(option.name) by itself, nobody else does\(help)")
        } catch { throw ControlError(error) }
    }

    /// The options that texts mean for a sheet, by what their names were typed as.
    func options(
        _ typed: [String: String],
        of sheet: Sheet
    ) throws(ControlError) -> [(name: Symbol, value: Value)] {
        try options(typed.map { "\($0)=\($1)" }.sorted(), of: sheet)
    }

    /// The options as a session holds them.
    static func mutations(_ options: [(name: Symbol, value: Value)]) -> [Mutation] {
        // A sheet with a name that is too long for a field is refused when it is read.
        options.compactMap { name, value in
            Field.option(name).map { Mutation(.session($0), value) }
        }
    }

    /// What was chosen for the game last time and is not chosen now.
    func recalledOptions(
        of sheet: Sheet,
        beside chosen: [(name: Symbol, value: Value)]
    ) -> [(name: Symbol, value: Value)] {
        let recalled = memory.options(of: sheet).filter { option in
            !chosen.contains { $0.name == option.name }
        }
        noteLists(in: recalled)
        return recalled
    }

    /// What a user is told of a session that begins with what this device remembers.
    static func notes(
        recalled: [(name: Symbol, value: Value)],
        selected: [String]
    ) -> [String]? {
        var notes: [String] = []
        if !selected.isEmpty {
            let names = selected.joined(separator: ", ")
            notes.append("With the selected people: \(names) (see 'scorectl people').")
        }
        if !recalled.isEmpty {
            let options = recalled.map { "\($0.name)=\(Scalar($0.value))" }
                .joined(separator: ", ")
            notes.append("As last time: \(options) (the usual options with --fresh).")
        }
        return notes.isEmpty ? nil : notes
    }

    /// Remembers the options that somebody chose for a game on this device, for its next session.
    func remember(
        _ chosen: [(name: Symbol, value: Value)],
        of sheet: Sheet,
        forgettingOthers: Bool = false
    ) {
        changeMemory { memory in
            memory.remember(chosen, of: sheet, forgettingOthers: forgettingOthers)
        }
    }

    /// Remembers that word lists were chosen on this device, also where the game stays as it is.
    func noteLists(in chosen: [(name: Symbol, value: Value)]) {
        changeMemory { $0.noteLists(in: chosen) }
    }

    /// What is wrong on this device with the word list that was just chosen for a session, in
    /// sentences.
    ///
    /// Nothing where it was not chosen just now. The list is read beside everything else.
    func listNotes(
        of session: SessionID,
        chosen: [(name: Symbol, value: Value)],
        then answer: @escaping @Sendable ([String]) -> Void
    ) {
        let derived = derived(session)
        let rules = (try? sheet(of: derived.document))?.rules as? GhostRules
        guard let name = rules?.wordList(of: derived.book),
            chosen.contains(where: { $0.value.string == name })
        else { return answer([]) }
        let tell = { @Sendable (error: ControlError) in
            answer(
                [error.message + "; until that is mended no letter can be entered on this laptop"]
            )
        }
        do throws(ControlError) {
            try withWordLists { (result: Result<Void, ControlError>) in
                if case .failure(let error) = result { tell(error) }
            } _: { [self] () throws(ControlError) in
                do throws(RuleViolation) { _ = try words.lexicon(name) } catch {
                    throw ControlError(error)
                }
                answer([])
            }
        } catch { tell(error) }
    }

    private func changeMemory(_ change: @escaping @Sendable (inout DeviceMemory) -> Void) {
        let before = memory
        change(&memory)
        guard memory != before else { return }
        note("the options could not be remembered") { store throws(StoreError) in
            try store.changeMemory(change)
        }
    }
}
