import ScoreSheets
import SessionCRDT
import SessionStore
import SyncProtocol

/// The options of games, as they are chosen and remembered.
extension Daemon {
    /// The options that texts mean for a sheet, by name.
    func options(
        _ typed: [String: String],
        of sheet: Sheet
    ) throws(ControlError) -> [(name: Symbol, value: Value)] {
        var options: [(name: Symbol, value: Value)] = []
        for (name, value) in typed.sorted(by: { $0.key < $1.key }) {
            do throws(RuleViolation) {
                options.append(try EntryParser(sheet).option("\(name)=\(value)"))
            } catch { throw ControlError(error) }
        }
        noteLists(in: options)
        return options
    }

    /// The options as a session holds them.
    static func mutations(_ options: [(name: Symbol, value: Value)]) -> [Mutation] {
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

    private func changeMemory(_ change: (inout DeviceMemory) -> Void) {
        let before = memory
        change(&memory)
        guard memory != before else { return }
        let text = memory.text
        note("the options could not be remembered") { store throws(StoreError) in
            try store.set(Setting.memory, to: text)
        }
    }
}
